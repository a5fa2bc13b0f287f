"""The parameter that pins nodes to items."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ximstudio.model.grid import Grid
from ximstudio.model.matrix import repeated
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
