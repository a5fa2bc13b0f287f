"""XIM: the Exploratory Inspection Machine with a Gaussian kernel in the map (TR 14)."""

from __future__ import annotations

from collections.abc import Iterator

from ximstudio.model.citations import REPORT
from ximstudio.train.method import Checkpoint, Introduction, Method, TrainingJob
from ximstudio.train.wording.xim import XIM_CLAUSES
from ximstudio.train.xim_family import XimParams, train_xim, xim_problems

MAP_KERNEL = "gaussian"


def train(job: TrainingJob) -> Iterator[Checkpoint]:
    """Yield the checkpoints of XIM: h = exp(−d/2σ²)."""
    return train_xim(job, map_kernel=MAP_KERNEL)


METHOD = Method(
    key="xim",
    name="XIM",
    summary="The report's original: a self-organizing map with repulsion.",
    equations="TR 12, 14, 24",
    introduction=Introduction(
        what="the Exploratory Inspection Machine with a Gaussian kernel in the map: a"
        " self-organizing map whose prototypes are repelled by items that lie near them in the"
        " data",
        works=(REPORT,),
        equations=(12, 14, 24),
    ),
    params=XimParams,
    clauses=XIM_CLAUSES,
    map_kernel=MAP_KERNEL,
    train=train,
    problems=xim_problems,
)
