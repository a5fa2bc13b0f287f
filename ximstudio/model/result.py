"""Results of training: the map, positions of all items, and the training history."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

import numpy as np

from ximstudio.model.arrays import Floats, Floats32, Ints, digest, frozen
from ximstudio.model.grid import Grid
from ximstudio.model.matrix import Matrix
from ximstudio.model.method_params import MethodParams
from ximstudio.model.parent import Parent


@dataclass(frozen=True, kw_only=True, eq=False)
class TrainingHistory:
    """Course of training, one entry per stretch of equal length.

    The annealed values are those at the end of a stretch, the reach in the mean of all items where
    each has its own; error and cost are means over the items presented in it, so they cost nothing
    to record. Of a literal batch training (TR 27) `stalled` is the number of nodes that could not
    be moved; otherwise, and if left out, it is NaN.
    """

    step: Ints
    step_size: Floats
    width: Floats
    reach: Floats
    quantisation_error: Floats
    cost: Floats
    stalled: Floats = field(default_factory=lambda: np.empty(0))

    def __post_init__(self) -> None:
        if len(self.stalled) == 0:
            object.__setattr__(self, "stalled", np.full(len(self.step), np.nan))
        for array in vars(self).values():
            frozen(array)

    @classmethod
    def empty(cls) -> TrainingHistory:
        """Return the history of a method that does not train step by step."""
        none = np.empty(0)
        return cls(
            step=np.empty(0, dtype=np.int64),
            step_size=none,
            width=none,
            reach=none,
            quantisation_error=none,
            cost=none,
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class PrototypeMap:
    """Prototypes w_j in the data space, each bound to a node r_j of the grid."""

    grid: Grid
    prototypes: Floats

    @property
    def arrays(self) -> tuple[Floats, ...]:
        """All arrays that were learnt."""
        return (self.prototypes,)

    def apart(self, left: Ints, right: Ints) -> Floats:
        """Return distances between the prototypes of the nodes `left` and `right`."""
        return np.asarray(np.linalg.norm(self.prototypes[left] - self.prototypes[right], axis=1))

    @cached_property
    def spacing(self) -> Floats:
        """Mean distance of every prototype to those of its neighbours on the map, shape (M,).

        Prototypes with blanks have no known distance: they do not count, and have NaN.
        """
        left, right = self.grid.edges.T
        apart = self.apart(left, right)
        known = ~np.isnan(apart)
        left, right, apart = left[known], right[known], apart[known]
        n_nodes = self.grid.n_nodes
        total = np.bincount(left, apart, n_nodes) + np.bincount(right, apart, n_nodes)
        count = np.bincount(left, minlength=n_nodes) + np.bincount(right, minlength=n_nodes)
        means = total / np.maximum(count, 1)
        means[np.isnan(self.prototypes).any(axis=1)] = np.nan
        return frozen(means)


@dataclass(frozen=True, kw_only=True, eq=False)
class LinearMap:
    """A projection on orthonormal components: position = (item − centre) · componentsᵀ."""

    centre: Floats
    components: Floats
    explained: Floats
    """Share of the variance along each component."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ItemMap:
    """The items it was trained on, each at its own position: no nodes and no formula.

    The table is shared, not copied: checkpoints differ in their positions, and the items are
    read-only.
    """

    items: Matrix
    positions: Floats


Model: TypeAlias = PrototypeMap | LinearMap | ItemMap
"""Content of a map, by its kind."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Resume:
    """State needed to continue training with the same bits as if it had never stopped."""

    origin: str
    """Digest of method, parameters, seed and data; these must be the same to continue."""
    step: int
    tallies: Floats
    """Running sums behind the history, one column per stretch or epoch."""
    prototypes: Floats32 = field(default_factory=lambda: frozen(np.empty((0, 0), np.float32)))
    """In the training space, shape (D', M); none of a method that moves the items' positions."""
    moving: Floats = field(default_factory=lambda: frozen(np.empty(0)))
    """State of such a method: the positions first, then what moves them."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Result:
    """A trained map with its items, and all that is needed to make it again.

    Parameters
    ----------
    method, params, seed
        Method, settings and seed that made it.
    data_fingerprint
        Matrix.fingerprint of the items it was trained on.
    item_ids, feature_names
        Names of the rows of `positions` and of the columns of the model.
    model
        Model that places new items: prototypes on a grid, a projection, or the items themselves.
    winners
        Node of the nearest prototype of every item (TR 2), regardless of the best match used in
        training; None where there are no nodes.
    positions
        Position of every item on the map, shape (N, d).
    step, n_steps
        Steps done, and steps planned.
    parent
        The earlier map that it continues or is a part of; None for a separate map.
    """

    method: str
    params: MethodParams
    seed: int
    data_fingerprint: str
    item_ids: tuple[str, ...]
    feature_names: tuple[str, ...]
    model: Model
    winners: Ints | None
    positions: Floats
    history: TrainingHistory
    step: int
    n_steps: int
    resume: Resume | None = None
    parent: Parent | None = None

    @property
    def periods(self) -> tuple[float, ...]:
        """Period of the map along every axis; infinite where it does not repeat."""
        if isinstance(self.model, PrototypeMap):
            return self.model.grid.periods
        return (np.inf,) * int(self.positions.shape[1])

    @property
    def finished(self) -> bool:
        return self.step >= self.n_steps

    @cached_property
    def hash(self) -> str:
        """SHA-256 of positions, winners and model: equal maps have equal hashes."""
        if isinstance(self.model, PrototypeMap):
            arrays = self.model.arrays
        elif isinstance(self.model, LinearMap):
            arrays = (self.model.centre, self.model.components)
        else:
            return digest(self.positions, self.data_fingerprint)
        winners = [] if self.winners is None else [self.winners]
        return digest(self.positions, *winners, *arrays)
