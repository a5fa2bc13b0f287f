"""c-XIM: the Exploratory Inspection Machine with a Cauchy kernel in the map (TR 16)."""

from __future__ import annotations

from collections.abc import Iterator

from ximstudio.train.method import Checkpoint, Method, TrainingJob
from ximstudio.train.xim_checks import xim_problems
from ximstudio.train.xim_family import XimParams, train_xim

MAP_KERNEL = "cauchy"


def train(job: TrainingJob) -> Iterator[Checkpoint]:
    """Yield the checkpoints of c-XIM: h = (1 + d/σ²)^(−1)."""
    return train_xim(job, map_kernel=MAP_KERNEL)


METHOD = Method(
    key="c-xim",
    name="c-XIM",
    summary="Clear groups and a faithful overall picture: the best first choice.",
    equations="TR 12, 16, 24",
    params=XimParams,
    map_kernel=MAP_KERNEL,
    train=train,
    problems=xim_problems,
)
