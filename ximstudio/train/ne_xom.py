"""NE-XOM: XOM as a neighbour embedding, with repulsion in the map."""

from __future__ import annotations

from collections.abc import Iterator

from ximstudio.train.method import Checkpoint, Introduction, Method, TrainingJob
from ximstudio.train.wording.xom import NE_XOM_CLAUSES
from ximstudio.train.xom_family import BUNTE, WISMUELLER, NeXomParams, train_xom


def train(job: TrainingJob) -> Iterator[Checkpoint]:
    """Yield the checkpoints of NE-XOM: g = exp(−d/2γ²) in the map."""
    return train_xom(job, map_kernel="gaussian")


METHOD = Method(
    key="ne-xom",
    name="NE-XOM",
    summary="XOM with repulsion: what differs stays apart on the map.",
    equations="XOM with TR 24, data and map exchanged",
    introduction=Introduction(
        what="the neighbour embedding variant of the Exploratory Observation Machine (XOM),"
        " which draws points of the map, lets similar items move to them together and repels"
        " others",
        works=(WISMUELLER, BUNTE),
    ),
    params=NeXomParams,
    clauses=NE_XOM_CLAUSES,
    train=train,
)
