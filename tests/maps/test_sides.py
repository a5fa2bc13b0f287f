"""The sides that neighbouring cells share."""

from __future__ import annotations

import numpy as np
import pytest

from ximstudio.maps.mosaic import mosaic
from ximstudio.maps.sides import sides
from ximstudio.model import Grid, Lattice


@pytest.mark.parametrize(
    "grid",
    [Grid(9, 13, Lattice.RANDOM), Grid(8, 8, Lattice.DISC), Grid(2, 2, Lattice.RANDOM)],
    ids=str,
)
def test_that_sides_lie_in_the_middle_between_two_nodes_and_no_other_is_nearer(grid: Grid) -> None:
    layout = mosaic(grid)
    found = sides(layout)
    assert (found.pairs[:, 0] < found.pairs[:, 1]).all()
    assert len(np.unique(found.pairs, axis=0)) == len(found.pairs)
    apart = np.linalg.norm(found.lines[:, :, None] - layout.places, axis=3)
    left, right = (apart[np.arange(len(apart)), :, found.pairs[:, side]] for side in (0, 1))
    np.testing.assert_allclose(left, right, atol=1e-9)
    assert (left <= apart.min(axis=2) + 1e-9).all()


@pytest.mark.parametrize("lattice", [Lattice.RANDOM, Lattice.DISC])
def test_that_all_cells_that_touch_share_a_side(lattice: Lattice) -> None:
    layout = mosaic(Grid(9, 9, lattice))
    box = layout.bounds
    x, y = np.meshgrid(np.linspace(box[0], box[2], 800), np.linspace(box[1], box[3], 800))
    nodes = layout.node_at(x, y)
    across = np.concatenate(
        [
            np.stack([nodes[:, :-1], nodes[:, 1:]], axis=-1).reshape(-1, 2),
            np.stack([nodes[:-1], nodes[1:]], axis=-1).reshape(-1, 2),
        ]
    )
    across = np.sort(across[(across >= 0).all(axis=1)], axis=1)
    pairs, counts = np.unique(across[across[:, 0] != across[:, 1]], axis=0, return_counts=True)
    shared = set(map(tuple, sides(layout).pairs.tolist()))
    # Steps from corner to corner may meet two cells that touch in a point.
    assert {tuple(pair) for pair in pairs[counts > 2].tolist()} <= shared


def test_that_cells_that_meet_in_one_point_share_no_side_there() -> None:
    rows, columns = np.divmod(np.arange(20), 5)
    turn = np.array([[np.cos(0.3), np.sin(0.3)], [-np.sin(0.3), np.cos(0.3)]])
    places = np.column_stack([columns, rows]) @ turn
    places = places - places.min(axis=0)
    grid = Grid(1, 20, Lattice.TABLE, places=tuple(map(tuple, places.tolist())))
    found = sides(mosaic(grid))
    lengths = np.linalg.norm(found.lines[:, 1] - found.lines[:, 0], axis=1)
    assert lengths.min() > 1e-3
    # Those of a lattice of squares, and none between cells that meet at a corner.
    assert len(found.pairs) == 4 * 4 + 5 * 3
