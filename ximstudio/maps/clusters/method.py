"""A way to find clusters: a name, its parameters, and a function of the map."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ximstudio.maps.clusters.clustering import ClusteredUnit, Criterion
from ximstudio.model.arrays import Floats, Ints
from ximstudio.model.citations import Citations
from ximstudio.model.matrix import Matrix
from ximstudio.model.metric import in_metric
from ximstudio.model.params import Params
from ximstudio.model.problem import UserError
from ximstudio.model.relational import RelationalMap
from ximstudio.model.result import PrototypeMap, Result

MOST_RELATED = 5000
"""Nodes of a map of a table of distances: their places come from a table of all their pairs."""

VESANTO = (
    "J. Vesanto and E. Alhoniemi, Clustering of the self-organizing map, IEEE Transactions on"
    " Neural Networks 11:586–600 (2000)."
)
"""The work on clusters of prototypes."""


class FoundClusters(NamedTuple):
    """A number for every node or item, in any order of clusters, and what spoke for how many."""

    clusters: Ints
    criterion: Criterion | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class ClusterTask:
    """A map to find clusters of, with the items it shows."""

    result: Result
    matrix: Matrix
    params: Any
    seed: int = 0

    @property
    def model(self) -> PrototypeMap:
        """The map, which must have nodes."""
        if not isinstance(self.result.model, PrototypeMap):
            raise UserError(
                key="clusters.no_nodes",
                what="These clusters are made of nodes, and the map has none.",
                where=f"result of the method '{self.result.method}'",
                way_out="Choose HDBSCAN, which looks at positions, or the map of another method.",
            )
        return self.result.model

    @property
    def winners(self) -> Ints:
        assert self.result.winners is not None
        return self.result.winners

    @cached_property
    def hits(self) -> Ints:
        """Return the number of items that every node wins, shape (M,)."""
        return np.bincount(self.winners, minlength=self.model.grid.n_nodes)

    @cached_property
    def seen(self) -> Matrix:
        """The items as the metric of the map sees them."""
        return in_metric(self.matrix, self.result.params)

    @property
    def blanks(self) -> UserError:
        """Return the problem for missing distances between nodes."""
        return UserError(
            key="clusters.blanks",
            what="Some prototypes have blanks, so that distances between nodes are not known.",
            where=f"{np.isnan(self.model.prototypes).any(axis=1).sum()} nodes of the map",
            way_out="Fill the blanks in a step of the preparation and train again, or choose"
            " HDBSCAN, which looks at positions.",
        )

    @cached_property
    def prototypes(self) -> Floats:
        """Return prototypes, shape (M, d), in coordinates whose distances are those of the map.

        Their own, or for a table of distances those of classical scaling (Torgerson 1952); what no
        Euclidean space holds of the table is left out.
        """
        model = self.model
        if np.isnan(model.prototypes).any():
            raise self.blanks
        return _scaled(model) if isinstance(model, RelationalMap) else model.prototypes


@dataclass(frozen=True, kw_only=True, eq=False)
class ClusterMethod:
    """One way of finding clusters.

    Parameters
    ----------
    key, name
        For programs, and for users.
    about
        A sentence about what it is good for.
    over
        Whether it groups nodes, and so needs a map that has some, or items by their positions.
    params
        Its declared parameters.
    find
        From a task to clusters. Each has an item at the least.
    reference
        Who proposed it.
    in_text, works
        Its name inside a sentence of a methods text, and the works that are cited there.
    number_text
        End of that sentence, from the parameters: how many clusters, and why. None to list the
        parameters instead.
    """

    key: str
    name: str
    about: str
    over: ClusteredUnit
    params: type[Params]
    find: Callable[[ClusterTask], FoundClusters]
    reference: str = ""
    in_text: str
    works: tuple[str, ...] = ()
    number_text: Callable[[Any, Citations], str] | None = None


def _scaled(model: RelationalMap) -> Floats:
    n_nodes = model.grid.n_nodes
    if n_nodes > MOST_RELATED:
        raise UserError(
            key="clusters.too_large",
            what=f"Of a table of distances at most {MOST_RELATED} nodes can be grouped.",
            where=f"map of {n_nodes} nodes",
            way_out="Train a smaller map, or choose HDBSCAN, which looks at positions.",
        )
    mixed = model.coefficients @ model.squares.T
    own = np.diag(mixed)
    squares = np.maximum(0.5 * (mixed + mixed.T - own[:, None] - own), 0.0)
    means = squares.mean(axis=0)
    products = -0.5 * (squares - means[:, None] - means + means.mean())
    lengths, directions = np.linalg.eigh(products)
    kept = lengths > 1e-12 * max(float(lengths[-1]), 0.0)
    return np.asarray(directions[:, kept] * np.sqrt(lengths[kept]))
