"""Prototypes prepared for distances to items: centred, scaled and laid out for products."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ximstudio.kernels.nearest import BLOCK
from ximstudio.kernels.parallel import over_blocks
from ximstudio.model.arrays import Floats, Floats32
from ximstudio.model.result import PrototypeMap

ITEMS_AT_ONCE = 256
SHARE = 32 * ITEMS_AT_ONCE
"""Number of items that one core takes at a time."""
FARTHEST = 1e6
"""Distance, in units of the map's size, beyond which items are placed as if they lay there."""
BEYOND = 1e300
SAMPLE = 64
"""Number of prototypes whose median is the centre: any centre will do."""
NEVER = np.float32(1e30)
"""Score of padded nodes: too large to be among the nearest."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ScoredBlock:
    """A block of items: scores order the prototypes of each item like distances."""

    begin: int
    end: int
    items: Floats32
    observed: Floats32
    scores: Floats32


@dataclass(frozen=True, kw_only=True, eq=False)
class ScaledPrototypes:
    """Prototypes around 0 and of size 1, so that float32 keeps its precision."""

    prototypes: Floats32
    centre: Floats
    unit: float

    @classmethod
    def of(cls, model: PrototypeMap) -> ScaledPrototypes:
        # Not the mean: one prototype far off would move all others away from 0. Of a sample: the
        # median of all takes longer than placing the items.
        some = model.prototypes[:: max(1, len(model.prototypes) // SAMPLE)]
        centre = np.median(some, axis=0)
        moved = model.prototypes - centre
        size = float(np.sqrt((moved**2).sum(axis=1).mean()))
        unit = float(2.0 ** np.round(np.log2(size))) if size > 0 else 1.0
        return cls(
            prototypes=np.ascontiguousarray(moved / unit, dtype=np.float32),
            centre=centre,
            unit=unit,
        )

    def _near(self, values: Floats) -> Floats:
        """Return items in the prototypes' units; those too far away are moved closer."""
        with np.errstate(over="ignore"):
            moved = values - self.centre
            moved *= 1.0 / self.unit
        # fmax skips blanks, and most blocks hold nothing that far away.
        if np.fmax.reduce(np.abs(moved), axis=None, initial=0.0) > FARTHEST:
            np.clip(moved, -BEYOND, BEYOND, out=moved)
            largest = np.fmax.reduce(np.abs(moved), axis=1)
            moved *= np.minimum(1.0, FARTHEST / np.maximum(largest, FARTHEST))[:, None]
        return np.asarray(moved)

    def over(self, values: Floats, work: Callable[[ScoredBlock], None]) -> None:
        """Call `work` on the items of `values` block by block, on all cores.

        Scores are |w|² − 2 x·w, for blanks on the observed features only: distances up to a
        constant per item, from one float32 matrix product.
        """
        n_nodes, n_features = self.prototypes.shape
        padded = -(-n_nodes // BLOCK) * BLOCK
        blanks = np.isnan(values)
        masked = bool(blanks.any())
        w = self.prototypes.T
        right = np.zeros((2 * n_features if masked else n_features + 1, padded), dtype=np.float32)
        right[:n_features, :n_nodes] = -2.0 * w
        if masked:
            right[n_features:, :n_nodes] = w * w
        else:
            right[n_features, :n_nodes] = (w * w).sum(axis=0)

        def measure(begin: int, end: int) -> None:
            # Memory for one block, reused for all of a share: fresh pages cost more than sums.
            left = np.ones((ITEMS_AT_ONCE, right.shape[0]), dtype=np.float32)
            scores = np.empty((ITEMS_AT_ONCE, padded), dtype=np.float32)
            items = np.empty((ITEMS_AT_ONCE, n_features), dtype=np.float32)
            observed = np.empty((ITEMS_AT_ONCE if masked else 0, n_features), dtype=np.float32)
            for start in range(begin, end, ITEMS_AT_ONCE):
                stop = min(start + ITEMS_AT_ONCE, end)
                n = stop - start
                items[:n] = self._near(values[start:stop])
                if masked:
                    items[:n][blanks[start:stop]] = 0.0
                    observed[:n] = ~blanks[start:stop]
                    left[:n, n_features:] = observed[:n]
                left[:n, :n_features] = items[:n]
                np.matmul(left[:n], right, out=scores[:n])
                scores[:n, n_nodes:] = NEVER
                work(
                    ScoredBlock(
                        begin=start,
                        end=stop,
                        items=items[:n],
                        observed=observed[:n],
                        scores=scores[:n],
                    )
                )

        over_blocks(len(values), SHARE, measure)
