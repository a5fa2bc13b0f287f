"""The training of a map that begins where an earlier one ended."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ximstudio.model.arrays import Floats
from ximstudio.model.matrix import Matrix
from ximstudio.model.method_params import MethodParams
from ximstudio.model.parent import Parent
from ximstudio.model.result import Result, Resume
from ximstudio.train import Checkpoint, Method, checkpoints, train


@dataclass(frozen=True, kw_only=True, eq=False)
class Descendant:
    """Arguments for training a derived map.

    Parameters
    ----------
    matrix
        The data to train on.
    method, params
        Method and parameters.
    start
        The initial prototypes, in data units; None for a method without prototypes.
    parent
        The earlier map.
    """

    matrix: Matrix
    method: Method
    params: MethodParams
    start: Floats | None
    parent: Parent

    def checkpoints(
        self, *, seed: int = 0, resume: Resume | None = None, chunk: int | None = None
    ) -> Iterator[Checkpoint]:
        """Train step by step, like `ximstudio.train.checkpoints`."""
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
