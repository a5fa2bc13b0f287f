"""Treatment of names that occur more than once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ximstudio.model.arrays import Bools, Floats
from ximstudio.model.matrix import SHOWN, some_of
from ximstudio.model.params import Params
from ximstudio.model.spec import Choice, param
from ximstudio.model.table import GENES, ITEMS, Table
from ximstudio.model.words import plural
from ximstudio.prepare import summaries
from ximstudio.prepare.cells import refuse_infinite
from ximstudio.prepare.removal import called, counted_in, keeping, note
from ximstudio.prepare.step import Course, Remembered, Step, StepGroup, StepResult, side

HOW = {
    "first": "keep the first, remove the others",
    "mean": "keep the mean of their values at the place of the first, with the first one's labels",
    "max": "keep the one whose values have the largest mean, the first of several such",
    "suffix": "keep all, and name the second NAME.2 and so on",
}


@dataclass(frozen=True, kw_only=True)
class RepeatedParams(Params):
    """The way of making repeated names unique."""

    axis: str = side(
        GENES,
        label="Of",
        help="The side of the table with the names.",
    )
    how: str = param(
        "mean",
        Choice(label="Of equal names", help="Treatment of those with the same name.", options=HOW),
    )


def _groups(names: Sequence[str]) -> list[list[int]]:
    """Return the numbers that share a name, for names that occur more than once."""
    numbers = defaultdict(list)
    for number, name in enumerate(names):
        numbers[name].append(number)
    return [group for group in numbers.values() if len(group) > 1]


def _all_but_one(n: int, groups: Sequence[Sequence[int]], scores: Floats | None = None) -> Bools:
    """Return all outside the groups, and of each group the first, or the first of the best."""
    kept = np.ones(n, dtype=np.bool_)
    for group in groups:
        kept[group] = False
        best = 0 if scores is None else int(np.argmax(scores[group]))
        kept[group[best]] = True
    return kept


def _largest(table: Table, params: RepeatedParams) -> Bools:
    refuse_infinite(table)
    axis = table.axis(params.axis)
    scores = summaries.means(table, params.axis)
    scores = np.where(np.isnan(scores), -np.inf, scores)
    return _all_but_one(len(axis), _groups(axis.names), scores)


def _learn(table: Table, params: RepeatedParams, course: Course) -> Remembered:
    if params.how == "max" and params.axis == course.stays:
        return {"kept": _largest(table, params)}
    return {}


def _apply(table: Table, params: RepeatedParams, learnt: Remembered, course: Course) -> StepResult:
    axis = table.axis(params.axis)
    groups = _groups(axis.names)
    if not groups:
        return StepResult(table=table)
    if params.how == "suffix":
        return _suffixed(table, params, groups)
    first = _all_but_one(len(axis), groups)
    if params.how == "mean":
        refuse_infinite(table)
        table = _averaged(table, params.axis, groups)
        return keeping(table, params.axis, first, "merged with the first of the same name")
    if params.how == "first":
        return keeping(table, params.axis, first, "an earlier one has the same name")
    there = params.axis == course.stays
    kept = np.asarray(learnt["kept"], np.bool_) if there else _largest(table, params)
    return keeping(table, params.axis, kept, "one of the same name has a larger mean")


def _suffixed(table: Table, params: RepeatedParams, groups: Sequence[Sequence[int]]) -> StepResult:
    axis = table.axis(params.axis)
    names = list(axis.names)
    taken = set(names)
    changed = []
    for group in groups:
        suffix = 2
        for number in group[1:]:
            while f"{axis.names[number]}.{suffix}" in taken:
                suffix += 1
            names[number] = f"{axis.names[number]}.{suffix}"
            taken.add(names[number])
            changed.append(number)
    shown = [f"{axis.address(number)} → '{names[number]}'" for number in changed[:SHOWN]]
    renamed = note(
        "renamed",
        f"{counted_in(table, params.axis, len(changed), 'got a suffix', 'got suffixes')}, for"
        f" {plural(len(changed), 'its name', 'their names')} had occurred before.",
        f"{called(table, params.axis)} {some_of(shown, total=len(changed))}",
        "If they are the same thing, merge them instead.",
    )
    return StepResult(table=table.with_axis(params.axis, axis.with_names(names)), notes=(renamed,))


def _averaged(table: Table, which: str, groups: Sequence[Sequence[int]]) -> Table:
    """Return the table with the mean of every group in place of its first."""
    if table.is_sparse:
        return _averaged_sparse(table, which, groups)
    values = np.array(table.values)
    lines = values if which == ITEMS else values.T
    for group in groups:
        lines[group[0]] = _mean_of(lines[group])
    return table.with_values(values)


def _averaged_sparse(table: Table, which: str, groups: Sequence[Sequence[int]]) -> Table:
    from scipy.sparse import csr_array, vstack

    assert not isinstance(table.values, np.ndarray)
    lines = table.values if which == ITEMS else table.values.T.tocsr()
    merged = [csr_array(_mean_of(lines[group].toarray())[None, :]) for group in groups]
    order = np.arange(lines.shape[0])
    order[[group[0] for group in groups]] = lines.shape[0] + np.arange(len(groups))
    found = csr_array(vstack([lines, *merged], format="csr")[order])
    return table.with_values(found if which == ITEMS else csr_array(found.T.tocsr()))


def _mean_of(lines: Floats) -> Floats:
    """Return the mean of the known values, place by place."""
    known = ~np.isnan(lines)
    with np.errstate(invalid="ignore"):
        mean: Floats = np.where(known, lines, 0.0).sum(axis=0) / known.sum(axis=0)
    return mean


REPEATED = Step(
    key="repeated",
    name="Merge repeated names",
    group=StepGroup.NAMES,
    about="Makes names unique: of items or features with the same name one is kept, their mean is"
    " taken, or the further ones get a suffix.",
    params=RepeatedParams,
    sentence=lambda p, words: f"Of {words.several(p.axis)} with the same name, {HOW[p.how]}.",
    learn=_learn,
    apply=_apply,
    merges=True,
)
