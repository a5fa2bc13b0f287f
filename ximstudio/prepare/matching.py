"""Matching of new data to the data that a recipe was learnt from."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ximstudio.model.arrays import Ints
from ximstudio.model.matrix import some_of
from ximstudio.model.params import closest
from ximstudio.model.problem import Problem, UserError
from ximstudio.model.table import ITEMS, Axis, Table
from ximstudio.model.words import counted, grouped, plural
from ximstudio.prepare.removal import counted_on, note, some_on

if TYPE_CHECKING:
    from ximstudio.model.table import Values

MOST_ABSENT = 0.5
"""Largest share of the original names that may be absent."""


def matched(table: Table, side: str, start: Axis) -> tuple[Table, tuple[Problem, ...]]:
    """Return the table with the items or features of `start`, in that order, and the changes made.

    Absent ones become blanks, new ones are left out. Repeated names must be equally frequent in
    both tables, and are matched in their order.
    """
    axis = table.axis(side)
    _refuse_uneven(axis, side, start, table.source)
    places = _places(axis.names, start.names)
    absent = np.flatnonzero(places < 0)
    if len(absent) > MOST_ABSENT * len(start):
        raise _too_few(axis, side, start, absent, table.source)
    extra = np.setdiff1d(np.arange(len(axis)), places)
    notes = []
    if len(absent):
        names = some_of([f"'{start.names[number]}'" for number in absent[:5]], total=len(absent))
        notes.append(
            note(
                "absent",
                f"{_missing(side, len(absent), len(start))}, and"
                f" {plural(len(absent), 'counts', 'count')} as missing.",
                f"{table.source}: {names}",
                "Check whether they have other names.",
            )
        )
    if len(extra):
        notes.append(
            note(
                "extra",
                f"{grouped(len(extra))} of {counted_on(side, len(axis))}"
                f" {plural(len(extra), 'was', 'were')} left out: the recipe does not know"
                f" {plural(len(extra), 'it', 'them')}.",
                f"{table.source}: {some_on(table, side, extra)}",
                "Nothing has to be done, unless they go by other names there.",
            )
        )
    notes += _label_notes(axis, side, start, places, table.source)
    if len(axis) == len(start) and np.array_equal(places, np.arange(len(axis))):
        values = table.values
    else:
        values = _taken(table, side, places)
    numbers = None if axis.numbers is None or len(absent) else axis.numbers[places]
    known = replace(start, numbers=numbers, word=axis.word if numbers is not None else "")
    items, features = (known, table.features) if side == ITEMS else (table.items, known)
    return replace(table, values=values, items=items, features=features), tuple(notes)


def _places(names: Sequence[str], wanted: Sequence[str]) -> Ints:
    """Return the place of each wanted name among the names, −1 where there is none."""
    where = defaultdict(list)
    for number, name in enumerate(names):
        where[name].append(number)
    waiting = {name: iter(numbers) for name, numbers in where.items()}
    return np.array([next(waiting.get(name, iter(())), -1) for name in wanted], dtype=np.int64)


def _taken(table: Table, side: str, places: Ints) -> Values:
    """Return the values in the new order, with blanks for absent ones."""
    there = np.maximum(places, 0)
    absent = np.flatnonzero(places < 0)
    if isinstance(table.values, np.ndarray):
        values = table.values[there] if side == ITEMS else table.values[:, there]
        values[(absent,) if side == ITEMS else (slice(None), absent)] = np.nan
        return values
    from scipy.sparse import csr_array, vstack

    lines = table.values if side == ITEMS else table.values.T.tocsr()
    if not len(absent):
        found = lines[places]
    else:
        blanks = csr_array(np.full((1, lines.shape[1]), np.nan))
        # The blank line comes last, where index −1 finds it.
        found = vstack([lines, blanks], format="csr")[places]
    return csr_array(found if side == ITEMS else found.T.tocsr())


def _refuse_uneven(axis: Axis, side: str, start: Axis, source: str) -> None:
    """Refuse repeated names unless both tables repeat them equally often."""
    new, old = Counter(axis.names), Counter(start.names)
    uneven = [name for name in old if name in new and new[name] != old[name]]
    if uneven:
        shown = some_of([f"'{name}' ({new[name]} times)" for name in uneven])
        raise UserError(
            key="prepare.repeated_names",
            what=f"{counted(len(uneven), f'name of {side} occurs', f'names of {side} occur')}"
            " more or less often than in the data that the recipe began with.",
            where=f"{source}: {shown}",
            way_out="Give every one a name of its own in the file.",
        )


def _too_few(axis: Axis, side: str, start: Axis, absent: Ints, source: str) -> UserError:
    first = start.names[absent[0]]
    shown = some_of([f"'{start.names[number]}'" for number in absent])
    hint = closest(first, axis.names)
    return UserError(
        key="prepare.other_features",
        what=f"{_missing(side, len(absent), len(start))}.",
        where=f"{source}: {shown}",
        way_out=f"Give data with the same {side}, or exchange items and features if they are the"
        f" wrong way round. For '{first}': {hint}",
    )


def _missing(side: str, n: int, n_all: int) -> str:
    return (
        f"{grouped(n)} of the {counted_on(side, n_all)} that the recipe began with"
        f" {plural(n, 'is', 'are')} not in these data"
    )


def _label_notes(axis: Axis, side: str, start: Axis, places: Ints, source: str) -> list[Problem]:
    """Yield a note if labels of these data are replaced by those of the original data."""
    found = np.flatnonzero(places >= 0)
    other = [
        label
        for label, texts in axis.labels.items()
        if label not in start.labels
        or any(start.labels[label][number] != texts[places[number]] for number in found)
    ]
    if not other:
        return []
    return [
        note(
            "labels_replaced",
            f"{counted(len(other), 'label')} of {side} gave way to those of the data that the"
            " recipe began with.",
            f"{source}: {some_of([repr(label) for label in other])}",
            "Nothing has to be done, unless the labels of the first data are wrong.",
        )
    ]
