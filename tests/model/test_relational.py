"""Mixtures of items are as far from each other as their coordinates would say."""

from __future__ import annotations

import numpy as np
import pytest

from tests import twins
from ximstudio.model import Grid, PrototypeMap
from ximstudio.model.arrays import Floats
from ximstudio.model.relational import RelationalMap, signed_root

GRID = Grid(2, 3)


def mixtures(n_items: int) -> Floats:
    alpha = np.random.default_rng(1).normal(size=(GRID.n_nodes, n_items))
    return np.asarray(alpha + (1.0 - alpha.sum(axis=1, keepdims=True)) / n_items)


def related(table: Floats, alpha: Floats) -> RelationalMap:
    squares = table**2
    mixed = alpha @ squares
    offsets = 0.5 * np.einsum("jk,jk->j", mixed, alpha)
    return RelationalMap(
        grid=GRID, prototypes=signed_root(mixed - offsets[:, None]), coefficients=alpha
    )


@pytest.fixture
def items() -> Floats:
    return np.random.default_rng(0).normal(size=(12, 4))


def test_that_distances_are_those_of_the_coordinates(items: Floats) -> None:
    alpha = mixtures(12)
    plain = PrototypeMap(grid=GRID, prototypes=alpha @ items)
    found = related(twins.pair_distances(items), alpha)
    new = np.random.default_rng(5).normal(size=(7, 4))
    rows = np.linalg.norm(new[:, None] - items, axis=2)
    expected = np.array([twins.data_distances(x, plain.prototypes) for x in new])
    np.testing.assert_allclose(found.squared_distances(rows), expected)
    np.testing.assert_allclose(found.spacing, plain.spacing)
    every = np.arange(GRID.n_nodes)
    np.testing.assert_allclose(found.apart(every, every[::-1]), plain.apart(every, every[::-1]))
    assert not found.apart(every, every).any()


def test_that_items_without_a_part_may_be_blank(items: Floats) -> None:
    alpha = mixtures(12)
    alpha[:, 3] = 0.0
    alpha /= alpha.sum(axis=1, keepdims=True)
    found = related(twins.pair_distances(items), alpha)
    rows = twins.pair_distances(items)
    holes = rows.copy()
    holes[:, 3] = np.nan
    np.testing.assert_array_equal(found.squared_distances(holes), found.squared_distances(rows))


def test_that_nothing_is_lost_where_no_euclidean_space_holds_the_table() -> None:
    # Three items as near to the fourth as a third of their distance: no triangle inequality.
    table = np.full((4, 4), 3.0) - 3.0 * np.eye(4)
    table[3, :3] = table[:3, 3] = 1.0
    alpha = np.tile([1 / 3, 1 / 3, 1 / 3, 0.0], (GRID.n_nodes, 1))
    found = related(table, alpha)
    assert found.prototypes[0, 3] == pytest.approx(-np.sqrt(2.0))
    np.testing.assert_allclose(found.squared_distances(table)[3], 1.0 - 3.0)
    np.testing.assert_allclose(found.offsets, 3.0)
