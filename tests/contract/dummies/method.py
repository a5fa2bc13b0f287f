"""A method, added to its registry before anything else is imported."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ximstudio import train
from ximstudio.model.arrays import frozen
from ximstudio.model.clauses import Clause, MapContext, printed
from ximstudio.model.result import ItemMap, Result, TrainingHistory
from ximstudio.model.spec import Number, param
from ximstudio.place.params import ItemPlacingParams
from ximstudio.train.method import Checkpoint, Introduction, Method, TrainingJob
from ximstudio.train.start import plane_positions
from ximstudio.train.wording.maps import metric_clauses, projection_clauses

WORK = "N. Nobody, On parishes (2026)."


@dataclass(frozen=True, kw_only=True)
class ParishParams(ItemPlacingParams):
    """Parameters of a plane that is turned."""

    turn: float = param(
        30.0,
        Number(
            label="Turn of the parish",
            symbol="θ",
            help="Angle by which the plane is turned, counterclockwise.",
            unit="degrees",
            low=-180.0,
            high=180.0,
        ),
    )


def _train(job: TrainingJob) -> Iterator[Checkpoint]:
    angle = np.deg2rad(job.params.turn)
    turned = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    positions = frozen(plane_positions(job.matrix) @ turned)
    result = Result(
        method=job.method,
        params=job.params,
        seed=job.seed,
        data_fingerprint=job.matrix.fingerprint,
        item_ids=job.matrix.item_ids,
        feature_names=job.matrix.feature_names,
        model=ItemMap(items=job.matrix, positions=positions),
        winners=None,
        positions=positions,
        history=TrainingHistory.empty(),
        step=1,
        n_steps=1,
    )
    yield Checkpoint(step=1, n_steps=1, result=lambda: result)


def _turn_clauses(context: MapContext) -> Iterator[Clause]:
    yield Clause(
        text=f"The parish was turned by {printed(context.params.turn)} degrees.", names=("turn",)
    )


DUMMY = Method(
    key="dummy",
    name="Parish",
    summary="A plane that is turned, for a test.",
    equations="Nobody 2026",
    introduction=Introduction(what="a plane of parishes", works=(WORK,)),
    params=ParishParams,
    clauses=(metric_clauses, _turn_clauses, projection_clauses),
    train=_train,
)

train.METHODS = (*train.METHODS, DUMMY)
