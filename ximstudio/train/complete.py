"""Convert trained prototypes or positions to a Result."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ximstudio.model.arrays import Floats, frozen
from ximstudio.model.problem import UserError
from ximstudio.model.result import ItemMap, PrototypeMap, Result, Resume, TrainingHistory
from ximstudio.place.items import place_in_metric
from ximstudio.train.anchors import pinned
from ximstudio.train.method import TrainingJob
from ximstudio.train.space import Entered


def complete(
    job: TrainingJob, *, entered: Entered, resume: Resume, history: TrainingHistory, n_steps: int
) -> Result:
    """Build the Result at `resume`: prototypes back in the data space, with items placed."""
    coordinates: Floats = resume.prototypes.T.astype(np.float64)
    # Pinned prototypes equal their items to the last bit; training held them in single precision.
    prototypes = pinned(job.matrix, job.params).put(entered.leave(coordinates))
    model = PrototypeMap(grid=job.params.grid, prototypes=frozen(prototypes))
    placed = place_in_metric(model, job.matrix.values, job.params)
    assert placed.winners is not None
    return Result(
        method=job.method,
        params=job.params,
        seed=job.seed,
        data_fingerprint=job.matrix.fingerprint,
        item_ids=job.matrix.item_ids,
        feature_names=job.matrix.feature_names,
        model=model,
        winners=frozen(placed.winners),
        positions=frozen(placed.positions),
        history=history,
        step=resume.step,
        n_steps=n_steps,
        resume=resume,
    )


def item_result(
    job: TrainingJob, positions: Floats, *, resume: Resume, history: TrainingHistory, n_steps: int
) -> Result:
    """Build the Result of a training that has moved the items to `positions` (N, 2)."""
    places = frozen(np.array(positions, dtype=np.float64, order="C"))
    return Result(
        method=job.method,
        params=job.params,
        seed=job.seed,
        data_fingerprint=job.matrix.fingerprint,
        item_ids=job.matrix.item_ids,
        feature_names=job.matrix.feature_names,
        model=ItemMap(items=job.matrix, positions=places),
        winners=None,
        positions=places,
        history=history,
        step=resume.step,
        n_steps=n_steps,
        resume=resume,
    )


def refuse_other_origin(job: TrainingJob) -> None:
    """Refuse to resume with other data, another method, other parameters or another seed."""
    if job.resume is not None and job.resume.origin != job.origin:
        raise _other_origin("method, parameters, seed or data")


def refuse_other_shapes(*found: tuple[NDArray[Any], tuple[int, ...]]) -> None:
    """Refuse to resume from arrays of unexpected shapes, which kernels do not check.

    They may come from a manipulated file.
    """
    if any(array.shape != shape for array, shape in found):
        raise _other_origin("the state in which it was stopped")


def _other_origin(where: str) -> UserError:
    return UserError(
        key="train.resume",
        what="A training can only be resumed with its original settings and data.",
        where=where,
        way_out="Start a new training, for instance with the trained prototypes as the start.",
    )


def mean_or_nan(totals: Floats, counts: Floats) -> Floats:
    """totals / counts, NaN where the count is 0."""
    return np.asarray(np.divide(totals, counts, out=np.full(len(totals), np.nan), where=counts > 0))
