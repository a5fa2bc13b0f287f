"""What a view has to offer to be one of VIEWS."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeAlias, TypeVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from ximstudio.model.selection import NOTHING, Selection
from ximstudio.session.shown import Picture, RenderRequest
from ximstudio.ui.views.common.empty import Empty
from ximstudio.views.common.kind import ViewKind
from ximstudio.views.common.state import ViewState

if TYPE_CHECKING:
    from ximstudio.ui.actions.actions import Actions
    from ximstudio.views.compare.sweep_picture import SweepPicture

State = TypeVar("State", bound=ViewState)


class View(QWidget, Generic[State, Picture]):
    """One way of looking at what is shown.

    A view has two halves, so that the window never waits. `request()` returns a function that
    computes what is to be drawn: it runs in the lane, knows no Qt, and holds the options as they
    are now. `draw()` puts the outcome on the screen, at once.
    """

    kind: ClassVar[ViewKind]
    """The view that this is the widget of."""

    empty: Empty
    """What is seen while there is no picture."""

    wanted = Signal()
    """The options have changed: ask for the request again."""
    asked = Signal(str)
    """A person wants to see another view; its key."""
    chosen = Signal(object, object)
    """A person chooses items here: a Selection, and how it changes the one there is (Combine)."""

    selection: Selection = NOTHING
    """The items that are chosen, wherever that was done."""

    def meet(self, actions: Actions) -> None:
        """Get to know who does what a person asks for here; most views only ask to be drawn."""

    @property
    def state(self) -> State:
        """How a person has set this view."""
        raise NotImplementedError

    def restore(self, state: State) -> None:
        """Set the view as it was another time, as far as what is shown allows; it is drawn next."""
        raise NotImplementedError

    def request(self) -> RenderRequest[Picture]:
        """What this view needs, with its options as they are."""
        raise NotImplementedError

    def draw(self, picture: Picture) -> None:
        """Show what the request has computed."""
        raise NotImplementedError

    def draw_nothing(self) -> None:
        """Show that there is no map yet, and how to get one."""
        raise NotImplementedError

    def show_selection(self, selection: Selection) -> None:
        """Mark the chosen items, at once; the picture is made with them from now on."""
        if selection != self.selection:
            self.selection = selection
            self._mark_selection()

    def paint_now(self) -> None:
        """Have what was marked seen before anything else is done about it."""

    def _mark_selection(self) -> None:
        """Show `selection` on what is drawn. Views without items have nothing to mark."""

    @property
    def swept(self) -> SweepPicture | None:
        """The sweep that is seen here, which is no part of what is shown; None without one."""
        return None

    @property
    def selected_ids(self) -> frozenset[str]:
        """The items that are seen to be chosen here; none where the view shows no items."""
        return frozenset()

    @property
    def is_blank(self) -> bool:
        """Whether no picture was drawn yet, or there is none any more."""
        raise NotImplementedError

    @property
    def is_drawn(self) -> bool:
        """Whether all of the last picture is there, or some of it follows in a moment."""
        return True

    def draw_wait(self, title: str, text: str = "") -> None:
        """Show what is being made, if there is nothing else to see."""
        if self.is_blank:
            self.empty.show_wait(title, text)

    def draw_failed(self) -> None:
        """Show that the picture could not be made, if there is nothing else to see."""
        if self.is_blank:
            self.empty.show_message(
                "This view could not be drawn",
                "The message has the details. Other views may still work.",
            )


AnyView: TypeAlias = View[Any, Any]
"""Some view: who holds it does not know what it draws, and hands it what it requested."""
