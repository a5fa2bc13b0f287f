"""Which side of a file is mapped, and how it is turned."""

from __future__ import annotations

from ximstudio.prepare.recipe import Recipe, planned
from ximstudio.session import Data

ORIENTATION = "orientation"
"""Key of the step that exchanges both sides."""


def items_in_rows(data: Data) -> bool:
    """Whether the rows of the file are mapped, after all exchanges."""
    exchanged = sum(step.on and step.step.key == ORIENTATION for step in data.input.recipe.steps)
    return (data.input.choices.items == "rows") is not bool(exchanged % 2)


def turned(recipe: Recipe) -> Recipe:
    """The recipe with both sides exchanged at its end; an exchange that is there is taken out."""
    steps = list(recipe.steps)
    for place in reversed(range(len(steps))):
        if steps[place].on and steps[place].step.key == ORIENTATION:
            del steps[place]
            return Recipe(steps=tuple(steps))
    # At the end: what the other steps say about items and features stays true.
    return Recipe(steps=(*steps, planned(ORIENTATION)))
