"""SOM: Kohonen's self-organizing map, online (TR 2–4), after Heskes (TR 6) or in batches."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ximstudio.model.spec import Choice, param
from ximstudio.train.anchors import AnchorParams
from ximstudio.train.batch import train_batch
from ximstudio.train.batch_params import BatchParams
from ximstudio.train.method import Checkpoint, Introduction, Method, TrainingJob
from ximstudio.train.online import Learning, train_online
from ximstudio.train.params import AUTOMATIC_WIDTH, annealed
from ximstudio.train.wording.maps import (
    anchor_clauses,
    metric_clauses,
    placing_clauses,
    start_clauses,
    structure_clauses,
)
from ximstudio.train.wording.training import annealing_clauses, course_clauses, match_clauses

KOHONEN = "T. Kohonen, Self-Organizing Maps, 3rd edition, Springer, Berlin (2001)."

MAP_KERNEL = "gaussian"


@dataclass(frozen=True, kw_only=True)
class SomParams(AnchorParams, BatchParams):
    """Parameters of the self-organizing map."""

    width: tuple[float | None, float] = param(
        (None, 1.5),
        annealed(
            label="Map width",
            symbol="σ",
            help="Width of the neighbourhood that moves with the winner, at start and end."
            " Without repulsion, an end below 1 only wrinkles the map.",
            unit="grid units",
            equation="TR 14, TR 25",
            high=1e4,
            start_automatic=AUTOMATIC_WIDTH,
        ),
    )
    best_match: str = param(
        "distance",
        Choice(
            label="Best match",
            symbol="r*",
            help="Rule that chooses the winning node of an item.",
            equation="TR 2, TR 6",
            advanced=True,
            options={
                "distance": "the nearest prototype",
                "heskes": "the least sum of distances around the node; draws items to the border"
                " of a map unless its edges are joined",
            },
        ),
    )


def train(job: TrainingJob) -> Iterator[Checkpoint]:
    """Yield the checkpoints of a SOM: Gaussian kernel, no repulsion."""
    engine = train_batch if job.params.in_epochs else train_online
    return engine(job, lambda space: Learning(map_kernel=MAP_KERNEL))  # noqa: ARG005


METHOD = Method(
    key="som",
    name="SOM",
    summary="The classic self-organizing map: a smooth sheet through the data.",
    equations="TR 2, 3, 4, 6",
    introduction=Introduction(
        what="Kohonen's self-organizing map with a Gaussian neighbourhood", works=(KOHONEN,)
    ),
    params=SomParams,
    clauses=(
        metric_clauses,
        structure_clauses,
        start_clauses,
        anchor_clauses,
        course_clauses,
        match_clauses,
        annealing_clauses,
        placing_clauses,
    ),
    map_kernel=MAP_KERNEL,
    train=train,
)
