"""Texts of the card about an item."""

from __future__ import annotations

from ximstudio.pictures.map_texts import node_name
from ximstudio.pictures.set_classes import SET_MEAN
from ximstudio.pictures.ticks import number_text
from ximstudio.ui.views.common.class_colours import class_colours
from ximstudio.ui.widgets.drawing.hover_card import Line
from ximstudio.views.positions.picture import CONTINUITY, FEATURE, LABEL, TRUST, PositionsPicture

MOST_LABELS = 5


def item_lines(picture: PositionsPicture, item: int) -> tuple[Line, ...]:
    """Its value, its labels, and its node."""
    lines: list[Line] = []
    if picture.by in (FEATURE, TRUST, CONTINUITY, SET_MEAN):
        known = picture.values is not None
        text = number_text(float(picture.values[item])) if known else "not yet"  # type: ignore[index]
        lines.append(Line(name=picture.option or picture.by.capitalize(), value=text))
    for name, texts in list(picture.matrix.item_labels.items())[:MOST_LABELS]:
        lines.append(Line(name=name, value=texts[item] or "–", colour=_colour(picture, name, item)))
    winners = picture.shown.result.winners
    if picture.grid is not None and winners is not None:
        name = node_name(picture.grid, int(winners[item])).removeprefix("node ")
        lines.append(Line(name="Node", value=name))
    return tuple(lines)


def _colour(picture: PositionsPicture, name: str, item: int) -> str:
    """Colour of the item's class, for the label in colour."""
    if picture.by != LABEL or name != picture.option or picture.classes is None:
        return ""
    return class_colours(picture.classes)[int(picture.classes.codes[item])]
