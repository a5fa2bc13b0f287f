"""Distances between all rows of a table with missing values, for a few thousand rows."""

from __future__ import annotations

import numpy as np

from ximstudio.kernels.parallel import check_here, one_thread
from ximstudio.model.arrays import Floats
from ximstudio.model.directions import directions

AT_ONCE = 2**22
"""Distances computed in one step."""


def apart(values: Floats) -> Floats:
    """Distances √(2 − 2r) between the shapes of all pairs of rows: (0, 1), (0, 2), …, (1, 2), …

    Over the columns known of both, scaled up to the full number of columns. Rows without a
    common column, and rows that do not vary, count as uncorrelated: they are √2 apart.
    """
    table = _between(directions(values, centred=True))
    return np.where(np.isnan(table), np.sqrt(2.0), np.minimum(table, 2.0))


def _between(values: Floats) -> Floats:
    n_rows, n_columns = values.shape
    known = (~np.isnan(values)).astype(np.float64)
    filled = np.where(known > 0.0, values, 0.0)
    squares = filled**2
    complete = bool(known.all())
    found = np.empty(n_rows * (n_rows - 1) // 2)
    step, place = max(1, AT_ONCE // max(n_rows, 1)), 0
    with one_thread():
        for begin in range(0, n_rows, step):
            check_here()
            rows = slice(begin, begin + step)
            total = -2.0 * (filled[rows] @ filled.T)
            if complete:
                lengths = squares.sum(axis=1)
                total += lengths[rows, None] + lengths
            else:
                total += squares[rows] @ known.T + known[rows] @ squares.T
                count = known[rows] @ known.T
                total *= n_columns / np.where(count > 0.0, count, np.nan)
            for row in range(begin, min(begin + step, n_rows)):
                part = total[row - begin, row + 1 :]
                found[place : place + len(part)] = part
                place += len(part)
    return np.sqrt(np.maximum(found, 0.0, out=found), out=found)
