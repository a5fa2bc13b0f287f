"""Clickable card."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame

from ximstudio.ui.widgets.drawing.guard import guarded, painting
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.theme import the_theme

RING = 2.0
"""Width of the ring around the chosen and around the focused card."""


class Card(QFrame):
    """Frame that acts like a button; the chosen one has a ring."""

    clicked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("kind", "card")
        self.setProperty("clickable", "true")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.chosen = False
        self._pressed = False

    def choose(self, chosen: bool) -> None:
        """Draw the ring, or no ring."""
        if chosen is not self.chosen:
            self.chosen = chosen
            self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802  (Qt's name)
        self._pressed = event.button() is Qt.MouseButton.LeftButton

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802  (Qt's name)
        inside = self.rect().contains(event.position().toPoint())
        if self._pressed and inside and event.button() is Qt.MouseButton.LeftButton:
            self.clicked.emit()
        self._pressed = False

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802  (Qt's name)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.clicked.emit()
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        """Update the ring when the focus changes."""
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self.update()
        return super().event(event)

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802  (Qt's name)
        super().paintEvent(event)
        if not (self.chosen or self.hasFocus()):
            return
        colours = the_theme().colours
        with painting(self) as painter:
            style = Qt.PenStyle.SolidLine if self.chosen else Qt.PenStyle.DotLine
            # The chosen card has a ring anyway: with the focus it becomes darker.
            both = self.chosen and self.hasFocus()
            painter.setPen(QPen(QColor(colours.text if both else colours.accent), RING, style))
            inner = self.rect().toRectF().adjusted(RING / 2, RING / 2, -RING / 2, -RING / 2)
            painter.drawRoundedRect(inner, spacing.RADIUS_LARGE - 1, spacing.RADIUS_LARGE - 1)
