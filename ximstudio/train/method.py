"""What a method is: a name, its parameters, and a generator of checkpoints."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from ximstudio.model.arrays import Floats, digest
from ximstudio.model.matrix import Matrix
from ximstudio.model.params import Params
from ximstudio.model.parent import Parent
from ximstudio.model.problem import Problem
from ximstudio.model.result import Result, Resume


@dataclass(frozen=True, kw_only=True, eq=False)
class Job:
    """One training to be done.

    `chunk` fixes the number of steps between checkpoints; by default they follow the clock, about
    60 a second. It never changes the result. There is a checkpoint after the step `last`, too: the
    one that training ends with, if it is to end before its time.
    """

    matrix: Matrix
    method: str
    params: Any
    seed: int = 0
    start: Floats | None = None
    resume: Resume | None = None
    chunk: int | None = None
    last: int | None = None

    def is_looked_at(self, epoch: int) -> bool:
        """Whether a training in epochs has a checkpoint after so many of them."""
        return self.chunk is None or epoch % self.chunk == 0 or epoch == self.last

    @cached_property
    def origin(self) -> str:
        """Digest of all that the result depends on, but for a given start."""
        settings = json.dumps(self.params.as_values(), sort_keys=True)
        return digest(self.method, settings, str(self.seed), self.matrix.fingerprint)


@dataclass(frozen=True, kw_only=True, eq=False)
class Checkpoint:
    """Training as it stands: `result()` completes it, now or after training has gone on."""

    step: int
    n_steps: int
    result: Callable[[], Result]

    @property
    def fraction(self) -> float:
        return self.step / self.n_steps

    def of(self, parent: Parent) -> Checkpoint:
        """The same checkpoint of a map that descends from another."""
        return replace(self, result=lambda: replace(self.result(), parent=parent))


def nothing_to_say(matrix: Matrix, params: Any) -> Iterable[Problem]:  # noqa: ARG001
    """No problems beyond those every method has."""
    return ()


@dataclass(frozen=True, kw_only=True)
class Package:
    """A package that is not part of every installation.

    Its module, the name of what is installed, and what pip is asked for.
    """

    module: str
    distribution: str
    requirement: str


@dataclass(frozen=True, kw_only=True, eq=False)
class Method:
    """One way of making a map.

    Parameters
    ----------
    key, name
        For the command line, and for people.
    summary
        One sentence about what it is good for.
    equations
        The report's equations that define it.
    params
        Its declared parameters.
    map_kernel
        Its kernel in the map, one of train.online's MAP_KERNELS; None where there are no nodes.
    package
        What it needs that may not be installed; None if nothing.
    train
        Yields checkpoints; the last one has step == n_steps.
    problems
        What is wrong or risky about these parameters on these data, before training.
    """

    key: str
    name: str
    summary: str
    equations: str
    params: type[Params]
    map_kernel: str | None = None
    package: Package | None = None
    train: Callable[[Job], Iterator[Checkpoint]]
    problems: Callable[[Matrix, Any], Iterable[Problem]] = nothing_to_say
