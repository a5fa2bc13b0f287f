"""The training space: the items moved, scaled and, where it pays, turned before training.

Squared Euclidean distances do not change when all items are turned or moved, and scaling changes
all of them alike, so the map is the same; but float32 keeps its precision around 0 and 1, and
N items in D ≫ N dimensions fit into N − 1 (design note: exact savings).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ximstudio.model.arrays import Floats
from ximstudio.model.matrix import Matrix

SAMPLE = 1000
"""The median distance is taken over all pairs of at most this many items."""

FASTER_PRODUCTS = 8.0
"""A matrix product does about this many times more operations per second than a training step."""


@dataclass(frozen=True, kw_only=True, eq=False)
class TrainingSpace:
    """Items in training coordinates, and the way there and back.

    data = centre + unit · (coordinates · axes), plus what of a prototype lies outside the span of
    the items. That part only shrinks during training, by the same factor in every direction,
    so its length is one more coordinate, in which all items are 0.

    Parameters
    ----------
    items
        Coordinates, shape (N, D'); 0 where blank.
    observed
        1 where known and 0 where blank, or None if nothing is blank.
    centre
        Mean of the items, shape (D,).
    unit
        Length of one training unit in data units, a power of two so that scaling is exact.
    axes
        Orthonormal directions, shape (D' − 1, D), or None if the space was not turned.
    median
        Median distance between items, in training units.
    """

    items: Floats
    observed: Floats | None
    centre: Floats
    unit: float
    axes: Floats | None
    median: float

    def enter(self, prototypes: Floats) -> Entered:
        """Prototypes of the data space (M, D) in training coordinates."""
        moved = (prototypes - self.centre) / self.unit
        if self.axes is None:
            return Entered(space=self, coordinates=moved, outside=None)
        inside = moved @ self.axes.T
        outside = moved - inside @ self.axes
        length = np.linalg.norm(outside, axis=1)
        # What rounding leaves of a prototype inside the span is not a direction.
        length[length < 1e-9 * (1.0 + np.linalg.norm(moved, axis=1))] = 0.0
        outside = np.divide(
            outside, length[:, None], out=np.zeros_like(outside), where=length[:, None] > 0
        )
        return Entered(
            space=self,
            coordinates=np.column_stack([inside, length]),
            outside=outside if length.any() else None,
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class Entered:
    """Prototypes in training coordinates (M, D'), with the way back to the data."""

    space: TrainingSpace
    coordinates: Floats
    outside: Floats | None

    def leave(self, coordinates: Floats) -> Floats:
        """Trained coordinates (M, D') as prototypes of the data space (M, D)."""
        space = self.space
        if space.axes is None:
            return np.asarray(coordinates * space.unit + space.centre)
        prototypes = coordinates[:, :-1] @ space.axes
        if self.outside is not None:
            prototypes += coordinates[:, -1:] * self.outside
        return np.asarray(prototypes * space.unit + space.centre)


def training_space(matrix: Matrix, *, steps: float, turn: bool | None = None) -> TrainingSpace:
    """The training space of a matrix; `steps` is how many prototype moves training will make.

    `turn` forces or forbids turning; by default it is done when it saves work. With blanks the
    space is never turned: a blank in one direction would be a blank in all.
    """
    values = matrix.values
    blanks = matrix.missing if matrix.n_missing else None
    centre = np.nanmean(values, axis=0)
    moved = values - centre
    median = median_distance(moved)
    unit = 2.0 ** np.round(np.log2(median)) if median > 0 else 1.0
    moved = moved / unit
    observed = None
    axes = None
    if blanks is not None:
        moved[blanks] = 0.0
        observed = np.where(blanks, 0.0, 1.0)
    elif worth_turning(matrix.n_items, matrix.n_features, steps) if turn is None else turn:
        coordinates, axes = turned(moved)
        moved = np.column_stack([coordinates, np.zeros(matrix.n_items)])
    return TrainingSpace(
        items=moved,
        observed=observed,
        centre=centre,
        unit=float(unit),
        axes=axes,
        median=float(median / unit),
    )


def worth_turning(n_items: int, n_features: int, steps: float) -> bool:
    """Whether the eigenvectors of the N×N products cost less than the features they save."""
    if n_features <= n_items + 1:
        return False
    saved = steps * (n_features - n_items)
    spent = n_items**2 * n_features + 10.0 * n_items**3
    return saved * FASTER_PRODUCTS > spent


def turned(moved: Floats) -> tuple[Floats, Floats]:
    """Coordinates (N, r) and orthonormal axes (r, D) with coordinates · axes = moved, r < N."""
    products = moved @ moved.T
    variances, directions = np.linalg.eigh(products)
    kept = variances > variances[-1] * 1e-13 if variances[-1] > 0 else variances > 0
    lengths = np.sqrt(variances[kept][::-1])
    coordinates = directions[:, kept][:, ::-1] * lengths
    axes = (coordinates / lengths**2).T @ moved
    # The eigenvectors of a product are exact to half the digits only: make the axes orthonormal
    # again and read the coordinates off them.
    axes = np.linalg.qr(axes.T)[0].T if len(lengths) else np.zeros((0, moved.shape[1]))
    return np.asarray(moved @ axes.T), np.asarray(axes)


def median_distance(values: Floats) -> float:
    """Median distance between pairs of items, on the features both have, of at most SAMPLE items.

    Distances over n common features are scaled by √(D/n), as if the blanks were like the rest.
    """
    n_items, n_features = values.shape
    if n_items > SAMPLE:
        rows = np.random.default_rng(0).choice(n_items, SAMPLE, replace=False)
        values = values[np.sort(rows)]
    seen = ~np.isnan(values)
    filled = np.where(seen, values, 0.0)
    mask = seen.astype(np.float64)
    squares = filled**2 @ mask.T
    total = squares + squares.T - 2.0 * filled @ filled.T
    common = mask @ mask.T
    pairs = np.triu_indices(len(values), 1)
    total, common = total[pairs], common[pairs]
    distances = np.sqrt(np.maximum(total[common > 0], 0.0) * n_features / common[common > 0])
    return float(np.median(distances)) if len(distances) else 0.0
