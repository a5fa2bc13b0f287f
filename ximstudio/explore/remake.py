"""Make a recorded map again: from its record, its table and the map that it began from.

Run folders, figures, scripts, sessions and reports all come here with a `MapRecord`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

import numpy as np

from ximstudio.load import Report, silent
from ximstudio.load.run import as_written, load_prototypes
from ximstudio.model.arrays import Floats
from ximstudio.model.matrix import Matrix
from ximstudio.model.method_params import MethodParams
from ximstudio.model.parent import CONTINUED, CONTINUED_AGAIN, PART, Parent
from ximstudio.model.problem import UserError
from ximstudio.model.result import PrototypeMap, Result
from ximstudio.model.table import Table
from ximstudio.prepare.recipe import Frozen
from ximstudio.train import Method, checkpoints
from ximstudio.train.continued import joined, with_features
from ximstudio.train.part import chosen_rows
from ximstudio.train.record import MapRecord
from ximstudio.train.warm import start_from

WITHOUT_TABLE = (PART, CONTINUED_AGAIN)
"""Kinds of descent in which all items are those of the earlier map."""


class EarlierMap(Protocol):
    """An earlier map that is at hand: a run of a session or a folder, or one made again."""

    @property
    def result(self) -> Result:
        """The map."""

    @property
    def matrix(self) -> Matrix:
        """The data that it was trained on."""


class PreparedMap(EarlierMap, Protocol):
    """An earlier map whose preparation can be applied to further items."""

    @property
    def frozen(self) -> Frozen | None:
        """Parameters that its preparation learned; None if they were not kept."""


@dataclass(frozen=True, kw_only=True, eq=False)
class FurtherTable:
    """A table with further items: as its files give it, and prepared by its own recipe.

    The latter is None if it cannot be trained on.
    """

    table: Table
    matrix: Matrix | None


@dataclass(frozen=True, kw_only=True, eq=False)
class MapTraining:
    """One training that is ready to start: its data, and how to train.

    `stop_after` is the last step, if it is to end early, and `start` are initial prototypes, if the
    method does not choose them. The new map descends from `parent`, if any.
    """

    matrix: Matrix
    method: Method
    params: MethodParams
    seed: int
    stop_after: int | None = None
    start: Floats | None = None
    parent: Parent | None = None

    def train(self, report: Report = silent) -> Result:
        """Train to the end, or to where it is to stop; `report` may raise to cancel it."""
        steps = checkpoints(
            self.matrix,
            self.method,
            self.params,
            seed=self.seed,
            start=self.start,
            last=self.stop_after,
            parent=self.parent,
        )
        found = None
        for found in steps:
            report(found.fraction)
        assert found is not None
        return found.result()


def remake(
    record: MapRecord,
    matrix: Matrix,
    *,
    earlier: EarlierMap | None = None,
    start: Path | None = None,
) -> MapTraining:
    """Return the training that makes a recorded map again.

    Parameters
    ----------
    record
        How the map was made.
    matrix
        The data; for a map that descends from another, see `matrix_again`.
    earlier
        The map that it descends from or had its initial prototypes from; None for neither.
    start
        File with its initial prototypes, if they came from a file.
    """
    params, parent = record.params, record.parent
    if parent is not None and earlier is not None:
        result = earlier.result
        parent = replace(parent, result_hash=result.hash, data_fingerprint=result.data_fingerprint)
    initial = None
    if params.takes_prototypes:
        if earlier is not None:
            initial = initial_prototypes(params, matrix, earlier.result, parent, record.start)
        elif start is not None:
            assert params.grid is not None
            initial = load_prototypes(start, matrix.feature_names, params.grid)
    return MapTraining(
        matrix=matrix,
        method=record.method,
        params=params,
        seed=record.seed,
        stop_after=record.stop_after,
        start=initial,
        parent=parent,
    )


def matrix_again(
    parent: Parent, earlier: PreparedMap, further: FurtherTable | None = None
) -> Matrix:
    """Return the data of a map that descends from another.

    `further` has the items that came in; None where all items are those of the earlier map.
    """
    if parent.kind == PART:
        return earlier.matrix.items(chosen_rows(earlier.result, items=parent.item_ids))
    if further is None:
        return earlier.matrix
    new = with_features(_further(earlier, further, parent.folder), earlier.result.feature_names)
    return joined(earlier.matrix, new) if parent.kind == CONTINUED else new


def initial_prototypes(
    params: MethodParams,
    matrix: Matrix,
    earlier: Result,
    parent: Parent | None,
    folder: str | None = None,
) -> Floats:
    """Return the prototypes that a map had from an earlier one at its start.

    `parent` is None if it does not descend from the earlier map and only began with its prototypes.
    In a run folder, which `parent` or `folder` names, prototypes have lost their last bits.
    """
    around = None
    if parent is not None:
        folder = parent.folder
        if parent.kind == PART:
            around = earlier.positions[chosen_rows(earlier, items=parent.item_ids)]
    model = earlier.model
    if folder is not None and isinstance(model, PrototypeMap):
        written = replace(model, prototypes=as_written(model.prototypes))
        earlier = replace(earlier, model=written)
    return start_from(earlier, matrix, params, around=around)


def _further(earlier: PreparedMap, further: FurtherTable, folder: str | None) -> Matrix:
    """Return the items that came in, prepared as those of the earlier map were."""
    if folder is None:
        return further_items(
            earlier.matrix, further.table, frozen=earlier.frozen, now=further.matrix
        )
    # The command line takes the table as a whole, items of the earlier map among them.
    frozen = earlier.frozen
    return (further.table if frozen is None else frozen.apply(further.table).table).matrix()


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
