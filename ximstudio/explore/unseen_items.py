"""Items of a table that a map has not seen, prepared as its own were."""

from __future__ import annotations

import numpy as np

from ximstudio.model.matrix import Matrix
from ximstudio.model.problem import UserError
from ximstudio.model.table import Table
from ximstudio.prepare.recipe import Frozen
from ximstudio.train.continued import with_features


def further_items(
    earlier: Matrix, table: Table, *, frozen: Frozen | None, now: Matrix | None = None
) -> Matrix:
    """The items of a table that are not in `earlier`, with the features of `earlier`.

    Parameters
    ----------
    earlier
        What the map was trained on.
    table
        The table as its file gives it now.
    frozen
        What the steps of the map's recipe have learnt: they are repeated on the table. None if
        nobody kept it: then the table is refused unless it makes no difference.
    now
        The table as it is prepared now. It is taken as it is where that makes no difference: the
        items that are in both have the values they had. None if it cannot be trained on.
    """
    if now is not None and prepares_alike(earlier, now):
        matrix = with_features(now, earlier.feature_names)
    elif frozen is not None:
        matrix = with_features(frozen.apply(table).table.matrix(), earlier.feature_names)
    else:
        matrix = with_features(table.matrix(), earlier.feature_names)
        _refuse_others(earlier, matrix)
    known = set(earlier.item_ids)
    new = [row for row, name in enumerate(matrix.item_ids) if name not in known]
    if not new:
        raise UserError(
            key="further.none",
            what="All items of the table are on the map already.",
            where=matrix.source,
            way_out="Read a table with further items in Data, or train the map further as it is.",
        )
    return matrix.items(new)


def _refuse_others(earlier: Matrix, matrix: Matrix) -> None:
    """Refuse a table as its file gives it, unless the map was trained on such values."""
    if not prepares_alike(earlier, matrix):
        raise UserError(
            key="further.other_values",
            what="The new items cannot be prepared as those of the map were: what the steps of its"
            " recipe have learnt is not known any more.",
            where=f"{matrix.source}: the items of the map have other values there than those it was"
            " trained on, or are not there",
            way_out="Prepare the table as it was for the map, in Prepare, or train a new map of all"
            " items.",
        )


def prepares_alike(earlier: Matrix, now: Matrix) -> bool:
    """Whether items that are in both, at least one, have the same values there."""
    if not set(earlier.feature_names) <= set(now.feature_names):
        return False
    rows = {name: row for row, name in enumerate(earlier.item_ids)}
    both = [(row, rows[name]) for row, name in enumerate(now.item_ids) if name in rows]
    if not both:
        return False
    here, there = np.array(both).T
    columns = {name: column for column, name in enumerate(now.feature_names)}
    order = [columns[name] for name in earlier.feature_names]
    values = now.values[here]
    if order != list(range(values.shape[1])):
        values = values[:, order]
    return np.array_equal(values, earlier.values[there], equal_nan=True)
