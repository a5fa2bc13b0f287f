"""Texts of the map view's menus, colour bar and notes."""

from __future__ import annotations

from ximstudio.maps import LayerKind, LayerNeed
from ximstudio.maps.label_kinds import label_kinds
from ximstudio.model.words import counted
from ximstudio.ui.views.common.chooser import ChooserEntry
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
            first=layer.first_option(shown.result, picture.matrix, told_by=shown.told_by),
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
