"""Plot item drawn pixel by pixel, sharp at any zoom."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from ximstudio.pictures.raster.frame import Pixels, RasterFrame
from ximstudio.ui.widgets.drawing.guard import guarded, saved
from ximstudio.ui.widgets.look.theme import the_theme


class RasterItem(pg.GraphicsObject):  # type: ignore[misc]  # pyqtgraph is untyped
    """Draws a picture of exactly the pixels it covers, and keeps it until something changes.

    What is drawn is given back by `rasterised`; vector marks above it are drawn by `draw_over`.
    """

    def __init__(self) -> None:
        super().__init__()
        self._bounds = QRectF()
        self._padding = 0.0
        self._frame: RasterFrame | None = None
        self._pixels: Pixels | None = None
        the_theme().follow(self.recolour)

    @abstractmethod
    def rasterised(self, frame: RasterFrame) -> Pixels | None:
        """The picture for a frame, or None where there is nothing to draw."""

    def draw_over(self, painter: QPainter, frame: RasterFrame) -> None:
        """Marks above the picture, in the item's own coordinates."""

    def recolour(self) -> None:
        """Apply the colours of the theme."""
        self.redraw()

    def redraw(self) -> None:
        """Discard the picture; the next painting draws it again."""
        self._frame = None
        self.update()

    def set_bounds(self, bounds: QRectF, *, padding: float = 0.0) -> None:
        """Set the bounds of the data, and how many pixels marks reach beyond them."""
        if bounds != self._bounds or padding != self._padding:
            self.prepareGeometryChange()
            self._bounds, self._padding = bounds, padding
            self.informViewBoundsChanged()

    def boundingRect(self) -> QRectF:  # noqa: N802  (Qt's name)
        if not self._padding:
            return self._bounds
        right, up = self.pixelVectors()
        if right is None or up is None:
            return self._bounds
        reach_x, reach_y = self._padding * abs(right.x()), self._padding * abs(up.y())
        return self._bounds.adjusted(-reach_x, -reach_y, reach_x, reach_y)

    def viewTransformChanged(self) -> None:  # noqa: N802  (pyqtgraph's name)
        if self._padding:
            self.prepareGeometryChange()

    def dataBounds(  # noqa: N802  (pyqtgraph's name)
        self,
        ax: int,
        frac: float = 1.0,
        orthoRange: Any = None,  # noqa: N803
    ) -> tuple[float | None, float | None]:
        """Range of the data along an axis, for the view's automatic range."""
        del frac, orthoRange
        bounds = self._bounds
        if bounds.isNull():
            return None, None
        return (bounds.left(), bounds.right()) if ax == 0 else (bounds.top(), bounds.bottom())

    def pixelPadding(self) -> float:  # noqa: N802  (pyqtgraph's name)
        return self._padding

    @guarded
    def paint(self, painter: QPainter, *_: Any) -> None:
        frame = self._frame_on(painter)
        if frame is None:
            return
        if frame != self._frame:
            self._pixels = self.rasterised(frame)
            self._frame = frame
        if self._pixels is not None:
            _draw_pixels(painter, self._pixels, frame)
        with saved(painter):
            self.draw_over(painter, frame)

    def _frame_on(self, painter: QPainter) -> RasterFrame | None:
        """The pixels of the device that both the item and its view cover."""
        to_device = painter.deviceTransform()
        from_scene = self.sceneTransform().inverted()[0] * to_device
        view = self.getViewBox()
        seen = self.scene().sceneRect() if view is None else view.sceneBoundingRect()
        covered = to_device.mapRect(self.boundingRect()) & from_scene.mapRect(seen)
        if covered.isEmpty() or not np.isfinite(to_device.m11() * to_device.m22()):
            return None
        left, top = int(np.floor(covered.left())), int(np.floor(covered.top()))
        return RasterFrame(
            width=int(np.ceil(covered.right())) - left,
            height=int(np.ceil(covered.bottom())) - top,
            scale_x=to_device.m11(),
            scale_y=to_device.m22(),
            offset_x=to_device.dx() - left,
            offset_y=to_device.dy() - top,
            left=left,
            top=top,
            ratio=painter.device().devicePixelRatio(),
        )


def image_of(pixels: Pixels) -> QImage:
    """The pixels as Qt's image, without a copy: use it while the array lives."""
    height, width = pixels.shape
    return QImage(pixels.data, width, height, 4 * width, QImage.Format.Format_ARGB32_Premultiplied)


def _draw_pixels(painter: QPainter, pixels: Pixels, frame: RasterFrame) -> None:
    """Copy pixels to the device one to one, whatever scaling the painter applies."""
    with saved(painter):
        painter.resetTransform()
        painter.setTransform(painter.deviceTransform().inverted()[0])
        painter.drawImage(frame.left, frame.top, image_of(pixels))
