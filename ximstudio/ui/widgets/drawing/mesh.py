"""All cells of a grid as one item, coloured per node, with small pies where cells are large."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Unpack

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPen

from ximstudio.maps.layout import Layout, LayoutShift, lay_out
from ximstudio.maps.orientation import UNTURNED, Orientation
from ximstudio.model.arrays import Bools, Floats, Ints
from ximstudio.model.grid import Grid
from ximstudio.pictures.colours import channels
from ximstudio.pictures.point_looks import LEAST_SHARE, RADIUS, SMALLEST_CELL
from ximstudio.pictures.raster.cell_raster import FADED, CellRaster, cell_raster, colour_table
from ximstudio.pictures.raster.frame import Bytes, Pixels, RasterFrame
from ximstudio.ui.widgets.drawing.guard import painting
from ximstudio.ui.widgets.drawing.raster_item import RasterItem, image_of
from ximstudio.ui.widgets.look.theme import the_theme

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


SELECTED_WIDTH = 2.0
HOVER_WIDTH = 1.6
MOST_SMOOTH = 1000
"""Corners of an outline that is drawn smoothly."""
HALO = 2.4
"""By how much an outline's halo is wider, in pixels: it keeps the line visible on any colour."""


class MapItem(RasterItem):
    """The cells of a grid in the coordinates of `Grid.nodes`, or where those are drawn.

    Put it into a view whose y axis points down. Only pixels are worked with: which node each one
    shows is looked up again when the view moves, colours when they change.
    """

    def __init__(self, grid: Grid | None = None) -> None:
        super().__init__()
        self.tiles: Layout = lay_out(Grid(rows=1, columns=1))
        """The cells as they are laid out."""
        self._laid_out: tuple[Grid, Orientation, LayoutShift] = (self.tiles.grid, UNTURNED, {})
        self._colours: Bytes | None = None
        self._pies: Pies | None = None
        self._pie_layer: QImage | None = None
        self._pie_frame: RasterFrame | None = None
        self._raster: CellRaster | None = None
        self._raster_frame: RasterFrame | None = None
        self._room: Pixels | None = None
        self.selected = np.empty(0, dtype=np.int64)
        self._selected_path = QPainterPath()
        self.hovered = -1
        self._hovered_path = QPainterPath()
        if grid is not None:
            self.show_grid(grid)

    def show_grid(
        self, grid: Grid, *, turn: Orientation = UNTURNED, **shift: Unpack[LayoutShift]
    ) -> None:
        """Lay out another grid, or the same one moved or turned; a new grid has no colours yet.

        Parameters
        ----------
        grid
            Its cells are drawn.
        turn
            How the picture of it is turned. Places in the item's coordinates are those of
            `turn.moved`.
        shift
            How far a torus or cylinder is moved down and to the right across its seams, and how
            many cells are repeated, faded, beyond every border.
        """
        wanted = (grid, turn, shift)
        if wanted == self._laid_out:
            return
        before = self.tiles.grid.n_nodes
        self.tiles = lay_out(grid, turn=turn, **shift)
        self._laid_out = wanted
        if grid.n_nodes != before:
            self._colours, self._pies = None, None
            self.selected, self.hovered = np.empty(0, dtype=np.int64), -1
        self._raster_frame = self._pie_layer = None
        self._selected_path = self._around(self.selected)
        self._hovered_path = self._cell_path(self.hovered)
        box = self.tiles.bounds
        bounds = QRectF(box.left, box.top, box.right - box.left, box.bottom - box.top)
        self.set_bounds(bounds, padding=SELECTED_WIDTH + HALO)
        self.redraw()

    def show_colours(self, colours: Bytes) -> None:
        """Colour the nodes, (M, 3 or 4); an opacity of 0 marks a node without a value."""
        n_nodes = self.tiles.grid.n_nodes
        if colours.shape not in ((n_nodes, 3), (n_nodes, 4)):
            raise ValueError(f"{n_nodes} nodes need as many colours, not {colours.shape}.")
        self._colours = colours
        self.redraw()

    def show_pies(
        self, shares: Floats | None, colours: Bytes | None = None, *, sizes: Floats | None = None
    ) -> None:
        """Draw shares (M, K) as pies in K colours, each pie's area by its size from 0 to 1."""
        self._pies = self._pie_layer = None
        if shares is not None and colours is not None:
            if shares.shape != (self.tiles.grid.n_nodes, len(colours)):
                raise ValueError("Pies need a row per node and a colour per column.")
            full = np.ones(len(shares))
            self._pies = Pies(
                shares=shares, colours=colours, sizes=full if sizes is None else sizes
            )
        self.redraw()

    def select(self, nodes: Ints) -> None:
        """Outline these nodes together; none for an empty array."""
        self.selected = np.asarray(nodes, dtype=np.int64)
        self._selected_path = self._around(self.selected)
        self.update()

    def hover(self, node: int) -> None:
        """Outline one node; −1 for none."""
        if node != self.hovered:
            self.hovered = node
            self._hovered_path = self._cell_path(node)
            self.update()

    def node_at(self, x: float, y: float) -> int:
        """The node at a place in the item's coordinates, −1 outside the map."""
        return int(self.tiles.node_at(x, y))

    def recolour(self) -> None:
        self._pie_layer = None
        self.redraw()

    def rasterised(self, frame: RasterFrame) -> Pixels | None:
        if frame != self._raster_frame or self._raster is None:
            self._raster = cell_raster(self.tiles, frame)
            self._raster_frame = frame
        self._room = self._raster.painted(colour_table(self._filled(), self.tiles), room=self._room)
        if self._pies is not None and readable(frame):
            with painting(image_of(self._room)) as painter:
                painter.drawImage(0, 0, self._drawn_pies(self._pies, frame))
        return self._room

    def draw_over(self, painter: QPainter, frame: RasterFrame) -> None:
        # Antialiasing hundreds of scattered outlines would take longer than a frame.
        smooth = self._selected_path.elementCount() <= MOST_SMOOTH
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, smooth)
        if self.selected.size:
            _stroke(painter, self._selected_path, SELECTED_WIDTH, frame.ratio)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.hovered >= 0:
            _stroke(painter, self._hovered_path, HOVER_WIDTH, frame.ratio)

    def _around(self, nodes: Ints) -> QPainterPath:
        """Lines around a group of nodes, none between two of them."""
        chosen = np.zeros(self.tiles.grid.n_nodes, dtype=np.bool_)
        chosen[nodes] = True
        x, y = self.tiles.outline(chosen).reshape(-1, 2).T
        return _path(x, y, np.arange(len(x)) % 2 == 0)

    def _cell_path(self, node: int) -> QPainterPath:
        """Lines around one node, wherever it is drawn; quick, as the mouse may be moving."""
        copies = self.tiles.corners(node)
        if not copies:
            return QPainterPath()
        closed = [np.concatenate([corners, corners[:1]]) for corners in copies]
        connected = [np.arange(len(each)) < len(each) - 1 for each in closed]
        x, y = np.concatenate(closed).T
        return _path(x, y, np.concatenate(connected))

    def _filled(self) -> Bytes:
        """Colours of all nodes, with the theme's where there is no value."""
        empty = np.array(channels(the_theme().colours.empty), dtype=np.uint8)
        if self._colours is None:
            return np.tile(empty, (self.tiles.grid.n_nodes, 1))
        if self._colours.shape[1] == 3:
            return self._colours
        without = self._colours[:, 3] == 0
        if not without.any():
            return self._colours
        filled = self._colours.copy()
        filled[without] = (*empty, 255)
        return filled

    def _drawn_pies(self, pies: Pies, frame: RasterFrame) -> QImage:
        """A transparent picture of the pies, kept while colours below them change."""
        if self._pie_layer is None or frame != self._pie_frame:
            layer = QImage(frame.width, frame.height, QImage.Format.Format_ARGB32_Premultiplied)
            layer.fill(Qt.GlobalColor.transparent)
            edge = the_theme().colours.surface
            with painting(layer) as painter:
                draw_pies(painter, pies, self.tiles, frame, edge=edge, faded=FADED)
            self._pie_layer, self._pie_frame = layer, frame
        return self._pie_layer


def _path(x: Floats, y: Floats, connected: Bools) -> QPainterPath:
    """Points joined to the next one where connected."""
    path: QPainterPath = pg.arrayToQPath(
        x, y, connect=connected.astype(np.int32), finiteCheck=False
    )
    return path


def _stroke(painter: QPainter, path: QPainterPath, width: float, ratio: float) -> None:
    """A line with a halo around it."""
    colours = the_theme().colours
    for colour, line in ((colours.surface, width + HALO), (colours.text, width)):
        # Widths of cosmetic pens are in device pixels.
        pen = QPen(QColor(colour), line * ratio)
        pen.setCosmetic(True)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        painter.drawPath(path)
