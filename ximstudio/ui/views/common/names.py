"""Texts on a map: names and numbers of items, as many as fit, at the same size at any zoom."""

from __future__ import annotations

from functools import lru_cache
from math import hypot
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QPainterPath,
    QPen,
    QPixmap,
    QTransform,
)

from ximstudio.maps.box import Box
from ximstudio.maps.labels import ABOVE, BESIDE, placed
from ximstudio.model.arrays import Bools, Floats, Ints
from ximstudio.pictures.colouring import INKS, are_light
from ximstudio.pictures.map_texts import MapTexts
from ximstudio.pictures.raster.frame import Bytes
from ximstudio.ui.widgets.drawing.canvas import rectangle
from ximstudio.ui.widgets.drawing.guard import guarded, painting
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.fonts import Text, font
from ximstudio.ui.widgets.look.theme import the_theme


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


class FittedItem(WindowItem):
    """Texts that are fitted again when the view has moved, or when there are others."""

    def __init__(self) -> None:
        super().__init__()
        self._fitted: list[tuple[QPointF, str]] = []
        self._fitted_for: QTransform | None = None

    @property
    def written(self) -> tuple[str, ...]:
        """The texts that fitted when last painted."""
        return tuple(text for _, text in self._fitted)

    @guarded
    def paint(self, painter: QPainter, *_: Any) -> None:
        to_window = painter.transform()
        if to_window != self._fitted_for:
            self._fitted = self._fit(to_window)
            self._fitted_for = QTransform(to_window)
        painter.resetTransform()
        self._write(painter)

    def _fit(self, to_window: QTransform) -> list[tuple[QPointF, str]]:
        """Return each text that fits with its position, in pixels of the window."""
        raise NotImplementedError

    def _write(self, painter: QPainter) -> None:
        """Write the texts that fit."""
        raise NotImplementedError

    def _refit(self) -> None:
        """Fit the texts when they are painted next."""
        self._fitted_for = None
        self.update()

    @staticmethod
    def _inside(spots: Floats, seen: QRectF) -> Bools:
        """Return which spots are in the visible part."""
        x, y = spots.T
        inside = (x > seen.left()) & (x < seen.right()) & (y > seen.top()) & (y < seen.bottom())
        return np.asarray(inside)


HALO = 3
"""Margin around a text, in pixels, in the colour of the background."""
GAP = 7.0
"""Minimum distance from a place to its text."""
MOST_WIDTH, LEAST_WIDTH = 0.45, 64.0
"""Longest text as a share of the map's width, and at least this many pixels."""
MOST, MOST_TRIED = 120, 400
"""Maximum number of texts, and of texts that are tried: the most important in view."""


class NamesItem(FittedItem):
    """Writes texts at places of the map, never beyond its edges."""

    def __init__(self) -> None:
        super().__init__()
        self._texts = MapTexts()
        self._anchors = self._texts.anchors
        self._gap = GAP
        self._edges: Box | None = None

    @property
    def boxes(self) -> list[QRectF]:
        """Boxes of the written texts, in pixels of the window."""
        strong = self._texts.strong
        return [
            QRectF(place.x() + HALO, place.y() + HALO, *_size(text, strong))
            for place, text in self._fitted
        ]

    def show_texts(
        self,
        texts: MapTexts,
        anchors: Floats | None = None,
        *,
        gap: float = GAP,
        edges: Box | None = None,
    ) -> None:
        """Replace the texts.

        Parameters
        ----------
        anchors
            Their places, if the map is drawn shifted.
        gap
            Distance from a place to its text, in pixels, to clear the mark there.
        edges
            The map's edges in its own coordinates; no text crosses them.
        """
        if not (texts.texts or self._texts.texts):
            return
        self._texts = texts
        self._anchors = texts.anchors if anchors is None else anchors
        self._gap, self._edges = max(gap, GAP), edges
        self._refit()

    def _write(self, painter: QPainter) -> None:
        colours, ratio = the_theme().colours, painter.device().devicePixelRatio()
        for place, text in self._fitted:
            picture = _picture(text, self._texts.strong, colours.text, colours.surface, ratio)
            painter.drawPixmap(place, picture)

    def _fit(self, to_window: QTransform) -> list[tuple[QPointF, str]]:
        if not self._texts.texts:
            return []
        seen = to_window.mapRect(self.boundingRect())
        if self._edges is not None:
            seen = seen.intersected(to_window.mapRect(rectangle(self._edges)))
        spots = self.spots(self._anchors, to_window)
        strong, priority = self._texts.strong, self._texts.priority
        tried = np.flatnonzero(self._inside(spots, seen))
        tried = tried[np.argsort(-priority[tried], kind="stable")][:MOST_TRIED]
        widest = max(MOST_WIDTH * seen.width(), LEAST_WIDTH)
        texts = [_cut(self._texts.texts[number], strong, widest) for number in tried.tolist()]
        spots = spots[tried]
        fitted = placed(
            texts,
            spots,
            lambda text: _size(text, strong),
            bounds=Box(seen.left(), seen.top(), seen.right(), seen.bottom()),
            sides=ABOVE if strong else BESIDE[:4],
            gap=self._gap,
            spacing=float(spacing.HAIR),
            most=MOST,
        )
        middles = spots[fitted.kept] + fitted.offsets
        begins = middles - fitted.sizes / 2.0 - HALO
        return [
            (QPointF(*np.rint(begin).tolist()), texts[number])
            for begin, number in zip(begins, fitted.kept.tolist(), strict=True)
        ]


@lru_cache(maxsize=2)
def _face(*, strong: bool) -> QFont:
    weight = QFont.Weight.DemiBold if strong else QFont.Weight.Medium
    return font(Text.BODY if strong else Text.CAPTION, weight=weight)


@lru_cache(maxsize=8192)
def _size(text: str, strong: bool) -> tuple[float, float]:
    metrics = QFontMetricsF(_face(strong=strong))
    return metrics.horizontalAdvance(text), metrics.height()


def _cut(text: str, strong: bool, widest: float) -> str:
    if _size(text, strong)[0] <= widest:
        return text
    metrics = QFontMetricsF(_face(strong=strong))
    return metrics.elidedText(text, Qt.TextElideMode.ElideRight, widest)


@lru_cache(maxsize=2048)
def _picture(text: str, strong: bool, colour: str, halo: str, ratio: float) -> QPixmap:
    """Draw a text with its halo, cached, as outlines take Qt a millisecond each."""
    width, height = _size(text, strong)
    picture = QPixmap(round((width + 2 * HALO) * ratio), round((height + 2 * HALO) * ratio))
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    ascent = QFontMetricsF(_face(strong=strong)).ascent()
    path = QPainterPath()
    path.addText(HALO, HALO + ascent, _face(strong=strong), text)
    pen = QPen(QColor(halo), 2 * HALO - 1.0)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    with painting(picture) as painter:
        painter.strokePath(path, pen)
        painter.setFont(_face(strong=strong))
        painter.setPen(QColor(colour))
        painter.drawText(QPointF(HALO, HALO + ascent), text)
    return picture


LARGEST, SMALLEST = 13, 8
"""Font sizes in pixels, in large and in small cells."""
SHARE = 0.52
"""Height of the figures, as a share of the cell."""
LEAST_CELL = 4.0
"""Cells smaller than this many pixels have no numbers."""


class CountsItem(FittedItem):
    """Figures that become smaller with their cells, then fewer: the largest numbers stay."""

    left_out_changed = Signal()
    """Other numbers do not fit, or all fit again."""

    def __init__(self) -> None:
        super().__init__()
        self._counts: Ints = np.empty(0, dtype=np.int64)
        self._places: Floats = np.empty((0, 2))
        self._light: Bools = np.empty(0, dtype=np.bool_)
        self._face = QFont()
        self.inks: tuple[str, ...] = ()
        """The colour of each of the written numbers."""
        self.left_out = False
        """True if some numbers did not fit when last painted."""

    def show_counts(self, counts: Ints, places: Floats, colours: Bytes) -> None:
        """Write these numbers at these places, on cells of these colours; 0 is left out."""
        some = counts > 0
        self._counts, self._places = counts[some], places[some]
        self._light = are_light(colours[some])
        self._refit()

    def _write(self, painter: QPainter) -> None:
        painter.setFont(self._face)
        box = QRectF(-50.0, -20.0, 100.0, 40.0)
        for (place, text), ink in zip(self._fitted, self.inks, strict=True):
            painter.setPen(QColor(ink))
            painter.drawText(box.translated(place), Qt.AlignmentFlag.AlignCenter, text)

    def _fit(self, to_window: QTransform) -> list[tuple[QPointF, str]]:
        cell = hypot(to_window.m11(), to_window.m12())
        size = int(min(max(SHARE * cell, SMALLEST), LARGEST))
        self._face = font(size, weight=QFont.Weight.Medium, tabular=True)
        seen = to_window.mapRect(self.boundingRect())
        spots = self.spots(self._places, to_window)
        texts = [str(count) for count in self._counts.tolist()]
        fitted = placed(
            texts if cell >= LEAST_CELL else [""] * len(texts),
            spots,
            lambda text: _figures_size(text, size),
            bounds=Box(seen.left(), seen.top(), seen.right(), seen.bottom()),
            priority=self._counts.astype(np.float64),
            spacing=0.0,
        )
        inside, kept = self._inside(spots, seen), fitted.kept.tolist()
        self.inks = tuple(INKS[int(self._light[number])] for number in kept)
        # Numbers at the very edge are only cut by it.
        missing = np.setdiff1d(np.flatnonzero(inside), fitted.kept)
        left_out = len(missing) > 0.1 * int(inside.sum())
        if left_out != self.left_out:
            self.left_out = left_out
            self.left_out_changed.emit()
        return [(QPointF(*spots[number].tolist()), texts[number]) for number in kept]


@lru_cache(maxsize=4096)
def _figures_size(text: str, size: int) -> tuple[float, float]:
    metrics = QFontMetricsF(font(size, weight=QFont.Weight.Medium, tabular=True))
    # Figures have no descenders: rows of cells may be closer than lines of text.
    return metrics.horizontalAdvance(text) + 1.0, metrics.capHeight() + 2.0
