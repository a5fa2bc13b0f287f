"""Line icons of the program, tinted to the theme whenever they are painted."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QByteArray, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QIconEngine, QImage, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from ximstudio.ui.widgets.look.svg import icon_source, tinted
from ximstudio.ui.widgets.look.theme import the_theme


def icon(name: str, *, role: str = "text") -> QIcon:
    """Return an icon in the theme colour `role`; it follows the theme.

    A switched-on button shows it in the accent, a disabled one in the colour of disabled text.
    """
    # A copy: PySide6 ties an engine to the Python object that was made with it, and deletes it when
    # that object is collected as part of a cycle, however many buttons still show the icon.
    return QIcon(QIcon(_TintedIcon(name, role)))


def icon_pixmap(name: str, size: int, *, role: str = "text", scale: float = 1.0) -> QPixmap:
    """Return the icon as a pixmap of `size` pixels for a screen with that scale."""
    colour = the_theme().colours.named[role]
    picture = QPixmap.fromImage(_rendered(name, round(size * scale), colour))
    picture.setDevicePixelRatio(scale)
    return picture


class _TintedIcon(QIconEngine):
    """Icon engine that paints an SVG in the current colours of the theme."""

    def __init__(self, name: str, role: str) -> None:
        super().__init__()
        icon_source(name)
        self._name = name
        self._role = role

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        size = min(rect.width(), rect.height())
        scale = painter.device().devicePixelRatio()
        image = _rendered(self._name, round(size * scale), self._colour(mode, state))
        image.setDevicePixelRatio(scale)
        left = rect.x() + (rect.width() - size) // 2
        painter.drawImage(QPoint(left, rect.y() + (rect.height() - size) // 2), image)

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        return self._picture(size, self._colour(mode, state))

    def scaledPixmap(  # noqa: N802  (Qt's name)
        self, size: QSize, mode: QIcon.Mode, state: QIcon.State, scale: float
    ) -> QPixmap:
        # The ratio is set by Qt, which compares what it asked for with what it gets.
        return self._picture(size * scale, self._colour(mode, state))

    def actualSize(  # noqa: N802  (Qt's name)
        self, size: QSize, _mode: QIcon.Mode, _state: QIcon.State
    ) -> QSize:
        return size

    def clone(self) -> QIconEngine:
        return _TintedIcon(self._name, self._role)

    def _picture(self, size: QSize, colour: str) -> QPixmap:
        if size.isEmpty():
            return QPixmap()
        if size.width() == size.height():
            return QPixmap.fromImage(_rendered(self._name, size.width(), colour))
        picture = QPixmap(size)
        picture.fill(Qt.GlobalColor.transparent)
        side = min(size.width(), size.height())
        corner = QPoint((size.width() - side) // 2, (size.height() - side) // 2)
        painter = QPainter(picture)
        painter.drawImage(corner, _rendered(self._name, side, colour))
        painter.end()
        return picture

    def _colour(self, mode: QIcon.Mode, state: QIcon.State) -> str:
        named = the_theme().colours.named
        if mode is QIcon.Mode.Disabled:
            return named["disabled"]
        if state is QIcon.State.On and self._role in ("text", "muted"):
            return named["accent"]
        return named[self._role]


@lru_cache(maxsize=512)
def _rendered(name: str, side: int, colour: str) -> QImage:
    image = QImage(side, side, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    renderer = QSvgRenderer(QByteArray(tinted(name, colour)))
    painter = QPainter(image)
    renderer.render(painter, QRectF(0.0, 0.0, side, side))
    painter.end()
    return image
