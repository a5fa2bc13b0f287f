"""Runs over each other, and how far items wander between them."""

from __future__ import annotations

import numpy as np
import pytest

from ximstudio.measure.alignment import align, short_way
from ximstudio.measure.stability import Placement, consensus, stability, wander
from ximstudio.model import Grid, Lattice
from ximstudio.model.arrays import Floats
from ximstudio.place.placed import wrapped

SQUARE = Grid(10, 10, Lattice.RECTANGULAR, toroidal=True)
HEXAGONAL = Grid(8, 9, Lattice.HEXAGONAL, toroidal=True)
GRIDS = [None, Grid(10, 10), SQUARE, HEXAGONAL]
NAMES = ["no grid", "plane", "square", "hexagonal"]


def places(rng: np.random.Generator, n_items: int, grid: Grid | None) -> Floats:
    """Places drawn at random, all over a torus."""
    if grid is None or not grid.toroidal:
        return rng.normal(size=(n_items, 2))
    return np.asarray(grid.origin + rng.random((n_items, 2)) * grid.periods)


def elsewhere(rng: np.random.Generator, positions: Floats, grid: Grid | None) -> Floats:
    """The same map flipped, turned and shifted as its grid allows."""
    flipped = positions * rng.choice([-1.0, 1.0], 2)
    if grid is not None and grid.toroidal:
        return wrapped(grid, flipped + 20.0 * rng.random(2))
    angle = rng.uniform(0.0, 2.0 * np.pi)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    return np.asarray(rng.uniform(0.5, 2.0) * flipped @ turn + rng.normal(size=2))


def runs_of(
    positions: Floats,
    grid: Grid | None,
    *,
    noise: float = 0.0,
    n_runs: int = 6,
    share: float = 1.0,
) -> list[Placement]:
    """Runs on a share of the items, each moved elsewhere, with some noise."""
    rng = np.random.default_rng(7)
    runs = []
    for _ in range(n_runs):
        items = np.sort(rng.permutation(len(positions))[: round(share * len(positions))])
        noisy = positions[items] + noise * rng.normal(size=(len(items), 2))
        runs.append(Placement(items=items, positions=elsewhere(rng, noisy, grid)))
    return runs


@pytest.mark.parametrize("grid", GRIDS, ids=NAMES)
def test_that_the_same_map_again_does_not_wander(grid: Grid | None) -> None:
    positions = places(np.random.default_rng(0), 80, grid)
    found = stability(runs_of(positions, grid, share=0.9), 80, grid)
    np.testing.assert_allclose(found.wander, 0.0, atol=1e-9)
    assert found.mean_wander == pytest.approx(0.0, abs=1e-9)
    for run in found.runs:
        apart = short_way(run.positions - found.positions[run.items], grid)
        np.testing.assert_allclose(apart, 0.0, atol=1e-9)


@pytest.mark.parametrize("n_runs", [2, 3, 10])
@pytest.mark.parametrize("grid", GRIDS, ids=NAMES)
def test_that_items_placed_at_random_wander_as_far_as_anywhere(
    grid: Grid | None, n_runs: int
) -> None:
    rng = np.random.default_rng(1)
    everyone = np.arange(2000)
    runs = [Placement(items=everyone, positions=places(rng, 2000, grid)) for _ in range(n_runs)]
    found = stability(runs, 2000, grid)
    assert np.sqrt((found.wander**2).mean()) == pytest.approx(1.0, abs=0.06)


@pytest.mark.parametrize("noise", [0.05, 0.2])
def test_that_wander_is_the_noise_over_the_size_of_the_map(noise: float) -> None:
    flat = places(np.random.default_rng(2), 1000, None)
    found = stability(runs_of(flat, None, noise=noise, n_runs=10), 1000)
    expected = noise / np.sqrt(1.0 + noise**2)
    assert np.sqrt((found.wander**2).mean()) == pytest.approx(expected, rel=0.03)

    torus = places(np.random.default_rng(2), 1000, SQUARE)
    found = stability(runs_of(torus, SQUARE, noise=noise, n_runs=10), 1000, SQUARE)
    # Two places are √2 times as far apart as one is from the true place, on both axes.
    expected = 2.0 * noise / np.sqrt(200.0 / 12.0)
    assert np.sqrt((found.wander**2).mean()) == pytest.approx(expected, rel=0.03)


def test_that_wander_off_the_torus_is_the_spread_around_the_mean_of_all_runs() -> None:
    aligned = np.random.default_rng(3).normal(size=(5, 30, 2))
    aligned[0, :4] = np.nan
    aligned[2:, 3] = np.nan
    spread = np.array([np.nanvar(aligned[:, i], axis=0, ddof=1).sum() for i in range(3)])
    size = np.nanvar(aligned, axis=(0, 1)).sum()
    found = wander(aligned)
    np.testing.assert_allclose(found[:3], np.sqrt(spread / size))
    assert np.isnan(found[3])
    assert not np.isnan(found[4:]).any()


def test_that_wander_goes_the_short_way_round() -> None:
    aligned = np.array([[[9.4, 5.0], [2.0, 2.0]], [[-0.4, 5.0], [2.0, 2.0]]])
    np.testing.assert_allclose(wander(aligned, SQUARE), [0.2 / np.sqrt(200.0 / 12.0), 0.0])


@pytest.mark.parametrize("grid", GRIDS, ids=NAMES)
def test_that_an_item_which_jumps_is_the_most_wandering(grid: Grid | None) -> None:
    positions = places(np.random.default_rng(4), 60, grid)
    size = 1.0 if grid is None or not grid.toroidal else 3.0
    rng = np.random.default_rng(5)
    runs = []
    for number in range(8):
        jumped = positions + 0.02 * size * rng.normal(size=positions.shape)
        jumped[41] += (number % 2) * size
        jumped[17] += 0.3 * (number % 2) * size
        runs.append(Placement(items=np.arange(60), positions=elsewhere(rng, jumped, grid)))
    found = stability(runs, 60, grid)
    assert found.most_wandering(2).tolist() == [41, 17]
    assert found.wander[41] > 5.0 * np.median(found.wander)


@pytest.mark.parametrize("grid", GRIDS, ids=NAMES)
def test_that_noise_averages_out_also_across_the_seam(grid: Grid | None) -> None:
    positions = places(np.random.default_rng(16), 100, grid)
    found = stability(runs_of(positions, grid, noise=0.1, n_runs=16), 100, grid)
    apart = short_way(align(found.positions, positions, grid) - positions, grid)
    # A quarter of the noise is left; the worst of 200 coordinates is off by three to four of that.
    assert np.abs(apart).max() < 5.0 * 0.1 / 4.0


@pytest.mark.parametrize("grid", GRIDS, ids=NAMES)
def test_that_the_order_of_the_runs_does_not_matter(grid: Grid | None) -> None:
    positions = places(np.random.default_rng(6), 100, grid)
    runs = runs_of(positions, grid, noise=0.2, share=0.8)
    # One odd run in front must not mislead the rest.
    odd = Placement(items=np.arange(100), positions=places(np.random.default_rng(8), 100, grid))
    one = stability([odd, *runs], 100, grid)
    other = stability([*runs[::-1], odd], 100, grid)
    np.testing.assert_allclose(one.wander, other.wander, atol=1e-9)


def test_that_items_of_fewer_than_two_runs_have_no_wander() -> None:
    rng = np.random.default_rng(9)
    positions = rng.normal(size=(12, 2))
    first, second = np.arange(10), np.arange(1, 11)
    found = stability(
        [
            Placement(items=first, positions=positions[first]),
            Placement(items=second, positions=positions[second]),
        ],
        12,
    )
    np.testing.assert_array_equal(np.flatnonzero(np.isnan(found.wander)), [0, 10, 11])
    np.testing.assert_array_equal(np.isnan(found.positions[:, 0]).nonzero()[0], [11])
    assert len(found.most_wandering(50)) == 9
    assert found.mean_wander == pytest.approx(0.0, abs=1e-9)


def test_that_aligned_runs_keep_their_items_in_their_order() -> None:
    positions = np.random.default_rng(10).normal(size=(9, 2))
    items = np.array([7, 2, 5, 0, 8])
    everyone = Placement(items=np.arange(9), positions=positions)
    some = Placement(items=items, positions=3.0 * positions[items] - 1.0)
    found = stability([everyone, some, everyone], 9)
    np.testing.assert_array_equal(found.runs[1].items, items)
    np.testing.assert_allclose(found.runs[1].positions, found.runs[0].positions[items], atol=1e-9)


@pytest.mark.parametrize("grid", GRIDS, ids=NAMES)
def test_that_one_run_alone_stays_where_it_is_and_wanders_nowhere_known(grid: Grid | None) -> None:
    positions = places(np.random.default_rng(11), 20, grid)
    found = stability([Placement(items=np.arange(20), positions=positions)], 20, grid)
    np.testing.assert_allclose(found.positions, positions, atol=1e-9)
    assert np.isnan(found.wander).all()
    assert np.isnan(found.mean_wander)
    assert len(found.most_wandering(3)) == 0


@pytest.mark.parametrize("grid", GRIDS, ids=NAMES)
def test_that_maps_in_one_point_do_not_wander(grid: Grid | None) -> None:
    runs = [Placement(items=np.arange(10), positions=np.full((10, 2), 0.5 * r)) for r in range(3)]
    np.testing.assert_allclose(stability(runs, 10, grid).wander, 0.0, atol=1e-9)


@pytest.mark.parametrize("grid", GRIDS, ids=NAMES)
def test_that_runs_without_common_items_are_left_alone(grid: Grid | None) -> None:
    positions = places(np.random.default_rng(12), 20, grid)
    runs = [
        Placement(items=np.arange(0, 10), positions=positions[:10]),
        Placement(items=np.arange(10, 20), positions=positions[10:]),
    ]
    found = stability(runs, 20, grid)
    assert np.isnan(found.wander).all()
    np.testing.assert_allclose(found.positions, positions, atol=1e-9)


@pytest.mark.parametrize("d", [1, 3])
def test_that_maps_of_one_and_three_dimensions_are_aligned(d: int) -> None:
    rng = np.random.default_rng(13)
    positions = rng.normal(size=(40, d))
    runs = [
        Placement(
            items=np.arange(40),
            positions=positions @ np.linalg.qr(rng.normal(size=(d, d)))[0] * rng.uniform(1.0, 2.0),
        )
        for _ in range(4)
    ]
    np.testing.assert_allclose(stability(runs, 40).wander, 0.0, atol=1e-9)


def test_that_the_consensus_of_unlike_maps_does_not_shrink() -> None:
    maps = np.random.default_rng(14).normal(size=(10, 300, 2))
    aligned, mean = consensus(maps)
    sizes = [np.sqrt(one.var(axis=0).sum()) for one in aligned]
    whole = [np.sqrt(one.var(axis=0).sum()) for one in maps]
    assert min(whole) - 1e-9 < min(sizes)
    assert max(sizes) < max(whole) + 1e-9
    np.testing.assert_allclose(mean, aligned.mean(axis=0))


def test_that_items_wander_less_around_the_consensus_than_around_any_run() -> None:
    positions = places(np.random.default_rng(15), 50, None)
    runs = runs_of(positions, None, noise=0.5, n_runs=10)
    least = (stability(runs, 50).wander ** 2).mean()
    for one in runs:
        aligned = np.stack([align(other.positions, one.positions) for other in runs])
        assert least < (wander(aligned) ** 2).mean()
