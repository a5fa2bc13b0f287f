"""The training space: the items moved, scaled and, where it pays, turned before training.

Squared Euclidean distances do not change when all items are turned or moved, and scaling changes
all of them alike, so the map is the same; but float32 keeps its precision around 0 and 1, and
N items in D ≫ N dimensions fit into N − 1 (design note: exact savings).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ximstudio.kernels.parallel import one_thread
from ximstudio.model.arrays import Floats
from ximstudio.model.matrix import Matrix

MOST_PAIRS = 100_000
"""The median distance is taken over at most this many pairs of items."""
VALUES_AT_ONCE = 2**20

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
        Middle of the items, shape (D,).
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
        with one_thread():
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
        with one_thread():
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
    distances = pair_distances(values)
    median = float(np.median(distances)) if len(distances) else 0.0
    # Where most items are the same their median distance is 0, but their size is not.
    size = median or float(np.sqrt((distances**2).mean())) if len(distances) else 0.0
    unit = float(2.0 ** np.round(np.log2(size))) if size > 0 else 1.0
    observed = None
    axes = None
    if turn is None:
        turn = worth_turning(matrix.n_items, matrix.n_features, steps)
    if turn and not matrix.n_missing:
        centre = values.mean(axis=0)
        coordinates, axes = turned((values - centre) / unit)
        items = np.column_stack([coordinates, np.zeros(matrix.n_items)])
    else:
        # Not the mean: one value far off would move all others away from 0.
        centre = np.nanmedian(values, axis=0)
        items = (values - centre) / unit
    if matrix.n_missing:
        items[matrix.missing] = 0.0
        observed = np.where(matrix.missing, 0.0, 1.0)
    return TrainingSpace(
        items=items,
        observed=observed,
        centre=centre,
        unit=unit,
        axes=axes,
        median=median / unit,
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
    with one_thread():
        return _turned(moved)


def _turned(moved: Floats) -> tuple[Floats, Floats]:
    variances, directions = np.linalg.eigh(moved @ moved.T)
    kept = variances > variances[-1] * 1e-13 if variances[-1] > 0 else variances > 0
    lengths = np.sqrt(variances[kept][::-1])
    coordinates = directions[:, kept][:, ::-1] * lengths
    axes = (coordinates / lengths**2).T @ moved
    # The eigenvectors of a product are exact to half the digits only: make the axes orthonormal
    # again and read the coordinates off them.
    axes = np.linalg.qr(axes.T)[0].T if len(lengths) else np.zeros((0, moved.shape[1]))
    return np.asarray(moved @ axes.T), np.asarray(axes)


def median_distance(values: Floats) -> float:
    """Median distance between items, exactly 0 if most pairs are the same."""
    distances = pair_distances(values)
    return float(np.median(distances)) if len(distances) else 0.0


def pair_distances(values: Floats) -> Floats:
    """Distances between all pairs of items, or between MOST_PAIRS random ones.

    By differences: sums of squares would lose all digits on data far from zero. Distances over n
    features known of both are scaled by √(D/n), as if the blanks were like the rest.
    """
    n_items, n_features = values.shape
    if n_items * (n_items - 1) // 2 <= MOST_PAIRS:
        left, right = np.triu_indices(n_items, 1)
    else:
        rng = np.random.default_rng(0)
        left = rng.integers(n_items, size=MOST_PAIRS)
        right = (left + rng.integers(1, n_items, size=MOST_PAIRS)) % n_items
    squares = np.empty(len(left))
    at_once = max(1, VALUES_AT_ONCE // n_features)
    for begin in range(0, len(left), at_once):
        pairs = slice(begin, begin + at_once)
        apart = values[left[pairs]] - values[right[pairs]]
        known = n_features - np.isnan(apart).sum(axis=1)
        total = np.nansum(apart * apart, axis=1)
        squares[pairs] = np.where(known > 0, total * n_features / np.maximum(known, 1), np.nan)
    return np.sqrt(squares[~np.isnan(squares)])
