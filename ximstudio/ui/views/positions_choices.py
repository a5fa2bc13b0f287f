"""What the colours of items can tell, as a person chooses it."""

from __future__ import annotations

from collections.abc import Sequence

from ximstudio.maps import members
from ximstudio.model.matrix import Matrix
from ximstudio.model.named_set import NamedSet
from ximstudio.ui.views.chooser import Choice
from ximstudio.ui.views.positions_picture import (
    CLUSTERS,
    FEATURE,
    LABEL,
    PLAIN,
    WANDER,
    PositionsPicture,
)
from ximstudio.ui.views.positions_sets import SET_MEAN, set_choices
from ximstudio.ui.views.quantity import value_words
from ximstudio.ui.words import Words

MEANINGS = {
    members.TRUST.key: "trustworthiness of single items",
    members.CONTINUITY.key: "continuity of single items",
    WANDER: "wander of single items",
}
"""What the numbers beside the colour bar are."""


def bar_name(picture: PositionsPicture) -> str:
    """What the numbers of the colour bar are, and of which feature or label; '' without any."""
    if picture.by == FEATURE:
        return f"{picture.option}, {value_words(picture.shown)}"
    if picture.by == SET_MEAN:
        return f"{picture.option}, mean z-score"
    return picture.option or picture.words.said(MEANINGS.get(picture.by, ""))


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
        *set_choices(sets, words),
        *(
            Choice(key=layer.key, name=layer.name, about=layer.about)
            for layer in (members.TRUST, members.CONTINUITY)
        ),
        *([wander] if repeated else []),
        Choice(key=PLAIN, name="One colour", about="All in the same colour."),
    ]
