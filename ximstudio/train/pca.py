"""PCA: the plane of largest variance, the baseline for every map."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ximstudio.model.arrays import frozen
from ximstudio.model.clauses import Clause, MapContext, listed, percent
from ximstudio.model.metric import MetricParams
from ximstudio.model.result import LinearMap, TrainingHistory
from ximstudio.place.items import place_in_metric
from ximstudio.train.components import principal_components
from ximstudio.train.method import Checkpoint, Introduction, Method, TrainingJob
from ximstudio.train.wording.maps import metric_clauses

PEARSON = (
    "K. Pearson, On lines and planes of closest fit to systems of points in space,"
    " Philosophical Magazine 2:559–572 (1901)."
)
SREBRO = (
    "N. Srebro and T. Jaakkola, Weighted low-rank approximations, Proceedings of the"
    " Twentieth International Conference on Machine Learning (ICML), 720–727 (2003)."
)

DIMENSIONS = 2


@dataclass(frozen=True, kw_only=True)
class PcaParams(MetricParams):
    """Only the metric: components are those of the items in that metric."""


def train(job: TrainingJob) -> Iterator[Checkpoint]:
    """Yield the only checkpoint of PCA."""
    components = principal_components(job.matrix, DIMENSIONS)
    model = LinearMap(
        centre=frozen(components.centre),
        components=frozen(components.directions),
        explained=frozen(components.shares),
    )
    positions = place_in_metric(model, job.matrix.values, job.params).positions
    result = job.result(model, positions, history=TrainingHistory.empty(), n_steps=1)
    yield Checkpoint(step=1, n_steps=1, result=lambda: result)


def pca_clauses(context: MapContext) -> Iterator[Clause]:
    """Describe the share of the variance on the plane."""
    model = context.result.model
    if isinstance(model, LinearMap):
        shares = [percent(float(share)) for share in model.explained]
        yield Clause(text=f"The components explained {listed(shares)} of the variance.")
        if context.n_missing:
            yield Clause(
                text="They were fitted to the values that were known, by filling the others from"
                " the plane and fitting it again until it came to rest"
                f"{context.citations.of(SREBRO)}; items were placed where their known values fit"
                " best."
            )


METHOD = Method(
    key="pca",
    name="PCA",
    summary="The plane of largest variance: fast, linear, and a baseline for the others.",
    equations="compared with in TR table 1",
    introduction=Introduction(
        what="principal component analysis: the plane of largest variance", works=(PEARSON,)
    ),
    params=PcaParams,
    clauses=(metric_clauses, pca_clauses),
    train=train,
)
