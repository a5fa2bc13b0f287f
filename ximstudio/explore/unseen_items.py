"""Items of a table that a map was not trained on, prepared like its own."""

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
    """Return the items of a table that are not in `earlier`, with the features of `earlier`.

    Parameters
    ----------
    earlier
        The matrix that the map was trained on.
    table
        The table as read now.
    frozen
        Learned values of the map's recipe, which is applied to the table. None if unknown: then
        the table is refused unless preparation makes no difference.
    now
        The table as prepared now, used if the items in both have the same values. None if it
        cannot be trained on.
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
            way_out="Open a table with further items in Data, or train the map further as it is.",
        )
    return matrix.items(new)


def _refuse_others(earlier: Matrix, matrix: Matrix) -> None:
    """Refuse a table as read, unless the map was trained on such values."""
    if not prepares_alike(earlier, matrix):
        raise UserError(
            key="further.other_values",
            what="The new items cannot be prepared like those of the map: the learned values of its"
            " recipe are lost.",
            where=f"{matrix.source}: the items of the map have other values there than the map was"
            " trained on, or are not there",
            way_out="In Prepare, prepare the table as for the map, or train a new map of all"
            " items.",
        )


def prepares_alike(earlier: Matrix, now: Matrix) -> bool:
    """Return whether the items in both, at least one, have the same values."""
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
