"""Plot items: pictures that are sharp at any zoom, and line segments with constant width."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen
from PySide6.QtWidgets import QGraphicsItem

from ximstudio.model.arrays import Floats
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

    def dataBounds(self, ax: int, *_: Any, **__: Any) -> tuple[float | None, float | None]:  # noqa: N802
        """Range of the data along an axis, for the view's automatic range."""
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


HALO = 2.4
"""Additional width of the halo in pixels."""
HALO_OPACITY = 170


class LinesItem(pg.GraphicsObject):  # type: ignore[misc]  # pyqtgraph is untyped
    """Groups of segments, each with its width in pixels."""

    def __init__(self) -> None:
        super().__init__()
        self._groups: list[tuple[float, list[QLineF]]] = []
        self._bounds = QRectF()
        # Hovering repaints the item: a thousand antialiased lines would be too slow.
        self.setCacheMode(QGraphicsItem.CacheMode.DeviceCoordinateCache)
        self.setVisible(False)

    @property
    def widths(self) -> dict[float, int]:
        """Number of lines of every width."""
        return {width: len(lines) for width, lines in self._groups}

    @property
    def lines(self) -> list[QLineF]:
        """All lines, whatever their width."""
        return [line for _, lines in self._groups for line in lines]

    def show_groups(self, groups: Sequence[tuple[float, Floats]]) -> None:
        """Draw these widths and their segments, (S, 2, 2), in place of those before."""
        self.prepareGeometryChange()
        self._groups = [
            (width, [QLineF(*ends) for ends in lines.reshape(-1, 4).tolist()])
            for width, lines in groups
        ]
        ends = np.concatenate([lines.reshape(-1, 2) for _, lines in groups])
        self._bounds = QRectF()
        if len(ends):
            (left, top), (right, bottom) = ends.min(axis=0), ends.max(axis=0)
            self._bounds = QRectF(float(left), float(top), float(right - left), float(bottom - top))
        self.setVisible(bool(len(ends)))
        self.update()

    def boundingRect(self) -> QRectF:  # noqa: N802  (Qt's name)
        # A little larger than the lines, which have a width.
        return self._bounds.adjusted(-1.0, -1.0, 1.0, 1.0)

    def dataBounds(self, *_: Any, **__: Any) -> tuple[None, None]:  # noqa: N802  (pyqtgraph's name)
        return None, None

    @guarded
    def paint(self, painter: QPainter, *_: Any) -> None:
        colours = the_theme().colours
        halo = QColor(colours.surface)
        halo.setAlpha(HALO_OPACITY)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for wider, tint in ((HALO, halo), (0.0, QColor(colours.text))):
            for width, lines in self._groups:
                pen = QPen(tint, width + wider)
                pen.setCosmetic(True)
                pen.setCapStyle(Qt.PenCapStyle.RoundCap)
                painter.setPen(pen)
                painter.drawLines(lines)
