"""Parameters of the explicit mapping of methods that place the items themselves."""

from __future__ import annotations

from dataclasses import dataclass

from ximstudio.model.metric import MetricParams
from ximstudio.model.spec import Number, param


@dataclass(frozen=True, kw_only=True)
class ItemPlacingParams(MetricParams):
    """What makes items alike, and how a new one finds its place between those trained on."""

    power: float = param(
        4.0,
        Number(
            label="Shepard power",
            symbol="p",
            help="How fast the influence of a trained item on a new one falls with its distance.",
            low=0.1,
            high=64.0,
            advanced=True,
        ),
    )
    neighbours: int = param(
        12,
        Number(
            label="Nearest items",
            symbol="k",
            help="Between how many of the trained items a new one is placed by Shepard's rule.",
            low=1,
            high=100_000,
            whole=True,
            advanced=True,
        ),
    )
