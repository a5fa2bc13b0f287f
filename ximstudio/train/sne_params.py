"""Parameters of t-SNE and SNE, each declared once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from ximstudio.model.spec import Number, param
from ximstudio.place.item_params import ItemPlacingParams
from ximstudio.train.item_positions import start_choice

USUAL_PERPLEXITY = 30.0
NEIGHBOURS_PER_PERPLEXITY = 3
LONGEST_MOVE = 5.0


@dataclass(frozen=True, kw_only=True)
class SneParams(ItemPlacingParams):
    """Neighbourhoods in the data, and the descent."""

    perplexity: float | None = param(
        None,
        Number(
            label="Perplexity",
            symbol="u",
            help="Approximate number of neighbours of each item: more show the overall structure,"
            " fewer the details.",
            equation="van der Maaten and Hinton 2008",
            low=1.0,
            high=1e5,
            automatic=f"{USUAL_PERPLEXITY:g}, or a third of the other items if they are fewer",
        ),
    )
    n_steps: int = param(
        750,
        Number(
            label="Training steps",
            symbol="t",
            help="Number of steps of the descent; all items move at each of them.",
            low=1,
            high=1e9,
            whole=True,
        ),
    )
    exaggeration: float = param(
        12.0,
        Number(
            label="Early exaggeration",
            symbol="ρ",
            help="Factor by which neighbours attract each other more in the early phase, in which"
            " groups form.",
            equation="van der Maaten and Hinton 2008",
            low=1.0,
            high=1000.0,
            advanced=True,
        ),
    )
    early: float = param(
        0.33,
        Number(
            label="Early phase",
            help="Share of the steps that have exaggeration.",
            low=0.0,
            high=1.0,
            advanced=True,
        ),
    )
    rate: float = param(
        1.0,
        Number(
            label="Learning rate",
            symbol="ε",
            help="Size of the items' moves at each step. 1 suits tables of any size.",
            unit="× number of items, over the exaggeration",
            equation="Belkina et al. 2019",
            low=1e-6,
            high=1e4,
            advanced=True,
        ),
    )
    init: str = param("pca", start_choice(random="close together, at random"))

    def perplexity_for(self, n_items: int) -> float:
        """Perplexity, chosen if left open."""
        if self.perplexity is not None:
            return self.perplexity
        return max(1.0, min(USUAL_PERPLEXITY, (n_items - 1) / NEIGHBOURS_PER_PERPLEXITY))

    @property
    def degrees_of_freedom(self) -> float:
        """α of the map's kernel (1 + d/α)^(−α), d a squared distance; for subclasses."""
        raise NotImplementedError

    @property
    def longest_move(self) -> float:
        """Longest move of an item in one step.

        With a Gaussian, attraction grows with the distance, and few items, or one that attracts
        many, would jump over each other for ever: there it is about the width of the kernel.
        """
        return max(1.0, LONGEST_MOVE / max(1.0, self.degrees_of_freedom))

    def resolved(self, n_items: int) -> Self:
        return self.replace(perplexity=self.perplexity_for(n_items))


@dataclass(frozen=True, kw_only=True)
class TSneParams(SneParams):
    """The parameters of SNE and the tail of the map's kernel."""

    tail: float = param(
        1.0,
        Number(
            label="Degrees of freedom",
            symbol="α",
            help="Tail of the map's kernel: 1 is t-SNE, smaller values separate groups farther"
            ", 100 is SNE.",
            equation="Kobak et al. 2019",
            low=0.1,
            # For much larger values, openTSNE's powers overflow between distant items.
            high=100.0,
            advanced=True,
        ),
    )

    @property
    def degrees_of_freedom(self) -> float:
        return self.tail
