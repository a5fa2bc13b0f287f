"""Items above a canvas besides those of its view: borders and projected items, with their card."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPointF

from ximstudio.maps.cells import tiles
from ximstudio.maps.layout import LayoutShift
from ximstudio.maps.sides import drawn_borders
from ximstudio.pictures.canvas import BARE, Overlaid
from ximstudio.pictures.map_texts import node_name
from ximstudio.pictures.ticks import number_text
from ximstudio.pictures.torus import Torus
from ximstudio.ui.views.common.borders_item import BordersItem
from ximstudio.ui.views.common.projected_item import NewcomersItem
from ximstudio.ui.views.common.torus_shift import TorusShift
from ximstudio.ui.widgets.drawing.canvas import Canvas
from ximstudio.ui.widgets.drawing.hover_card import HoverCard, Line
from ximstudio.ui.widgets.look.theme import the_theme

BORDERS = 30.0
"""Above cells and points, below projected items."""


class Overlay(QObject):
    """Follows the map as it is shifted across its seams."""

    def __init__(self, canvas: Canvas, shift: TorusShift, card: HoverCard) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._shift = shift
        self._card = card
        self._shown: Overlaid = BARE
        self.borders = BordersItem()
        self.borders.setZValue(BORDERS)
        canvas.view.addItem(self.borders, ignoreBounds=True)
        self.newcomers = NewcomersItem(canvas)
        shift.moved.connect(self._lay_out)

    def show(self, overlaid: Overlaid) -> None:
        """Replace what is shown above the canvas."""
        if overlaid is not self._shown:
            self._shown = overlaid
            self._lay_out()

    def hover(self, place: QPointF) -> bool:
        """Show the card of the projected item at a point; return whether there is one."""
        mark = self.newcomers.mark_at(place)
        if mark < 0:
            return False
        shown = self._shown
        self._card.show_at(
            self._canvas.position_of(self.newcomers.place_of(mark)),
            shown.ids[mark],
            newcomer_lines(shown, mark),
            more="Does not fit this map" if shown.strange[mark] else "",
        )
        return True

    def _lay_out(self) -> None:
        """Move everything to where the map is drawn now."""
        shown, grid, shift = self._shown, self._shown.grid, self._shift
        places, borders = shown.places, shown.borders
        if grid is not None and grid.repeats:
            moved: LayoutShift = {
                "rows": shift.rows,
                "columns": shift.columns,
                "beyond": shift.beyond,
            }
            places = Torus.of(grid, **moved).wrapped(places)
            if shown.clusters is not None and (shift.rows or shift.columns or shift.beyond):
                borders = drawn_borders(tiles(grid, **moved), shown.clusters)
        self.borders.show_lines(borders)
        self.newcomers.show_marks(places, shown.strange)


def newcomer_lines(shown: Overlaid, mark: int) -> tuple[Line, ...]:
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
