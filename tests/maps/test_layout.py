"""Items inside the cells of their nodes."""

from __future__ import annotations

import numpy as np
import pytest

from tests.twins import FLAT
from ximstudio.maps.cells import node_at
from ximstudio.maps.layout import spread_in_nodes
from ximstudio.model import Grid
from ximstudio.model.grid import Lattice


@pytest.mark.parametrize("lattice", FLAT)
@pytest.mark.parametrize("n_items", [1, 2, 700])
def test_that_every_item_lies_in_the_cell_of_its_winner(lattice: Lattice, n_items: int) -> None:
    grid = Grid(rows=4, columns=6, lattice=lattice)
    winners = np.random.default_rng(0).integers(0, grid.n_nodes, n_items)
    places = spread_in_nodes(winners, grid)
    np.testing.assert_array_equal(node_at(grid, places[:, 0], places[:, 1]), winners)
    np.testing.assert_array_equal(spread_in_nodes(winners, grid), places)
    assert len(np.unique(places.round(9), axis=0)) == n_items


def test_that_a_single_item_lies_in_the_middle() -> None:
    grid = Grid(rows=2, columns=2)
    np.testing.assert_array_equal(spread_in_nodes(np.array([3]), grid), grid.nodes[[3]])


def test_that_nobody_is_placed_where_there_is_nobody() -> None:
    assert spread_in_nodes(np.empty(0, dtype=np.int64), Grid(rows=2, columns=2)).shape == (0, 2)
