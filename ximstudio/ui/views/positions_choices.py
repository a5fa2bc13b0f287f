"""What the colours of items can tell, as a person chooses it."""

from __future__ import annotations

from ximstudio.model.matrix import Matrix
from ximstudio.ui.views.chooser import Choice
from ximstudio.ui.views.positions_picture import CONTINUITY, FEATURE, LABEL, PLAIN, TRUST


def choices(matrix: Matrix, noun: str) -> list[Choice]:
    """What colours can tell about the items of this table."""
    labels = Choice(
        key=LABEL,
        name="Label",
        about=f"Colours by the classes of a label of the {noun}.",
        options=tuple(matrix.item_labels),
    )
    return [
        *([labels] if matrix.item_labels else []),
        Choice(
            key=FEATURE,
            name="Feature",
            about="Colours by the values of one feature.",
            options=matrix.feature_names,
        ),
        Choice(
            key=TRUST,
            name="Trust",
            about="Whether neighbours here are neighbours in the data: low where strangers were"
            " brought together.",
        ),
        Choice(
            key=CONTINUITY,
            name="Continuity",
            about="Whether neighbours in the data are neighbours here: low where they were torn"
            " apart.",
        ),
        Choice(key=PLAIN, name="One colour", about="All in the same colour."),
    ]
