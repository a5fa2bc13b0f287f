"""Let the user pick a node of a map with a click, or with the arrow keys and Enter."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent

from ximstudio.ui.views.map.view import MapView


class NodePicker(QObject):
    """Event filter that takes clicks and keys of map views while a node is picked."""

    picked = Signal(int)
    cancelled = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._views: tuple[MapView, ...] = ()

    def ask(self, views: tuple[MapView, ...]) -> None:
        """Ask for a node in one of these views; with none, stop asking."""
        before, self._views = self._views, views
        for view in before:
            if view not in views:
                view.canvas.removeEventFilter(self)
                view.canvas.viewport().removeEventFilter(self)
                # The tool restores its cursor.
                view.canvas.take(view.canvas.tool)
        for view in views:
            if view not in before:
                view.canvas.installEventFilter(self)
                view.canvas.viewport().installEventFilter(self)
                view.canvas.viewport().setCursor(Qt.CursorShape.PointingHandCursor)
        if views and not before:
            views[0].canvas.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802  (Qt's name)
        """Take presses and releases of the left button, Enter, and Escape."""
        view = next((each for each in self._views if _is_of(watched, each)), None)
        if view is None:
            return super().eventFilter(watched, event)
        if isinstance(event, QMouseEvent) and event.button() is Qt.MouseButton.LeftButton:
            if event.type() == QEvent.Type.MouseButtonRelease:
                place = view.canvas.place_of(event.position())
                self._take(view.drawing.map.node_at(place.x(), place.y()))
            return True
        if isinstance(event, QKeyEvent):
            return self._press(view, event)
        return super().eventFilter(watched, event)

    def _press(self, view: MapView, event: QKeyEvent) -> bool:
        key = event.key()
        if key == Qt.Key.Key_Escape:
            # Otherwise the window's Escape shortcut would apply, too.
            event.accept()
            if event.type() == QEvent.Type.KeyPress:
                self.cancelled.emit()
            return True
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and event.type() == QEvent.Type.KeyPress:
            self._take(view.drawing.map.hovered)
            return True
        return False

    def _take(self, node: int) -> None:
        if node >= 0:
            self.picked.emit(node)


def _is_of(watched: QObject, view: MapView) -> bool:
    return watched is view.canvas or watched is view.canvas.viewport()
