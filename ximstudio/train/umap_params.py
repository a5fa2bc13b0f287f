"""Parameters of UMAP, each declared once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from ximstudio.model.spec import Number, param
from ximstudio.place.params import ItemPlacingParams
from ximstudio.train.start import start_choice

USUAL_NEIGHBOURS = 15
STEPS, STEPS_OF_MANY, MANY = 500, 200, 10_000
MCINNES = "McInnes, Healy and Melville 2018"


@dataclass(frozen=True, kw_only=True)
class UmapParams(ItemPlacingParams):
    """The graph of neighbours in the data, and its layout."""

    graph_neighbours: int | None = param(
        None,
        Number(
            label="Neighbours in the data",
            symbol="n",
            help="Number of items in the neighbourhood of an item, itself included: more show"
            " the overall structure, fewer the details.",
            equation=MCINNES,
            low=2,
            high=10_000,
            whole=True,
            automatic=f"{USUAL_NEIGHBOURS}, or all items if they are fewer",
        ),
    )
    least_distance: float = param(
        0.1,
        Number(
            label="Least distance",
            help="Smallest distance between neighbours on the map.",
            unit="× spread",
            equation=MCINNES,
            low=0.0,
            high=1.0,
        ),
    )
    n_steps: int | None = param(
        None,
        Number(
            label="Epochs",
            symbol="t",
            help="Number of passes through all edges of the graph.",
            low=1,
            high=1e9,
            whole=True,
            automatic=f"{STEPS}, or {STEPS_OF_MANY} of more than {MANY} items",
        ),
    )
    rate: float = param(
        1.0,
        Number(
            label="Learning rate",
            symbol="ε",
            help="Size of the items' moves in the first epoch; it decreases to 0 by equal amounts.",
            equation=MCINNES,
            low=1e-6,
            high=100.0,
            advanced=True,
        ),
    )
    negative_samples: int = param(
        5,
        Number(
            label="Repelling items",
            help="Number of random items that repel an item, for every neighbour that attracts it.",
            equation=MCINNES,
            low=1,
            high=1000,
            whole=True,
            advanced=True,
        ),
    )
    init: str = param("pca", start_choice(random="anywhere in a square, at random"))

    def neighbours_for(self, n_items: int) -> int:
        """Size of a neighbourhood, chosen if left open; at most the number of items."""
        return min(self.graph_neighbours or USUAL_NEIGHBOURS, n_items)

    def steps_for(self, n_items: int) -> int:
        """Number of steps, chosen if left open."""
        return self.n_steps or (STEPS if n_items <= MANY else STEPS_OF_MANY)

    @property
    def step_word(self) -> str:
        return "epoch"

    def resolved(self, n_items: int) -> Self:
        return self.replace(
            graph_neighbours=self.graph_neighbours or max(2, self.neighbours_for(n_items)),
            n_steps=self.steps_for(n_items),
        )
