"""Parameters of the explicit mapping: between nodes, or between the items trained on."""

from __future__ import annotations

from dataclasses import dataclass

from ximstudio.model.condition import OneOf
from ximstudio.model.method_params import MethodParams
from ximstudio.model.metric import MetricParams
from ximstudio.model.spec import Choice, Number, param
from ximstudio.place import MAPPINGS

BY_SHEPARD = OneOf("mapping", "shepard")


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


@dataclass(frozen=True, kw_only=True)
class PlacingParams(MethodParams):
    """Parameters of the placement of items between nodes."""

    mapping: str = param(
        "shepard",
        Choice(
            label="Placing of items",
            help="Rule that gives an item its position from the prototypes around it.",
            equation="TR section 3, explicit mapping",
            advanced=True,
            options={rule.key: rule.about for rule in MAPPINGS},
        ),
    )
    power: float = param(
        4.0,
        Number(
            label="Shepard power",
            symbol="p",
            help="Decrease of the influence of a prototype with distance.",
            low=0.1,
            high=64.0,
            advanced=True,
            when=BY_SHEPARD,
        ),
    )
    neighbours: int = param(
        12,
        Number(
            label="Nearest prototypes",
            symbol="k",
            help="Number of prototypes that Shepard's rule places an item by.",
            low=1,
            high=100_000,
            whole=True,
            advanced=True,
            when=BY_SHEPARD,
        ),
    )
    softness: float = param(
        0.7,
        Number(
            label="Softness",
            symbol="s",
            help="Width of the radial basis functions of the softmax placing.",
            unit="× distance between neighbouring prototypes",
            low=1e-3,
            high=1e3,
            advanced=True,
            when=OneOf("mapping", "softmax"),
        ),
    )
