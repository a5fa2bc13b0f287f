"""All cells of a grid as one item, coloured per node."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPen

from ximstudio.maps.layout import Layout, lay_out
from ximstudio.maps.orientation import UNTURNED, Orientation
from ximstudio.model.arrays import Bools, Floats, Ints
from ximstudio.model.grid import Grid
from ximstudio.pictures.colours import channels
from ximstudio.pictures.raster.cell_raster import FADED, CellRaster, cell_raster, colour_table
from ximstudio.pictures.raster.frame import Bytes, Pixels, RasterFrame
from ximstudio.ui.widgets.drawing.guard import painting
from ximstudio.ui.widgets.drawing.pies import Pies, draw_pies, readable
from ximstudio.ui.widgets.drawing.raster_item import RasterItem, image_of
from ximstudio.ui.widgets.look.theme import the_theme

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
        self._tiles: Layout = lay_out(Grid(rows=1, columns=1))
        self._laid_out = (self._tiles.grid, 0, 0, 0, UNTURNED)
        self._colours: Bytes | None = None
        self._pies: Pies | None = None
        self._pie_layer: QImage | None = None
        self._pie_frame: RasterFrame | None = None
        self._raster: CellRaster | None = None
        self._raster_frame: RasterFrame | None = None
        self._room: Pixels | None = None
        self._selected = np.empty(0, dtype=np.int64)
        self._selected_path = QPainterPath()
        self._hovered = -1
        self._hovered_path = QPainterPath()
        if grid is not None:
            self.show_grid(grid)

    @property
    def tiles(self) -> Layout:
        """The cells as they are laid out."""
        return self._tiles

    @property
    def hovered(self) -> int:
        return self._hovered

    @property
    def selected(self) -> Ints:
        return self._selected

    def show_grid(
        self,
        grid: Grid,
        *,
        rows: int = 0,
        columns: int = 0,
        beyond: int = 0,
        turn: Orientation = UNTURNED,
    ) -> None:
        """Lay out another grid, or the same one moved or turned; a new grid has no colours yet.

        Parameters
        ----------
        grid
            The next three arguments are for tori and cylinders only.
        rows, columns
            How far the map is moved down and to the right across its seams.
        beyond
            How many cells are repeated, faded, beyond every border.
        turn
            How the picture of it is turned then. Places in the item's coordinates are those of
            `turn.moved`.
        """
        wanted = (grid, rows, columns, beyond, turn)
        if wanted == self._laid_out:
            return
        before = self._tiles.grid.n_nodes
        self._tiles = lay_out(grid, rows=rows, columns=columns, beyond=beyond, turn=turn)
        self._laid_out = wanted
        if grid.n_nodes != before:
            self._colours, self._pies = None, None
            self._selected, self._hovered = np.empty(0, dtype=np.int64), -1
        self._raster_frame = self._pie_layer = None
        self._selected_path = self._around(self._selected)
        self._hovered_path = self._cell_path(self._hovered)
        box = self._tiles.bounds
        bounds = QRectF(box.left, box.top, box.right - box.left, box.bottom - box.top)
        self.set_bounds(bounds, padding=SELECTED_WIDTH + HALO)
        self.redraw()

    def show_colours(self, colours: Bytes) -> None:
        """Colour the nodes, (M, 3 or 4); an opacity of 0 marks a node without a value."""
        n_nodes = self._tiles.grid.n_nodes
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
            if shares.shape != (self._tiles.grid.n_nodes, len(colours)):
                raise ValueError("Pies need a row per node and a colour per column.")
            full = np.ones(len(shares))
            self._pies = Pies(
                shares=shares, colours=colours, sizes=full if sizes is None else sizes
            )
        self.redraw()

    def select(self, nodes: Ints) -> None:
        """Outline these nodes together; none for an empty array."""
        self._selected = np.asarray(nodes, dtype=np.int64)
        self._selected_path = self._around(self._selected)
        self.update()

    def hover(self, node: int) -> None:
        """Outline one node; −1 for none."""
        if node != self._hovered:
            self._hovered = node
            self._hovered_path = self._cell_path(node)
            self.update()

    def node_at(self, x: float, y: float) -> int:
        """The node at a place in the item's coordinates, −1 outside the map."""
        return int(self._tiles.node_at(x, y))

    def recolour(self) -> None:
        self._pie_layer = None
        self.redraw()

    def rasterised(self, frame: RasterFrame) -> Pixels | None:
        if frame != self._raster_frame or self._raster is None:
            self._raster = cell_raster(self._tiles, frame)
            self._raster_frame = frame
        self._room = self._raster.painted(
            colour_table(self._filled(), self._tiles), room=self._room
        )
        if self._pies is not None and readable(frame):
            with painting(image_of(self._room)) as painter:
                painter.drawImage(0, 0, self._drawn_pies(self._pies, frame))
        return self._room

    def draw_over(self, painter: QPainter, frame: RasterFrame) -> None:
        # Antialiasing hundreds of scattered outlines would take longer than a frame.
        smooth = self._selected_path.elementCount() <= MOST_SMOOTH
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, smooth)
        if self._selected.size:
            _stroke(painter, self._selected_path, SELECTED_WIDTH, frame.ratio)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._hovered >= 0:
            _stroke(painter, self._hovered_path, HOVER_WIDTH, frame.ratio)

    def _around(self, nodes: Ints) -> QPainterPath:
        """Lines around a group of nodes, none between two of them."""
        chosen = np.zeros(self._tiles.grid.n_nodes, dtype=np.bool_)
        chosen[nodes] = True
        x, y = self._tiles.outline(chosen).reshape(-1, 2).T
        return _path(x, y, np.arange(len(x)) % 2 == 0)

    def _cell_path(self, node: int) -> QPainterPath:
        """Lines around one node, wherever it is drawn; quick, as the mouse may be moving."""
        copies = self._tiles.corners(node)
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
            return np.tile(empty, (self._tiles.grid.n_nodes, 1))
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
                draw_pies(painter, pies, self._tiles, frame, edge=edge, faded=FADED)
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
