"""Conversion of sparse values to dense ones where a step needs it, and changes in place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import psutil

from ximstudio.load.source import refuse_too_large
from ximstudio.model.arrays import Floats
from ximstudio.model.problem import UserError
from ximstudio.model.table import ITEMS, Table

if TYPE_CHECKING:
    from ximstudio.model.table import Values

COPIES = 2
"""Number of dense copies held by a step that converts a sparse table: input and output."""


def written_out(table: Table) -> Floats:
    """Return all values as an array; refuse a sparse table that does not fit into memory."""
    must_fit(table)
    return table.dense


def must_fit(table: Table) -> None:
    """Refuse a sparse table that cannot be made dense."""
    if not table.is_sparse:
        return
    needed = COPIES * 8.0 * table.n_items * table.n_features
    try:
        refuse_too_large(needed, psutil.virtual_memory().available / 2, table.source)
    except UserError as error:
        way_out = "Filter first, for instance keep the 2000 features of largest variance ('top')."
        raise UserError.of(
            replace(
                problem,
                what=f"This step cannot leave zeros out. {problem.what}",
                way_out=way_out,
            )
            for problem in error.problems
        ) from None


def each_value(table: Table, change: Callable[[Floats], Floats]) -> Table:
    """Change every value of a table separately; `change` must map 0 to 0 if sparse."""
    if isinstance(table.values, np.ndarray):
        return table.with_values(change(table.values))
    return table.with_values(with_data(table.values, change(table.values.data)))


def multiplied(table: Table, side: str, factors: Floats) -> Table:
    """Multiply every line of a side by its own factor."""
    if isinstance(table.values, np.ndarray):
        return table.with_values(table.values * (factors[:, None] if side == ITEMS else factors))
    return table.with_values(
        with_data(table.values, table.values.data * along(table, side, factors))
    )


def along(table: Table, side: str, numbers: Floats) -> Floats:
    """Return the line number of every stored value of a sparse table."""
    assert not isinstance(table.values, np.ndarray)
    if side == ITEMS:
        return np.repeat(numbers, np.diff(table.values.indptr))
    return np.asarray(numbers[table.values.indices])


def with_data(values: Values, data: Floats) -> Values:
    """Return sparse values with other numbers at the same places."""
    from scipy.sparse import csr_array

    assert not isinstance(values, np.ndarray)
    changed = csr_array((data, values.indices, values.indptr), shape=values.shape)
    # A stored 0 would only take memory.
    if not data.all():
        changed = changed.copy()
        changed.eliminate_zeros()
    return changed
