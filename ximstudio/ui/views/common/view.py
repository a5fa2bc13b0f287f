"""Base of the widgets of views, and their page without a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeAlias, TypeVar

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel, QStackedWidget, QWidget

from ximstudio.model.selection import NOTHING, Selection
from ximstudio.pictures.cache import PictureCache
from ximstudio.session.shown import Picture, RenderRequest
from ximstudio.ui.widgets.boxes import Stretch, vbox
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import button, label
from ximstudio.ui.widgets.look.icons import icon_pixmap
from ximstudio.ui.widgets.look.theme import the_theme
from ximstudio.views.common.kind import ViewKind
from ximstudio.views.common.state import ViewState

WIDTH = 360
SIGN = 40
PATIENCE = 250
"""Milliseconds before a waiting message, as most drawings are faster."""


class Empty(QFrame):
    """A plain page: an icon, a title, a sentence, and optionally a button."""

    chosen = Signal()
    """The button was pressed."""

    def __init__(self, icon_name: str) -> None:
        super().__init__()
        self.setProperty("kind", "panel")
        self._icon = icon_name
        self._sign = QLabel()
        self._sign.setFixedHeight(SIGN)
        self._title = label(kind="title")
        self._text = label(kind="muted", wrap=True)
        self._button = button("")
        self._button.clicked.connect(self.chosen)
        # The text must not make narrow panes wider.
        self.setMinimumWidth(1)
        self._awaited = ("", "")
        self.waiting = False
        """True if a picture is being computed."""
        self.patience = QTimer(self, singleShot=True, interval=PATIENCE)
        self.patience.timeout.connect(lambda: self._say(*self._awaited, ""))
        self._layout = column = vbox(Stretch(2), into=self, gap=spacing.SMALL)
        for part in (self._sign, self._title, self._text):
            part.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            column.addWidget(part, alignment=Qt.AlignmentFlag.AlignHCenter)
        column.addSpacing(spacing.HAIR)
        column.addWidget(self._button, alignment=Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(3)
        the_theme().follow(self._tint)
        self._tint()

    @property
    def title(self) -> str:
        return self._title.text()

    @property
    def text(self) -> str:
        return self._text.text()

    def show_message(self, title: str, text: str, *, action: str = "") -> None:
        """Say what is missing and how to get it; `action` is the text of the button."""
        self.patience.stop()
        self.waiting = False
        self._say(title, text, action)

    def show_wait(self, title: str, text: str = "") -> None:
        """Stay blank, and after a moment say what is being computed."""
        if self.waiting and self._awaited == (title, text):
            return
        begun, self.waiting, self._awaited = self.waiting, True, (title, text)
        if begun and not self.patience.isActive():
            # A message is shown already; only its words change.
            self._say(title, text, "")
        elif not begun:
            self._say("", "", "")
            self.patience.start()

    def _say(self, title: str, text: str, action: str) -> None:
        self._title.setText(title)
        self._text.setText(text)
        self._button.setText(action)
        self._button.setVisible(bool(action))
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802  (Qt's name)
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        # A layout that centres its widgets ignores the height of wrapped text.
        width = max(1, min(WIDTH, self.width() - 2 * spacing.LARGE))
        self._text.ensurePolished()
        self._text.setMinimumHeight(0)
        self._text.setFixedSize(width, max(self._text.heightForWidth(width), 0))
        self._leave_out()

    def _leave_out(self) -> None:
        """Hide the icon, then the sentence, if they would overlap the rest."""
        said, written = bool(self._title.text()), bool(self._text.text())
        for sign, text in ((said, written), (False, written), (False, False)):
            self._sign.setVisible(sign)
            self._text.setVisible(text)
            if self._layout.totalMinimumSize().height() <= self.height():
                break
        self.setToolTip("" if text or not written else self._text.text())

    def _tint(self) -> None:
        scale = self.devicePixelRatioF()
        self._sign.setPixmap(icon_pixmap(self._icon, SIGN, role="disabled", scale=scale))


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
