"""Texts of the positions view: choices of colours, notes, and the card about an item."""

from __future__ import annotations

from collections.abc import Sequence

from ximstudio.maps import heights
from ximstudio.model.matrix import Matrix
from ximstudio.model.named_set import NamedSet
from ximstudio.pictures.map_texts import node_name
from ximstudio.pictures.set_classes import SET, SET_MEAN, set_options
from ximstudio.pictures.ticks import number_text
from ximstudio.session.words import Words
from ximstudio.ui.views.common.chooser import ChooserEntry
from ximstudio.ui.views.common.class_colours import class_colours
from ximstudio.ui.widgets.drawing.hover_card import Line
from ximstudio.views.positions.picture import (
    CLUSTERS,
    CONTINUITY,
    FEATURE,
    LABEL,
    PLAIN,
    TRUST,
    WANDER,
    PositionsPicture,
)


def note_text(picture: PositionsPicture) -> str:
    """Note on what is still computed; '' for none."""
    if not picture.waiting:
        return ""
    if picture.by == WANDER:
        return "Not retrained yet"
    late = f"{picture.by.capitalize()} is measured after training"
    return late if picture.shown.live else "Not measured yet"


def choices(
    matrix: Matrix,
    words: Words,
    sets: Sequence[NamedSet] = (),
    *,
    class_label: str = "",
    clustered: bool = False,
    repeated: bool = False,
) -> list[ChooserEntry]:
    """Choices for colouring the items of this table.

    Clusters are offered if the map is `clustered`, and wander if it was `repeated`. The label
    `class_label` is shown first.
    """
    labels = ChooserEntry(
        key=LABEL,
        name="Label",
        about=f"Colour by a label of the {words.items}: its classes or its numbers.",
        options=tuple(matrix.item_labels),
        first=class_label,
    )
    clusters = ChooserEntry(
        key=CLUSTERS, name="Clusters", about="Colour by the clusters of the map."
    )
    wander = ChooserEntry(
        key=WANDER,
        name="Wander",
        about="How far each position moves when the map is retrained; low values are stable.",
    )
    return [
        *([labels] if matrix.item_labels else []),
        *([clusters] if clustered else []),
        ChooserEntry(
            key=FEATURE,
            name=words.feature.capitalize(),
            about=f"Colour by the values of one {words.feature}.",
            options=matrix.feature_names,
        ),
        *_set_choices(sets, words),
        *(
            ChooserEntry(key=layer.key, name=layer.name, about=layer.about)
            for layer in (heights.TRUST, heights.CONTINUITY)
        ),
        *([wander] if repeated else []),
        ChooserEntry(key=PLAIN, name="One colour", about="The same colour for all."),
    ]


def _set_choices(sets: Sequence[NamedSet], words: Words) -> list[ChooserEntry]:
    """Choices of sets to colour by."""
    choices_of = {
        SET: ("Set", "Colour by membership in a set."),
        SET_MEAN: ("Mean of set", f"Mean of the {words.features} of a set, as z-scores."),
    }
    # First the newest, which the user has just made; others could hide it.
    return [
        ChooserEntry(key=key, name=name, about=about, options=options, first=options[-1])
        for key, (name, about) in choices_of.items()
        if (options := set_options(sets, key))
    ]


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
