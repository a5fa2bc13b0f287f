"""One map brought over another: what was done to it is undone, on planes and tori."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ximstudio.measure.alignment import align, circular_means, extent, short_way
from ximstudio.model import Grid, Lattice
from ximstudio.model.arrays import Floats
from ximstudio.place.placed import wrapped

SQUARE = Grid(6, 6, Lattice.RECTANGULAR, toroidal=True)
OBLONG = Grid(5, 8, Lattice.RECTANGULAR, toroidal=True)
HEXAGONAL = Grid(8, 8, Lattice.HEXAGONAL, toroidal=True)
TORI = [SQUARE, OBLONG, HEXAGONAL]

seeds = st.integers(0, 2**32 - 1)


def turn(rng: np.random.Generator, d: int) -> Floats:
    """A random rotation, with or without reflection."""
    return np.asarray(np.linalg.qr(rng.normal(size=(d, d)))[0] * rng.choice([-1.0, 1.0], d))


def on(grid: Grid, rng: np.random.Generator, n_items: int) -> Floats:
    """Random places on a torus."""
    return np.asarray(grid.origin + rng.random((n_items, 2)) * grid.periods)


def squares(one: Floats, other: Floats, grid: Grid) -> float:
    """Sum of squared distances the short way round, by trying all images."""
    images = [np.array(image) * grid.periods for image in product(range(-3, 4), repeat=2)]
    each = [((one - other + image) ** 2).sum(axis=1) for image in images]
    return float(np.min(each, axis=0).sum())


def assert_same_places(one: Floats, other: Floats, grid: Grid) -> None:
    assert np.abs(short_way(one - other, grid)).max() < 1e-9


def assert_inside(positions: Floats, grid: Grid) -> None:
    assert (positions >= grid.origin).all()
    assert (positions <= np.add(grid.origin, grid.periods)).all()


@given(seeds, st.integers(1, 3), st.floats(1e-3, 1e3), st.integers(4, 40))
def test_that_turns_flips_shifts_and_scales_are_undone(
    seed: int, d: int, scale: float, n_items: int
) -> None:
    rng = np.random.default_rng(seed)
    onto = rng.normal(size=(n_items, d))
    positions = scale * onto @ turn(rng, d) + rng.normal(size=d)
    np.testing.assert_allclose(align(positions, onto), onto, atol=1e-9)


@pytest.mark.parametrize("scale", [1e-100, 1e100])
def test_that_units_do_not_matter(scale: float) -> None:
    rng = np.random.default_rng(0)
    onto = rng.normal(size=(20, 2))
    np.testing.assert_allclose(align(onto @ turn(rng, 2) * scale, onto), onto, atol=1e-9)
    np.testing.assert_allclose(align(onto @ turn(rng, 2), onto * scale), onto * scale, rtol=1e-9)


def test_that_flips_and_quarter_turns_of_a_plane_grid_are_undone() -> None:
    grid = Grid(4, 7, Lattice.HEXAGONAL)
    x, y = grid.nodes.T
    for moved in ([-x, y], [x, -y], [-x, -y], [y, x], [-y, x]):
        found = align(np.stack(moved, axis=1), grid.nodes, grid)
        np.testing.assert_allclose(found, grid.nodes, atol=1e-9)


def test_that_no_turn_or_flip_fits_better() -> None:
    rng = np.random.default_rng(1)
    positions, onto = rng.normal(size=(30, 2)), rng.normal(size=(30, 2))
    found = align(positions, onto)
    assert extent(found) == pytest.approx(extent(onto))
    standard = (positions - positions.mean(axis=0)) * extent(onto) / extent(positions)
    angles = np.linspace(0.0, 2.0 * np.pi, 2000)
    others = [
        standard * [1.0, flip] @ np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
        for a, flip in product(angles, (1.0, -1.0))
    ]
    misfits = [((other - onto + onto.mean(axis=0)) ** 2).sum() for other in others]
    assert ((found - onto) ** 2).sum() == pytest.approx(min(misfits), rel=1e-5)


def test_that_only_items_of_both_maps_decide_and_all_are_moved() -> None:
    rng = np.random.default_rng(2)
    onto = rng.normal(size=(20, 2))
    positions = 3.0 * onto @ turn(rng, 2) + 1.0
    positions[:3], onto_known = np.nan, onto.copy()
    onto_known[10:] = np.nan
    moved = align(positions, onto_known)
    assert np.isnan(moved[:3]).all()
    np.testing.assert_allclose(moved[3:], onto[3:], atol=1e-9)


@pytest.mark.parametrize("grid", [None, SQUARE])
def test_that_a_map_without_common_items_stays_where_it_is(grid: Grid | None) -> None:
    positions = np.array([[1.0, 2.0], [3.0, 0.5], [np.nan, np.nan]])
    onto = np.array([[np.nan, np.nan], [np.nan, np.nan], [1.0, 1.0]])
    np.testing.assert_array_equal(align(positions, onto, grid), positions)


@pytest.mark.parametrize("grid", [None, SQUARE])
def test_that_one_common_item_is_laid_over_itself_and_the_rest_follows(grid: Grid | None) -> None:
    positions = np.array([[1.0, 2.0], [1.5, 0.5]])
    onto = np.array([[2.0, 3.0], [np.nan, np.nan]])
    np.testing.assert_allclose(align(positions, onto, grid), [[2.0, 3.0], [2.5, 1.5]])


@pytest.mark.parametrize("d", [1, 2, 3])
def test_that_a_map_in_one_point_is_only_shifted(d: int) -> None:
    # The mean of ten times 0.1 is not 0.1: rounding must not pass for a shape.
    point, cloud = np.full((10, d), 0.1), np.random.default_rng(0).normal(size=(10, d))
    np.testing.assert_allclose(
        align(point, cloud), np.broadcast_to(cloud.mean(axis=0), (10, d)), atol=1e-12
    )
    np.testing.assert_allclose(align(cloud, point), cloud - cloud.mean(axis=0) + 0.1, atol=1e-12)


@pytest.mark.parametrize("grid", TORI, ids=["square", "oblong", "hexagonal"])
@given(seed=seeds, flips=st.tuples(*[st.sampled_from([1.0, -1.0])] * 2))
def test_that_flips_and_shifts_of_a_torus_are_undone(
    grid: Grid, seed: int, flips: tuple[float, float]
) -> None:
    rng = np.random.default_rng(seed)
    onto = on(grid, rng, 25)
    positions = wrapped(grid, onto * flips + 20.0 * rng.normal(size=2))
    moved = align(positions, onto, grid)
    assert_same_places(moved, onto, grid)
    assert_inside(moved, grid)


@given(seeds, st.tuples(*[st.sampled_from([1.0, -1.0])] * 2))
def test_that_quarter_turns_of_a_square_torus_are_undone(
    seed: int, flips: tuple[float, float]
) -> None:
    rng = np.random.default_rng(seed)
    onto = on(SQUARE, rng, 25)
    positions = wrapped(SQUARE, onto[:, ::-1] * flips + 20.0 * rng.normal(size=2))
    assert_same_places(align(positions, onto, SQUARE), onto, SQUARE)


@pytest.mark.parametrize("grid", TORI, ids=["square", "oblong", "hexagonal"])
def test_that_flips_carry_every_lattice_over_itself(grid: Grid) -> None:
    for flips in ([-1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]):
        flipped = grid.nodes * flips
        apart = short_way(flipped[:, None] - grid.nodes, grid)
        assert (np.abs(apart).sum(axis=2).min(axis=1) < 1e-9).all()


@pytest.mark.parametrize("grid", [OBLONG, HEXAGONAL], ids=["oblong", "hexagonal"])
def test_that_a_torus_is_not_turned_unless_it_is_square(grid: Grid) -> None:
    rng = np.random.default_rng(3)
    onto = on(grid, rng, 25)
    positions = wrapped(grid, onto[:, ::-1])
    moved = align(positions, onto, grid)
    apart = short_way(positions[:, None] - positions, grid)
    np.testing.assert_allclose(
        np.abs(short_way(moved[:, None] - moved, grid)), np.abs(apart), atol=1e-9
    )


@given(seeds, st.integers(2, 12))
def test_that_no_symmetry_and_shift_of_a_torus_fits_better(seed: int, n_items: int) -> None:
    rng = np.random.default_rng(seed)
    positions, onto = on(SQUARE, rng, n_items), on(SQUARE, rng, n_items)
    least = squares(align(positions, onto, SQUARE), onto, SQUARE)
    shifts = np.linspace(0.0, 6.0, 601)
    for order, *flips in product(permutations((0, 1)), (1.0, -1.0), (1.0, -1.0)):
        apart = onto - positions[:, order] * flips
        rest = np.abs(apart - shifts[:, None, None]) % 6.0
        # Axis by axis, since shifts along one do not change distances along the other.
        tried = (np.minimum(rest, 6.0 - rest) ** 2).sum(axis=1).min(axis=0).sum()
        assert least <= tried + 1e-9


def test_that_a_map_across_the_seam_is_laid_over_one_that_is_not() -> None:
    onto = np.array([[2.0, 3.0], [3.0, 3.5], [2.5, 2.0], [3.2, 2.2]])
    positions = wrapped(SQUARE, onto + 3.0)
    assert np.ptp(positions, axis=0).min() > 3.0
    np.testing.assert_allclose(align(positions, onto, SQUARE), onto, atol=1e-12)


def test_that_what_is_given_is_not_changed() -> None:
    rng = np.random.default_rng(4)
    for grid in (None, SQUARE):
        positions, onto = on(SQUARE, rng, 9), on(SQUARE, rng, 9)
        before = positions.copy(), onto.copy()
        align(positions, onto, grid)
        np.testing.assert_array_equal(positions, before[0])
        np.testing.assert_array_equal(onto, before[1])


@given(
    st.lists(st.floats(-30.0, 30.0) | st.integers(-8, 8).map(float), min_size=1, max_size=12),
    st.sampled_from([1.0, 4.0, 7.3]),
)
def test_that_the_mean_on_a_circle_is_the_best_place_of_all(
    values: list[float], period: float
) -> None:
    def misfit(place: Floats) -> Floats:
        apart = np.abs(np.subtract.outer(np.array(values), place)) % period
        return np.asarray((np.minimum(apart, period - apart) ** 2).sum(axis=0))

    found = circular_means(np.array(values), period)
    tried = misfit(np.linspace(0.0, period, 2001))
    assert misfit(found) <= tried.min() + 1e-9
    # A place between two that were tried differs from them by at most half a step.
    step = period / 2000
    assert misfit(found) >= tried.min() - len(values) * period * step


def test_that_means_on_many_circles_are_those_of_each_and_pass_over_nan() -> None:
    rng = np.random.default_rng(5)
    values = rng.uniform(-9.0, 9.0, size=(7, 50))
    values[rng.random(values.shape) < 0.4] = np.nan
    values[:, 0] = np.nan
    found = circular_means(values, 4.0)
    assert np.isnan(found[0])
    for column in range(1, 50):
        known = values[~np.isnan(values[:, column]), column]
        assert found[column] == pytest.approx(float(circular_means(known, 4.0)), abs=1e-12)


def test_that_the_mean_across_the_seam_lies_at_the_seam() -> None:
    found = float(circular_means(np.array([9.5, 0.5, 9.9, 0.1]), 10.0))
    assert min(found, 10.0 - found) == pytest.approx(0.0, abs=1e-12)


def test_that_the_extent_is_the_root_mean_square_distance_from_the_centre() -> None:
    assert extent(np.array([[1.0, 1.0], [4.0, 5.0]])) == pytest.approx(2.5)
    assert extent(np.full((10, 2), 0.1)) == 0.0
    assert extent(np.empty((0, 2))) == 0.0
