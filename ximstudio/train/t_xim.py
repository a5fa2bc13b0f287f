"""t-XIM: the Exploratory Inspection Machine with Student's t kernel in the map (TR 15)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ximstudio.model.citations import REPORT
from ximstudio.model.clauses import Clause, Telling, printed
from ximstudio.model.spec import Number, param
from ximstudio.train.method import Checkpoint, Introduction, Method, TrainingJob
from ximstudio.train.params import annealed
from ximstudio.train.wording.xim import XIM_CLAUSES
from ximstudio.train.xim_family import XimParams, train_xim, xim_problems

MAP_KERNEL = "t"


@dataclass(frozen=True, kw_only=True)
class TXimParams(XimParams):
    """Parameters of t-XIM: the width is the degrees of freedom, and there is a length scale."""

    width: tuple[float | None, float] = param(
        (0.5, 5.0),
        annealed(
            label="Degrees of freedom",
            symbol="σ",
            help="Tail of the kernel, at the start and at the end: small values reach"
            " across the map, large ones approach exp(−d/2).",
            equation="TR 15, TR 25",
            high=1e4,
        ),
    )
    length_scale: float = param(
        1.0,
        Number(
            label="Length scale",
            symbol="s",
            help="Widens the kernel by d → d/s²; 1 is the report's rule. On a large map with a"
            " random start, larger values help it to unfold.",
            unit="grid units",
            low=0.01,
            high=1000.0,
            advanced=True,
        ),
    )


def train(job: TrainingJob) -> Iterator[Checkpoint]:
    """Yield the checkpoints of t-XIM: h = (1 + d/σ)^(−(σ+1)/2)."""
    return train_xim(job, map_kernel=MAP_KERNEL)


def length_clauses(telling: Telling) -> Iterator[Clause]:
    """Describe the length scale of t-XIM's kernel, if it is not 1."""
    scale = telling.params.length_scale
    if scale != 1.0:
        text = f"Distances on the map were divided by a length scale of {printed(scale)}."
        yield Clause(text=text, names=("length_scale",))


METHOD = Method(
    key="t-xim",
    name="t-XIM",
    summary="Between XIM and c-XIM: the tail of the map's kernel is a parameter.",
    equations="TR 12, 15, 24",
    introduction=Introduction(
        what="the Exploratory Inspection Machine with a Student t kernel in the map: a"
        " self-organizing map whose prototypes are repelled by items that lie near them in the"
        " data",
        works=(REPORT,),
        equations=(12, 15, 24),
    ),
    params=TXimParams,
    clauses=(*XIM_CLAUSES[:-1], length_clauses, XIM_CLAUSES[-1]),
    map_kernel=MAP_KERNEL,
    train=train,
    problems=xim_problems,
)
