"""c-XIM: the Exploratory Inspection Machine with a Cauchy kernel in the map (TR 16)."""

from __future__ import annotations

from collections.abc import Iterator

from ximstudio.model.citations import REPORT
from ximstudio.train.method import Checkpoint, Introduction, Method, TrainingJob
from ximstudio.train.wording.xim import XIM_CLAUSES
from ximstudio.train.xim_family import XimParams, train_xim, xim_problems

MAP_KERNEL = "cauchy"


def train(job: TrainingJob) -> Iterator[Checkpoint]:
    """Yield the checkpoints of c-XIM: h = (1 + d/σ²)^(−1)."""
    return train_xim(job, map_kernel=MAP_KERNEL)


METHOD = Method(
    key="c-xim",
    name="c-XIM",
    summary="Clear groups and a faithful overall picture: the best first choice.",
    equations="TR 12, 16, 24",
    introduction=Introduction(
        what="the Exploratory Inspection Machine with a Cauchy kernel in the map: a"
        " self-organizing map whose prototypes are repelled by items that lie near them in the"
        " data",
        works=(REPORT,),
        equations=(12, 16, 24),
    ),
    params=XimParams,
    clauses=XIM_CLAUSES,
    map_kernel=MAP_KERNEL,
    train=train,
    problems=xim_problems,
)
