"""Train maps: matrix + parameters → checkpoints → Result. `METHODS` lists all methods."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ximstudio.model.arrays import Floats
from ximstudio.model.dissimilarities import Dissimilarities
from ximstudio.model.matrix import Matrix
from ximstudio.model.metric import CENTRED, in_metric, metric_of
from ximstudio.model.params import Params
from ximstudio.model.parent import Parent
from ximstudio.model.problem import Problem, UserError, refuse
from ximstudio.model.registry import Registry, named
from ximstudio.model.result import Result, Resume
from ximstudio.train.anchors import anchor_problems
from ximstudio.train.checks import (
    data_problems,
    memory_problems,
    outlier_problems,
    package_problems,
    placing_problems,
    structure_problems,
    table_problems,
)
from ximstudio.train.complete import refuse_other_origin
from ximstudio.train.method import Checkpoint, Method, TrainingJob

METHODS: Sequence[Method] = Registry(
    __name__,
    {
        "c-xim": "xim:C_XIM",
        "t-xim": "xim:T_XIM",
        "xim": "xim:XIM",
        "som": "som:METHOD",
        "xom": "xom:XOM",
        "ne-xom": "xom:NE_XOM",
        "t-ne-xom": "xom:T_NE_XOM",
        "t-sne": "sne:T_SNE",
        "sne": "sne:SNE",
        "umap": "umap:METHOD",
        "pca": "pca:METHOD",
    },
)


def method_named(key: str) -> Method:
    """Return the method with this key; refuse an unknown one with a proposal."""
    return named("method", key, METHODS)


def problems(matrix: Matrix, method: Method, params: Params) -> list[Problem]:
    """List everything that is wrong or risky about training `method` on `matrix`."""
    try:
        params = params.sized(matrix.n_items)
    except UserError as error:
        return list(error.problems)
    found = [*package_problems(method), *data_problems(matrix), *structure_problems(params)]
    found = found or list(memory_problems(matrix, params))
    if found:
        return found
    try:
        seen = in_metric(matrix, params)
    except UserError as error:
        return list(error.problems)
    changed = metric_of(params) in CENTRED
    return [*(data_problems(seen) if changed else ())] or [
        *outlier_problems(seen),
        *placing_problems(seen, params),
        *table_problems(params),
        *anchor_problems(seen, params),
        *method.problems(seen, params),
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
    last: int | None = None,
    parent: Parent | None = None,
) -> Iterator[Checkpoint]:
    """Train step by step: about 60 checkpoints a second, each complete in itself.

    To stop, take no more of them; `last` is the step to stop after, to repeat a stopped training.
    The same seed gives the same bits, whatever the chunks. `parent` is recorded as the map that
    this one descends from; what it inherits is in `start`.
    """
    params = (method.params() if params is None else params).sized(matrix.n_items)
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise UserError(
            key="train.seed",
            what=f"The seed cannot be {seed!r}.",
            where="seed",
            way_out="Use a whole number from 0.",
        )
    if chunk is not None and chunk < 1:
        raise UserError(
            key="train.chunk",
            what=f"There cannot be {chunk} steps between two checkpoints.",
            where="chunk",
            way_out="Use a whole number from 1, or None to follow the clock.",
        )
    begun = 0 if resume is None else resume.step
    if last is not None and last <= begun:
        raise UserError(
            key="train.last",
            what=f"Training cannot end after step {last}: it begins after step {begun}.",
            where="last",
            way_out="Use a later step, or None to train to the end.",
        )
    refuse(problems(matrix, method, params))
    seen = in_metric(matrix, params)
    job = TrainingJob(
        matrix=seen,
        method=method.key,
        params=params,
        seed=int(seed),
        start=start,
        resume=resume,
        chunk=chunk,
        last=last,
    )
    refuse_other_origin(job)
    if isinstance(seen, Dissimilarities):
        from ximstudio.train.relational import train_relational

        steps = train_relational(job, method)
    else:
        steps = method.train(job)
    changes: dict[str, Any] = {} if parent is None else {"parent": parent}
    if seen is not matrix:
        # Results refer to the data as given, not as the metric sees them.
        changes["data_fingerprint"] = matrix.fingerprint
    for checkpoint in steps:
        yield checkpoint.of(**changes) if changes else checkpoint
        if last is not None and checkpoint.step >= last:
            return


def train(
    matrix: Matrix,
    method: Method,
    params: Params | None = None,
    *,
    seed: int = 0,
    start: Floats | None = None,
    resume: Resume | None = None,
    parent: Parent | None = None,
) -> Result:
    """Train to the end."""
    steps = checkpoints(
        matrix, method, params, seed=seed, start=start, resume=resume, parent=parent
    )
    (last,) = deque(steps, maxlen=1)
    return last.result()


__all__ = [
    "METHODS",
    "Checkpoint",
    "Method",
    "TrainingJob",
    "checkpoints",
    "method_named",
    "problems",
    "train",
]
