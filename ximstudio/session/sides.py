"""The side of a file that is mapped, and exchanging the sides."""

from __future__ import annotations

from ximstudio.prepare.input import Input
from ximstudio.prepare.recipe import Recipe, planned
from ximstudio.session import Data, Session


def items_in_rows(data: Data) -> bool:
    """Return whether the rows of the file are mapped, after all exchanges."""
    return maps_rows(data.input)


def maps_rows(wanted: Input) -> bool:
    """Return whether an input maps the rows of its file, after all exchanges."""
    exchanged = sum(step.exchanges for step in wanted.recipe.steps)
    return (wanted.choices.items == "rows") is not bool(exchanged % 2)


def has_map(session: Session) -> bool:
    """Return whether there is a map of the side that is mapped now."""
    data = session.data
    if data is None:
        return bool(session.runs)
    return any(maps_rows(run.input) is items_in_rows(data) for run in session.runs)


def turned(recipe: Recipe) -> Recipe:
    """Exchange the sides in a recipe, by adding an exchange or removing one.

    It comes first: steps refer to genes or samples wherever these are, and those that depend on the
    mapped side (nearest neighbours, components) have to know it.
    """
    steps = list(recipe.steps)
    for place in reversed(range(len(steps))):
        if steps[place].exchanges:
            del steps[place]
            return Recipe(steps=tuple(steps))
    return Recipe(steps=(planned("orientation"), *steps))
