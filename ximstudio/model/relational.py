"""Maps of items known only by their pairwise dissimilarities."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ximstudio.model.arrays import Bools, Floats, Ints, frozen
from ximstudio.model.result import PrototypeMap


@dataclass(frozen=True, kw_only=True, eq=False)
class RelationalMap(PrototypeMap):
    """Prototypes that are mixtures of items, w_j = Σ_k α_jk x_k with Σ_k α_jk = 1.

    With the squared dissimilarities Δ of the items, d(x, w_j) = Σ_k α_jk Δ(x, k) − ½ α_jᵀ Δ α_j
    (Hathaway, Davenport and Bezdek 1989), so that neither items nor prototypes need coordinates.

    Parameters
    ----------
    prototypes
        Distance of every prototype from the items that the features are, shape (M, K). Where no
        Euclidean space holds the table, d may be below 0: then −√−d stands here.
    coefficients
        α, shape (M, K); 0 for features whose items took no part in training.
    """

    coefficients: Floats

    @property
    def arrays(self) -> tuple[Floats, ...]:
        return (self.prototypes, self.coefficients)

    @cached_property
    def squares(self) -> Floats:
        """d of every prototype to the items that the features are, shape (M, K)."""
        return frozen(self.prototypes * np.abs(self.prototypes))

    @cached_property
    def offsets(self) -> Floats:
        """½ α_jᵀ Δ α_j of every prototype, shape (M,)."""
        return frozen(np.einsum("jk,jk->j", self.coefficients, self.squares))

    def squared_distances(self, rows: Floats) -> Floats:
        """d of items to all prototypes, shape (n, M), from their dissimilarities to the features.

        Below 0 where no Euclidean space holds the table.
        """
        # Features that took no part may be blank.
        squares = np.where(self.used, rows, 0.0) ** 2
        return np.asarray(squares @ self.coefficients.T - self.offsets)

    @cached_property
    def used(self) -> Bools:
        """Mask of the features whose items take part in any prototype, shape (K,)."""
        return frozen((self.coefficients != 0.0).any(axis=0))

    def apart(self, left: Ints, right: Ints) -> Floats:
        """Return distances between prototypes: ½ (α_j − α_k)·(d_k − d_j) is their d."""
        squares = np.empty(len(left))
        for pair, (j, k) in enumerate(zip(left, right, strict=True)):
            mixed = self.coefficients[j] - self.coefficients[k]
            squares[pair] = 0.5 * (mixed @ (self.squares[k] - self.squares[j]))
        return np.sqrt(np.maximum(squares, 0.0))


def signed_root(squares: Floats) -> Floats:
    """√d, and −√−d where d is below 0."""
    return np.asarray(np.sign(squares) * np.sqrt(np.abs(squares)))
