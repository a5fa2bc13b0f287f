"""Matrix + parameters → checkpoints → Result. `METHODS` lists every method there is."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

import numpy as np

from ximstudio.model.arrays import Floats
from ximstudio.model.matrix import Matrix
from ximstudio.model.params import Params, known
from ximstudio.model.problem import Problem, UserError, refuse
from ximstudio.model.result import Result, Resume
from ximstudio.train import c_xim, pca, som, t_xim, xim
from ximstudio.train.anchors import anchor_problems
from ximstudio.train.checks import (
    data_problems,
    memory_problems,
    outlier_problems,
    placing_problems,
)
from ximstudio.train.complete import refuse_other_origin
from ximstudio.train.method import Checkpoint, Job, Method

METHODS: tuple[Method, ...] = (
    c_xim.METHOD,
    t_xim.METHOD,
    xim.METHOD,
    som.METHOD,
    pca.METHOD,
)


def method_named(key: str) -> Method:
    """The method with this key; unknown ones are refused with a proposal."""
    by_key = {method.key: method for method in METHODS}
    known("method", key, by_key)
    return by_key[key]


def problems(matrix: Matrix, method: Method, params: Params) -> list[Problem]:
    """All that is wrong or risky about training `method` on `matrix`, before it begins."""
    found = [*data_problems(matrix), *memory_problems(matrix, params)]
    return found or [
        *outlier_problems(matrix),
        *placing_problems(matrix, params),
        *anchor_problems(matrix, params),
        *method.problems(matrix, params),
    ]


def checkpoints(
    matrix: Matrix,
    method: Method,
    params: Params | None = None,
    *,
    seed: int = 0,
    start: Floats | None = None,
    resume: Resume | None = None,
    chunk: int | None = None,
) -> Iterator[Checkpoint]:
    """Train step by step: about 60 checkpoints a second, each complete in itself.

    Stopping is taking no more of them. Same seed, same bits, whatever the chunks.
    """
    params = method.params() if params is None else params
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise UserError(
            key="train.seed",
            what=f"The seed cannot be {seed!r}.",
            where="seed",
            way_out="Give a whole number from 0.",
        )
    if chunk is not None and chunk < 1:
        raise UserError(
            key="train.chunk",
            what=f"There cannot be {chunk} steps between two checkpoints.",
            where="chunk",
            way_out="Give a whole number from 1, or None to follow the clock.",
        )
    refuse(problems(matrix, method, params))
    job = Job(
        matrix=matrix,
        method=method.key,
        params=params,
        seed=int(seed),
        start=start,
        resume=resume,
        chunk=chunk,
    )
    refuse_other_origin(job)
    yield from method.train(job)


def train(
    matrix: Matrix,
    method: Method,
    params: Params | None = None,
    *,
    seed: int = 0,
    start: Floats | None = None,
    resume: Resume | None = None,
) -> Result:
    """Train to the end."""
    steps = checkpoints(matrix, method, params, seed=seed, start=start, resume=resume)
    (last,) = deque(steps, maxlen=1)
    return last.result()


__all__ = [
    "METHODS",
    "Checkpoint",
    "Job",
    "Method",
    "checkpoints",
    "method_named",
    "problems",
    "train",
]
