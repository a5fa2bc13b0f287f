"""Keep the wheel from changing values of fields under the mouse."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QScrollArea, QWidget


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
