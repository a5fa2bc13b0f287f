"""Imputation of missing values, or the decision to leave them missing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ximstudio.kernels.parallel import over_blocks
from ximstudio.load.reading import Report
from ximstudio.model.arrays import Floats, Ints
from ximstudio.model.params import Params
from ximstudio.model.problem import Severity, UserError
from ximstudio.model.spec import Choice, Number, param
from ximstudio.model.table import FEATURES, GENES, ITEMS, Table
from ximstudio.model.words import counted
from ximstudio.prepare import summaries
from ximstudio.prepare.cells import refuse_infinite
from ximstudio.prepare.dense import along, with_data, written_out
from ximstudio.prepare.removal import counted_in, counted_on, note, some_on
from ximstudio.prepare.side_words import SideWords
from ximstudio.prepare.step import NOTHING, Course, Remembered, Step, StepGroup, StepResult, side

ROWS = 128
"""Number of items whose distances to all others are taken at once."""

REPORTED = 16
"""Number of blocks of such items between two reports."""

MORE = 3
"""Multiple of the wanted items that are measured exactly; some lack the needed value."""


def donors(table: Table) -> dict[str, NDArray[Any]]:
    """Return what later items are compared with: all items, and mean and median of each feature."""
    refuse_infinite(table)
    means = summaries.means(table, FEATURES)
    empty = np.flatnonzero(np.isnan(means))
    if len(empty):
        raise UserError(
            key="prepare.empty_line",
            what=f"{counted_on(FEATURES, len(empty), 'is', 'are')} missing in every item.",
            where=f"{table.source}: {some_on(table, FEATURES, empty)}",
            way_out="Put the step 'drop_constant' with what=empty before this one.",
        )
    middles = summaries.medians(table, FEATURES)
    return {"values": written_out(table), "means": means, "medians": middles}


class _Moved(NamedTuple):
    """Items around the centre of the donors: blanks as 0, squares, and the mask of known values."""

    values: Floats
    squares: Floats
    known: Floats


def filled(values: Floats, learnt: Mapping[str, NDArray[Any]], k: int, report: Report) -> Floats:
    """Replace every blank by the mean of the k nearest donors that have a value.

    The distance of two items is Euclidean over the features known of both, scaled up to all of
    them; items without a common feature are no neighbours, and without neighbours the mean of the
    feature is used. With fewer than k donors it is the mean of all of them.
    """
    known, means, middles = learnt["values"], learnt["means"], learnt["medians"]
    if known.shape[1:] != means.shape or values.shape[1:] != means.shape:
        raise ValueError("the donors have other features")
    rows = np.flatnonzero(np.isnan(values).any(axis=1))
    found = np.array(values)
    exponent = _usual_exponent(known - middles)
    donors = _Donors(known=known, means=means, exponent=exponent, k=k)
    moved = _moved(known, middles, exponent)
    for begin in range(0, len(rows), REPORTED * ROWS):
        part = rows[begin : begin + REPORTED * ROWS]

        def work(first: int, last: int, part: Ints = part) -> None:
            rows_here = part[first:last]
            with np.errstate(all="ignore"):
                bounds = _bounds(_moved(values[rows_here], middles, exponent), moved)
                for row, bound in zip(rows_here, bounds, strict=True):
                    found[row] = donors.completed(values[row], bound)

        over_blocks(len(part), ROWS, work)
        report((begin + len(part)) / len(rows))
    return found


def _usual_exponent(moved: Floats) -> int:
    """Return the power of 2 of typical values: in this unit their squares are within range."""
    sizes = np.abs(moved[~np.isnan(moved) & (moved != 0.0)])
    return int(np.frexp(np.median(sizes))[1]) if len(sizes) else 0


def _moved(values: Floats, middles: Floats, exponent: int) -> _Moved:
    moved = np.ldexp(values - middles, -exponent)
    known = ~np.isnan(moved)
    moved[~known] = 0.0
    return _Moved(values=moved, squares=moved * moved, known=known.astype(np.float64))


def _bounds(some: _Moved, others: _Moved) -> Floats:
    """Return lower bounds of squared distances over common features, scaled.

    a² + b² − 2ab is fast for all pairs at once, but loses digits where two items are near each
    other and far from the centre: at most this share of a² + b².
    """
    lost = 4.0 * (some.values.shape[1] + 8) * np.finfo(np.float64).eps
    bounds = some.squares @ others.known.T
    bounds += some.known @ others.squares.T
    bounds *= 1.0 - lost
    bounds -= 2.0 * (some.values @ others.values.T)
    common = some.known @ others.known.T
    bounds /= common
    # Numbers out of range mean nothing; items without a common feature are no neighbours.
    bounds[~np.isfinite(bounds)] = -np.inf
    bounds[common == 0.0] = np.inf
    return bounds


@dataclass(frozen=True, kw_only=True, eq=False)
class _Donors:
    """The items that values are taken from.

    Parameters
    ----------
    known
        Their values.
    means
        Of the features.
    exponent
        Distances are in units of 2 to this power.
    k
        Number of items that a value is averaged over.
    """

    known: Floats
    means: Floats
    exponent: int
    k: int

    def completed(self, item: Floats, bounds: Floats) -> Floats:
        """Fill the blanks of one item; `bounds` are lower bounds of its distances."""
        blank = np.flatnonzero(np.isnan(item))
        n = MORE * self.k
        while True:
            near = _smallest(bounds, n)
            found, reach = self._filling(item, blank, near)
            if reach < np.inf or n >= len(bounds):
                break
            n *= 4
        within = bounds <= reach
        if np.count_nonzero(within) > np.count_nonzero(within[near]):
            found, _ = self._filling(item, blank, np.flatnonzero(within))
        completed = np.array(item)
        completed[blank] = found
        return completed

    def _filling(self, item: Floats, blank: Ints, candidates: Ints) -> tuple[Floats, float]:
        """Return the filling of the blanks from these donors, and the distance of the farthest
        used.

        Infinite if there were fewer than k for one of the blanks. Of equally near ones the earlier
        is taken.
        """
        away = np.ldexp(self.known[candidates] - item, -self.exponent)
        unknown = np.isnan(away)
        away[unknown] = 0.0
        common = away.shape[1] - unknown.sum(axis=1)
        distances = np.where(common > 0, (away * away).sum(axis=1) / common, np.nan)
        # Those without a common feature are sorted to the end.
        order = np.argsort(distances, kind="stable")[: int((common > 0).sum())]
        there = self.known[np.ix_(candidates[order], blank)]
        taken = ~np.isnan(there)
        taken &= np.cumsum(taken, axis=0) <= self.k
        counts = taken.sum(axis=0)
        mean = np.where(taken, there, 0.0).sum(axis=0) / counts
        found = np.where(counts > 0, mean, self.means[blank])
        if (counts < self.k).any():
            return found, np.inf
        return found, float(distances[order][taken.any(axis=1)].max())


def _smallest(bounds: Floats, n: int) -> Ints:
    """Return the places of the n smallest, in the order of the table."""
    if n >= len(bounds):
        return np.arange(len(bounds))
    return np.sort(np.argpartition(bounds, n)[:n])


HOW = {
    "keep": "leave them missing; training can do without",
    "zero": "0",
    "mean": "the mean of the feature or item",
    "median": "the median of the feature or item",
    "nearest": "the mean of the nearest items that have a value there",
}


@dataclass(frozen=True, kw_only=True)
class ImputeParams(Params):
    """The way of filling missing values."""

    how: str = param(
        "median", Choice(label="Fill with", help="What becomes of missing values.", options=HOW)
    )
    axis: str = side(
        GENES,
        label="Of each",
        help="Whose mean or median is taken.",
    )
    k: int = param(
        10,
        Number(
            label="Nearest items",
            help="How many items the mean is taken of, for 'nearest'.",
            low=1,
            high=10_000,
            whole=True,
        ),
    )


_MIDDLES: Mapping[str, Callable[[Table, str], Floats]] = {
    "mean": summaries.means,
    "median": summaries.medians,
}


def _fillings(table: Table, params: ImputeParams) -> Floats:
    """Return the filling of the blanks of every line."""
    refuse_infinite(table)
    found = _MIDDLES[params.how](table, params.axis)
    empty = np.flatnonzero(np.isnan(found))
    if len(empty):
        raise UserError(
            key="prepare.empty_line",
            what=f"{counted_in(table, params.axis, len(empty), 'has', 'have')} no value to take a"
            f" {params.how} of.",
            where=f"{table.source}: {some_on(table, params.axis, empty)}",
            way_out="Add a step before this one that drops what is empty ('drop_constant').",
        )
    return found


def _learn(table: Table, params: ImputeParams, course: Course) -> Remembered:
    if params.how in ("keep", "zero"):
        return NOTHING
    if params.how == "nearest":
        if course.grows != ITEMS:
            raise UserError(
                key="prepare.exchange_first",
                what="Items and features are exchanged after their nearest items were looked for.",
                where=table.source,
                way_out="Move the step 'orientation' before this one.",
            )
        return donors(table)
    return {"filling": _fillings(table, params)} if params.axis == course.stays else NOTHING


def _apply(table: Table, params: ImputeParams, learnt: Remembered, course: Course) -> StepResult:
    n_missing = table.n_missing
    if params.how == "keep" or not n_missing:
        return StepResult(table=table)
    if params.how == "nearest":
        values = filled(written_out(table), learnt, params.k, course.report)
        changed = table.with_values(values)
    elif params.how == "zero":
        changed = _filled(table, params.axis, np.zeros(len(table.axis(params.axis))))
    elif params.axis == course.stays:
        changed = _filled(table, params.axis, np.asarray(learnt["filling"], np.float64))
    else:
        changed = _filled(table, params.axis, _fillings(table, params))
    message = note("filled", f"{counted(n_missing, 'missing value')} filled.", table.source)
    return StepResult(table=changed, notes=(replace(message, severity=Severity.NOTE),))


def _filled(table: Table, which: str, filling: Floats) -> Table:
    if isinstance(table.values, np.ndarray):
        wide = filling[:, None] if which == ITEMS else filling
        return table.with_values(np.where(np.isnan(table.values), wide, table.values))
    data = table.values.data
    return table.with_values(
        with_data(table.values, np.where(np.isnan(data), along(table, which, filling), data))
    )


def _sentence(params: ImputeParams, words: SideWords) -> str:
    if params.how == "keep":
        return "Leave missing values missing."
    if params.how == "nearest":
        return f"Fill missing values with the mean of the {params.k} nearest items."
    of = "" if params.how == "zero" else f" of their {words.one(params.axis)}"
    what = "0" if params.how == "zero" else f"the {params.how}"
    return f"Fill missing values with {what}{of}."


IMPUTE = Step(
    key="impute",
    name="Fill missing values",
    group=StepGroup.BLANKS,
    about="Fills missing values with 0, with the mean or median of their feature or item, or from"
    " the nearest items; or says that they stay missing.",
    params=ImputeParams,
    sentence=_sentence,
    learn=_learn,
    apply=_apply,
)
