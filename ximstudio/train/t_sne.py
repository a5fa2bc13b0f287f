"""t-SNE: keep neighbours in the data as neighbours in the map, with a heavy tail in the map."""

from __future__ import annotations

from collections.abc import Iterator

from ximstudio.model.clauses import Clause, Telling, printed
from ximstudio.train.method import Introduction, Method
from ximstudio.train.sne_family import (
    OPEN_TSNE,
    POLICAR,
    VAN_DER_MAATEN,
    sne_clauses,
    sne_problems,
    train_sne,
)
from ximstudio.train.sne_params import TSneParams
from ximstudio.train.wording.maps import brought_clauses, item_start_clauses, metric_clauses

KOBAK = (
    "D. Kobak et al., Heavy-tailed kernels reveal a finer cluster structure in t-SNE"
    " visualisations, European Conference on Machine Learning (ECML PKDD) (2019)."
)


def tail_clauses(telling: Telling) -> Iterator[Clause]:
    """Describe the kernel of t-SNE in the map, if it is not the default."""
    tail = telling.params.tail
    if tail != 1.0:
        yield Clause(
            text="The kernel in the map had the tail of a Student t distribution with"
            f" α = {printed(tail)} {'degree' if tail == 1.0 else 'degrees'} of freedom"
            f"{telling.citations.of(KOBAK)}.",
            names=("tail",),
        )


METHOD = Method(
    key="t-sne",
    name="t-SNE",
    summary="Keeps neighbours together and shows clear groups; distances between groups mean"
    " little.",
    equations="van der Maaten and Hinton 2008, by openTSNE",
    introduction=Introduction(
        what="t-distributed stochastic neighbour embedding, as implemented in openTSNE",
        works=(VAN_DER_MAATEN, POLICAR),
    ),
    params=TSneParams,
    clauses=(metric_clauses, sne_clauses, tail_clauses, item_start_clauses, brought_clauses),
    package=OPEN_TSNE,
    train=train_sne,
    problems=sne_problems,
)
