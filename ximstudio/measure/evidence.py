"""A map and its data as measures see them; parts are computed once, when needed."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, Self, TypeVar, overload

from ximstudio.measure.chance import neighbours_of
from ximstudio.measure.divergence import Costs, item_costs
from ximstudio.measure.nodes import BestNodes, best_nodes
from ximstudio.measure.pairs import DataPairs, DistancePairs, data_pairs
from ximstudio.measure.ranks import Ranks, neighbour_ranks, table_ranks
from ximstudio.model.arrays import Floats
from ximstudio.model.dissimilarities import Dissimilarities
from ximstudio.model.matrix import Matrix
from ximstudio.model.metric import in_metric
from ximstudio.model.result import PrototypeMap, Result

T = TypeVar("T")


class computed_once(Generic[T]):  # noqa: N801
    """Like `functools.cached_property`, but with a lock per object.

    Up to Python 3.11 that has one lock for all objects of a class, so that maps measured in
    parallel would queue up; from 3.12 on it has none, so that shared values would be computed
    repeatedly.
    """

    def __init__(self, compute: Callable[[Any], T]) -> None:
        self._compute = compute
        self._name = compute.__name__
        self.__doc__ = compute.__doc__

    @overload
    def __get__(self, owner: None, kind: type) -> Self: ...

    @overload
    def __get__(self, owner: object, kind: type) -> T: ...

    def __get__(self, owner: object | None, kind: type) -> Self | T:
        # Called only until the object has the value under this name.
        if owner is None:
            return self
        held, lock_name = vars(owner), f"lock of {self._name}"
        with held.setdefault(lock_name, threading.RLock()):
            if self._name not in held:
                held[self._name] = self._compute(owner)
        # A thread that comes too late for the lock makes another one, and finds the value.
        held.pop(lock_name, None)
        found: T = held[self._name]
        return found


@dataclass(frozen=True, kw_only=True, eq=False)
class DataSide:
    """Statistics of the data that are shared by the measures of all their maps.

    `seen` are the data as the metric of the maps sees them; `seed` is that of all samples.
    """

    seen: Matrix
    seed: int = 0

    @property
    def table(self) -> Floats | None:
        """The distances in the data, shape (N, N), if they were given directly."""
        return self.seen.table if isinstance(self.seen, Dissimilarities) else None

    @computed_once
    def pairs(self) -> DataPairs:
        """Distances between pairs of items."""
        return data_pairs(self.seen.values, seed=self.seed, table=self.table)


@dataclass(frozen=True, kw_only=True, eq=False)
class MapEvidence:
    """A map (`result`) of the items of `matrix`.

    `label` names the item label whose classes are measured, if any; `seed` is that of all samples.
    `shared` holds statistics of the same data in the same metric from other maps.
    """

    matrix: Matrix
    result: Result
    label: str | None = None
    seed: int = 0
    shared: DataSide | None = None

    @property
    def labels(self) -> tuple[str, ...] | None:
        """The label's text of every item."""
        return None if self.label is None else self.matrix.item_labels[self.label]

    @computed_once
    def seen(self) -> Matrix:
        """The data as the metric of the map sees them."""
        if self.shared is not None:
            return self.shared.seen
        return in_metric(self.matrix, self.result.params)

    @property
    def table(self) -> Floats | None:
        """The distances in the data, shape (N, N), if they were given directly."""
        return DataSide(seen=self.seen).table

    @computed_once
    def ranks(self) -> Ranks:
        """Neighbours of every item, in the data and on the map."""
        k = neighbours_of(self.matrix.n_items)
        positions, periods = self.result.positions, self.result.periods
        if self.table is not None:
            return table_ranks(self.table, positions, periods, k)
        return neighbour_ranks(self.seen.values, positions, periods, k)

    @computed_once
    def pairs(self) -> DistancePairs:
        """Distances between pairs of items, in the data and on the map."""
        side = self.shared or DataSide(seen=self.seen, seed=self.seed)
        return side.pairs.on_map(self.result.positions, self.result.periods)

    @computed_once
    def best_nodes(self) -> BestNodes | None:
        """The two best nodes of every item; None where there are no nodes."""
        model, winners = self.result.model, self.result.winners
        if not isinstance(model, PrototypeMap) or winners is None:
            return None
        return best_nodes(model, self.seen.values, winners)

    @computed_once
    def costs(self) -> Costs | None:
        """Costs of every item by the rule that trained the map; None where it has no nodes."""
        return item_costs(self.result, self.seen.values)
