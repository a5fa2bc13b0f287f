"""What the map view's menus, colour bar and notes say."""

from __future__ import annotations

from ximstudio.maps import Kind, Need
from ximstudio.maps.label_kinds import label_kinds
from ximstudio.model.words import counted
from ximstudio.pictures.map import HITS, ITEMS, NODES, NOTHING, POINTS, MapPicture, would_hide
from ximstudio.ui.views.chooser import Choice

MARKS = "Marks on the map"
"""What the button is called that chooses them."""


def layer_choices(picture: MapPicture) -> list[Choice]:
    """The layers of a map."""
    shown = picture.shown
    return [
        Choice(
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
        NOTHING: "No marks",
        POINTS: f"{items.capitalize()}, each in its place",
        NODES: f"{items.capitalize()}, each in its node",
        HITS: f"Number of {items} per node",
    }


def mark_tips(picture: MapPicture) -> dict[str, str]:
    """What marks are."""
    items = picture.words.items
    return {
        POINTS: f"Where the map places the {items}: between nodes that are alike to them, so one"
        " may lie beside the cell of its own node.",
        NODES: f"The {items} of a node, spread inside its cell: every one lies on the colour that"
        " counts for it, and where in the cell means nothing.",
        HITS: f"How many {items} belong to every node.",
    }


def name_options(picture: MapPicture) -> dict[str, str]:
    """Names on the map, by key."""
    kinds = label_kinds(picture.matrix)
    fixed = {"": "No names", ITEMS: f"Names of {picture.words.items}"}
    return fixed | {name: f"Label: {name}" for name in kinds.classes}


def name_tips(picture: MapPicture) -> dict[str, str]:
    """What names are."""
    words = picture.words
    return {
        ITEMS: f"The first {words.item} of every node; +6 says that there are six more"
        f" {words.items} in it."
    }


def note_text(picture: MapPicture, *, left_out: bool, chosen: str = "") -> str:
    """What has to be waited for, or does not fit; '' if nothing.

    `chosen` is the key of the marks that the user chose.
    """
    assert picture.layer is not None
    if picture.values is None:
        late = picture.shown.live and Need.RANKS in picture.layer.needs
        name = picture.layer.name
        return f"{name} is measured when training has ended" if late else "Not measured yet"
    if left_out:
        return "Zoom in for all numbers"
    numbers = picture.layer.kind is Kind.NUMBERS
    if numbers and not chosen and would_hide(picture):
        items = counted(picture.matrix.n_items, picture.words.item)
        return f"{items} would hide the map; “{MARKS}” shows them"
    return ""
