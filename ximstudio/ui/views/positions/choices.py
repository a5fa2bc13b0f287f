"""What the colours of items can tell, as a person chooses it."""

from __future__ import annotations

from collections.abc import Sequence

from ximstudio.maps import members
from ximstudio.model.matrix import Matrix
from ximstudio.model.named_set import NamedSet
from ximstudio.pictures.positions import (
    CLUSTERS,
    FEATURE,
    LABEL,
    PLAIN,
    WANDER,
    PositionsPicture,
)
from ximstudio.pictures.set_classes import SET, SET_MEAN, set_options
from ximstudio.session.words import Words
from ximstudio.ui.views.chooser import Choice


def note_text(picture: PositionsPicture) -> str:
    """What has to be waited for; '' if nothing."""
    if not picture.waiting:
        return ""
    if picture.by == WANDER:
        return "Not made again yet"
    late = f"{picture.by.capitalize()} is measured when training has ended"
    return late if picture.shown.live else "Not measured yet"


def choices(
    matrix: Matrix,
    words: Words,
    sets: Sequence[NamedSet] = (),
    *,
    telling: str = "",
    clustered: bool = False,
    repeated: bool = False,
) -> list[Choice]:
    """What colours can tell about the items of this table; of clusters, if there are any.

    Of how far items wander, if the map was `repeated`.

    The `telling` label is shown first.
    """
    labels = Choice(
        key=LABEL,
        name="Label",
        about=f"Colours by a label of the {words.items}: by its classes, or by its numbers.",
        options=tuple(matrix.item_labels),
        first=telling,
    )
    clusters = Choice(
        key=CLUSTERS, name="Clusters", about="Colours by the clusters that were found on the map."
    )
    wander = Choice(
        key=WANDER,
        name="Wander",
        about="How far each strays when the map is made again: low where it stays in place.",
    )
    return [
        *([labels] if matrix.item_labels else []),
        *([clusters] if clustered else []),
        Choice(
            key=FEATURE,
            name=words.feature.capitalize(),
            about=f"Colours by the values of one {words.feature}: where high, and where low.",
            options=matrix.feature_names,
        ),
        *_set_choices(sets, words),
        *(
            Choice(key=layer.key, name=layer.name, about=layer.about)
            for layer in (members.TRUST, members.CONTINUITY)
        ),
        *([wander] if repeated else []),
        Choice(key=PLAIN, name="One colour", about="All in the same colour."),
    ]


def _set_choices(sets: Sequence[NamedSet], words: Words) -> list[Choice]:
    """What sets offer to colour by."""
    told = {
        SET: ("Set", f"Which {words.items} are in a set."),
        SET_MEAN: (
            "Mean of set",
            f"How high the {words.features} of a set are on average, each as z-scores.",
        ),
    }
    made = []
    for key, (name, about) in told.items():
        options = set_options(sets, key)
        if options:
            # The newest is what a person has just made; all of them may hide it.
            made.append(Choice(key=key, name=name, about=about, options=options, first=options[-1]))
    return made
