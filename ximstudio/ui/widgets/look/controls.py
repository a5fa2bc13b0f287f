"""Create controls with the properties that the style sheet expects."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractButton,
    QBoxLayout,
    QButtonGroup,
    QFormLayout,
    QFrame,
    QLabel,
    QPushButton,
    QSizePolicy,
    QStyledItemDelegate,
    QToolButton,
    QWidget,
)

from ximstudio.ui.widgets.boxes import hbox, vbox
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.drop_down import DropDown, keep_wheel
from ximstudio.ui.widgets.look.icons import icon, icon_pixmap
from ximstudio.ui.widgets.look.theme import the_theme


class ButtonKind(StrEnum):
    """Purpose of a button: one primary action per place, ghosts in groups."""

    PLAIN = "plain"
    PRIMARY = "primary"
    GHOST = "ghost"
    LINK = "link"
    DANGER = "danger"
    STEP = "step"


class Size(StrEnum):
    """Height of a button."""

    SMALL = "small"
    NORMAL = "normal"
    LARGE = "large"


class Tone(StrEnum):
    """Severity of a message."""

    NOTE = "note"
    SUCCESS = "success"
    WARNING = "warning"
    DANGER = "danger"


TONE_ICONS = {
    Tone.NOTE: ("info", "accent"),
    Tone.SUCCESS: ("check", "success"),
    Tone.WARNING: ("warning", "warning"),
    Tone.DANGER: ("error", "danger"),
}
"""Icon of every tone, and its colour."""
_BESIDE_TEXT = QSize(spacing.ICON + 4, spacing.ICON)
"""Style sheets cannot set the gap between icon and text, but an icon may be wider than high."""
_ICON_ROLES = {
    ButtonKind.PRIMARY: "accent_text",
    ButtonKind.DANGER: "danger",
    ButtonKind.LINK: "accent",
}


def mark(widget: QWidget, name: str, value: str) -> None:
    """Set a style sheet property and apply it at once.

    `mark(field, "state", "error")` gives a field a red edge, `""` takes it away.
    """
    widget.setProperty(name, value)
    widget.style().unpolish(widget)
    widget.style().polish(widget)


def button(
    text: str,
    *,
    kind: ButtonKind = ButtonKind.PLAIN,
    size: Size = Size.NORMAL,
    icon_name: str = "",
    tip: str = "",
) -> QPushButton:
    """Return a push button with a focus ring after Tab, not after a click."""
    made = QPushButton(text)
    made.setProperty("kind", kind.value)
    made.setProperty("extent", size.value)
    made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    made.setToolTip(tip)
    if icon_name:
        made.setIcon(icon(icon_name, role=_ICON_ROLES.get(kind, "text")))
        made.setIconSize(_BESIDE_TEXT)
    if kind is ButtonKind.LINK:
        made.setCursor(Qt.CursorShape.PointingHandCursor)
        made.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
    return made


def tool_button(
    icon_name: str, *, tip: str, text: str = "", size: Size = Size.NORMAL, checkable: bool = False
) -> QToolButton:
    """Return an icon button; its tooltip is also its accessible name."""
    made = QToolButton()
    made.setIcon(icon(icon_name))
    made.setIconSize(QSize(spacing.ICON, spacing.ICON))
    made.setToolTip(tip)
    made.setAccessibleName(tip)
    made.setProperty("extent", size.value)
    made.setCheckable(checkable)
    made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    if icon_name == "more":
        # Three dots already indicate a menu; hide the arrow.
        made.setProperty("menu", "quiet")
    if text:
        made.setText(text)
        made.setIconSize(_BESIDE_TEXT)
        made.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    return made


def combo_box(*, name: str = "", tip: str = "") -> DropDown:
    """Return a drop-down whose list looks like other lists; `name` is for screen readers."""
    made = DropDown()
    made.setAccessibleName(name)
    made.setToolTip(tip)
    keep_wheel(made)
    # Qt's default delegate of drop-downs ignores the style sheet of items.
    made.setItemDelegate(QStyledItemDelegate(made))
    return made


def form() -> QFormLayout:
    """Return a form layout with names on the left and fields on the right."""
    made = QFormLayout()
    made.setHorizontalSpacing(spacing.MEDIUM)
    made.setVerticalSpacing(spacing.SMALL)
    made.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    made.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
    return made


def label(text: str = "", *, kind: str = "", tone: str = "", wrap: bool = False) -> QLabel:
    """Return a label of a kind: display, heading, title, strong, section, muted, badge…"""
    made = QLabel(text)
    made.setWordWrap(wrap)
    made.setProperty("kind", kind)
    made.setProperty("tone", tone)
    return made


def line(*, upright: bool = False) -> QFrame:
    """Return a thin separator line."""
    made = QFrame()
    made.setProperty("kind", "column" if upright else "line")
    return made


def segments(texts: Mapping[str, str], *, chosen: str = "", name: str = "") -> Segments:
    """Return a row of texts by key, of which exactly one is chosen."""
    made: dict[str, QPushButton | QToolButton] = {}
    for key, text in texts.items():
        made[key] = button(text, kind=ButtonKind.GHOST, size=Size.SMALL)
        made[key].setCheckable(True)
    return Segments(made, chosen=chosen or next(iter(made)), name=name)


def icon_segments(
    icons: Mapping[str, tuple[str, str]], *, chosen: str = "", name: str = ""
) -> Segments:
    """Return a row of icons by key with names and tooltips, of which exactly one is chosen."""
    made: dict[str, QPushButton | QToolButton] = {
        key: tool_button(picture, tip=tip, checkable=True, size=Size.SMALL)
        for key, (picture, tip) in icons.items()
    }
    return Segments(made, chosen=chosen or next(iter(made)), name=name)


class Segments(QFrame):
    """Row of buttons of which exactly one is checked."""

    chosen = Signal(str)

    def __init__(
        self, buttons: Mapping[str, QPushButton | QToolButton], *, chosen: str, name: str = ""
    ) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setProperty("kind", "segments")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        row = self._row = hbox(into=self, gap=2, margins=2)
        self._group = QButtonGroup(self)
        self._buttons = dict(buttons)
        for made in self._buttons.values():
            made.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            self._group.addButton(made)
            row.addWidget(made)
        self._group.buttonToggled.connect(self._lead_to)
        self._buttons[chosen].setChecked(True)
        self._group.buttonClicked.connect(lambda _: self.chosen.emit(self.value))

    @property
    def value(self) -> str:
        """The key of the current choice."""
        return next(key for key, made in self._buttons.items() if made.isChecked())

    def stand(self, *, upright: bool) -> None:
        """Lay out the choices vertically or side by side."""
        ways = QBoxLayout.Direction
        self._row.setDirection(ways.TopToBottom if upright else ways.LeftToRight)
        self.adjustSize()

    def choose(self, key: str) -> None:
        """Change the choice without a signal."""
        self._buttons[key].setChecked(True)

    @staticmethod
    def _lead_to(made: QAbstractButton, checked: bool) -> None:
        """Make the current choice the tab stop; Qt does so only after it had the focus."""
        policy = Qt.FocusPolicy
        made.setFocusPolicy(policy.TabFocus if checked else policy.NoFocus)

    def button(self, key: str) -> QPushButton | QToolButton:
        """Return the button of a choice."""
        return self._buttons[key]


class Banner(QFrame):
    """Message across a panel, with severity, action buttons and an optional close button."""

    closed = Signal()

    def __init__(self, parent: QWidget | None = None, *, closable: bool = True) -> None:
        super().__init__(parent)
        self.setProperty("kind", "banner")
        self.tone = Tone.NOTE
        self._sign = QLabel()
        self._sign.setFixedHeight(spacing.CONTROL_SMALL)
        self._title = label(kind="strong")
        self._text = label()
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._close = tool_button("close", tip="Dismiss", size=Size.SMALL)
        self._close.clicked.connect(self._dismiss)
        for written in (self._title, self._text):
            written.setWordWrap(True)
            written.setMinimumWidth(120)
        # Align the first line of text with the buttons.
        self._title.setMinimumHeight(spacing.CONTROL_SMALL)
        words = vbox(self._title, self._text, gap=0)
        self._buttons = hbox(gap=spacing.SMALL)
        row = hbox(
            (self._sign, Qt.AlignmentFlag.AlignTop),
            (words, 1),
            self._buttons,
            into=self,
            gap=spacing.SMALL + 2,
            margins=(spacing.MEDIUM, spacing.SMALL, spacing.SMALL, spacing.SMALL),
        )
        row.setAlignment(self._buttons, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self._close, alignment=Qt.AlignmentFlag.AlignTop)
        if not closable:
            self._close.hide()
        the_theme().follow(self._tint)

    @property
    def title(self) -> str:
        return self._title.text()

    @property
    def text(self) -> str:
        return self._text.text()

    def show_message(
        self, title: str, text: str = "", *, tone: Tone = Tone.NOTE, actions: tuple[str, ...] = ()
    ) -> list[QPushButton]:
        """Show a message and return its buttons."""
        self.tone = tone
        self._title.setText(title)
        self._text.setText(text)
        self._text.setVisible(bool(text))
        while (item := self._buttons.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.hide()
                old.deleteLater()
        made = [button(action, size=Size.SMALL) for action in actions]
        for each in made:
            self._buttons.addWidget(each)
        mark(self, "tone", tone.value)
        self._tint()
        self.show()
        return made

    def _tint(self) -> None:
        name, role = TONE_ICONS[self.tone]
        scale = self.devicePixelRatioF()
        self._sign.setPixmap(icon_pixmap(name, spacing.ICON, role=role, scale=scale))

    def _dismiss(self) -> None:
        self.hide()
        self.closed.emit()
