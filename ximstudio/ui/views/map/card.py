"""Texts of the card about a node."""

from __future__ import annotations

import numpy as np

from ximstudio.maps import LayerKind
from ximstudio.pictures.map_texts import node_name
from ximstudio.pictures.ticks import number_text
from ximstudio.ui.views.common.class_colours import class_colours
from ximstudio.ui.widgets.drawing.hover_card import Line
from ximstudio.views.map.picture import MapPicture

MOST_CLASSES = 6
MOST_NAMES = 3


def node_title(picture: MapPicture, node: int) -> str:
    """Name of a node."""
    assert picture.grid is not None
    name = node_name(picture.grid, node)
    return name[:1].upper() + name[1:]


def node_lines(picture: MapPicture, node: int) -> tuple[Line, ...]:
    """Its value, number of items, and their classes."""
    lines: list[Line] = []
    layer, values = picture.layer, picture.values
    if layer is not None and layer.kind is LayerKind.NUMBERS and layer.key != "hits":
        text = "not yet" if values is None else number_text(float(values[node]))
        lines.append(Line(name=picture.option or picture.words.said(layer.name), value=text))
    lines.append(Line(name=picture.words.items.capitalize(), value=str(int(picture.hits[node]))))
    return (*lines, *_class_lines(picture, node))


def node_names(picture: MapPicture, node: int) -> str:
    """Names of its first items."""
    members = picture.members(node).tolist()
    names = ", ".join(picture.matrix.item_ids[item] for item in members[:MOST_NAMES])
    more = len(members) - MOST_NAMES
    return f"{names} and {more} more" if more > 0 else names


def _class_lines(picture: MapPicture, node: int) -> tuple[Line, ...]:
    classes = picture.classes
    if classes is None or not picture.hits[node]:
        return ()
    counts = np.bincount(classes.codes[picture.members(node)], minlength=len(classes.names))
    colours = class_colours(classes)
    largest = [code for code in np.argsort(-counts, kind="stable").tolist() if counts[code]]
    lines = [
        Line(name=classes.names[code], value=str(int(counts[code])), colour=colours[code])
        for code in largest[:MOST_CLASSES]
    ]
    rest = int(counts[largest[MOST_CLASSES:]].sum())
    return (*lines, *([Line(name="others", value=str(rest))] if rest else []))
