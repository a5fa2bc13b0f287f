"""Convert positions of the items to a Result, for methods without prototypes."""

from __future__ import annotations

import numpy as np

from ximstudio.model.arrays import Floats, frozen
from ximstudio.model.matrix import Matrix
from ximstudio.model.result import ItemMap, Result, Resume, TrainingHistory
from ximstudio.model.spec import Choice
from ximstudio.train.components import principal_components
from ximstudio.train.method import TrainingJob

ROUNDS = 10
"""Rounds of filling missing values from the plane: a start need not be exact."""


def start_choice(*, random: str) -> Choice:
    """Declare the start of the items; `random` describes a random start."""
    return Choice(
        label="Start",
        help="Positions of the items in the map before the first step.",
        advanced=True,
        options={
            "pca": "on the plane of largest variance, which keeps the overall structure",
            "random": random,
        },
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


def plane_positions(matrix: Matrix) -> Floats:
    """Items on the plane of largest variance, scaled to deviation 1 along its first direction."""
    components = principal_components(matrix, 2, rounds=ROUNDS)
    return np.asarray(components.positions / (components.deviations[0] or 1.0))
