"""Base of the widgets of views."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeAlias, TypeVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from ximstudio.model.selection import NOTHING, Selection
from ximstudio.pictures.cache import PictureCache
from ximstudio.session.shown import Picture, RenderRequest
from ximstudio.ui.views.common.empty import Empty
from ximstudio.views.common.kind import ViewKind
from ximstudio.views.common.state import ViewState

if TYPE_CHECKING:
    from ximstudio.ui.actions.actions import Actions
    from ximstudio.views.compare.sweep_picture import SweepPicture

State = TypeVar("State", bound=ViewState)


class View(QWidget, Generic[State, Picture]):
    """The widget of a view.

    A view has two halves, so that the window never waits. `request()` returns a function that
    computes what to draw: it runs in a background thread, without Qt, with the present options.
    `draw()` displays the result.
    """

    kind: ClassVar[ViewKind]
    """The view that this is the widget of."""

    nothing: ClassVar[tuple[str, str]]
    """Title and text without a map."""

    wanted = Signal()
    """The options changed: the request has to be fetched again."""
    asked = Signal(str)
    """The user wants to see another view; its key."""
    chosen = Signal(object, object)
    """The user selects items: a Selection, and how to combine it with the present one (Combine)."""

    selection: Selection = NOTHING
    """The selected items, wherever they were selected."""

    def __init__(self) -> None:
        super().__init__()
        self._memory = PictureCache()
        self._picture: Picture | None = None
        self.empty = Empty(self.kind.icon)
        """Page without a picture."""
        self._stack = QStackedWidget()

    def meet(self, actions: Actions) -> None:
        """Take the actions that the view uses; most views need none."""

    @property
    def state(self) -> State:
        """The user's settings of this view."""
        raise NotImplementedError

    def restore(self, state: State) -> None:
        """Restore a state, as far as the map allows; the view is drawn next."""
        raise NotImplementedError

    def request(self) -> RenderRequest[Picture]:
        """Return the request with the present options."""
        raise NotImplementedError

    def draw(self, picture: Picture) -> None:
        """Display the result of the request."""
        raise NotImplementedError

    def draw_nothing(self) -> None:
        """Say that there is no map yet, and how to get one."""
        self._picture = None
        self._show_empty(*self.nothing)

    def _show_empty(self, title: str, text: str, *, action: str = "") -> None:
        """Show a message instead of a picture."""
        self.empty.show_message(title, text, action=action)
        self._stack.setCurrentWidget(self.empty)

    def show_selection(self, selection: Selection) -> None:
        """Mark the selected items now, and use them for later pictures."""
        if selection != self.selection:
            self.selection = selection
            self._mark_selection()

    def paint_now(self) -> None:
        """Paint marks before anything else is done."""

    def _mark_selection(self) -> None:
        """Show `selection` in the drawing. Views without items have nothing to mark."""

    @property
    def swept(self) -> SweepPicture | None:
        """The sweep on display, which is not part of the map on display; None without one."""
        return None

    @property
    def selected_ids(self) -> frozenset[str]:
        """The items that are displayed as selected; none in views without items."""
        return frozenset()

    @property
    def is_blank(self) -> bool:
        """True if there is no picture."""
        return self._picture is None

    @property
    def is_drawn(self) -> bool:
        """True if the last picture is complete, and nothing follows in a moment."""
        return True

    def draw_wait(self, title: str, text: str = "") -> None:
        """Say what is being computed, if there is no picture."""
        if self.is_blank:
            self.empty.show_wait(title, text)

    def draw_failed(self) -> None:
        """Say that the picture could not be computed, if there is no other."""
        if self.is_blank:
            self.empty.show_message(
                "This view could not be drawn",
                "The message has the details. Other views may still work.",
            )


AnyView: TypeAlias = View[Any, Any]
"""A view whose types are unknown: its owner passes on what it requested."""
