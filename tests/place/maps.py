"""Maps made by hand, to place items on."""

from __future__ import annotations

import numpy as np

from tests import twins
from ximstudio.model import Grid, Lattice, PrototypeMap
from ximstudio.model.arrays import Floats

N_FEATURES = 7

FLAT_GRIDS = [Grid(6, 9), Grid(5, 4, Lattice.HEXAGONAL), Grid(1, 12), Grid(7, 7)]
TORI = [Grid(7, 9, toroidal=True), Grid(8, 10, Lattice.HEXAGONAL, toroidal=True)]


def rough_map(grid: Grid, *, size: float = 1.0, offset: float = 0.0) -> PrototypeMap:
    """Prototypes that have nothing to do with the map: the hardest case for placing."""
    rng = np.random.default_rng(3)
    return PrototypeMap(
        grid=grid, prototypes=offset + size * rng.normal(size=(grid.n_nodes, N_FEATURES))
    )


def smooth_map(grid: Grid) -> PrototypeMap:
    """Prototypes that change little between neighbours; on a torus also across its seams."""
    rng = np.random.default_rng(4)
    places = twins.node_places(grid)
    if grid.toroidal:
        angles = 2.0 * np.pi * places / twins.periods(grid)
        places = np.hstack([np.cos(angles), np.sin(angles)])
    bent = places @ rng.normal(size=(places.shape[1], N_FEATURES))
    return PrototypeMap(grid=grid, prototypes=bent + 0.02 * rng.normal(size=bent.shape))


def items_near(model: PrototypeMap, n_items: int = 60, *, blanks: bool = False) -> Floats:
    """Items between the prototypes and around them."""
    rng = np.random.default_rng(5)
    pairs = rng.integers(0, model.grid.n_nodes, (n_items, 2))
    share = rng.random((n_items, 1))
    between = share * model.prototypes[pairs[:, 0]] + (1.0 - share) * model.prototypes[pairs[:, 1]]
    size = float(model.prototypes.std())
    values = between + 0.2 * size * rng.normal(size=between.shape)
    if blanks:
        hidden = rng.random(values.shape) < 0.3
        hidden[np.arange(n_items), rng.integers(0, values.shape[1], n_items)] = False
        values[hidden] = np.nan
    return np.asarray(values)


def around(grid: Grid, one: Floats, other: Floats) -> Floats:
    """How far apart positions are, the short way round a torus."""
    apart = np.abs(one - other)
    if grid.toroidal:
        apart = np.minimum(apart, np.abs(twins.periods(grid) - apart))
    return np.asarray(apart)
