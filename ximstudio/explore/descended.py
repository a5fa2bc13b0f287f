"""Repeat the training of a derived map, from the earlier map and its record."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

from ximstudio.explore.unseen_items import further_items
from ximstudio.load.run import as_written
from ximstudio.model.arrays import Floats
from ximstudio.model.matrix import Matrix
from ximstudio.model.params import Params
from ximstudio.model.parent import CONTINUED, CONTINUED_AGAIN, PART, Parent
from ximstudio.model.result import PrototypeMap, Result
from ximstudio.model.table import Table
from ximstudio.prepare.recipe import Frozen
from ximstudio.train import Method
from ximstudio.train.continued import joined, with_features
from ximstudio.train.descendant import Descendant
from ximstudio.train.params import MapParams
from ximstudio.train.part import chosen_rows
from ximstudio.train.warm import start_from

WITHOUT_TABLE = (PART, CONTINUED_AGAIN)
"""Kinds of descent in which all items are those of the earlier map."""


class Earlier(Protocol):
    """An earlier map: a run of a session, or a reproduced one."""

    @property
    def result(self) -> Result:
        """The map."""

    @property
    def matrix(self) -> Matrix:
        """The matrix that it was trained on."""

    @property
    def frozen(self) -> Frozen | None:
        """Learned values of its recipe; None if unknown."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Arrived:
    """A table with further items: as read, and as prepared by its own recipe.

    The matrix is None if the table cannot be trained on.
    """

    table: Table
    matrix: Matrix | None


def descended(
    earlier: Earlier,
    kind: str,
    method: Method,
    params: Params,
    *,
    items: tuple[str, ...] = (),
    arrived: Arrived | None = None,
    folder: str | None = None,
) -> Descendant:
    """Build the training of a derived map with the parameters that it had.

    Parameters
    ----------
    earlier, kind
        The map that it descends from, and the kind of descent.
    method, params
        How it was trained, unchanged: annealing does not start later again.
    items
        Ids of the items of a part.
    arrived
        The table with the added items; None if all items are those of the earlier map.
    folder
        The folder that the earlier map was read from; None if it was in memory.
    """
    result, around = earlier.result, None
    ids = () if result.parent is None else result.parent.item_ids
    if kind == PART:
        rows = chosen_rows(result, items=items)
        matrix, around = earlier.matrix.items(rows), result.positions[rows]
        ids = matrix.item_ids
    elif arrived is None:
        matrix = earlier.matrix
    else:
        further = with_features(_further(earlier, arrived, folder), result.feature_names)
        matrix = joined(earlier.matrix, further) if kind == CONTINUED else further
    start = None
    if isinstance(params, MapParams):
        start = start_again(result, matrix, params, around=around, folder=folder)
    return Descendant(
        matrix=matrix,
        method=method,
        params=params,
        start=start,
        parent=Parent(
            kind=kind,
            result_hash=result.hash,
            data_fingerprint=result.data_fingerprint,
            item_ids=ids,
            folder=folder,
        ),
    )


def start_again(
    result: Result,
    matrix: Matrix,
    params: MapParams,
    *,
    around: Floats | None = None,
    folder: str | None = None,
) -> Floats:
    """Recompute the prototypes that a derived map began with.

    Prototypes read from a `folder` have lost their last bits; the same bits are dropped here.
    """
    model = result.model
    if folder is not None and isinstance(model, PrototypeMap):
        result = replace(result, model=replace(model, prototypes=as_written(model.prototypes)))
    return start_from(result, matrix, params, around=around)


def _further(earlier: Earlier, arrived: Arrived, folder: str | None) -> Matrix:
    """Prepare the added items as those of the earlier map were."""
    if folder is None:
        return further_items(
            earlier.matrix, arrived.table, frozen=earlier.frozen, now=arrived.matrix
        )
    # The command line uses the whole table, including items of the earlier map.
    frozen = earlier.frozen
    return (arrived.table if frozen is None else frozen.apply(arrived.table).table).matrix()
