"""Turns to try, and what they do to a map, worked out in other ways."""

from __future__ import annotations

from itertools import product

import numpy as np
from hypothesis import strategies as st

from ximstudio.maps.orientation import Orientation
from ximstudio.model import Grid, Lattice
from ximstudio.model.arrays import Floats, Ints

FLIPS = tuple(
    Orientation(flipped_x=x, flipped_y=y, swapped=swapped)
    for swapped, x, y in product((False, True), repeat=3)
)
"""The eight symmetries of a rectangle's picture."""


@st.composite
def turned_grids(draw: st.DrawFn) -> tuple[Grid, Orientation]:
    """Squares, honeycombs, tori and cylinders, with a turn that each of them allows."""
    lattice = draw(st.sampled_from([Lattice.RECTANGULAR, Lattice.HEXAGONAL, Lattice.CYLINDER]))
    toroidal = lattice is not Lattice.CYLINDER and draw(st.booleans())
    rows, columns = draw(st.integers(1, 7)), draw(st.integers(1, 7))
    if toroidal and lattice is Lattice.HEXAGONAL:
        rows += rows % 2
    grid = Grid(rows, columns, lattice, toroidal=toroidal)
    flips = draw(st.sampled_from(FLIPS))
    sideways, upright = grid.joined
    turn = Orientation(
        flipped_x=flips.flipped_x,
        flipped_y=flips.flipped_y,
        swapped=flips.swapped,
        rows=draw(st.integers(-9, 9)) if upright else 0,
        columns=draw(st.integers(-9, 9)) if sideways else 0,
    )
    return grid, turn


def turned_table(table: Ints, turn: Orientation) -> Ints:
    """What is drawn where, when a table of squares is turned by numpy."""
    moved = np.roll(table, (turn.rows, turn.columns), axis=(0, 1))
    moved = moved.T if turn.swapped else moved
    moved = moved[:, ::-1] if turn.flipped_x else moved
    return moved[::-1] if turn.flipped_y else moved


def short(grid: Grid, apart: Floats) -> Floats:
    """Differences of positions the short way round, by trying all images."""
    width, height = (period if np.isfinite(period) else 0.0 for period in grid.periods)
    images = np.array([(i * width, j * height) for i in range(-4, 5) for j in range(-4, 5)])
    every = apart[:, None] + images
    return np.asarray(every[np.arange(len(apart)), (every**2).sum(axis=2).argmin(axis=1)])
