"""One small map of every structure hypothesis, and a table of nodes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ximstudio.load.nodes import load_nodes
from ximstudio.model import Grid, Lattice

NODE_FILE = str(Path(__file__).parent / "data" / "nodes" / "spiral.csv")
"""Twenty nodes on four arms."""

IN_SPACE = Grid.of_places(np.random.default_rng(5).uniform(0.0, 3.0, (30, 3)))
"""A table with z."""

GRIDS = (
    Grid(4, 5),
    Grid(4, 5, toroidal=True),
    Grid(4, 5, Lattice.HEXAGONAL),
    Grid(4, 5, Lattice.CYLINDER),
    Grid(4, 5, Lattice.LINE),
    Grid(4, 5, Lattice.RING),
    Grid(4, 5, Lattice.CUBIC, depth=3),
    Grid(4, 5, Lattice.DISC),
    Grid(4, 5, Lattice.RANDOM),
    Grid(4, 5, Lattice.HYPERBOLIC),
    load_nodes(NODE_FILE),
    IN_SPACE,
)
NAMES = [f"{grid.lattice}{'-torus' if grid.toroidal else ''}{grid.n_axes}" for grid in GRIDS]

every_structure = pytest.mark.parametrize("grid", GRIDS, ids=NAMES)
every_lattice = pytest.mark.parametrize("lattice", list(Lattice), ids=str)
