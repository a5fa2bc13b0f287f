"""The training space: items are shifted, scaled and, where it pays, rotated before training.

Squared Euclidean distances do not change when all items are rotated or shifted, and scaling changes
all of them alike, so the map is the same; but float32 keeps its precision around 0 and 1, and N
items in D ≫ N dimensions span only N of them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ximstudio.kernels.parallel import one_thread, over_blocks
from ximstudio.model.arrays import Floats
from ximstudio.model.matrix import Matrix

ROWS_AT_ONCE = 128
FASTER_PRODUCTS = 8.0
"""Speed of a matrix product relative to a training step, in operations per second."""


@dataclass(frozen=True, kw_only=True, eq=False)
class TrainingSpace:
    """Items in training coordinates, with the conversion in both directions.

    data = centre + unit · (coordinates · axes), plus the part of a prototype outside the span of
    the items. That part changes during training by the same factor in every direction, so its
    length is one more coordinate, in which all items are 0.

    Parameters
    ----------
    items
        Coordinates, shape (N, D'); 0 where missing.
    observed
        1 where known and 0 where missing, or None if nothing is missing.
    centre
        Middle of the items, shape (D,).
    unit
        Length of one training unit in data units, a power of two so that scaling is exact.
    axes
        Orthonormal directions, shape (D' − 1, D), or None if the space was not rotated.
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
        """Convert prototypes of the data space (M, D) to training coordinates."""
        moved = prototypes - self.centre
        moved /= self.unit
        if self.axes is None:
            return Entered(space=self, coordinates=moved, outside=None)
        inside = product(moved, self.axes.T)
        squares = np.einsum("jf,jf->j", moved, moved)
        beyond = squares - np.einsum("jf,jf->j", inside, inside)
        # Rounding errors of prototypes inside the span are not a direction.
        if (beyond <= 1e-11 * (1.0 + squares)).all():
            return Entered(
                space=self,
                coordinates=np.column_stack([inside, np.zeros(len(inside))]),
                outside=None,
            )
        outside = moved - product(inside, self.axes)
        length = np.linalg.norm(outside, axis=1)
        outside /= np.where(length > 0, length, 1.0)[:, None]
        return Entered(space=self, coordinates=np.column_stack([inside, length]), outside=outside)


@dataclass(frozen=True, kw_only=True, eq=False)
class Entered:
    """Prototypes in training coordinates (M, D'), with the conversion back to the data."""

    space: TrainingSpace
    coordinates: Floats
    outside: Floats | None

    def leave(self, coordinates: Floats) -> Floats:
        """Convert trained coordinates (M, D') to prototypes of the data space (M, D)."""
        space = self.space
        if space.axes is None:
            return np.asarray(coordinates * space.unit + space.centre)
        prototypes = product(coordinates[:, :-1], space.axes)
        if self.outside is not None:
            prototypes += coordinates[:, -1:] * self.outside
        prototypes *= space.unit
        prototypes += space.centre
        return prototypes


def training_space(matrix: Matrix, *, steps: float, turn: bool | None = None) -> TrainingSpace:
    """Build the training space of a matrix; `steps` is the number of prototype moves in training.

    `turn` forces or forbids rotation; by default it is done when it saves work. With missing values
    the space is never rotated: one missing direction would make all of them missing.
    """
    values = matrix.values
    unit = unit_of(matrix)
    # Not the mean: one distant value would move all others away from 0.
    centre = matrix.middle
    items = (values - centre) / unit
    observed = None
    axes = None
    if turn is None:
        turn = worth_turning(matrix.n_items, matrix.n_features, steps)
    if matrix.n_missing:
        items[matrix.missing] = 0.0
        observed = np.where(matrix.missing, 0.0, 1.0)
    elif turn:
        coordinates, axes = turned(items)
        items = np.column_stack([coordinates, np.zeros(matrix.n_items)])
    return TrainingSpace(
        items=items,
        observed=observed,
        centre=centre,
        unit=unit,
        axes=axes,
        median=matrix.median_distance / unit,
    )


def typical_distance(matrix: Matrix) -> float:
    """Median distance between items; if that is 0, the root mean square.

    If most items are equal, their median distance is 0, but their size is not.
    """
    return matrix.median_distance or float(np.sqrt((matrix.pair_distances**2).mean()))


def unit_of(matrix: Matrix) -> float:
    """Length of one training unit: a power of two near the typical distance of the items."""
    size = typical_distance(matrix)
    return float(2.0 ** np.round(np.log2(size))) if size > 0.0 else 1.0


def product(left: Floats, right: Floats) -> Floats:
    """left · right by blocks of rows on all cores; bits do not depend on their number."""
    out = np.empty((left.shape[0], right.shape[1]))

    def multiply(begin: int, end: int) -> None:
        np.matmul(left[begin:end], right, out=out[begin:end])

    over_blocks(len(left), ROWS_AT_ONCE, multiply)
    return out


def worth_turning(n_items: int, n_features: int, steps: float) -> bool:
    """Return whether finding the span of the items costs less than it saves."""
    if n_features <= n_items + 1:
        return False
    saved = steps * (n_features - n_items)
    spent = 3.0 * n_items**2 * n_features
    return saved * FASTER_PRODUCTS > spent


def turned(moved: Floats) -> tuple[Floats, Floats]:
    """Coordinates (N, N) and orthonormal axes (N, D) with coordinates · axes = moved."""
    # By reflections, which keep the digits of every item: products of items would lose all that is
    # 1e-8 # times smaller than the largest.
    with one_thread():
        axes = np.linalg.qr(moved.T)[0].T
        return np.asarray(moved @ axes.T), np.asarray(axes)
