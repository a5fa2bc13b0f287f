"""Items above a canvas besides those of its view: borders and projected items, with their card."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QObject, QPointF
from PySide6.QtGui import QColor

from ximstudio.maps.cells import tiles
from ximstudio.maps.sides import drawn_borders
from ximstudio.model.arrays import Bools, Floats
from ximstudio.pictures.canvas import BARE, Overlaid
from ximstudio.pictures.map_texts import node_name
from ximstudio.pictures.ticks import number_text
from ximstudio.pictures.torus import Torus
from ximstudio.ui.views.common.sight import TorusShift
from ximstudio.ui.widgets.drawing.canvas import Canvas
from ximstudio.ui.widgets.drawing.hover_card import HoverCard, Line
from ximstudio.ui.widgets.drawing.raster_item import LinesItem
from ximstudio.ui.widgets.look.theme import the_theme

SIZE, STRANGE_SIZE = 14.0, 14.0
"""Size in pixels, from corner to corner; those that do not belong are hollow."""
ABOVE = 40.0
"""Above everything that the views draw themselves."""
REACH = 8.0
"""Distance in pixels at which the mouse hits a mark."""


class ProjectedPoints(QObject):
    """Two kinds of marks above a canvas."""

    def __init__(self, canvas: Canvas) -> None:
        # Child of the canvas: the theme outlives both.
        super().__init__(canvas)
        self._canvas = canvas
        self._places: Floats = np.empty((0, 2))
        self._strange: Bools = np.empty(0, dtype=np.bool_)
        self.near = pg.ScatterPlotItem(symbol="d", size=SIZE, pxMode=True)
        self.strange = pg.ScatterPlotItem(symbol="d", size=STRANGE_SIZE, pxMode=True)
        for item in (self.near, self.strange):
            item.setZValue(ABOVE)
            canvas.view.addItem(item, ignoreBounds=True)
        the_theme().follow(self.recolour)
        self.recolour()

    @property
    def n_marks(self) -> int:
        return len(self._places)

    def show_marks(self, places: Floats, strange: Bools) -> None:
        """Put marks at these places, (n, 2); `strange` ones are hollow."""
        self._places, self._strange = places, strange
        self.near.setData(pos=places[~strange])
        self.strange.setData(pos=places[strange])

    def mark_at(self, place: QPointF) -> int:
        """Mark at a point of the canvas; −1 for none."""
        if not len(self._places):
            return -1
        across, down = self._canvas.view.viewPixelSize()
        away = (self._places - (place.x(), place.y())) / (across, down)
        squares = np.einsum("ij,ij->i", away, away)
        if not np.isfinite(squares).any():
            return -1
        nearest = int(np.nanargmin(squares))
        return nearest if squares[nearest] <= REACH**2 else -1

    def place_of(self, mark: int) -> QPointF:
        """Position of a mark."""
        return QPointF(*self._places[mark].tolist())

    def recolour(self) -> None:
        """Apply the theme's colours."""
        if self._canvas.closed:
            return
        colours = the_theme().colours
        self.near.setBrush(QColor(colours.accent))
        # Pens that keep their width: symbols are drawn in a unit square and scaled.
        self.near.setPen(pg.mkPen(colours.surface, width=1.5))
        self.strange.setBrush(QColor(colours.surface))
        self.strange.setPen(pg.mkPen(colours.warning, width=2.5))


BORDERS = 30.0
"""Above cells and points, below projected items."""
BORDER = 2.2
"""Width of the lines between clusters, in pixels."""


class Overlay(QObject):
    """Follows the map as it is shifted across its seams."""

    def __init__(self, canvas: Canvas, shift: TorusShift, card: HoverCard) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._shift = shift
        self._card = card
        self._shown: Overlaid = BARE
        self.borders = LinesItem()
        self.borders.setZValue(BORDERS)
        canvas.view.addItem(self.borders, ignoreBounds=True)
        self.projected = ProjectedPoints(canvas)
        shift.moved.connect(self._lay_out)

    def show(self, overlaid: Overlaid) -> None:
        """Replace what is shown above the canvas."""
        if overlaid is not self._shown:
            self._shown = overlaid
            self._lay_out()

    def hover(self, place: QPointF) -> bool:
        """Show the card of the projected item at a point; return whether there is one."""
        mark = self.projected.mark_at(place)
        if mark < 0:
            return False
        shown = self._shown
        self._card.show_at(
            self._canvas.position_of(self.projected.place_of(mark)),
            shown.ids[mark],
            projection_lines(shown, mark),
            more="Does not fit this map" if shown.strange[mark] else "",
        )
        return True

    def _lay_out(self) -> None:
        """Move everything to where the map is drawn now."""
        shown, grid, shift = self._shown, self._shown.grid, self._shift
        places, borders = shown.places, shown.borders
        if grid is not None and grid.repeats:
            places = Torus.of(grid, **shift.place).wrapped(places)
            if shown.clusters is not None and any(shift.place.values()):
                borders = drawn_borders(tiles(grid, **shift.place), shown.clusters)
        self.borders.show_groups([(BORDER, borders)])
        self.projected.show_marks(places, shown.strange)


def projection_lines(shown: Overlaid, mark: int) -> tuple[Line, ...]:
    """Lines of the card: file, novelty and node."""
    colours = the_theme().colours
    colour = colours.warning if shown.strange[mark] else colours.accent
    lines = [
        Line(name="From", value=shown.files[mark], colour=colour),
        Line(name="Novelty", value=number_text(float(shown.novelty[mark]))),
    ]
    if shown.grid is not None and shown.winners is not None:
        name = node_name(shown.grid, int(shown.winners[mark])).removeprefix("node ")
        lines.append(Line(name="Node", value=name))
    return tuple(lines)
