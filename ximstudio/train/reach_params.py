"""Parameters of an individual reach of every item."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from ximstudio.model.condition import NoneOf
from ximstudio.model.method_params import MethodParams
from ximstudio.model.spec import Choice, Number, Pair, param
from ximstudio.train.batch_params import REPELS

EXACT = 20_000
SAMPLE = 5_000
"""Up to EXACT items, neighbours are searched among all of them, beyond in a sample."""
FEWEST = 2.0
"""Smallest automatic number of neighbours in reach."""


@dataclass(frozen=True, kw_only=True)
class LocalReachParams(MethodParams):
    """Source of the data reach."""

    reach_from: str = param(
        "global",
        Choice(
            label="Reach of an item",
            symbol="γ_i",
            help="Same reach of repulsion for all items, or one by the neighbourhood of each item:"
            " shorter where items are dense. With more than"
            f" {EXACT} items, neighbours are searched in a sample of {SAMPLE}.",
            equation="TR 12, TR 25",
            advanced=True,
            when=REPELS,
            options={
                "global": "the data reach, the same for all items",
                "neighbours": "the distance of an item to its k-th neighbour",
                "perplexity": "the reach at which an item has k neighbours in effect, as in"
                " stochastic neighbour embedding",
            },
        ),
    )
    reach_neighbours: tuple[float | None, float | None] = param(
        (None, None),
        Pair(
            label="Neighbours in reach",
            symbol="k",
            help="Number of neighbours within the reach of an item, at the start and at the end.",
            unit="items",
            equation="TR 25",
            first=Number(
                label="start",
                help="",
                low=1.0,
                high=1e9,
                automatic="a third of the items; by perplexity nine tenths",
            ),
            second=Number(
                label="end",
                help="",
                low=1.0,
                high=1e9,
                automatic="2; by perplexity half of the items",
            ),
            advanced=True,
            when=NoneOf("reach_from", "global") & REPELS,
        ),
    )

    @property
    def local_reach(self) -> bool:
        """True if every item has its own reach."""
        return self.reach_from != "global"

    def neighbours_for(self, n_items: int) -> tuple[float, float]:
        """Start and end number of neighbours, chosen if left open."""
        start, end = self.reach_neighbours
        by_perplexity = self.reach_from == "perplexity"
        first = 0.9 * n_items if by_perplexity else n_items / 3.0
        last = 0.5 * n_items if by_perplexity else FEWEST
        return (
            max(first, FEWEST) if start is None else start,
            max(last, FEWEST) if end is None else end,
        )

    def resolved(self, n_items: int) -> Self:
        chosen = super().resolved(n_items)
        return chosen.replace(reach_neighbours=self.neighbours_for(n_items))
