"""Blanks filled from the nearest items."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ximstudio.kernels.parallel import over_blocks
from ximstudio.load.reading import Report
from ximstudio.model.arrays import Floats, Floats32, Ints
from ximstudio.model.problem import UserError
from ximstudio.model.table import FEATURES, Table
from ximstudio.prepare import summaries
from ximstudio.prepare.cells import refuse_infinite
from ximstudio.prepare.dense import written_out
from ximstudio.prepare.removal import some_on

ROWS = 128
"""Items whose distances to all others are taken at once."""

REPORTED = 16
"""Blocks of such items between two reports."""

MORE = 3
"""How many times more items than wanted are looked at closely; some lack the value asked for."""


def donors(table: Table) -> dict[str, NDArray[Any]]:
    """What later items are compared with: all items, and the mean of each feature."""
    refuse_infinite(table)
    means = summaries.means(table, FEATURES)
    empty = np.flatnonzero(np.isnan(means))
    if len(empty):
        raise UserError(
            key="prepare.empty_line",
            what=f"{len(empty)} features are missing in every item.",
            where=f"{table.source}: {some_on(table, FEATURES, empty)}",
            way_out="Put the step 'drop_constant' with what=empty before this one.",
        )
    return {"values": written_out(table), "means": means}


class _Rough(NamedTuple):
    """The donors in single precision: moved to their mean, blanks as 0, and where they are."""

    moved: Floats32
    squares: Floats32
    known: Floats32


def filled(values: Floats, learnt: Mapping[str, NDArray[Any]], k: int, report: Report) -> Floats:
    """The values with every blank replaced by the mean of the k nearest donors that have a value.

    The distance of two items is Euclidean over the features known of both, scaled up to all of
    them; items without a common feature are no neighbours, and where there is no neighbour the
    mean of the feature is taken. With fewer than k donors it is the mean of all there are.
    """
    known, means = learnt["values"], learnt["means"]
    if known.shape[1:] != means.shape or values.shape[1] != len(means):
        raise ValueError("the donors have other features")
    rows = np.flatnonzero(np.isnan(values).any(axis=1))
    found = np.array(values)
    # Single precision ends at 1e38, and squares are taken.
    scale = float(np.nanmax(np.abs(known - means))) or 1.0
    rough = _rough(known, means, scale)
    # Rough distances are looked at again in double precision, for a few candidates only.
    for begin in range(0, len(rows), REPORTED * ROWS):
        part = rows[begin : begin + REPORTED * ROWS]

        def work(first: int, last: int, part: Ints = part) -> None:
            rows_here = part[first:last]
            with np.errstate(all="ignore"):
                distances = _rough_distances(_rough(values[rows_here], means, scale), rough)
                for row, distance in zip(rows_here, distances, strict=True):
                    found[row] = _completed(values[row], known, means, distance, k)

        over_blocks(len(part), ROWS, work)
        report((begin + len(part)) / len(rows))
    return found


def _rough(values: Floats, means: Floats, scale: float) -> _Rough:
    moved = ((values - means) / scale).astype(np.float32)
    known = ~np.isnan(moved)
    moved[~known] = 0.0
    return _Rough(moved=moved, squares=moved * moved, known=known.astype(np.float32))


def _rough_distances(some: _Rough, others: _Rough) -> Floats32:
    """Squared distances over common features, scaled; infinite where there are none."""
    squared = some.moved @ others.moved.T
    squared *= -2.0
    squared += some.squares @ others.known.T
    squared += some.known @ others.squares.T
    common = some.known @ others.known.T
    squared /= common
    squared[(common == 0.0) | np.isnan(squared)] = np.inf
    return squared


def _completed(item: Floats, known: Floats, means: Floats, distance: Floats32, k: int) -> Floats:
    """One item with its blanks filled."""
    blank = np.flatnonzero(np.isnan(item))
    n_looked_at = MORE * k
    while True:
        candidates = _nearest(item, known, distance, n_looked_at)
        there = known[np.ix_(candidates, blank)]
        has = ~np.isnan(there)
        has &= np.cumsum(has, axis=0) <= k
        counts = has.sum(axis=0)
        if n_looked_at >= len(known) or (counts == k).all():
            break
        n_looked_at *= 4
    completed = np.array(item)
    mean = np.where(has, there, 0.0).sum(axis=0) / counts
    completed[blank] = np.where(counts > 0, mean, means[blank])
    return completed


def _nearest(item: Floats, known: Floats, distance: Floats32, n: int) -> Ints:
    """The n nearest donors by exact distance, nearest first; the earlier of equally near ones."""
    if n < len(distance):
        candidates = np.sort(np.argpartition(distance, n)[:n])
    else:
        candidates = np.arange(len(distance))
    away = known[candidates] - item
    blank = np.isnan(away)
    away[blank] = 0.0
    common = away.shape[1] - blank.sum(axis=1)
    exact = (away * away).sum(axis=1) / common
    order = np.argsort(np.where(common > 0, exact, np.inf), kind="stable")
    near: Ints = candidates[order][common[order] > 0]
    return near
