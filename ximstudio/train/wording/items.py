"""Sentences about methods that move the items themselves: start, and items placed later."""

from __future__ import annotations

from collections.abc import Iterator

from ximstudio.model.clauses import Clause, Telling, printed
from ximstudio.model.words import counted
from ximstudio.place import shepard

STARTS = {
    "pca": "Items began at their places in the plane of the first two principal components.",
    "random": "Items began at random places.",
}


def item_start_clauses(telling: Telling) -> Iterator[Clause]:
    """Describe the initial positions of items."""
    yield Clause(text=STARTS[telling.params.init], names=("init",))


def brought_clauses(telling: Telling) -> Iterator[Clause]:
    """Describe how new items were placed between those that a map was trained on."""
    params = telling.params
    if not telling.n_brought:
        return
    items = counted(min(params.neighbours, telling.n_items), "nearest item")
    yield Clause(
        text="Items that were placed later lie at the mean of the places of their"
        f" {items}, weighted by inverse distance in the data with the power"
        f" p = {printed(params.power)}{telling.citations.of(shepard.WORK)}.",
        names=("power", "neighbours"),
    )
