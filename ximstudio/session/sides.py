"""Which side of a file is mapped, and how it is turned."""

from __future__ import annotations

from ximstudio.prepare.input import Input
from ximstudio.prepare.recipe import Recipe, planned
from ximstudio.session import Data, Session


def items_in_rows(data: Data) -> bool:
    """Whether the rows of the file are mapped, after all exchanges."""
    return maps_rows(data.input)


def maps_rows(wanted: Input) -> bool:
    """Whether an input has the rows of its file mapped, after all exchanges."""
    exchanged = sum(step.exchanges for step in wanted.recipe.steps)
    return (wanted.choices.items == "rows") is not bool(exchanged % 2)


def has_map(session: Session) -> bool:
    """Whether there is a map of the side that is mapped now."""
    data = session.data
    if data is None:
        return bool(session.runs)
    return any(maps_rows(run.input) is items_in_rows(data) for run in session.runs)


def turned(recipe: Recipe) -> Recipe:
    """The recipe with both sides exchanged; an exchange that is there is taken out.

    It comes first: steps are about genes or samples wherever these are, and those that look at
    what is mapped (nearest neighbours, components) have to know what that is.
    """
    steps = list(recipe.steps)
    for place in reversed(range(len(steps))):
        if steps[place].exchanges:
            del steps[place]
            return Recipe(steps=tuple(steps))
    return Recipe(steps=(planned("orientation"), *steps))
