"""SNE: symmetric stochastic neighbour embedding, t-SNE without its heavy tail."""

from __future__ import annotations

from dataclasses import dataclass

from ximstudio.train.method import Introduction, Method
from ximstudio.train.sne_family import (
    OPEN_TSNE,
    POLICAR,
    VAN_DER_MAATEN,
    sne_clauses,
    sne_problems,
    train_sne,
)
from ximstudio.train.sne_params import SneParams
from ximstudio.train.wording.maps import brought_clauses, item_start_clauses, metric_clauses

HINTON = (
    "G. Hinton and S. Roweis, Stochastic neighbor embedding, Advances in Neural"
    " Information Processing Systems 15 (2002)."
)

NEARLY_GAUSSIAN = 100.0
"""Degrees of freedom at which (1 + d/α)^(−α) differs from exp(−d) by less than 0.003."""


@dataclass(frozen=True, kw_only=True)
class GaussianSneParams(SneParams):
    """Parameters of SNE: those of t-SNE without the tail."""

    @property
    def degrees_of_freedom(self) -> float:
        return NEARLY_GAUSSIAN


METHOD = Method(
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
    clauses=(metric_clauses, sne_clauses, item_start_clauses, brought_clauses),
    package=OPEN_TSNE,
    train=train_sne,
    problems=sne_problems,
)
