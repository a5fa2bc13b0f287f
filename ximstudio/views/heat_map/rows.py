"""Rows of a heat map: selected items, all of them, or means if there are too many. No Qt."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ximstudio.explore.row_order import by_map
from ximstudio.kernels.parallel import check_here
from ximstudio.model.arrays import Bools, Floats, Ints
from ximstudio.model.matrix import Matrix
from ximstudio.model.result import PrototypeMap
from ximstudio.model.words import counted, grouped
from ximstudio.pictures.map_texts import node_name
from ximstudio.session.shown import Shown
from ximstudio.session.words import Words

MOST_ITEMS = 2000
"""More items than this are not shown one by one unless the user selects them."""
MOST_CHOSEN = 6000
"""More selected items than this are not shown one by one either."""
GROUPS = 500
"""Number of groups of neighbours on a map without nodes, if there are too many items."""


@dataclass(frozen=True, kw_only=True, eq=False)
class HeatMapRows:
    """The rows before they are ordered.

    Parameters
    ----------
    names
        Names of the items, or of the groups whose means are shown.
    values
        Shape (R, D).
    row_of
        The row that every item is in, shape (N,); −1 for items that are not shown.
    means
        Whether rows are means of several items.
    note
        A note for the reader; '' for none.
    advice
        What the user can do about it on the screen; '' for nothing.
    """

    names: tuple[str, ...]
    values: Floats
    row_of: Ints
    means: bool = False
    note: str = ""
    advice: str = ""


def rows_of(shown: Shown, words: Words, wanted: Bools, *, chosen: bool) -> HeatMapRows:
    """Return the wanted items one by one, or means of those that are close on the map.

    `chosen` is whether the user has selected them.
    """
    numbers = np.flatnonzero(wanted)
    if len(numbers) > (MOST_CHOSEN if chosen else MOST_ITEMS):
        return _means(shown, words, numbers)
    ids = shown.matrix.item_ids
    row_of = np.full(len(ids), -1)
    row_of[numbers] = np.arange(len(numbers))
    everyone = len(numbers) == len(ids)
    return HeatMapRows(
        names=tuple(ids[number] for number in numbers.tolist()),
        values=shown.matrix.values if everyone else shown.matrix.values[numbers],
        row_of=row_of,
    )


def _means(shown: Shown, words: Words, numbers: Ints) -> HeatMapRows:
    matrix, model, winners = shown.matrix, shown.result.model, shown.result.winners
    if isinstance(model, PrototypeMap) and winners is not None:
        groups, place = np.unique(winners[numbers], return_inverse=True)
        named = [node_name(model.grid, node) for node in groups.tolist()]
        what = counted(len(groups), "node")
    else:
        place = np.empty(len(numbers), dtype=np.int64)
        along = by_map(shown.result, numbers).order
        place[along] = np.arange(len(numbers)) * GROUPS // len(numbers)
        named = [f"group {number + 1}" for number in range(GROUPS)]
        what = f"{GROUPS} groups of neighbours"
    counts = np.bincount(place, minlength=len(named))
    row_of = np.full(matrix.n_items, -1)
    row_of[numbers] = place
    return HeatMapRows(
        names=tuple(
            f"{name.capitalize()} ({counted(int(n), words.item)})"
            for name, n in zip(named, counts, strict=True)
        ),
        values=group_means(matrix, numbers, place, len(named)),
        row_of=row_of,
        means=True,
        note=f"Means of {what}: {grouped(len(numbers))} {words.items} are too many rows.",
        advice="Select fewer to see each.",
    )


def group_means(matrix: Matrix, numbers: Ints, place: Ints, n_groups: int) -> Floats:
    """Return the mean of every group's known values, shape (groups, D); NaN without any."""
    order = np.argsort(place, kind="stable")
    begins = np.searchsorted(place[order], np.arange(n_groups + 1))
    means = np.full((n_groups, matrix.n_features), np.nan)
    for group in range(n_groups):
        check_here()
        members = matrix.values[numbers[order[begins[group] : begins[group + 1]]]]
        known = ~np.isnan(members)
        n_known = known.sum(axis=0)
        totals = np.where(known, members, 0.0).sum(axis=0)
        np.divide(totals, n_known, out=means[group], where=n_known > 0)
    return means
