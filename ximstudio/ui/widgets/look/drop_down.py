"""Drop-downs that say where their text is cut off."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QHelpEvent, QPaintEvent
from PySide6.QtWidgets import (
    QComboBox,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QToolTip,
)

_ICON_GAP = 4
"""Pixels that Qt leaves between icon and text."""


class DropDown(QComboBox):
    """A drop-down that ends a text with three dots where there is no room for all of it.

    Qt cuts it off in the middle of a letter. The whole text is its tool tip then, unless it has
    another one.
    """

    @property
    def shown_text(self) -> str:
        """The text as it is seen."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        return self._elided(option)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802  (Qt's name)
        if self.isEditable() or self.currentIndex() < 0:
            super().paintEvent(event)
            return
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        option.currentText = self._elided(option)
        painter = QStylePainter(self)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
        painter.end()

    def event(self, event: QEvent) -> bool:
        """Show the whole text of what is cut off."""
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            text = self.currentText()
            if not self.toolTip() and not self.isEditable() and self.shown_text != text:
                QToolTip.showText(event.globalPos(), text, self)
                return True
        return super().event(event)

    def _elided(self, option: QStyleOptionComboBox) -> str:
        field = self.style().subControlRect(
            QStyle.ComplexControl.CC_ComboBox,
            option,
            QStyle.SubControl.SC_ComboBoxEditField,
            self,
        )
        icon = 0 if self.itemIcon(self.currentIndex()).isNull() else self.iconSize().width()
        room = field.width() - (icon + _ICON_GAP if icon else 0)
        end = Qt.TextElideMode.ElideRight
        return self.fontMetrics().elidedText(self.currentText(), end, room)
