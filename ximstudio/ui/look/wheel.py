"""The wheel scrolls: what happens to be below the mouse does not change by it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QWidget


def keep_wheel(widget: QWidget) -> None:
    """Keep the wheel for scrolling, unless the keyboard is at the widget."""
    widget.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    widget.installEventFilter(_CalmWheel(widget))


class _CalmWheel(QObject):
    """Passes the wheel on to whatever the widget lies in."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802  (Qt's name)
        """Whether the event goes no further."""
        there = isinstance(watched, QWidget) and watched.hasFocus()
        if event.type() == QEvent.Type.Wheel and not there:
            event.ignore()
            return True
        return False
