"""Label shares of nodes as small pies, drawn where cells are large enough to read them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter, QPen

from ximstudio.maps.layout import Layout
from ximstudio.model.arrays import Bools, Floats, Ints
from ximstudio.pictures.point_looks import LEAST_SHARE, RADIUS, SMALLEST_CELL
from ximstudio.pictures.raster.frame import Bytes, RasterFrame

EDGE = 0.8
TURN = 5760
"""A full turn in the unit of Qt's arcs."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Pies:
    """Shares of classes per node, and how large each pie is."""

    shares: Floats
    """(M, K), rows add up to 1; rows of zeros or NaN have no pie."""
    colours: Bytes
    """(K, 3)."""
    sizes: Floats
    """(M,) areas from 0 to 1."""


def readable(frame: RasterFrame) -> bool:
    """Return whether cells are large enough on the screen for pies."""
    return frame.cell >= SMALLEST_CELL


def draw_pies(
    painter: QPainter, pies: Pies, tiles: Layout, frame: RasterFrame, *, edge: str, faded: float
) -> None:
    """Draw the pies of all cells in the frame into its picture.

    One by one: a single path with the slices of all pies takes Qt ten times as long to fill.
    """
    seen = _seen(tiles, frame)
    brushes = [QColor(*colour[:3]) for colour in pies.colours.tolist()]
    painter.setPen(QPen(QColor(edge), EDGE * frame.ratio))
    for group, opacity in ((~tiles.repeated, 1.0), (tiles.repeated, faded)):
        chosen = np.flatnonzero(seen & group)
        painter.setOpacity(opacity)
        for number, slices in enumerate(_slices(pies, tiles, frame, chosen)):
            painter.setBrush(brushes[number])
            for x, y, radius, begin, length in slices:
                if length <= -TURN:
                    painter.drawEllipse(QPointF(x, y), radius, radius)
                else:
                    box = QRectF(x - radius, y - radius, 2.0 * radius, 2.0 * radius)
                    painter.drawPie(box, begin, length)
    painter.setOpacity(1.0)


def _seen(tiles: Layout, frame: RasterFrame) -> Bools:
    """Cells whose pie may reach into the frame."""
    left, top, right, bottom = frame.place_bounds
    x, y = tiles.places.T
    within = (x > left - RADIUS) & (x < right + RADIUS)
    return np.asarray(within & (y > top - RADIUS) & (y < bottom + RADIUS))


def _slices(
    pies: Pies, tiles: Layout, frame: RasterFrame, chosen: Ints
) -> list[list[tuple[float, float, float, int, int]]]:
    """Per class: middle x and y, radius, where the slice begins and how long it is."""
    nodes = tiles.nodes[chosen]
    shares = np.nan_to_num(pies.shares[nodes])
    shares = np.where(shares < LEAST_SHARE, 0.0, shares)
    totals = shares.sum(axis=1)
    x = frame.scale_x * tiles.places[chosen, 0] + frame.offset_x
    y = frame.scale_y * tiles.places[chosen, 1] + frame.offset_y
    unit = RADIUS * frame.cell * frame.ratio * tiles.sizes[nodes]
    radii = unit * np.sqrt(np.nan_to_num(pies.sizes[nodes]))
    drawn = (totals > 0.0) & (radii > 0.0)
    # Whole numbers that end where the next begins, from twelve o'clock with the clock.
    ends = np.rint(np.cumsum(shares, axis=1) / np.where(drawn, totals, 1.0)[:, None] * TURN)
    begins = np.concatenate([np.zeros((len(ends), 1)), ends[:, :-1]], axis=1)
    found = []
    for number in range(shares.shape[1]):
        here = np.flatnonzero(drawn & (shares[:, number] > 0.0))
        begin = (TURN // 4 - begins[here, number]).astype(np.int64).tolist()
        length = (begins[here, number] - ends[here, number]).astype(np.int64).tolist()
        places = (x[here].tolist(), y[here].tolist(), radii[here].tolist())
        found.append(list(zip(*places, begin, length, strict=True)))
    return found
