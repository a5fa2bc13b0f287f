"""Message cards and collapsible sections."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from ximstudio.model.problem import Severity
from ximstudio.ui.widgets.boxes import hbox, vbox
from ximstudio.ui.widgets.drawing.guard import guarded
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import TONE_ICONS, ButtonKind, Size, Tone, button, label
from ximstudio.ui.widgets.look.icons import icon

TONES = {Severity.ERROR: Tone.DANGER, Severity.WARNING: Tone.WARNING, Severity.NOTE: Tone.NOTE}
_BREAKS = str.maketrans({mark: f"{mark}\u200b" for mark in "/\\_.,;:|"})
"""Names and paths have no spaces to break at; a break of no width lets them end a line."""


class Prose(QLabel):
    """Wrapped label whose height follows its width."""

    def __init__(self, text: str, *, kind: str) -> None:
        super().__init__(text)
        self.setProperty("kind", kind)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def minimumSizeHint(self) -> QSize:  # noqa: N802  (Qt's name)
        # Qt's hint is the height at the minimum width, which makes scrolling pages too long.
        return QSize(1, self.fontMetrics().height())


def breakable(text: str) -> str:
    """Return the text with break opportunities in names and paths."""
    return text.translate(_BREAKS)


def prose(text: str = "", *, kind: str = "", breaking: bool = False) -> Prose:
    """Return a wrapped label; with `breaking`, names and paths may break, too."""
    return Prose(breakable(text) if breaking else text, kind=kind)


class Sign(QWidget):
    """Icon of a severity, which follows the theme."""

    def __init__(self, tone: Tone) -> None:
        super().__init__()
        self.tone = tone
        self.setFixedSize(QSize(spacing.ICON, spacing.ICON))

    @guarded
    def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802  (Qt's name)
        name, role = TONE_ICONS[self.tone]
        painter = QPainter(self)
        icon(name, role=role).paint(painter, self.rect())
        painter.end()


class MessageCard(QFrame):
    """Message: severity, what is wrong, where, what to do, and buttons."""

    def __init__(
        self,
        tone: Tone,
        what: str,
        *,
        where: str = "",
        way_out: str = "",
        badge: str = "",
        framed: bool = True,
    ) -> None:
        super().__init__()
        self.tone = tone
        self.what = what
        edge = spacing.MEDIUM if framed else 0
        if framed:
            self.setProperty("kind", "card")
        row = hbox(
            (Sign(tone), Qt.AlignmentFlag.AlignTop), into=self, gap=spacing.SMALL, margins=edge
        )
        self._column = vbox(gap=spacing.HAIR)
        row.addLayout(self._column, 1)
        self._column.addWidget(prose(what))
        for text in (where, way_out):
            if text:
                written = prose(text, kind="caption", breaking=True)
                written.setToolTip("" if len(text) < 120 else text)
                self._column.addWidget(written)
        if badge:
            tag = label(badge, kind="badge", tone="warning")
            self._column.addWidget(tag, alignment=Qt.AlignmentFlag.AlignLeft)
        self._actions: QHBoxLayout | None = None

    def add_action(self, made: QWidget) -> None:
        """Add a button below the text."""
        if self._actions is None:
            self._actions = hbox(gap=spacing.SMALL, margins=(0, spacing.HAIR, 0, 0))
            self._column.addLayout(self._actions)
        self._actions.addWidget(made)

    def end_actions(self) -> None:
        """Align the buttons to the left."""
        if self._actions is not None:
            self._actions.addStretch(1)


class Fold(QWidget):
    """Collapsible section."""

    def __init__(self, title: str = "", *, open: bool = False) -> None:  # noqa: A002
        super().__init__()
        self._head = button(title, kind=ButtonKind.LINK, size=Size.SMALL, icon_name="chevron-right")
        self.body = QWidget()
        self.column = vbox(into=self.body, gap=spacing.SMALL, margins=(0, spacing.HAIR, 0, 0))
        vbox(self._head, self.body, into=self, gap=0, margins=0)
        self._head.clicked.connect(lambda: self.set_open(not self.is_open))
        self.set_open(open)

    @property
    def is_open(self) -> bool:
        return not self.body.isHidden()

    def set_open(self, open: bool) -> None:  # noqa: A002
        """Expand or collapse."""
        self.body.setVisible(open)
        self._head.setIcon(icon("chevron-down" if open else "chevron-right", role="accent"))

    def set_title(self, title: str) -> None:
        """Change the title."""
        self._head.setText(title)


def clear(column: QVBoxLayout) -> None:
    """Remove everything from a layout; widgets are deleted later."""
    while (item := column.takeAt(0)) is not None:
        if (old := item.widget()) is not None:
            old.hide()
            old.deleteLater()
