"""Sparse values written out where a step cannot do without, and changed in place of a copy."""

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
"""A step that writes a sparse table out holds it, and what it makes of it."""


def written_out(table: Table) -> Floats:
    """All values as an array; refused if a sparse table does not fit into memory so."""
    must_fit(table)
    return table.dense


def must_fit(table: Table) -> None:
    """Refuse a sparse table that cannot be written out."""
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
    """The table with every value changed by itself; `change` must leave 0 as it is if sparse."""
    if isinstance(table.values, np.ndarray):
        return table.with_values(change(table.values))
    return table.with_values(with_data(table.values, change(table.values.data)))


def multiplied(table: Table, side: str, factors: Floats) -> Table:
    """The table with every line of a side multiplied by its own factor."""
    if isinstance(table.values, np.ndarray):
        return table.with_values(table.values * (factors[:, None] if side == ITEMS else factors))
    return table.with_values(
        with_data(table.values, table.values.data * along(table, side, factors))
    )


def along(table: Table, side: str, numbers: Floats) -> Floats:
    """For every stored value of a sparse table the number of its line."""
    assert not isinstance(table.values, np.ndarray)
    if side == ITEMS:
        return np.repeat(numbers, np.diff(table.values.indptr))
    return np.asarray(numbers[table.values.indices])


def with_data(values: Values, data: Floats) -> Values:
    """Sparse values with other numbers at the same places."""
    from scipy.sparse import csr_array

    assert not isinstance(values, np.ndarray)
    changed = csr_array((data, values.indices, values.indptr), shape=values.shape)
    # A stored 0 would take room and say nothing.
    if not data.all():
        changed = changed.copy()
        changed.eliminate_zeros()
    return changed
