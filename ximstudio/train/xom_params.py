"""Parameters of XOM and its family, each declared once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from ximstudio.model.condition import Above, OneOf
from ximstudio.model.spec import Choice, Number, param
from ximstudio.place.item_params import ItemPlacingParams
from ximstudio.train.item_positions import start_choice
from ximstudio.train.params import OnlineParams, annealed

STEPS_PER_ITEM = 20
FEWEST_STEPS = 20_000


@dataclass(frozen=True, kw_only=True)
class HypothesisParams(ItemPlacingParams):
    """Distribution of the drawn points, and start of the items."""

    hypothesis: str = param(
        "uniform",
        Choice(
            label="Structure hypothesis",
            symbol="v",
            help="Region from which points of the map are drawn: the shape that items will fill.",
            equation="TR section 2",
            options={
                "uniform": "anywhere in a square, equally often",
                "normal": "around the middle, more rarely farther out",
                "lattice": "on the nodes of a square lattice",
            },
        ),
    )
    lattice_side: int = param(
        20,
        Number(
            label="Nodes per side",
            help="Rows and columns of the lattice that points are drawn from.",
            low=2,
            high=10_000,
            whole=True,
            advanced=True,
            when=OneOf("hypothesis", "lattice"),
        ),
    )
    init: str = param("pca", start_choice(random="anywhere in the square, at random"))


@dataclass(frozen=True, kw_only=True)
class XomParams(HypothesisParams):
    """Training point by point."""

    n_steps: int | None = param(
        None,
        Number(
            label="Training steps",
            symbol="t",
            help="Number of points of the map that are drawn.",
            low=1,
            high=1e9,
            whole=True,
            automatic=f"the larger of {FEWEST_STEPS} and {STEPS_PER_ITEM} per item",
        ),
    )
    step: tuple[float, float] = param(
        (0.9, 0.05),
        annealed(
            label="Step size",
            symbol="ε",
            help="Share of the way to a drawn point that an item moves, at start and end.",
            equation="XOM; TR 25",
            high=1.0,
        ),
    )
    width: tuple[float, float] = param(
        (0.4, 0.3),
        annealed(
            label="Data width",
            symbol="σ",
            help="Width of the data neighbourhood that moves with the winner, at the start and at"
            " the end.",
            unit="× median distance between items",
            equation="XOM; TR 25",
            low=1e-6,
            high=1e6,
        ),
    )
    annealing: str = param("exponential", OnlineParams.specs()["annealing"])

    @property
    def rare(self) -> bool:
        return True

    def steps_for(self, n_items: int) -> int:
        """Number of steps, chosen if left open."""
        return self.n_steps or max(FEWEST_STEPS, STEPS_PER_ITEM * n_items)

    def resolved(self, n_items: int) -> Self:
        return self.replace(n_steps=self.steps_for(n_items))


@dataclass(frozen=True, kw_only=True)
class NeXomParams(XomParams):
    """Attraction by similarity in the data, repulsion by distance in the map."""

    width: tuple[float, float] = param((0.4, 0.2), XomParams.specs()["width"])
    repulsion: float = param(
        0.1,
        Number(
            label="Repulsion",
            symbol="η",
            help="Weight of repulsion against attraction: 0 gives XOM.",
            equation="NE-XOM; TR 24",
            low=0.0,
            high=0.95,
        ),
    )
    reach: tuple[float, float] = param(
        (0.3, 0.05),
        annealed(
            label="Map reach",
            symbol="γ",
            help="Reach of repulsion around a drawn point, at the start and at the end.",
            unit="× side of the map",
            equation="NE-XOM; TR 25",
            low=1e-6,
            high=1e3,
            when=Above("repulsion"),
        ),
    )
