"""Show pixels that were computed in the background."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QImage, QPainterPath, QPaintEvent, QPixmap
from PySide6.QtWidgets import QSizePolicy, QWidget

from ximstudio.pictures.raster.frame import Pixels
from ximstudio.ui.widgets.drawing.guard import guarded, painting
from ximstudio.ui.widgets.look import spacing


def pixmap_of(pixels: Pixels) -> QPixmap:
    """Return the pixels as a QPixmap."""
    height, width = pixels.shape
    form = QImage.Format.Format_ARGB32_Premultiplied
    return QPixmap.fromImage(QImage(pixels.tobytes(), width, height, 4 * width, form))


class Picture(QWidget):
    """Picture with rounded corners, scaled to fit."""

    def __init__(self, width: int, height: int) -> None:
        super().__init__()
        self.setFixedSize(QSize(width, height))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._picture: QPixmap | None = None

    @property
    def empty(self) -> bool:
        return self._picture is None

    def show_pixels(self, pixels: Pixels) -> None:
        """Show pixels."""
        self.show_pixmap(pixmap_of(pixels))

    def show_pixmap(self, picture: QPixmap) -> None:
        """Show a QPixmap."""
        self._picture = picture
        self.update()

    @guarded
    def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802  (Qt's name)
        if self._picture is None:
            return
        with painting(self) as painter:
            painter.setRenderHint(painter.RenderHint.SmoothPixmapTransform)
            outline = QPainterPath()
            outline.addRoundedRect(QRectF(self.rect()), spacing.RADIUS, spacing.RADIUS)
            painter.setClipPath(outline)
            painter.drawPixmap(self.rect(), self._picture)
