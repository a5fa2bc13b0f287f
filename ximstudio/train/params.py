"""Parameters that the methods with prototypes share, each declared once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from ximstudio.model.grid import Grid, Lattice
from ximstudio.model.problem import Problem
from ximstudio.model.spec import Choice, Number, Pair, Switch, param
from ximstudio.place.params import PlacingParams
from ximstudio.train.start import STARTS

STEPS_PER_NODE = 66
STEPS_PER_ITEM = 5
FEWEST_STEPS = 20_000
AUTOMATIC_WIDTH = "half the map's longer side"


def sizes(label: str) -> Number:
    """How many rows or columns a map may have."""
    return Number(label=label, help="", low=1, high=1000, whole=True)


@dataclass(frozen=True, kw_only=True)
class MapParams(PlacingParams):
    """The map itself and where training begins."""

    shape: tuple[int, int] = param(
        (30, 30),
        Pair(
            label="Map size",
            symbol="M",
            help="Rows and columns of nodes. More nodes show more detail and take longer.",
            unit="nodes",
            first=sizes("rows"),
            second=sizes("columns"),
            separator="x",
        ),
    )
    lattice: str = param(
        "rectangular",
        Choice(
            label="Map lattice",
            symbol="r",
            help="How the nodes are arranged: the structure hypothesis.",
            equation="TR section 2",
            options={
                "rectangular": "squares, four neighbours",
                "hexagonal": "honeycomb, six neighbours, all equally far",
            },
        ),
    )
    toroidal: bool = param(
        False,
        Switch(
            label="Joined edges",
            help="Join left to right and top to bottom, so that no node lies at a border.",
        ),
    )
    init: str = param(
        "pca",
        Choice(
            label="Start",
            help="Where the prototypes are before the first step.",
            advanced=True,
            options=STARTS,
        ),
    )

    @property
    def grid(self) -> Grid:
        rows, columns = self.shape
        return Grid(rows, columns, Lattice(self.lattice), self.toroidal)

    def conflicts(self) -> Iterable[Problem]:
        yield from super().conflicts()
        if self.toroidal and self.lattice == "hexagonal" and self.shape[0] % 2:
            yield Problem(
                key="params.odd_torus",
                what=f"A hexagonal map of {self.shape[0]} rows cannot be joined top to bottom.",
                where="parameters 'shape', 'lattice' and 'toroidal'",
                way_out="Take an even number of rows.",
            )


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
) -> Pair:
    """The declaration of a value annealed from a start to an end, both above 0."""

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
    )


@dataclass(frozen=True, kw_only=True)
class OnlineParams(MapParams):
    """Training item by item."""

    n_steps: int | None = param(
        None,
        Number(
            label="Training steps",
            symbol="t",
            help="How many items are presented, in random order, over and over.",
            low=1,
            high=1e9,
            whole=True,
            automatic=f"the largest of {FEWEST_STEPS}, {STEPS_PER_NODE} per node"
            f" and {STEPS_PER_ITEM} per item",
        ),
    )
    step: tuple[float, float] = param(
        (0.45, 0.02),
        annealed(
            label="Step size",
            symbol="ε",
            help="How far a prototype moves towards an item, at the start and at the end.",
            equation="TR 4, TR 25",
            high=1.0,
        ),
    )
    width: tuple[float | None, float] = param(
        (None, 0.4),
        annealed(
            label="Map width",
            symbol="σ",
            help="How far around the winner prototypes move along, at the start and at the end.",
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
            help="How step size, width and reach go from their start to their end values.",
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
            help="Which node wins an item.",
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
        """The number of steps, chosen if left open."""
        if self.n_steps is not None:
            return self.n_steps
        return max(FEWEST_STEPS, STEPS_PER_NODE * self.grid.n_nodes, STEPS_PER_ITEM * n_items)

    @property
    def in_epochs(self) -> bool:
        """Whether one step of training presents many items at once."""
        return False

    def planned_steps(self, n_items: int) -> int:
        """How many steps training takes, of whichever kind."""
        return self.steps_for(n_items)

    @property
    def widths(self) -> tuple[float, float]:
        """Start and end width, chosen if left open."""
        start, end = self.width
        return (max(0.5 * self.grid.longer_side, end) if start is None else start, end)

    @property
    def length_scale(self) -> float:
        """Length that map distances are divided by; 1 unless a method makes it a parameter."""
        return 1.0

    def resolved(self, n_items: int) -> Self:
        return self.replace(n_steps=self.steps_for(n_items), width=self.widths)
