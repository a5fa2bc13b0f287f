"""Parameters of the explicit mapping of methods that place the items themselves."""

from __future__ import annotations

from dataclasses import dataclass

from ximstudio.model.metric import MetricParams
from ximstudio.model.spec import Number, param


@dataclass(frozen=True, kw_only=True)
class ItemPlacingParams(MetricParams):
    """Metric of the items, and interpolation of new items between trained ones."""

    power: float = param(
        4.0,
        Number(
            label="Shepard power",
            symbol="p",
            help="Decrease of the influence of a trained item on a new one with distance.",
            low=0.1,
            high=64.0,
            advanced=True,
            new_items=True,
        ),
    )
    neighbours: int = param(
        12,
        Number(
            label="Nearest items",
            symbol="k",
            help="Number of trained items between which Shepard's rule places a new one.",
            low=1,
            high=100_000,
            whole=True,
            advanced=True,
            new_items=True,
        ),
    )
