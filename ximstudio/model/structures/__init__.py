"""Where nodes may lie (TR section 2). `STRUCTURES` lists every structure hypothesis there is."""

from __future__ import annotations

from ximstudio.model.structures.cubic import Cubic
from ximstudio.model.structures.curves import Line, Ring
from ximstudio.model.structures.flat import Cylinder, Hexagonal, Rectangular
from ximstudio.model.structures.hyperbolic import Hyperbolic
from ximstudio.model.structures.strewn import Disc, Random, Table
from ximstudio.model.structures.structure import Cell, Lattice, Structure

STRUCTURES: tuple[Structure, ...] = (
    Rectangular(),
    Hexagonal(),
    Cylinder(),
    Line(),
    Ring(),
    Cubic(),
    Disc(),
    Random(),
    Hyperbolic(),
    Table(),
)

BY_LATTICE = {structure.lattice: structure for structure in STRUCTURES}

__all__ = ["BY_LATTICE", "STRUCTURES", "Cell", "Lattice", "Structure"]
