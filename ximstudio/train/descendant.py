"""A training that begins where an earlier map ended, ready to be done."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ximstudio.model.arrays import Floats
from ximstudio.model.matrix import Matrix
from ximstudio.model.params import Params
from ximstudio.model.parent import Parent
from ximstudio.model.result import Result, Resume
from ximstudio.train import Checkpoint, Method, checkpoints, train


@dataclass(frozen=True, kw_only=True, eq=False)
class Descendant:
    """What it takes to train a map that descends from another.

    Parameters
    ----------
    matrix
        What is trained on.
    method, params
        How.
    start
        The prototypes to begin with, in data units; None for a method without prototypes.
    parent
        The earlier map.
    """

    matrix: Matrix
    method: Method
    params: Params
    start: Floats | None
    parent: Parent

    def checkpoints(
        self, *, seed: int = 0, resume: Resume | None = None, chunk: int | None = None
    ) -> Iterator[Checkpoint]:
        """Train step by step; as `ximstudio.train.checkpoints`."""
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
        return train(
            self.matrix,
            self.method,
            self.params,
            seed=seed,
            start=self.start,
            parent=self.parent,
        )
