"""Counts from one pass over a table: blanks, infinite values, sums and extremes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ximstudio.model.arrays import Floats, Ints
from ximstudio.model.table import FEATURES, ITEMS, Table

if TYPE_CHECKING:
    from scipy.sparse import csr_array

CELLS_AT_ONCE = 64 * 1024
"""Number of values that stay in the processor's cache while several counts are taken."""


@dataclass(frozen=True, kw_only=True)
class SideTally:
    """Counts of one side of a table, one number for every item or feature.

    `sums` are those of finite values; `low` and `high` are NaN where all is blank.
    """

    missing: Ints
    infinite: Ints
    sums: Floats
    low: Floats
    high: Floats


def tally(table: Table, halt: Callable[[], None] = lambda: None) -> dict[str, SideTally]:
    """Count both sides of a table; a sparse table stays sparse.

    `halt` is called now and then and may raise to stop.
    """
    values = table.values
    if isinstance(values, np.ndarray):
        return _of_dense(values, halt)
    return {ITEMS: _of_rows(values), FEATURES: _of_rows(values.T.tocsr())}


def _of_dense(values: Floats, halt: Callable[[], None]) -> dict[str, SideTally]:
    n_rows, n_columns = values.shape
    rows, columns = _nothing(n_rows), _nothing(n_columns)
    step = max(1, CELLS_AT_ONCE // max(n_columns, 1))
    for begin in range(0, n_rows if n_columns else 0, step):
        halt()
        piece = values[begin : begin + step]
        here = slice(begin, begin + step)
        _extend(columns, piece, axis=0)
        rows.low[here] = np.fmin.reduce(piece, axis=1)
        rows.high[here] = np.fmax.reduce(piece, axis=1)
        odd = ~np.isfinite(piece)
        if odd.any():
            blank = np.isnan(piece)
            infinite = odd & ~blank
            piece = np.where(odd, 0.0, piece)
            for one, axis, place in ((rows, 1, here), (columns, 0, slice(None))):
                one.missing[place] += blank.sum(axis=axis)
                one.infinite[place] += infinite.sum(axis=axis)
        rows.sums[here] = piece.sum(axis=1)
        columns.sums[:] += piece.sum(axis=0)
    return {ITEMS: rows, FEATURES: columns}


def _nothing(length: int) -> SideTally:
    return SideTally(
        missing=np.zeros(length, np.int64),
        infinite=np.zeros(length, np.int64),
        sums=np.zeros(length),
        low=np.full(length, np.nan),
        high=np.full(length, np.nan),
    )


def _extend(columns: SideTally, piece: Floats, *, axis: int) -> None:
    np.fmin(columns.low, np.fmin.reduce(piece, axis=axis), out=columns.low)
    np.fmax(columns.high, np.fmax.reduce(piece, axis=axis), out=columns.high)


def _of_rows(values: csr_array[np.float64]) -> SideTally:
    """Count the rows; cells that are not stored are 0."""
    data, width = values.data, values.shape[1]
    held = np.diff(values.indptr)
    blank, infinite = np.isnan(data), np.isinf(data)
    rows = np.repeat(np.arange(len(held)), held)
    low = np.where(held == width, np.nan, 0.0)
    high = low.copy()
    filled = np.flatnonzero(held)
    if len(filled):
        starts = values.indptr[filled]
        low[filled] = np.fmin(np.fmin.reduceat(data, starts), low[filled])
        high[filled] = np.fmax(np.fmax.reduceat(data, starts), high[filled])
    known = np.where(blank | infinite, 0.0, data)
    sums = np.bincount(rows, known, minlength=len(held)).astype(np.float64)
    return SideTally(
        missing=np.bincount(rows[blank], minlength=len(held)),
        infinite=np.bincount(rows[infinite], minlength=len(held)),
        sums=sums,
        low=low,
        high=high,
    )
