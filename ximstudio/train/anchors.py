"""Pinned nodes: keep their prototypes at items before, during and after training."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ximstudio.model.arrays import Floats, Ints, frozen
from ximstudio.model.grid import Grid
from ximstudio.model.matrix import Matrix, repeated
from ximstudio.model.params import closest
from ximstudio.model.problem import Problem
from ximstudio.model.spec import TextList, param
from ximstudio.train.params import MapParams


@dataclass(frozen=True, kw_only=True)
class Pins(TextList):
    """Nodes pinned to items, each written node=item."""


@dataclass(frozen=True, kw_only=True)
class AnchorParams(MapParams):
    """Constrained learning: the user pins prototypes to items."""

    anchors: tuple[str, ...] = param(
        (),
        Pins(
            label="Pinned nodes",
            help="Nodes that are pinned to items, each written node=item: their prototypes begin as"
            " these items and never move, and the others arrange around them. 3:5=YAL001C is"
            " row 3, column 5, as the map counts; 64=YAL001C is node 64 of prototypes.csv, which"
            " counts from 0.",
            equation="TR abstract, constrained learning",
            advanced=True,
        ),
    )

    @property
    def takes_pins(self) -> bool:
        return True

    @property
    def anchored(self) -> dict[int, str]:
        """Item ids by the node that is pinned to them."""
        found = {}
        for text in self.anchors:
            place, _, item = text.partition("=")
            node = node_at(self.grid, place)
            assert node is not None
            found[node] = item.strip()
        return found

    def conflicts(self) -> Iterable[Problem]:
        yield from super().conflicts()
        if not self.anchors or (self.shape is None and self.lattice != "table"):
            # The size of the map is not chosen yet: nodes are checked later.
            return
        grid = self.grid
        nodes = []
        for text in self.anchors:
            place, sign, item = text.partition("=")
            node = node_at(grid, place)
            if node is None or not sign or not item.strip():
                yield Problem(
                    key="params.anchor",
                    what=f"The anchor '{text}' does not name a node of the map and an item.",
                    where="parameter 'anchors'",
                    fields=("anchors",),
                    way_out="Write row:column=item with rows up to"
                    f" {grid.rows} and columns up to {grid.columns}, or node=item with nodes"
                    f" from 0 to {grid.n_nodes - 1}.",
                )
            else:
                nodes.append(str(node))
        for twice in repeated(nodes):
            yield Problem(
                key="params.anchor_twice",
                what=f"Node {twice} is pinned more than once.",
                where="parameter 'anchors'",
                fields=("anchors",),
                way_out="Pin a node to one item only.",
            )


def node_at(grid: Grid, place: str) -> int | None:
    """Node of 'row:column', counted from 1, or of 'node', counted from 0; None if there is none."""
    try:
        numbers = [int(number) for number in place.split(":")]
    except ValueError:
        return None
    if len(numbers) == 1:
        return numbers[0] if 0 <= numbers[0] < grid.n_nodes else None
    if len(numbers) != 2:
        return None
    row, column = numbers
    inside = 1 <= row <= grid.rows and 1 <= column <= grid.columns
    return (row - 1) * grid.columns + column - 1 if inside else None


@dataclass(frozen=True, kw_only=True, eq=False)
class Pinned:
    """Nodes (P,) whose prototypes do not move, and their prototypes, (P, D); NaN if missing."""

    nodes: Ints
    values: Floats

    def put(self, prototypes: Floats) -> Floats:
        """Return the prototypes (M, D) with the pinned ones in their places.

        Values missing in an item stay as they are: they do not move in training either.
        """
        if not len(self.nodes):
            return prototypes
        held = prototypes.copy()
        held[self.nodes] = np.where(np.isnan(self.values), held[self.nodes], self.values)
        return held


def pinned(matrix: Matrix, params: Any) -> Pinned:
    """Find the pinned nodes, ascending, and their items; none by default."""
    anchored = params.anchored if isinstance(params, AnchorParams) else {}
    row_of = {item: row for row, item in enumerate(matrix.item_ids)} if anchored else {}
    nodes = sorted(anchored)
    rows = [row_of[anchored[node]] for node in nodes]
    return Pinned(
        nodes=frozen(np.array(nodes, dtype=np.int64)), values=frozen(matrix.values[rows].copy())
    )


def anchor_problems(matrix: Matrix, params: Any) -> Iterator[Problem]:
    """Report anchors that name no item of these data."""
    if not isinstance(params, AnchorParams) or not params.anchors:
        return
    known = set(matrix.item_ids)
    for item in params.anchored.values():
        if item not in known:
            yield Problem(
                key="params.anchor_item",
                what=f"There is no item '{item}' to pin a node to.",
                where="parameter 'anchors'",
                fields=("anchors",),
                way_out=closest(item, matrix.item_ids),
            )
