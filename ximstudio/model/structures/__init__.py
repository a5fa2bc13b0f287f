"""Structure hypotheses: arrangements of nodes (TR section 2). `STRUCTURES` lists them all."""

from __future__ import annotations

from ximstudio.model.structures.cubic import Cubic
from ximstudio.model.structures.curves import Chain, Ring
from ximstudio.model.structures.flat import Cylinder, Hexagonal, Rectangular
from ximstudio.model.structures.hyperbolic import Hyperbolic
from ximstudio.model.structures.strewn import Disc, GivenNodes, Random
from ximstudio.model.structures.structure import Cell, Lattice, Structure

STRUCTURES: tuple[Structure, ...] = (
    Rectangular(),
    Hexagonal(),
    Cylinder(),
    Chain(),
    Ring(),
    Cubic(),
    Disc(),
    Random(),
    Hyperbolic(),
    GivenNodes(),
)

BY_LATTICE = {structure.lattice: structure for structure in STRUCTURES}

__all__ = ["BY_LATTICE", "STRUCTURES", "Cell", "Lattice", "Structure"]
