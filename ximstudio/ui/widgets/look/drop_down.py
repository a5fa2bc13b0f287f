"""Drop-down that elides its text, and fields that leave the wheel to what scrolls."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QHelpEvent, QPaintEvent
from PySide6.QtWidgets import (
    QComboBox,
    QScrollArea,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QToolTip,
    QWidget,
)

_ICON_GAP = 4
"""Pixels that Qt leaves between icon and text."""


class DropDown(QComboBox):
    """Drop-down that elides its text with an ellipsis.

    Qt would clip it in the middle of a letter. The full text is its tooltip, unless it has another
    one.
    """

    @property
    def shown_text(self) -> str:
        """The text as shown."""
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
        """Show the full text as a tooltip."""
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            text = self.currentText()
            if not self.toolTip() and not self.isEditable() and self.shown_text != text:
                QToolTip.showText(event.globalPos(), text, self)
                return True
        return super().event(event)

    def _elided(self, option: QStyleOptionComboBox) -> str:
        field = self.style().subControlRect(
            QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, self
        )
        icon = 0 if self.itemIcon(self.currentIndex()).isNull() else self.iconSize().width()
        room = field.width() - (icon + _ICON_GAP if icon else 0)
        end = Qt.TextElideMode.ElideRight
        return self.fontMetrics().elidedText(self.currentText(), end, room)


def keep_wheel(widget: QWidget) -> None:
    """Use the wheel for scrolling; if nothing scrolls, only a focused widget gets it."""
    widget.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    widget.installEventFilter(_CalmWheel(widget))


class _CalmWheel(QObject):
    """Event filter that passes wheel events on to the parent."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802  (Qt's name)
        """Return whether the event is blocked."""
        if event.type() != QEvent.Type.Wheel or not isinstance(watched, QWidget):
            return False
        if watched.hasFocus() and not _scrolls(watched):
            return False
        event.ignore()
        return True


def _scrolls(widget: QWidget) -> bool:
    """Return whether the widget is inside a scrollable area."""
    around = widget.parentWidget()
    while around is not None:
        if isinstance(around, QScrollArea) and around.verticalScrollBar().maximum() > 0:
            return True
        around = around.parentWidget()
    return False
