"""Search for cells by their values."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ximstudio.model.arrays import Bools, Floats
from ximstudio.model.matrix import SHOWN, some_of
from ximstudio.model.problem import UserError
from ximstudio.model.table import ITEMS, Table
from ximstudio.model.words import counted

Test = Callable[[Floats], Bools]


def some_cells(table: Table, wrong: Test, total: int) -> str:
    """Return the addresses of the first of `total` cells with such values, item by item."""
    found: list[str] = []
    for item in range(table.n_items):
        if len(found) == min(SHOWN, total):
            break
        row = table.take(ITEMS, [item]).dense[0]
        bad = np.flatnonzero(wrong(row))[: SHOWN - len(found)]
        found += [table.address(item, int(feature)) for feature in bad]
    return some_of(found, total=total)


def n_cells(table: Table, wrong: Test) -> int:
    """Return the number of cells with such values, also those a sparse table does not store."""
    n_found = int(wrong(table.stored).sum())
    n_absent = table.n_items * table.n_features - len(table.stored)
    return n_found + (n_absent if wrong(np.zeros(1))[0] else 0)


def refuse_cells(table: Table, wrong: Test, *, key: str, what: str, way_out: str) -> None:
    """Refuse a table with such values; `what` describes them."""
    count = n_cells(table, wrong)
    if count:
        raise UserError(
            key=f"prepare.{key}",
            what=f"{counted(count, 'value is', 'values are')} {what}.",
            where=f"{table.source}: {some_cells(table, wrong, count)}",
            way_out=way_out,
        )


def refuse_infinite(table: Table) -> None:
    """Refuse infinite values, which have no mean."""
    refuse_cells(
        table,
        np.isinf,
        key="infinite",
        what="infinite",
        way_out="Put the step 'infinite' before this one: it makes them missing.",
    )


def refuse_blanks(table: Table, way_out: str) -> None:
    """Refuse blanks where every value is needed."""
    refuse_cells(table, np.isnan, key="blanks", what="missing", way_out=way_out)
