"""t-NE-XOM: NE-XOM with a heavy-tailed kernel in the map."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ximstudio.model.spec import Choice, param
from ximstudio.train.method import Checkpoint, Introduction, Method, TrainingJob
from ximstudio.train.params import annealed
from ximstudio.train.wording.xom import NE_XOM_CLAUSES
from ximstudio.train.xom_family import BUNTE, WISMUELLER, NeXomParams, train_xom


@dataclass(frozen=True, kw_only=True)
class TNeXomParams(NeXomParams):
    """Parameters of t-NE-XOM: kind and reach of the tail."""

    tail: str = param(
        "cauchy",
        Choice(
            label="Map kernel",
            symbol="g",
            help="Decrease of repulsion with distance in the map.",
            equation="TR 15 and TR 16, in the map",
            options={
                "cauchy": "1/(1 + d/γ²): the reach is a length",
                "t": "(1 + d/γ)^(−(γ+1)/2): the reach is the degrees of freedom as well",
            },
        ),
    )
    width: tuple[float, float] = param((0.6, 0.2), NeXomParams.specs()["width"])
    repulsion: float = param(
        0.25,
        replace(
            NeXomParams.specs()["repulsion"],
            help="Weight of repulsion against attraction. At 0 nothing repels, and the tail still"
            " weakens attraction with the distance in the map.",
        ),
    )
    reach: tuple[float, float] = param(
        (0.3, 0.05),
        annealed(
            label="Map reach",
            symbol="γ",
            help="Reach of repulsion around a drawn point, at the start and at the end; the"
            " tail reaches farther.",
            unit="× side of the map",
            equation="TR 15, TR 16, TR 25",
            low=1e-6,
            high=1e3,
        ),
    )


def train(job: TrainingJob) -> Iterator[Checkpoint]:
    """Yield the checkpoints of t-NE-XOM: g's slope adds a factor 1/(1 + d/γ) or 1/(1 + d/γ²)."""
    return train_xom(job, map_kernel=job.params.tail)


METHOD = Method(
    key="t-ne-xom",
    name="t-NE-XOM",
    summary="NE-XOM with a heavy tail, as in t-SNE: groups stand out more clearly.",
    equations="XOM with TR 15, 16 and 24, data and map exchanged",
    introduction=Introduction(
        what="the neighbour embedding variant of the Exploratory Observation Machine (XOM) with"
        " a heavy-tailed kernel in the map, which draws points of the map, lets similar items"
        " move to them together and repels others",
        works=(WISMUELLER, BUNTE),
    ),
    params=TNeXomParams,
    clauses=NE_XOM_CLAUSES,
    train=train,
)
