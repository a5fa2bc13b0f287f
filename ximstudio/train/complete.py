"""Convert trained prototypes or positions to a Result."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ximstudio.model.arrays import Floats, Floats32, Ints, frozen
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
    return job.result(
        model,
        placed.positions,
        winners=placed.winners,
        history=history,
        n_steps=n_steps,
        resume=resume,
    )


def item_result(
    job: TrainingJob, positions: Floats, *, resume: Resume, history: TrainingHistory, n_steps: int
) -> Result:
    """Build the Result of a training that has moved the items to `positions` (N, 2)."""
    places = frozen(np.array(positions, dtype=np.float64, order="C"))
    model = ItemMap(items=job.matrix, positions=places)
    return job.result(model, places, history=history, n_steps=n_steps, resume=resume)


def history_of(step: Ints, **known: Floats) -> TrainingHistory:
    """Build the history of a training after these steps; values that are left out are NaN."""
    others = [each.name for each in fields(TrainingHistory) if each.name not in ("step", "stalled")]
    nothing = dict.fromkeys(others, np.full(len(step), np.nan))
    return TrainingHistory(step=step, **{**nothing, **known})


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


def taken_up(
    job: TrainingJob, tallies: tuple[int, int], **shapes: tuple[int, ...]
) -> tuple[int, Floats]:
    """Return the step after which training goes on, and the running sums so far, of this shape.

    `shapes` are those of other arrays of `Resume`, which are refused if they have another one.
    """
    if job.resume is None:
        return 0, np.zeros(tallies)
    found = ((getattr(job.resume, name), shape) for name, shape in shapes.items())
    refuse_other_shapes((job.resume.tallies, tallies), *found)
    return job.resume.step, job.resume.tallies.copy()


def refuse_divergence(prototypes: Floats32, *, where: str, way_out: str) -> None:
    """Refuse to go on with prototypes that are no numbers any more."""
    if not np.isfinite(prototypes).all():
        raise UserError(
            key="train.diverged",
            what="Training diverged: prototypes moved beyond all bounds.",
            where=where,
            way_out=way_out,
        )


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
