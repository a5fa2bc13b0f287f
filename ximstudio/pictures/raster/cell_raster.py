"""Cells of a map as pixels: the node of every pixel, computed once per zoom.

The window only ever scales and moves, so pixels of one row share the node row they lie in and
pixels of one column the node column. Whole lines of pixels are therefore copied, and only in the
zigzag between two rows of hexagons the node has to be found for each pixel.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ximstudio.maps.cells import Tiles, columns_on, repeated
from ximstudio.maps.layout import Layout, OrientedCells
from ximstudio.maps.mosaic import Mosaic
from ximstudio.model.arrays import Floats, Floats32, Ints, Ints32
from ximstudio.model.grid import Lattice
from ximstudio.pictures.raster.frame import Bytes, Pixels, RasterFrame, packed

TIP = float(1.0 / np.sqrt(3.0))
"""Distance of a hexagon's corners from its node, in grid units."""
SMALLEST_CELL = 2.0
"""Cells narrower than this, in pixels, are drawn finer and averaged, or rows would vanish."""
MOST_FINE = 4
FADED = 0.35
"""Opacity of a torus's repeated cells."""


@dataclass(frozen=True, kw_only=True, eq=False)
class CellRaster:
    """Index of every pixel into a table of colours, and what to mix in along borders."""

    entries: Ints32
    """(height, width) of the picture, times `fineness`."""
    borders: Ints
    """Flat indices of pixels that a border between two hexagons crosses."""
    others: Ints32
    """Entries of the cells beyond the border."""
    shares: Pixels
    """Share of the pixel that lies beyond, 0 to 256."""
    fineness: int

    def painted(self, table: Pixels, *, room: Pixels | None = None) -> Pixels:
        """Return the picture in the colours of `table`, written into `room` where that fits.

        Fresh memory for a whole screen costs more than filling it.
        """
        fits = room is not None and room.shape == self.entries.shape
        picture = np.take(table, self.entries, mode="clip", out=room if fits else None)
        if self.borders.size:
            flat = picture.reshape(-1)
            flat[self.borders] = _mixed(flat[self.borders], table[self.others], self.shares)
        return picture if self.fineness == 1 else _averaged(picture, self.fineness)

    def swapped(self) -> CellRaster:
        """Return the same with rows and columns of pixels swapped."""
        height, width = self.entries.shape
        line, column = np.divmod(self.borders, width)
        return replace(
            self, entries=np.ascontiguousarray(self.entries.T), borders=column * height + line
        )


def colour_table(colours: Bytes, tiles: Layout) -> Pixels:
    """Return the colours of all nodes for `CellRaster.painted`."""
    nodes = packed(colours)
    outside = np.zeros(1, dtype=np.uint32)
    if not tiles.beyond:
        return np.concatenate([nodes, outside])
    # Cells repeated along one axis, and along both.
    faded = packed(colours, opacity=FADED)
    return np.concatenate([nodes, faded, faded, outside])


def cell_raster(tiles: Layout, frame: RasterFrame) -> CellRaster:
    """Find the node of every pixel of the frame."""
    if isinstance(tiles, OrientedCells):
        raster = cell_raster(tiles.straight, _before_turn(frame, tiles))
        return raster.swapped() if tiles.turn.swapped else raster
    if isinstance(tiles, Mosaic):
        return _looked_up(tiles, frame)
    narrowest = min(abs(frame.scale_x), abs(frame.scale_y))
    fineness = min(MOST_FINE, int(np.ceil(SMALLEST_CELL / max(narrowest, 1e-9))))
    if fineness > 1:
        return _drawn(tiles, frame.finer(fineness), smooth=False, fineness=fineness)
    # Squares end where pixels end; the slanted sides of hexagons need to be smoothed.
    smooth = tiles.grid.lattice is Lattice.HEXAGONAL
    return _drawn(tiles, frame, smooth=smooth, fineness=1)


def _before_turn(frame: RasterFrame, turned: OrientedCells) -> RasterFrame:
    """Return a frame on which places fall as turned ones do on this, or with x and y swapped."""
    (sign_x, sign_y), (offset_x, offset_y) = turned.turn.signs, turned.offset.tolist()
    pulled = replace(
        frame,
        scale_x=sign_x * frame.scale_x,
        scale_y=sign_y * frame.scale_y,
        offset_x=frame.offset_x + frame.scale_x * offset_x,
        offset_y=frame.offset_y + frame.scale_y * offset_y,
    )
    return pulled.swapped() if turned.turn.swapped else pulled


def _looked_up(cells: Mosaic, frame: RasterFrame) -> CellRaster:
    """Look up pixel by pixel, for cells of any shape: four samples each find what crosses it."""
    finer = cells.under_pixels(*frame.finer(2).pixel_places())
    entries, *looks = (finer[down::2, right::2] for down in (0, 1) for right in (0, 1))
    strangers = [look != entries for look in looks]
    crossed = np.flatnonzero(np.logical_or.reduce(strangers))
    second, third, fourth = (look.reshape(-1)[crossed] for look in looks)
    strange = np.array([stranger.reshape(-1)[crossed] for stranger in strangers])
    border = _Border(
        pixels=crossed,
        others=np.where(strange[0], second, np.where(strange[1], third, fourth)),
        shares=0.25 * strange.sum(axis=0, dtype=np.float32),
    )
    return _raster(np.ascontiguousarray(entries), [border], 1)


@dataclass(frozen=True, kw_only=True, eq=False)
class _Border:
    """Pixels that a border crosses, what lies beyond it, and how much of them."""

    pixels: Ints
    others: Ints32
    shares: Floats32


def _drawn(tiles: Tiles, frame: RasterFrame, *, smooth: bool, fineness: int) -> CellRaster:
    x, y = frame.pixel_places()
    cells = _Cells(tiles)
    # The size in grid units of a step of one pixel across a slanted border.
    rows = _Rows(tiles, y, pixel=float(np.hypot(TIP / frame.scale_x, 1.0 / frame.scale_y)))
    entries = np.empty((frame.height, frame.width), dtype=np.int32)
    borders: list[_Border] = []
    for parity in (0, 1):
        here = _Columns(cells, x, parity=parity, scale=frame.scale_x)
        around = rows.around_nodes(parity)
        entries[around] = cells.joined(rows.row[around], here.numbers)
        if smooth:
            borders.append(_upright_borders(cells, here, around, rows.row[around], frame.width))
        between = rows.between(parity)
        if between.size:
            there = _Columns(cells, x, parity=1 - parity, scale=frame.scale_x)
            lower = cells.joined(rows.row[between], here.numbers)
            upper = cells.joined(rows.row[between] + 1, there.numbers)
            # In pixels, positive beyond the zigzag.
            beyond = np.add.outer(rows.beyond_tip[between], here.apart * rows.slope)
            if smooth:
                borders.append(_slanted_borders(beyond, lower, upper, between, frame.width))
            np.copyto(lower, upper, where=beyond > 0.0)
            entries[between] = lower
    return _raster(entries, borders, fineness)


def _raster(entries: Ints32, borders: list[_Border], fineness: int) -> CellRaster:
    nothing = _Border(
        pixels=np.empty(0, np.int64), others=np.empty(0, np.int32), shares=np.empty(0, np.float32)
    )
    parts = [nothing, *borders]
    shares = np.concatenate([part.shares for part in parts])
    return CellRaster(
        entries=entries,
        borders=np.concatenate([part.pixels for part in parts]),
        others=np.concatenate([part.others for part in parts]),
        shares=np.rint(256.0 * shares).astype(np.uint32),
        fineness=fineness,
    )


class _Cells:
    """Numbers of rows and of columns that add up to entries of the colour table."""

    def __init__(self, tiles: Tiles) -> None:
        self._tiles = tiles
        n_nodes = tiles.grid.n_nodes
        self.row_shift = tiles.grid.row_shift
        self._repeated = n_nodes if tiles.beyond else 0
        self._outside = 3 * n_nodes if tiles.beyond else n_nodes

    def joined(self, rows: Ints, column_numbers: Ints32) -> Ints32:
        """Entries of cells, (rows, columns)."""
        grid = self._tiles.grid
        numbers = (rows - self._tiles.rows) % grid.rows * grid.columns
        _, more = repeated(grid, self._tiles.beyond)
        joined = np.add.outer(self._known(rows, numbers, grid.rows, more), column_numbers)
        return np.minimum(joined, np.int32(self._outside), out=joined)

    def of_columns(self, columns: Ints, *, parity: int) -> Ints32:
        """Numbers of cells in these columns of even or odd rows."""
        grid = self._tiles.grid
        moved = self._tiles.columns + columns_on(grid, self._tiles.rows, parity)
        numbers = (columns - moved) % grid.columns
        more, _ = repeated(grid, self._tiles.beyond)
        return self._known(columns, numbers, grid.columns, more)

    def _known(self, places: Ints, numbers: Ints, length: int, more: int) -> Ints32:
        numbers = numbers + np.where((places >= 0) & (places < length), 0, self._repeated)
        inside = (places >= -more) & (places < length + more)
        return np.where(inside, numbers, self._outside).astype(np.int32)


class _Rows:
    """Pixel rows against rows of cells: those around the nodes, those in the zigzag above."""

    def __init__(self, tiles: Tiles, y: Floats, *, pixel: float) -> None:
        self.slope = np.float32(TIP / pixel)
        if tiles.grid.lattice is not Lattice.HEXAGONAL:
            self.row = np.floor(y + 0.5).astype(np.int64)
            self._zigzag = np.zeros(len(y), dtype=np.bool_)
            return
        below = np.floor(y / tiles.grid.row_height)
        above_node = y - below * tiles.grid.row_height
        past = above_node > TIP + 0.5 * pixel
        self.row = (below + past).astype(np.int64)
        self._zigzag = (above_node >= 0.5 * (TIP - pixel)) & ~past
        self.beyond_tip = ((above_node - TIP) / pixel).astype(np.float32)

    def around_nodes(self, parity: int) -> Ints:
        return np.flatnonzero(~self._zigzag & (self.row % 2 == parity))

    def between(self, parity: int) -> Ints:
        return np.flatnonzero(self._zigzag & (self.row % 2 == parity))


class _Columns:
    """Pixel columns against the cells of one row: the cell, and the distance to its middle."""

    def __init__(self, cells: _Cells, x: Floats, *, parity: int, scale: float) -> None:
        offset = cells.row_shift * parity
        nearest = np.floor(x - offset + 0.5)
        aside = x - offset - nearest
        column = nearest.astype(np.int64)
        self.numbers = cells.of_columns(column, parity=parity)
        self.apart = np.abs(aside).astype(np.float32)
        to_border = (0.5 - self.apart) * abs(scale)
        self.crossed = np.flatnonzero(to_border < 0.5)
        self.shares = (0.5 - to_border[self.crossed]).astype(np.float32)
        beyond = column[self.crossed] + np.where(aside[self.crossed] > 0.0, 1, -1)
        self.beyond_numbers = cells.of_columns(beyond, parity=parity)


def _upright_borders(
    cells: _Cells, columns: _Columns, lines: Ints, rows: Ints, width: int
) -> _Border:
    """Pixels on the upright sides of cells."""
    return _Border(
        pixels=np.add.outer(lines * width, columns.crossed).reshape(-1),
        others=cells.joined(rows, columns.beyond_numbers).reshape(-1),
        shares=np.tile(columns.shares, len(lines)),
    )


def _slanted_borders(
    beyond: Floats32, lower: Ints32, upper: Ints32, lines: Ints, width: int
) -> _Border:
    """Pixels on the zigzag between two rows of cells."""
    crossed = np.flatnonzero(np.abs(beyond) < 0.5)
    distances = beyond.reshape(-1)[crossed]
    line, column = np.divmod(crossed, width)
    return _Border(
        pixels=lines[line] * width + column,
        others=np.where(distances > 0.0, lower.reshape(-1)[crossed], upper.reshape(-1)[crossed]),
        shares=(0.5 - np.abs(distances)).astype(np.float32),
    )


def _mixed(pixels: Pixels, others: Pixels, shares: Pixels) -> Pixels:
    """Pixels with a share, of 256, of others; two channels at a time."""
    two = np.uint32(0x00FF00FF)
    rest = np.uint32(256) - shares
    low = ((pixels & two) * rest + (others & two) * shares) >> np.uint32(8)
    high = (pixels >> np.uint32(8) & two) * rest + (others >> np.uint32(8) & two) * shares
    return np.asarray((low & two) | (high & ~two))


def _averaged(picture: Pixels, times: int) -> Pixels:
    """A picture with `times` fewer rows and columns; pixels are means."""
    height, width = picture.shape
    channels = picture.view(np.uint8).reshape(height // times, times, width // times, times, 4)
    sums = channels.sum(axis=(1, 3), dtype=np.uint32)
    means: Bytes = (sums // (times * times)).astype(np.uint8)
    return means.view(np.uint32).reshape(height // times, width // times)
