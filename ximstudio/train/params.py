"""Parameters shared by the methods with prototypes, each declared once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from ximstudio.model.condition import Condition, Fact
from ximstudio.model.metric import PRECOMPUTED, TableParams
from ximstudio.model.spec import Choice, Number, Pair, param
from ximstudio.place.params import PlacingParams
from ximstudio.train.start import STARTS
from ximstudio.train.structure_params import StructureParams

STEPS_PER_NODE = 66
STEPS_PER_ITEM = 5
FEWEST_STEPS = 20_000
AUTOMATIC_WIDTH = "half the map's longer side"
IN_EPOCHS = Fact(
    "in_epochs",
    "training goes in epochs (algorithm=batch, algorithm=mini-batch or metric=precomputed)",
)
ITEM_BY_ITEM = Fact(
    "item_by_item", "training goes item by item (algorithm=online, 'metric' not precomputed)"
)


@dataclass(frozen=True, kw_only=True)
class MapParams(PlacingParams, TableParams, StructureParams):
    """Parameters of the map, the metric and the start of training."""

    init: str = param(
        "pca",
        Choice(
            label="Start",
            help="Prototypes before the first step.",
            advanced=True,
            options=STARTS,
        ),
    )

    @property
    def takes_prototypes(self) -> bool:
        return True


def annealed(
    *,
    label: str,
    symbol: str,
    help: str,  # noqa: A002
    equation: str,
    high: float,
    low: float = 1e-12,
    unit: str = "",
    start_automatic: str = "",
    when: Condition | None = None,
) -> Pair:
    """Declare a value that is annealed from a start to an end, both above 0."""

    def bounds(end: str, automatic: str) -> Number:
        return Number(label=end, help=help, low=low, high=high, automatic=automatic)

    return Pair(
        label=label,
        symbol=symbol,
        help=help,
        unit=unit,
        equation=equation,
        first=bounds("start", start_automatic),
        second=bounds("end", ""),
        when=when,
    )


@dataclass(frozen=True, kw_only=True)
class OnlineParams(MapParams):
    """Training item by item."""

    n_steps: int | None = param(
        None,
        Number(
            label="Training steps",
            symbol="t",
            help="Number of items presented, in random order, repeatedly.",
            low=1,
            high=1e9,
            whole=True,
            automatic=f"the largest of {FEWEST_STEPS}, {STEPS_PER_NODE} per node"
            f" and {STEPS_PER_ITEM} per item",
            when=ITEM_BY_ITEM,
        ),
    )
    step: tuple[float, float] = param(
        (0.45, 0.02),
        annealed(
            label="Step size",
            symbol="ε",
            help="Share of the way to an item that a prototype moves, at the start and at the end.",
            equation="TR 4, TR 25",
            high=1.0,
            when=ITEM_BY_ITEM,
        ),
    )
    width: tuple[float | None, float] = param(
        (None, 0.4),
        annealed(
            label="Map width",
            symbol="σ",
            help="Width of the neighbourhood that moves with the winner, at start and end.",
            unit="grid units",
            equation="TR 14, TR 25",
            high=1e4,
            start_automatic=AUTOMATIC_WIDTH,
        ),
    )
    annealing: str = param(
        "exponential",
        Choice(
            label="Annealing",
            symbol="κ(t)",
            help="Course of step size, width and reach from their start to their end values.",
            equation="TR 25",
            advanced=True,
            options={
                "exponential": "by an equal factor per step",
                "linear": "by an equal amount per step",
                "constant": "stay at the start value",
            },
        ),
    )
    best_match: str = param(
        "distance",
        Choice(
            label="Best match",
            symbol="r*",
            help="Rule that chooses the winning node of an item.",
            equation="TR 2, TR 6, TR 10",
            advanced=True,
            options={
                "distance": "the nearest prototype; the quickest",
                "heskes": "the least sum of distances around the node; draws items to the border"
                " of a map unless its edges are joined",
                "divergence": "the least divergence between map and data neighbourhood",
            },
        ),
    )

    def steps_for(self, n_items: int) -> int:
        """Number of steps, chosen if left open."""
        if self.n_steps is not None:
            return self.n_steps
        return max(FEWEST_STEPS, STEPS_PER_NODE * self.planned.n_nodes, STEPS_PER_ITEM * n_items)

    @property
    def in_epochs(self) -> bool:
        """True if a step presents many items together; on a table of distances it always does."""
        return self.metric == PRECOMPUTED

    @property
    def rare(self) -> bool:
        return self.in_epochs

    @property
    def item_by_item(self) -> bool:
        """True if a step presents one item."""
        return not self.in_epochs

    def planned_steps(self, n_items: int) -> int:
        """Number of steps or epochs of training."""
        return self.steps_for(n_items)

    @property
    def widths(self) -> tuple[float, float]:
        """Start and end width, chosen if left open."""
        start, end = self.width
        return (max(0.5 * self.planned.longer_side, end) if start is None else start, end)

    def resolved(self, n_items: int) -> Self:
        chosen = super().resolved(n_items)
        return chosen.replace(n_steps=chosen.steps_for(n_items), width=chosen.widths)
