"""t-SNE, which keeps neighbours together with a heavy tail in the map, and SNE without a tail."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ximstudio.model.clauses import Clause, MapContext, printed
from ximstudio.model.words import counted
from ximstudio.train.method import Introduction, Method, Package
from ximstudio.train.sne_family import SneParams, TSneParams, sne_problems, train_sne
from ximstudio.train.wording.maps import item_start_clauses, metric_clauses, projection_clauses

VAN_DER_MAATEN = (
    "L. van der Maaten and G. Hinton, Visualizing data using t-SNE, Journal of Machine"
    " Learning Research 9:2579–2605 (2008)."
)
BELKINA = (
    "A. C. Belkina et al., Automated optimized parameters for T-distributed"
    " stochastic neighbor embedding improve visualization and analysis of large datasets,"
    " Nature Communications 10:5415 (2019)."
)
POLICAR = (
    "P. G. Poličar, M. Stražar and B. Zupan, openTSNE: a modular Python library for"
    " t-SNE dimensionality reduction and embedding, bioRxiv 731877 (2019)."
)
HINTON = (
    "G. Hinton and S. Roweis, Stochastic neighbor embedding, Advances in Neural"
    " Information Processing Systems 15 (2002)."
)
KOBAK = (
    "D. Kobak et al., Heavy-tailed kernels reveal a finer cluster structure in t-SNE"
    " visualisations, European Conference on Machine Learning (ECML PKDD) (2019)."
)

OPEN_TSNE = Package(module="openTSNE", distribution="openTSNE", requirement="openTSNE")
NEARLY_GAUSSIAN = 100.0
"""Degrees of freedom at which (1 + d/α)^(−α) differs from exp(−d) by less than 0.003."""


@dataclass(frozen=True, kw_only=True)
class GaussianSneParams(SneParams):
    """Parameters of SNE: those of t-SNE without the tail."""

    @property
    def degrees_of_freedom(self) -> float:
        return NEARLY_GAUSSIAN


def sne_clauses(context: MapContext) -> Iterator[Clause]:
    """Neighbourhoods and descent of t-SNE and SNE."""
    params, cite = context.params, context.citations
    yield Clause(
        text=f"Neighbourhoods in the data had a perplexity of {printed(params.perplexity)}.",
        names=("perplexity",),
    )
    steps = counted(params.n_steps, "step")
    n_early = round(params.early * params.n_steps) if context.n_items > 2 else 0
    early = (
        f", the first {printed(n_early)} of them with attraction exaggerated"
        f" {printed(params.exaggeration)}-fold"
        if n_early and params.exaggeration > 1.0
        else ", without exaggeration"
    )
    yield Clause(
        text=f"Gradient descent took {steps}{early}.",
        names=("n_steps", "early", "exaggeration"),
    )
    factor = "" if params.rate == 1.0 else f"{printed(params.rate)} times "
    yield Clause(
        text=f"The learning rate was {factor}the number of items over the exaggeration"
        f"{cite.of(BELKINA)}.",
        names=("rate",),
    )


def tail_clauses(context: MapContext) -> Iterator[Clause]:
    """Describe the kernel of t-SNE in the map, if it is not the default."""
    tail = context.params.tail
    if tail != 1.0:
        yield Clause(
            text="The kernel in the map had the tail of a Student t distribution with"
            f" α = {printed(tail)} degrees of freedom"
            f"{context.citations.of(KOBAK)}.",
            names=("tail",),
        )


T_SNE = Method(
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
    clauses=(metric_clauses, sne_clauses, tail_clauses, item_start_clauses, projection_clauses),
    package=OPEN_TSNE,
    train=train_sne,
    problems=sne_problems,
)
SNE = Method(
    key="sne",
    name="SNE",
    summary="The forerunner of t-SNE: neighbours stay together, and groups are less torn apart.",
    equations="Hinton and Roweis 2002, symmetric; by openTSNE with 100 degrees of freedom",
    introduction=Introduction(
        what="symmetric stochastic neighbour embedding, by openTSNE with 100 degrees of freedom"
        " in the map, where its kernel is Gaussian up to less than 0.003",
        works=(HINTON, VAN_DER_MAATEN, POLICAR),
    ),
    params=GaussianSneParams,
    clauses=(metric_clauses, sne_clauses, item_start_clauses, projection_clauses),
    package=OPEN_TSNE,
    train=train_sne,
    problems=sne_problems,
)
