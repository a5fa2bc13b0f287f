"""XOM, the Exploratory Observation Machine: items move over the map by similarity in the data."""

from __future__ import annotations

from collections.abc import Iterator

from ximstudio.train.method import Checkpoint, Introduction, Method, TrainingJob
from ximstudio.train.wording.xom import XOM_CLAUSES
from ximstudio.train.xom_family import WISMUELLER, XomParams, train_xom


def train(job: TrainingJob) -> Iterator[Checkpoint]:
    """Yield the checkpoints of XOM: attraction only."""
    return train_xom(job, map_kernel="none")


METHOD = Method(
    key="xom",
    name="XOM",
    summary="Like a SOM with data and map exchanged: positions move freely, without nodes.",
    equations="XOM; compared with in TR table 1",
    introduction=Introduction(
        what="the Exploratory Observation Machine, which draws points of the map and lets"
        " similar items move to them together",
        works=(WISMUELLER,),
    ),
    params=XomParams,
    clauses=XOM_CLAUSES,
    train=train,
)
