"""The number of items in every node, written in its cell."""

from __future__ import annotations

from functools import lru_cache
from math import hypot
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QTransform

from ximstudio.maps.box import Box
from ximstudio.maps.labels import placed
from ximstudio.model.arrays import Bools, Floats, Ints
from ximstudio.pictures.inks import INKS, are_light
from ximstudio.pictures.raster.frame import Bytes
from ximstudio.ui.views.common.names import WindowItem
from ximstudio.ui.widgets.drawing.guard import guarded
from ximstudio.ui.widgets.look.fonts import font

LARGEST, SMALLEST = 13, 8
"""Font sizes in pixels, in large and in small cells."""
SHARE = 0.52
"""Height of the figures, as a share of the cell."""
LEAST_CELL = 4.0
"""Cells smaller than this many pixels have no numbers."""


class CountsItem(WindowItem):
    """Figures that become smaller with their cells, then fewer: the largest numbers stay."""

    left_out_changed = Signal()
    """Other numbers do not fit, or all fit again."""

    def __init__(self) -> None:
        super().__init__()
        self._counts: Ints = np.empty(0, dtype=np.int64)
        self._places: Floats = np.empty((0, 2))
        self._light: Bools = np.empty(0, dtype=np.bool_)
        self._fitted: list[tuple[QPointF, str, str]] = []
        self._fitted_for: QTransform | None = None
        self._face = QFont()
        self.left_out = False
        """True if some numbers did not fit when last painted."""

    @property
    def written(self) -> tuple[str, ...]:
        """The numbers that fitted when last painted."""
        return tuple(text for _, text, _ in self._fitted)

    @property
    def inks(self) -> tuple[str, ...]:
        """The colour of each of them."""
        return tuple(ink for _, _, ink in self._fitted)

    def show_counts(self, counts: Ints, places: Floats, colours: Bytes) -> None:
        """Write these numbers at these places, on cells of these colours; 0 is left out."""
        some = counts > 0
        self._counts, self._places = counts[some], places[some]
        self._light = are_light(colours[some])
        self._fitted_for = None
        self.update()

    @guarded
    def paint(self, painter: QPainter, *_: Any) -> None:
        to_window = painter.transform()
        if to_window != self._fitted_for:
            self._fit(to_window)
            self._fitted_for = QTransform(to_window)
        painter.resetTransform()
        painter.setFont(self._face)
        box = QRectF(-50.0, -20.0, 100.0, 40.0)
        for place, text, ink in self._fitted:
            painter.setPen(QColor(ink))
            painter.drawText(box.translated(place), Qt.AlignmentFlag.AlignCenter, text)

    def _fit(self, to_window: QTransform) -> None:
        cell = hypot(to_window.m11(), to_window.m12())
        size = int(min(max(SHARE * cell, SMALLEST), LARGEST))
        self._face = font(size, weight=QFont.Weight.Medium, tabular=True)
        seen = to_window.mapRect(self.boundingRect())
        spots = self.spots(self._places, to_window)
        texts = [str(count) for count in self._counts.tolist()]
        fitted = placed(
            texts if cell >= LEAST_CELL else [""] * len(texts),
            spots,
            lambda text: _size(text, size),
            bounds=Box(seen.left(), seen.top(), seen.right(), seen.bottom()),
            priority=self._counts.astype(np.float64),
            spacing=0.0,
        )
        x, y = spots.T
        inside = (x > seen.left()) & (x < seen.right()) & (y > seen.top()) & (y < seen.bottom())
        self._fitted = [
            (QPointF(*spots[number].tolist()), texts[number], INKS[int(self._light[number])])
            for number in fitted.kept.tolist()
        ]
        # Numbers at the very edge are only cut by it.
        missing = np.setdiff1d(np.flatnonzero(inside), fitted.kept)
        left_out = len(missing) > 0.1 * int(inside.sum())
        if left_out != self.left_out:
            self.left_out = left_out
            self.left_out_changed.emit()


@lru_cache(maxsize=4096)
def _size(text: str, size: int) -> tuple[float, float]:
    metrics = QFontMetricsF(font(size, weight=QFont.Weight.Medium, tabular=True))
    # Figures have no descenders: rows of cells may be closer than lines of text.
    return metrics.horizontalAdvance(text) + 1.0, metrics.capHeight() + 2.0
