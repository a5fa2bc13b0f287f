"""Parameters shared by the methods with prototypes, each declared once."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Self

from ximstudio.load.nodes import load_nodes
from ximstudio.model.condition import Condition, Fact, NoneOf, OneOf
from ximstudio.model.grid import Grid, Lattice
from ximstudio.model.method_params import MethodParams
from ximstudio.model.metric import PRECOMPUTED, TableParams
from ximstudio.model.problem import Problem, UserError
from ximstudio.model.spec import Choice, FileName, Number, Pair, Switch, param
from ximstudio.model.structures import BY_LATTICE, STRUCTURES
from ximstudio.place.params import PlacingParams
from ximstudio.train.start import STARTS

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
NODES_PER_ROOT = 60.0
"""Nodes grow with the square root of the number of items, as usual for such maps; a few hundred
items get the 30 × 30 that the defaults were tuned on.
"""
SMALLEST, LARGEST = 10, 60
LONGEST = 1.5
"""Largest ratio of the sides: a narrower map has more border than inside."""


def sizes(label: str) -> Number:
    """Declare the number of rows or columns of a map."""
    return Number(label=label, help="", low=1, high=1000, whole=True)


@dataclass(frozen=True, kw_only=True)
class StructureParams(MethodParams):
    """The map's nodes."""

    shape: tuple[int, int] | None = param(
        None,
        Pair(
            label="Map size",
            symbol="M",
            help="Rows and columns of nodes. More nodes show more detail and take longer. Maps"
            " without rows have as many nodes.",
            unit="nodes",
            first=sizes("rows"),
            second=sizes("columns"),
            separator="x",
            automatic="suits the number of items",
            when=NoneOf("lattice", "table"),
        ),
    )
    lattice: str = param(
        "rectangular",
        Choice(
            label="Map lattice",
            symbol="r",
            help="Arrangement of the nodes: the structure hypothesis.",
            equation="TR section 2",
            options={str(structure.lattice): structure.about for structure in STRUCTURES},
        ),
    )
    toroidal: bool = param(
        False,
        Switch(
            label="Joined edges",
            help="Join left to right and top to bottom, so that no node lies at a border.",
            when=OneOf("lattice", *(each.lattice.value for each in STRUCTURES if each.joinable)),
        ),
    )
    depth: int = param(
        5,
        Number(
            label="Map layers",
            help="Number of layers of a cubic map; others have one.",
            low=1,
            high=1000,
            whole=True,
            advanced=True,
            when=OneOf("lattice", "cubic"),
        ),
    )
    node_file: str = param(
        "",
        FileName(
            label="Node table",
            help="A file with the columns x and y, optionally z, and a row for every node of a map"
            " with the lattice 'table'.",
            advanced=True,
            when=OneOf("lattice", "table"),
        ),
    )

    @property
    def grid(self) -> Grid:
        """The nodes; refused if the table of nodes cannot be read.

        The size of the map must be known: see `sized`.
        """
        lattice = Lattice(self.lattice)
        if lattice is Lattice.TABLE:
            return load_nodes(self.node_file)
        depth = self.depth if lattice is Lattice.CUBIC else 1
        return _grid(*self._sides, lattice, toroidal=self.toroidal, depth=depth)

    @property
    def planned(self) -> Grid:
        """The nodes or, while their table cannot be read, as many as the map size says.

        For information before training, which itself is refused without the table.
        """
        try:
            return self.grid
        except UserError:
            return _grid(*self._sides, Lattice.DISC, toroidal=False, depth=1)

    @property
    def _sides(self) -> tuple[int, int]:
        if self.shape is None:
            raise ValueError("The size of the map is open: choose it by sized(n_items).")
        return self.shape

    def sized(self, n_items: int) -> Self:
        """Return the parameters with the size of the map chosen, if it is open."""
        return self if self.shape else self.replace(shape=suggested_shape(n_items))

    def resolved(self, n_items: int) -> Self:
        return super().resolved(n_items).sized(n_items)

    def conflicts(self) -> Iterable[Problem]:
        yield from super().conflicts()
        if self.toroidal and not BY_LATTICE[Lattice(self.lattice)].joinable:
            joinable = [str(each.lattice) for each in STRUCTURES if each.joinable]
            yield Problem(
                key="params.not_joinable",
                what=f"The edges of a map with the lattice '{self.lattice}' cannot be joined.",
                where="parameters 'lattice' and 'toroidal'",
                fields=("lattice", "toroidal"),
                way_out=f"Leave the edges open, or use a lattice that is {' or '.join(joinable)}.",
            )
        if self.toroidal and self.lattice == "hexagonal" and self.shape and self.shape[0] % 2:
            yield Problem(
                key="params.odd_torus",
                what=f"A hexagonal map of {self.shape[0]} rows cannot be joined top to bottom.",
                where="parameters 'shape', 'lattice' and 'toroidal'",
                fields=("shape", "lattice", "toroidal"),
                way_out="Use an even number of rows.",
            )
        if self.lattice == "table" and not self.node_file:
            yield Problem(
                key="params.node_file",
                what="The table of nodes is missing.",
                where="parameters 'lattice' and 'node_file'",
                fields=("lattice", "node_file"),
                way_out="Choose a node table with the columns x and y, or another lattice.",
            )


@lru_cache(maxsize=16)
def _grid(rows: int, columns: int, lattice: Lattice, *, toroidal: bool, depth: int) -> Grid:
    """Build one grid for all checkpoints of a training: its neighbours are found once."""
    return Grid(rows, columns, lattice, toroidal, depth)


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


def suggested_shape(n_items: int, *, spread: float = 1.0) -> tuple[int, int]:
    """Suggest even numbers of rows and columns; `spread` is the data's length over its width."""
    ratio = min(max(spread, 1.0), LONGEST)
    side = math.sqrt(NODES_PER_ROOT * math.sqrt(max(n_items, 1)))
    side = min(max(side, SMALLEST), LARGEST)
    return (_even(side / math.sqrt(ratio)), _even(side * math.sqrt(ratio)))


def _even(side: float) -> int:
    # Even, so that a hexagonal map can be joined top to bottom.
    return max(2, 2 * round(side / 2.0))
