"""Positions of items: up to a million points as one item, coloured per point."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter, QPen

from ximstudio.maps.box import enclosed
from ximstudio.maps.orientation import UNTURNED, Orientation
from ximstudio.model.arrays import Bools, Floats, Ints
from ximstudio.model.grid import Grid
from ximstudio.pictures.colours import channels
from ximstudio.pictures.density import counts, density_pixels, density_table, smoothed
from ximstudio.pictures.point_looks import HALO, default_size, dimmed_colours
from ximstudio.pictures.raster.cell_raster import FADED
from ximstudio.pictures.raster.dots import stamp_points
from ximstudio.pictures.raster.frame import Bytes, Pixels, RasterFrame, packed
from ximstudio.pictures.raster.places import PlaceIndex
from ximstudio.pictures.torus import Torus
from ximstudio.ui.widgets.drawing.raster_item import RasterItem
from ximstudio.ui.widgets.look.theme import the_theme

MANY = 200_000
"""From this number of points on, a density is drawn."""


@dataclass(frozen=True, kw_only=True, eq=False)
class _Layer:
    """Points drawn together: indices, colours and size factor."""

    order: Ints
    colours: Pixels
    wider: float = 0.0


class PointsItem(RasterItem):
    """Points in the coordinates of positions, as discs whose size does not change with zoom."""

    def __init__(self) -> None:
        super().__init__()
        self._positions = np.empty((0, 2))
        self._torus: Torus | None = None
        self.colours = np.empty((0, 4), dtype=np.uint8)
        """The colours of all points, (N, 3 or 4)."""
        self._inks: Pixels | None = None
        self._size: float | None = None
        self._opacity = 0.85
        self._shown: Bools | None = None
        self.selected: Bools | None = None
        """Selected points, which are in front of the others; None if there is no selection."""
        self._dense = False
        self.hovered = -1
        self.ringed = np.empty(0, dtype=np.int64)
        """Points with a thin ring, besides the hovered one."""
        self._places = PlaceIndex(self._positions)
        self._layers: list[_Layer] | None = None
        self._room: Pixels | None = None

    def __len__(self) -> int:
        return len(self._positions)

    @property
    def size(self) -> float:
        """Diameter of a point in pixels of the window."""
        return default_size(len(self)) if self._size is None else self._size

    def show_positions(
        self,
        positions: Floats,
        *,
        grid: Grid | None = None,
        rows: int = 0,
        columns: int = 0,
        beyond: int = 0,
        turn: Orientation = UNTURNED,
    ) -> None:
        """Place all points, (N, 2); on a toroidal grid laid out as MapItem's cells are.

        Where cells are turned, `turn` says how, and positions are those it has moved already.
        Colours and states stay while the number of points stays.
        """
        if len(positions) != len(self._positions):
            first = channels(the_theme().colours.classes[0])
            self.colours = np.tile(np.array(first, dtype=np.uint8), (len(positions), 1))
            self._inks = None
            self._shown, self.selected, self.hovered = None, None, -1
            self.ringed = np.empty(0, dtype=np.int64)
        torus = None
        if grid is not None and grid.repeats:
            torus = Torus.of(grid, rows=rows, columns=columns, beyond=beyond, turn=turn)
        if torus == self._torus and np.array_equal(positions, self._positions, equal_nan=True):
            # The same points in other colours need not be sorted again.
            return
        self._positions, self._torus = positions, torus
        self._places = PlaceIndex(
            positions if self._torus is None else self._torus.wrapped(positions)
        )
        self._measure()
        self._change()

    def show_colours(self, colours: Bytes) -> None:
        """Colour the points, (N, 3 or 4)."""
        if colours.shape not in ((len(self), 3), (len(self), 4)):
            raise ValueError(f"{len(self)} points need as many colours, not {colours.shape}.")
        self.colours, self._inks = colours, None
        self._change()

    def show_size(self, size: float | None) -> None:
        """Diameter in pixels of the window; None to choose by the number of points."""
        self._size = size
        self._measure()
        self._change()

    def show_opacity(self, opacity: float) -> None:
        """From 0, not to be seen, to 1."""
        self._opacity, self._inks = min(max(opacity, 0.0), 1.0), None
        self._change()

    def show_only(self, shown: Bools | None) -> None:
        """Leave out all points but these; None to show all."""
        self._shown = self._per_point(shown)
        self._change()

    def select(self, selected: Bools | None) -> None:
        """Bring these points to the front and dim the others; None for no selection."""
        known = self._per_point(selected)
        self.selected = known if known is not None and known.any() else None
        self._change()

    def hover(self, item: int) -> None:
        """Ring one point; −1 for none."""
        if item != self.hovered:
            self.hovered = item
            self.update()

    def ring(self, items: Ints) -> None:
        """Put a thin ring around these points, which may be seen through; none for no items."""
        if len(items) or len(self.ringed):
            self.ringed = items
            self.update()

    def show_density(self, *, dense: bool) -> None:
        """Draw densities of the points that are shown, or selected, instead of points."""
        self._dense = dense
        self._change()

    def point_at(self, x: float, y: float, *, reach: float = 8.0) -> int:
        """The nearest point that is shown within `reach` pixels of a place, or −1."""
        width, height = self.pixelSize()
        if not width or not height:
            return -1
        far = reach + self.size / 2.0
        near = self._places.within(x, y, far * width, far * height)
        if self._shown is not None:
            near = near[self._shown[self._places.items[near]]]
        across = (self._places.x[near] - x) / width
        squares = across**2 + ((self._places.y[near] - y) / height) ** 2
        # False for NaN as well.
        found = np.flatnonzero(squares <= far**2)
        if not found.size:
            return -1
        return int(self._places.items[near[found[squares[found].argmin()]]])

    def points_in(self, polygon: Floats) -> Bools:
        """Return the visible points inside a lasso, including copies on a torus."""
        placed = self._positions if self._torus is None else self._torus.wrapped(self._positions)
        inside = enclosed(placed, polygon)
        for step in () if self._torus is None else self._torus.steps:
            inside |= enclosed(placed + step, polygon)
        return inside if self._shown is None else inside & self._shown

    def place_of(self, item: int) -> QPointF:
        """Return the position of a point."""
        place = self._positions[item]
        return QPointF(*(place if self._torus is None else self._torus.wrapped(place)).tolist())

    def recolour(self) -> None:
        self._change()

    def rasterised(self, frame: RasterFrame) -> Pixels | None:
        if not len(self):
            return None
        if self._layers is None:
            self._layers = self._layered()
        if self._dense:
            return self._density(frame)
        if self._room is None or self._room.shape != (frame.height, frame.width):
            self._room = np.empty((frame.height, frame.width), dtype=np.uint32)
        self._room.fill(0)
        for layer in self._layers:
            self._stamp(self._room, layer, frame)
        return self._room

    def draw_over(self, painter: QPainter, _: RasterFrame) -> None:
        hovered = self.hovered if 0 <= self.hovered < len(self) else -1
        if hovered < 0 and not len(self.ringed):
            return
        to_window = painter.transform()
        painter.resetTransform()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colours = the_theme().colours
        rings = [(item, 1.0, 3.0, 1.2) for item in self.ringed.tolist()]
        if hovered >= 0:
            rings.append((hovered, 3.0, 4.0, 1.8))
        for item, beyond, halo, width in rings:
            place = self.place_of(item)
            if np.isnan(place.x()):
                continue
            radius = self.size / 2.0 + beyond
            for colour, pen in ((colours.surface, halo), (colours.text, width)):
                painter.setPen(QPen(QColor(colour), pen))
                painter.drawEllipse(to_window.map(place), radius, radius)

    def _change(self) -> None:
        self._layers = None
        self.redraw()

    def _per_point(self, marked: Bools | None) -> Bools | None:
        if marked is not None and marked.shape != (len(self),):
            raise ValueError(f"{len(self)} points need as many marks, not {marked.shape}.")
        return marked

    def _layered(self) -> list[_Layer]:
        """Return the layers from back to front."""
        items = self._places.items
        shown = np.arange(len(self))
        if self._shown is not None:
            shown = np.flatnonzero(self._shown[items])
        if self.selected is None:
            if self._inks is None:
                self._inks = packed(self.colours, opacity=self._opacity)
            return [_Layer(order=shown, colours=self._inks[items])]
        colours = self.colours[items]
        chosen = self.selected[items[shown]]
        surface = np.array(channels(the_theme().colours.surface))
        dimmed = dimmed_colours(colours, surface)
        rings = np.full(len(self), packed(surface[None].astype(np.uint8))[0])
        return [
            _Layer(order=shown[~chosen], colours=packed(dimmed, opacity=self._opacity)),
            _Layer(order=shown[chosen], colours=rings, wider=2.0 * HALO),
            _Layer(order=shown[chosen], colours=packed(colours)),
        ]

    def _stamp(self, pixels: Pixels, layer: _Layer, frame: RasterFrame) -> None:
        """Points, and below them their faded copies beyond the borders of a torus."""
        diameter = (self.size + layer.wider) * frame.ratio
        clip = None if self._torus is None else self._torus.clip(frame)
        copies = [] if self._torus is None else self._torus.copies(frame)
        faded = _faded(layer.colours) if copies else layer.colours
        for where, colours in [*((copy, faded) for copy in copies), (frame, layer.colours)]:
            stamp_points(
                pixels,
                self._places.x,
                self._places.y,
                order=layer.order,
                colours=colours,
                diameter=diameter,
                frame=where,
                clip=clip,
            )

    def _density(self, frame: RasterFrame) -> Pixels:
        front = self._layers[-1].order if self._layers else np.empty(0, dtype=np.int64)
        # A density is smooth: one value per logical pixel is enough.
        times = max(1, round(frame.ratio))
        found = counts(frame.coarser(times), self._places.x[front], self._places.y[front])
        pixels = density_pixels(smoothed(found, 1), density_table(the_theme().colours))
        if times > 1:
            pixels = pixels.repeat(times, axis=0).repeat(times, axis=1)
        return np.ascontiguousarray(pixels[: frame.height, : frame.width])

    def _measure(self) -> None:
        """Tell the view where the points lie."""
        repeated = self._torus is not None and self._torus.repeated
        found = self._torus.bounds if self._torus and repeated else self._places.bounds
        if found is None:
            self.set_bounds(QRectF())
            return
        left, top, right, bottom = found
        # A box of no width would not be drawn.
        bounds = QRectF(left, top, max(right - left, 1e-9), max(bottom - top, 1e-9))
        self.set_bounds(bounds, padding=self.size / 2.0 + 6.0)


def _faded(colours: Pixels) -> Pixels:
    """Premultiplied colours at the opacity of repeated cells."""
    return (colours.view(np.uint8) * np.float32(FADED)).astype(np.uint8).view(np.uint32)
