"""What the colours of items can tell, as a person chooses it."""

from __future__ import annotations

from collections.abc import Sequence

from ximstudio.maps import members
from ximstudio.model.matrix import Matrix
from ximstudio.model.named_set import NamedSet
from ximstudio.pictures.set_classes import SET, SET_MEAN, set_options
from ximstudio.session.words import Words
from ximstudio.ui.views.common.chooser import ChooserEntry
from ximstudio.views.positions.picture import (
    CLUSTERS,
    FEATURE,
    LABEL,
    PLAIN,
    WANDER,
    PositionsPicture,
)


def note_text(picture: PositionsPicture) -> str:
    """What has to be waited for; '' if nothing."""
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
    telling: str = "",
    clustered: bool = False,
    repeated: bool = False,
) -> list[ChooserEntry]:
    """What colours can tell about the items of this table; of clusters, if there are any.

    Of how far items wander, if the map was `repeated`.

    The `telling` label is shown first.
    """
    labels = ChooserEntry(
        key=LABEL,
        name="Label",
        about=f"Colour by a label of the {words.items}: its classes or its numbers.",
        options=tuple(matrix.item_labels),
        first=telling,
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
            for layer in (members.TRUST, members.CONTINUITY)
        ),
        *([wander] if repeated else []),
        ChooserEntry(key=PLAIN, name="One colour", about="The same colour for all."),
    ]


def _set_choices(sets: Sequence[NamedSet], words: Words) -> list[ChooserEntry]:
    """What sets offer to colour by."""
    told = {
        SET: ("Set", "Colour by membership in a set."),
        SET_MEAN: (
            "Mean of set",
            f"Mean of the {words.features} of a set, as z-scores.",
        ),
    }
    made = []
    for key, (name, about) in told.items():
        options = set_options(sets, key)
        if options:
            # The newest is what a person has just made; all of them may hide it.
            made.append(
                ChooserEntry(key=key, name=name, about=about, options=options, first=options[-1])
            )
    return made
