"""Continued training: add items to an earlier map and keep its layout.

The report's abstract promises that a map can continue to learn. The layout is kept by resuming the
annealing late: a width of half the map would fold it again, the last width would leave the new
items to the few nodes that happen to be nearest. docs/guide/methods.md has the numbers.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeVar

import numpy as np

from ximstudio.model.arrays import Floats
from ximstudio.model.matrix import Labels, Matrix, some_of
from ximstudio.model.method_params import MethodParams
from ximstudio.model.params import Params
from ximstudio.model.parent import CONTINUED, CONTINUED_AGAIN, CONTINUED_ALONE, PART, Parent
from ximstudio.model.problem import UserError
from ximstudio.model.result import PrototypeMap, Result, Resume
from ximstudio.model.words import counted
from ximstudio.train import Checkpoint, Method, checkpoints, method_named
from ximstudio.train.annealing import (
    BEGIN_ALONE,
    BEGIN_WITH_EARLIER,
    LateParams,
    annealed,
    begun_late,
)
from ximstudio.train.params import MapParams
from ximstudio.train.warm import start_from

AnyParams = TypeVar("AnyParams", bound=Params)


@dataclass(frozen=True, kw_only=True, eq=False)
class Descendant:
    """Arguments for training a derived map.

    Parameters
    ----------
    matrix
        The data to train on.
    method, params
        Method and parameters.
    start
        The initial prototypes, in data units; None for a method without prototypes.
    parent
        The earlier map.
    """

    matrix: Matrix
    method: Method
    params: MethodParams
    start: Floats | None
    parent: Parent

    def checkpoints(
        self, *, seed: int = 0, resume: Resume | None = None, chunk: int | None = None
    ) -> Iterator[Checkpoint]:
        """Train step by step, like `ximstudio.train.checkpoints`."""
        return checkpoints(
            self.matrix,
            self.method,
            self.params,
            seed=seed,
            start=self.start,
            resume=resume,
            chunk=chunk,
            parent=self.parent,
        )

    def train(self, *, seed: int = 0) -> Result:
        """Train to the end."""
        (last,) = deque(self.checkpoints(seed=seed), maxlen=1)
        return last.result()


def continued(
    result: Result,
    matrix: Matrix,
    *,
    earlier: Matrix | None = None,
    late: LateParams | None = None,
    changes: Mapping[str, Any] = MappingProxyType({}),
) -> Descendant:
    """Build the training that continues `result` with further items, on the same grid.

    Parameters
    ----------
    result
        The earlier map; it must have prototypes.
    matrix
        The further items. Their features are matched by name.
    earlier
        What `result` was trained on, to train on it together with the new items; None for these
        alone.
    late
        Where to resume the annealing.
    changes
        Parameters that differ from those of the earlier map.
    """
    refuse_without_prototypes(result)
    further = with_features(matrix, result.feature_names)
    items = further if earlier is None else joined(earlier, further)
    begin = _usual_begin(result, BEGIN_ALONE if earlier is None else BEGIN_WITH_EARLIER)
    kind = CONTINUED_ALONE if earlier is None else CONTINUED
    return _descendant(result, items, kind, (late or LateParams()).begin_or(begin), changes)


def continued_again(
    result: Result,
    matrix: Matrix,
    *,
    late: LateParams | None = None,
    changes: Mapping[str, Any] = MappingProxyType({}),
) -> Descendant:
    """Build the training that continues `result` with its own items, `matrix`."""
    refuse_without_prototypes(result)
    begin = (late or LateParams()).begin_or(_usual_begin(result, BEGIN_WITH_EARLIER))
    return _descendant(result, matrix, CONTINUED_AGAIN, begin, changes)


def usual_again(result: Result, n_items: int) -> Params:
    """Default parameters of `continued_again`."""
    return begun_late(result.params, _usual_begin(result, BEGIN_WITH_EARLIER), n_items)


def refuse_without_prototypes(result: Result) -> None:
    """Refuse to continue a map without prototypes."""
    if not isinstance(result.model, PrototypeMap) or not isinstance(result.params, MapParams):
        raise UserError(
            key="continue.no_prototypes",
            what="Only a map with prototypes can be trained further.",
            where=f"the earlier map: {method_named(result.method).name}",
            way_out="Place the new items on it, or train a new map with all of them.",
        )


def _descendant(
    result: Result, items: Matrix, kind: str, begin: float, changes: Mapping[str, Any]
) -> Descendant:
    assert isinstance(result.model, PrototypeMap)
    assert isinstance(result.params, MapParams)
    base = in_data_units(result, result.params).replace(**changes)
    params = begun_late(base, begin, items.n_items).replace(**{**changes, "init": "given"})
    if params.grid != result.model.grid:
        raise UserError(
            key="continue.grid",
            what="A map that is trained further keeps its nodes.",
            where="parameters of the map: size, lattice and edges",
            fields=("shape", "lattice", "toroidal", "node_file"),
            way_out="Leave them unchanged, or start a new training from the earlier map.",
        )
    return Descendant(
        matrix=items,
        method=method_named(result.method),
        params=params,
        start=start_from(result, items, params),
        parent=Parent(
            kind=kind,
            result_hash=result.hash,
            data_fingerprint=result.data_fingerprint,
            item_ids=() if result.parent is None else result.parent.item_ids,
        ),
    )


def _usual_begin(result: Result, usual: float) -> float:
    """Default share of the annealing of `result` that is skipped."""
    parent = result.parent
    if parent is not None and parent.kind != PART:
        # Its own annealing began late: repeat that, or each map would learn less than the one
        # before.
        return 0.0
    return usual


def with_features(matrix: Matrix, names: tuple[str, ...]) -> Matrix:
    """Return the matrix with these features in this order; refuse if one is absent."""
    if matrix.feature_names == names:
        return matrix
    columns = {name: column for column, name in enumerate(matrix.feature_names)}
    absent = [name for name in names if name not in columns]
    if absent:
        raise UserError(
            key="continue.features",
            what=f"{counted(len(absent), 'feature of the map is', 'features of the map are')}"
            " missing in the new items.",
            where=f"{matrix.source}: {some_of(absent)}",
            way_out="Use items with the features that the map was trained on.",
        )
    order = [columns[name] for name in names]
    return Matrix(
        values=matrix.values[:, order],
        item_ids=matrix.item_ids,
        feature_names=names,
        item_labels=matrix.item_labels,
        feature_labels={
            label: tuple(texts[column] for column in order)
            for label, texts in matrix.feature_labels.items()
        },
        source=matrix.source,
        item_kind=matrix.item_kind,
        feature_kind=matrix.feature_kind,
    )


def joined(earlier: Matrix, further: Matrix) -> Matrix:
    """Join the items of both, the earlier ones first.

    An item in both must have the same values, and appears once. A label that only one of them has
    is empty for the items of the other.
    """
    rows = {name: row for row, name in enumerate(earlier.item_ids)}
    again = [(row, rows[name]) for row, name in enumerate(further.item_ids) if name in rows]
    others = [
        further.item_ids[row]
        for row, before in again
        if not np.array_equal(further.values[row], earlier.values[before], equal_nan=True)
    ]
    if others:
        raise UserError(
            key="continue.other_values",
            what=f"{counted(len(others), 'item has', 'items have')} other values than before.",
            where=f"{further.source}: {some_of(others)}",
            way_out="Give new items unique names, or train on the new ones only.",
        )
    repeated = {row for row, _ in again}
    new = further.items([row for row in range(further.n_items) if row not in repeated])
    if not new.n_items:
        raise UserError(
            key="continue.nothing_new",
            what="All items are on the map already.",
            where=further.source,
            way_out="Use a table with further items.",
        )
    return Matrix(
        values=np.concatenate([earlier.values, new.values]),
        item_ids=(*earlier.item_ids, *new.item_ids),
        feature_names=earlier.feature_names,
        item_labels=_labels(earlier, new),
        feature_labels=earlier.feature_labels,
        source=f"{earlier.source} + {further.source}",
        item_kind=earlier.item_kind,
        feature_kind=earlier.feature_kind,
    )


def _labels(earlier: Matrix, new: Matrix) -> Labels:
    def texts(matrix: Matrix, label: str) -> tuple[str, ...]:
        return matrix.item_labels.get(label, ("",) * matrix.n_items)

    names = dict.fromkeys([*earlier.item_labels, *new.item_labels])
    return {label: (*texts(earlier, label), *texts(new, label)) for label in names}


def in_data_units(result: Result, params: AnyParams) -> AnyParams:
    """Return the same parameters with the reach in the unit of the data.

    Multiples of the median distance mean something else among other items: a few new ones may all
    be alike.
    """
    values, reaches = params.as_values(), result.history.reach
    if values.get("reach_unit") != "median" or not len(reaches) or not np.isfinite(reaches[-1]):
        return params
    done = np.array([result.history.step[-1] / result.n_steps])
    (reach,) = annealed(values["annealing"], values["reach"], done)
    unit = float(reaches[-1] / reach)
    start, end = values["reach"]
    return params.replace(reach_unit="data", reach=(start * unit, end * unit))
