"""Parameters of the structure hypothesis: number and arrangement of nodes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Self

from ximstudio.load.nodes import load_nodes
from ximstudio.model.condition import NoneOf, OneOf
from ximstudio.model.grid import Grid, Lattice
from ximstudio.model.method_params import MethodParams
from ximstudio.model.problem import Problem, UserError
from ximstudio.model.spec import Choice, FileName, Number, Pair, Switch, param
from ximstudio.model.structures import BY_LATTICE, STRUCTURES
from ximstudio.train.map_size import suggested_shape


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
