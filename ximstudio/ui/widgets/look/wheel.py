"""The wheel scrolls: what happens to be below the mouse does not change by it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QScrollArea, QWidget


def keep_wheel(widget: QWidget) -> None:
    """Keep the wheel for scrolling; where nothing scrolls, it is the widget's with the keyboard."""
    widget.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    widget.installEventFilter(_CalmWheel(widget))


class _CalmWheel(QObject):
    """Passes the wheel on to whatever the widget lies in."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802  (Qt's name)
        """Whether the event goes no further."""
        if event.type() != QEvent.Type.Wheel or not isinstance(watched, QWidget):
            return False
        if watched.hasFocus() and not _scrolls(watched):
            return False
        event.ignore()
        return True


def _scrolls(widget: QWidget) -> bool:
    """Whether the widget lies in something that can be scrolled."""
    around = widget.parentWidget()
    while around is not None:
        if isinstance(around, QScrollArea) and around.verticalScrollBar().maximum() > 0:
            return True
        around = around.parentWidget()
    return False
