"""Declaration of a method: a name, its parameters, and a generator of checkpoints."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from ximstudio.model.arrays import Floats, Ints, digest, frozen
from ximstudio.model.clauses import ClauseFunction
from ximstudio.model.matrix import Matrix
from ximstudio.model.method_params import MethodParams
from ximstudio.model.problem import Problem
from ximstudio.model.result import Model, Result, Resume, TrainingHistory


@dataclass(frozen=True, kw_only=True, eq=False)
class TrainingJob:
    """One training.

    `chunk` fixes the number of steps between checkpoints; by default they follow the clock, about
    60 a second. It never changes the result. The step `last` has a checkpoint, too: training ends
    there if it is to end early.
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
        """Return whether a training in epochs has a checkpoint after this many of them."""
        return self.chunk is None or epoch % self.chunk == 0 or epoch == self.last

    @cached_property
    def origin(self) -> str:
        """Digest of all that the result depends on, except a given start."""
        settings = json.dumps(self.params.as_values(), sort_keys=True)
        return digest(self.method, settings, str(self.seed), self.matrix.fingerprint)

    def checkpoint(
        self, result: Callable[[Resume], Result], *, step: int, n_steps: int, **state: Any
    ) -> Checkpoint:
        """Return a checkpoint with this state, by the names of `Resume`; `result` completes it."""
        resume = Resume(step=step, origin=self.origin, **state)
        return Checkpoint(step=step, n_steps=n_steps, result=lambda: result(resume))

    def result(
        self,
        model: Model,
        positions: Floats,
        *,
        winners: Ints | None = None,
        history: TrainingHistory,
        n_steps: int,
        resume: Resume | None = None,
    ) -> Result:
        """Build the Result of this training at `resume`, or at its end if there is none."""
        return Result(
            method=self.method,
            params=self.params,
            seed=self.seed,
            data_fingerprint=self.matrix.fingerprint,
            item_ids=self.matrix.item_ids,
            feature_names=self.matrix.feature_names,
            model=model,
            winners=None if winners is None else frozen(winners),
            positions=frozen(positions),
            history=history,
            step=n_steps if resume is None else resume.step,
            n_steps=n_steps,
            resume=resume,
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class Checkpoint:
    """State of training: `result()` completes it, now or after training has continued."""

    step: int
    n_steps: int
    result: Callable[[], Result]

    @property
    def fraction(self) -> float:
        return self.step / self.n_steps

    def of(self, **changes: Any) -> Checkpoint:
        """Return the checkpoint of a result with these changes."""
        return replace(self, result=lambda: replace(self.result(), **changes))


def nothing_to_say(matrix: Matrix, params: Any) -> Iterable[Problem]:  # noqa: ARG001
    """Report no problems beyond those of every method."""
    return ()


@dataclass(frozen=True, kw_only=True)
class Package:
    """An optional package.

    Its module, its distribution, and the requirement for pip.
    """

    module: str
    distribution: str
    requirement: str


@dataclass(frozen=True, kw_only=True)
class Introduction:
    """Introduction of a method in the methods text: "c-XIM, the Exploratory … [1]".

    `works` are those that it cites, as in a list of references; `equations` are those of the
    report, if that is the only work.
    """

    what: str
    works: tuple[str, ...]
    equations: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True, eq=False)
class Method:
    """A method for training maps.

    Parameters
    ----------
    key, name
        For the command line, and for display.
    summary
        One sentence on what it is good for.
    equations
        The report's equations that define it.
    introduction
        Its introduction in the methods text; None for one made of its summary.
    params
        Its declared parameters.
    clauses
        Sentences of the methods text about them, in order. Parameters that no sentence mentions are
        described by their declarations.
    map_kernel
        Its kernel in the map, one of train.online's MAP_KERNELS; None without nodes.
    package
        Optional package that it needs; None if none.
    train
        Yields checkpoints; the last one has step == n_steps.
    problems
        Reports what is wrong or risky about these parameters on these data, before training.
    """

    key: str
    name: str
    summary: str
    equations: str
    introduction: Introduction | None = None
    params: type[MethodParams]
    clauses: tuple[ClauseFunction, ...] = ()
    map_kernel: str | None = None
    package: Package | None = None
    train: Callable[[TrainingJob], Iterator[Checkpoint]]
    problems: Callable[[Matrix, Any], Iterable[Problem]] = nothing_to_say
