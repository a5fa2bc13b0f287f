"""Texts of the map view: menus, colour bar, notes, and the card about a node."""

from __future__ import annotations

import numpy as np

from ximstudio.maps import LayerKind, LayerNeed
from ximstudio.maps.label_kinds import label_kinds
from ximstudio.model.words import counted
from ximstudio.pictures.map_texts import node_name
from ximstudio.pictures.ticks import number_text
from ximstudio.ui.views.common.chooser import ChooserEntry
from ximstudio.ui.views.common.class_colours import class_colours
from ximstudio.ui.widgets.drawing.hover_card import Line
from ximstudio.views.map.picture import HITS, ITEMS, NODES, NOTHING, POINTS, MapPicture, would_hide

MARKS = "Markers"
"""Name of the button for marks."""


def layer_choices(picture: MapPicture) -> list[ChooserEntry]:
    """Choices of layers of a map."""
    shown = picture.shown
    return [
        ChooserEntry(
            key=layer.key,
            name=picture.words.said(layer.name),
            about=picture.words.said(layer.about),
            options=layer.options(shown.result, picture.matrix),
            first=layer.first_option(shown.result, picture.matrix, old_label=shown.old_label),
        )
        for layer in picture.layers
    ]


def mark_options(picture: MapPicture) -> dict[str, str]:
    """Marks by key."""
    items = picture.words.items
    return {
        NOTHING: "No markers",
        POINTS: f"{items.capitalize()} at their positions",
        NODES: f"{items.capitalize()} in their nodes",
        HITS: f"Number of {items} per node",
    }


def mark_tips(picture: MapPicture) -> dict[str, str]:
    """Explanations of marks."""
    items = picture.words.items
    return {
        POINTS: f"Exact positions of the {items}, which lie between similar nodes and may be "
        "outside the cell of their own node.",
        NODES: f"The {items} of a node, spread over its cell; the position within a cell has no "
        "meaning.",
        HITS: f"Number of {items} at every node.",
    }


def name_options(picture: MapPicture) -> dict[str, str]:
    """Names on the map, by key."""
    kinds = label_kinds(picture.matrix)
    fixed = {"": "No names", ITEMS: f"Names of {picture.words.items}"}
    return fixed | {name: f"Label: {name}" for name in kinds.classes}


def name_tips(picture: MapPicture) -> dict[str, str]:
    """Explanations of names."""
    words = picture.words
    return {ITEMS: f"The first {words.item} of every node; +6 means six more {words.items}."}


def note_text(picture: MapPicture, *, left_out: bool, chosen: str = "") -> str:
    """Note on what is still computed, or does not fit; '' for none.

    `chosen` is the key of the marks that the user chose.
    """
    assert picture.layer is not None
    if picture.values is None:
        late = picture.shown.live and LayerNeed.RANKS in picture.layer.needs
        name = picture.layer.name
        return f"{name} is measured after training" if late else "Not measured yet"
    if left_out:
        return "Zoom in to see all numbers"
    numbers = picture.layer.kind is LayerKind.NUMBERS
    if numbers and not chosen and would_hide(picture):
        items = counted(picture.matrix.n_items, picture.words.item)
        return f"{items} would cover the map; use “{MARKS}” to show them"
    return ""


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
