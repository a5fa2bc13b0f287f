"""The figure of one run: its map, and its items at their positions."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ximstudio.figures.look import on_paper
from ximstudio.figures.panels import BETWEEN, Heading, arranged, draw_headings
from ximstudio.figures.parts import GAP, ColourKey
from ximstudio.figures.sheet import PAGE_MM, PaperSheet
from ximstudio.session.shown import Shown
from ximstudio.views.common.figure_plan import FigurePlan
from ximstudio.views.map.figure import draw_map_on, map_key, map_sight
from ximstudio.views.map.state import MapState
from ximstudio.views.positions.figure import draw_positions_on, positions_sight
from ximstudio.views.positions.picture import LABEL, PLAIN
from ximstudio.views.positions.state import PositionsState

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def map_figure(shown: Shown, plan: FigurePlan, *, label: str = "") -> Figure:
    """Draw the map as planned and the positions of its items side by side.

    Items are coloured by a label; by the main one if none is given.
    """
    nodes, label = plan.state, label or shown.class_label
    assert isinstance(nodes, MapState)
    places = PositionsState(by=LABEL if label else PLAIN, option=label, palettes=nodes.palettes)
    # Both panels have one key: the same items in the same colours.
    map_picture, items = nodes.picture(shown), places.picture(shown)
    map_picture = replace(map_picture, classes=items.classes, label=items.option)
    with on_paper(plan.look):
        sheet = PaperSheet(plan.look, title=plan.title)
        key = replace(map_key(map_picture, nodes), wide=True)
        bar = ColourKey(bar=key.bar)
        beside = bar.width_beside(sheet)
        sights = [map_sight(map_picture, nodes), positions_sight(items, places)]
        words = items.words.items
        headings = [Heading(name="U-matrix"), Heading(name=f"{shown.matrix.n_items} {words}")]
        width = sheet.right - sheet.left
        # The bar stands between the panels, beside the colours that it explains.
        lowest = PAGE_MM - key.height_below(sheet, width) - 0.2 * BETWEEN
        found = arranged(sheet, sights, width - beside, headings, after_first=beside, lowest=lowest)
        draw_headings(sheet, found, headings)
        plot = draw_map_on(sheet, found.boxes[0], map_picture, plan)
        high = plot.box.bottom - plot.box.top
        end = bar.draw_beside(sheet, found.boxes[0].right + GAP, plot.box.top, high)
        draw_positions_on(sheet, found.boxes[1], items, replace(plan, state=places))
        end = max(end, found.bottom)
        return sheet.finish(key.draw_below(sheet, sheet.left, end + 0.2 * BETWEEN, width))
