"""Base of items drawn in pixels of the window, the same size at any zoom."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QRectF
from PySide6.QtGui import QTransform

from ximstudio.model.arrays import Floats


class WindowItem(pg.GraphicsObject):  # type: ignore[misc]  # pyqtgraph is untyped
    """An item that covers the visible part, and does not affect its bounds."""

    def boundingRect(self) -> QRectF:  # noqa: N802  (Qt's name)
        # Not viewRect(), which pyqtgraph caches too long.
        view = self.getViewBox()
        return QRectF() if view is None else QRectF(self.mapRectFromView(view.viewRect()))

    def dataBounds(self, *_: Any, **__: Any) -> tuple[None, None]:  # noqa: N802  (pyqtgraph's name)
        return None, None

    def viewTransformChanged(self) -> None:  # noqa: N802  (pyqtgraph's name)
        self.prepareGeometryChange()

    @staticmethod
    def spots(places: Floats, to_window: QTransform) -> Floats:
        """Convert places of the map to pixels of the window, (n, 2)."""
        scale = np.array([to_window.m11(), to_window.m22()])
        return np.asarray(places * scale + np.array([to_window.dx(), to_window.dy()]))
