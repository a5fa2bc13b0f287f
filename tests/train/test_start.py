"""Initial prototypes."""

from __future__ import annotations

import numpy as np
import pytest

from tests import twins
from tests.twins import FLAT
from ximstudio.model import Grid, Lattice, Matrix, UserError
from ximstudio.model.arrays import Floats
from ximstudio.train import method_named, train
from ximstudio.train.start import STARTS, start_prototypes

GRIDS = [
    Grid(6, 9),
    Grid(9, 6),
    Grid(7, 7),
    Grid(6, 9, Lattice.HEXAGONAL),
    Grid(12, 9, Lattice.HEXAGONAL),
    Grid(6, 9, toroidal=True),
    Grid(12, 5, Lattice.HEXAGONAL, toroidal=True),
    Grid(1, 12),
    Grid(12, 1),
]


def known_plane(n_features: int = 8, n_items: int = 200) -> tuple[Matrix, Floats]:
    """Items whose variance is 25 and 9 along two known directions, and little along the others."""
    rng = np.random.default_rng(0)
    axes = np.linalg.qr(rng.normal(size=(n_features, n_features)))[0]
    deviations = np.full(n_features, 0.1)
    deviations[[0, 1]] = 5.0, 3.0
    raw = rng.normal(size=(n_items, n_features))
    raw -= raw.mean(axis=0)
    # Exactly uncorrelated, so that the directions of the sample are the ones known.
    raw = np.linalg.qr(raw)[0] * np.sqrt(n_items)
    values = (raw * deviations) @ axes.T + 100.0 * rng.normal(size=n_features)
    return Matrix.from_array(values), axes[:, :2].T


@pytest.mark.parametrize("grid", GRIDS, ids=str)
def test_that_the_plane_start_spans_the_two_directions_of_largest_variance(grid: Grid) -> None:
    matrix, directions = known_plane()
    start = start_prototypes(matrix, grid, start="pca", seed=0)
    assert start.shape == (grid.n_nodes, matrix.n_features)
    moved = start - matrix.values.mean(axis=0)
    inside = moved @ directions.T
    np.testing.assert_allclose(inside @ directions, moved, atol=1e-9)
    expected = np.array([5.0, 3.0])
    if min(grid.rows, grid.columns) == 1:
        expected[1] = 0.0
    np.testing.assert_allclose(inside.std(axis=0), expected, atol=1e-9)


@pytest.mark.parametrize("grid", [grid for grid in GRIDS if not grid.toroidal], ids=str)
def test_that_the_longer_side_of_the_map_lies_along_the_first_direction(grid: Grid) -> None:
    matrix, directions = known_plane()
    start = start_prototypes(matrix, grid, start="pca", seed=0)
    inside = (start - matrix.values.mean(axis=0)) @ directions.T
    x, y = twins.node_places(grid).T
    longer = x if np.ptp(x) >= np.ptp(y) else y
    assert abs(np.corrcoef(longer, inside[:, 0])[0, 1]) == pytest.approx(1.0, abs=1e-9)


def test_that_the_plane_start_agrees_with_a_singular_value_decomposition() -> None:
    values = np.random.default_rng(1).normal(size=(50, 6)) @ np.diag([9.0, 6.0, 4.0, 2.0, 1.0, 0.5])
    start = start_prototypes(Matrix.from_array(values), Grid(5, 8), start="pca", seed=0)
    moved = values - values.mean(axis=0)
    lengths, directions = np.linalg.svd(moved, full_matrices=False)[1:]
    inside = (start - values.mean(axis=0)) @ directions.T
    np.testing.assert_allclose(inside[:, 2:], 0.0, atol=1e-9)
    np.testing.assert_allclose(inside.std(axis=0)[:2], lengths[:2] / np.sqrt(50), rtol=1e-9)


@pytest.mark.parametrize("lattice", FLAT)
def test_that_a_torus_starts_without_a_tear(lattice: Lattice) -> None:
    matrix, _ = known_plane()
    grid = Grid(10, 12, lattice, toroidal=True)
    start = start_prototypes(matrix, grid, start="pca", seed=0)
    apart = np.linalg.norm(start[grid.edges[:, 0]] - start[grid.edges[:, 1]], axis=1)
    across = np.linalg.norm(start[:, None] - start[None], axis=2)
    assert apart.max() < 0.3 * across.max()


def test_that_wide_and_tall_tables_start_on_the_same_plane() -> None:
    rng = np.random.default_rng(2)
    values = rng.normal(size=(30, 3)) @ rng.normal(size=(3, 29))
    wide = np.hstack([values, np.zeros((30, 5))])
    tall, grid = Matrix.from_array(values), Grid(4, 6)
    one = start_prototypes(tall, grid, start="pca", seed=0)
    other = start_prototypes(Matrix.from_array(wide), grid, start="pca", seed=0)
    np.testing.assert_allclose(other[:, :29], one, atol=1e-8)
    assert np.abs(other[:, 29:]).max() == 0.0


def test_that_a_start_on_items_takes_items() -> None:
    matrix, _ = known_plane()
    few = start_prototypes(matrix, Grid(5, 5), start="items", seed=3)
    rows = [tuple(row) for row in few]
    assert set(rows) <= {tuple(row) for row in matrix.values}
    assert len(set(rows)) == 25
    many = start_prototypes(matrix, Grid(20, 20), start="items", seed=3)
    assert {tuple(row) for row in many} <= {tuple(row) for row in matrix.values}


def test_that_a_random_start_fills_the_range_of_every_feature() -> None:
    matrix, _ = known_plane()
    start = start_prototypes(matrix, Grid(30, 30), start="random", seed=3)
    low, high = matrix.values.min(axis=0), matrix.values.max(axis=0)
    assert (start >= low).all()
    assert (start <= high).all()
    assert (np.ptp(start, axis=0) > 0.95 * (high - low)).all()


@pytest.mark.parametrize("start", ["pca", "items", "random"])
def test_that_blanks_start_as_numbers(start: str) -> None:
    matrix, _ = known_plane()
    values = matrix.values.copy()
    values[np.random.default_rng(4).random(values.shape) < 0.2] = np.nan
    found = start_prototypes(Matrix.from_array(values), Grid(6, 6), start=start, seed=0)
    assert np.isfinite(found).all()


def test_that_the_order_of_items_is_not_drawn_from_the_same_numbers_as_the_start() -> None:
    rng = np.random.default_rng([5, 0])
    matrix, _ = known_plane()
    start = start_prototypes(matrix, Grid(10, 20), start="items", seed=5)
    order = rng.permutation(200)
    assert not np.array_equal(start, matrix.values[order])


@pytest.mark.parametrize("shape", [(25, 7), (24, 8), (8, 25), (25,)])
def test_that_a_given_start_of_another_shape_is_refused(shape: tuple[int, ...]) -> None:
    matrix, _ = known_plane()
    with pytest.raises(UserError) as error:
        start_prototypes(matrix, Grid(5, 5), start="given", seed=0, given=np.zeros(shape))
    assert error.value.keys == ("start.unfit",)


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_that_a_given_start_with_what_is_no_number_is_refused(value: float) -> None:
    matrix, _ = known_plane()
    given = np.zeros((25, 8))
    given[3, 2] = value
    with pytest.raises(UserError) as error:
        start_prototypes(matrix, Grid(5, 5), start="given", seed=0, given=given)
    assert error.value.keys == ("start.unfit",)


def test_that_a_given_start_must_be_given() -> None:
    matrix, _ = known_plane()
    with pytest.raises(UserError) as error:
        start_prototypes(matrix, Grid(5, 5), start="given", seed=0)
    assert error.value.keys == ("start.missing",)


def test_that_a_given_start_is_not_written_to() -> None:
    matrix, _ = known_plane()
    given = np.random.default_rng(0).normal(size=(25, 8))
    before = given.copy()
    method = method_named("c-xim")
    params = method.params.from_values({"shape": (5, 5), "n_steps": 50, "init": "given"})
    train(matrix, method, params, start=given)
    assert np.array_equal(given, before)


def test_that_every_declared_start_is_one() -> None:
    matrix, _ = known_plane()
    for start in STARTS:
        given = np.zeros((4, 8)) if start == "given" else None
        found = start_prototypes(matrix, Grid(2, 2), start=start, seed=0, given=given)
        assert found.shape == (4, 8)
