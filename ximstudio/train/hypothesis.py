"""Points drawn from a structure hypothesis: the shape that items fill in the map."""

from __future__ import annotations

import numpy as np

from ximstudio.model.arrays import Floats, Floats32

BLOCK = 4096
"""Number of points drawn together."""
DEVIATION = 0.2
"""Standard deviation of the normal hypothesis, in sides of the square that the others fill."""


class Points:
    """The points of every step, in a square of side 1.

    Drawn per block, not per chunk: the length of a chunk follows the clock, and the map must not.
    """

    def __init__(self, hypothesis: str, lattice_side: int, seed: int) -> None:
        self.hypothesis = hypothesis
        self.lattice_side = lattice_side
        self.seed = seed
        self._block = -1
        self._drawn = np.empty((0, 2), dtype=np.float32)

    def of_steps(self, step: int, stop: int) -> Floats32:
        """Points of steps step … stop − 1, or fewer if the block ends before; shape (steps, 2)."""
        block, skip = divmod(step, BLOCK)
        if block != self._block:
            rng = np.random.default_rng([self.seed, block])
            self._drawn = self._draw(rng).astype(np.float32)
            self._block = block
        return self._drawn[skip : skip + stop - step]

    def _draw(self, rng: np.random.Generator) -> Floats:
        if self.hypothesis == "normal":
            return np.asarray(0.5 + DEVIATION * rng.normal(size=(BLOCK, 2)))
        if self.hypothesis == "lattice":
            nodes = rng.integers(self.lattice_side, size=(BLOCK, 2))
            return np.asarray((nodes + 0.5) / self.lattice_side)
        return np.asarray(rng.random((BLOCK, 2)))
