"""Measures of distances against their definitions, scipy, and maps whose values are known."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau, spearmanr

from ximstudio.measure.distances import (
    kendall,
    kruskal_stress,
    normalised_stress,
    sammon,
    shepard,
    spearman,
)
from ximstudio.measure.estimate import Estimate
from ximstudio.measure.pairs import DistancePairs, pairs_of
from ximstudio.model.arrays import Floats

FLAT = (np.inf, np.inf)
MEASURES = [sammon, spearman, kendall, normalised_stress, kruskal_stress]
PairsMeasure = Callable[[DistancePairs], Estimate]

every_measure = pytest.mark.parametrize("measure", MEASURES, ids=lambda each: each.__name__)


def pairs_with(data: Floats, drawn: Floats, *, all_pairs: bool = True) -> DistancePairs:
    numbers = np.arange(len(data))
    return DistancePairs(
        left=numbers,
        right=numbers + 1,
        data=np.array(data, dtype=np.float64),
        map=np.array(drawn, dtype=np.float64),
        all_pairs=all_pairs,
    )


@st.composite
def distances(draw: st.DrawFn) -> tuple[Floats, Floats]:
    """Distances in the data and on the map, related or not, with ties or not; some may be 0."""
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    size = draw(st.integers(2, 60))
    data = rng.gamma(3.0, size=size)
    drawn = data * rng.gamma(draw(st.sampled_from([0.5, 5.0, 500.0])), size=size)
    if draw(st.booleans()):
        data = np.round(data)
    if draw(st.booleans()):
        drawn = np.round(drawn)
    return data, drawn


def least(function: Callable[[float], float], middle: float) -> float:
    """The least value of a parabola in the scale, found by three of its points."""
    low, mid, high = (function(factor * middle) for factor in (0.5, 1.0, 1.5))
    bend = 2.0 * (low - 2.0 * mid + high)
    return mid - (high - low) ** 2 / (4.0 * bend)


def fitted(data: Floats, drawn: Floats) -> Floats:
    """Monotone regression by its formula: max over a ≤ i of the min over b ≥ i of mean(a..b)."""
    size = len(data)
    order = np.lexsort((drawn, data))
    means = np.full((size, size), np.nan)
    for begin in range(size):
        means[begin, begin:] = np.cumsum(drawn[order[begin:]]) / np.arange(1, size - begin + 1)
    fit = np.empty(size)
    for place, row in enumerate(order):
        fit[row] = means[: place + 1, place:].min(axis=1).max()
    return fit


@given(distances())
def test_that_sammon_is_its_definition_at_the_best_scale(both: tuple[Floats, Floats]) -> None:
    data, drawn = both
    value = sammon(pairs_with(data, drawn)).value
    drawn, data = drawn[data > 0.0], data[data > 0.0]
    if not len(data):
        assert np.isnan(value)
        return

    def error(scale: float) -> float:
        return float(((data - scale * drawn) ** 2 / data).sum() / data.sum())

    if not drawn.any():
        assert value == error(1.0) == 1.0
        return
    scale = drawn.sum() / (drawn**2 / data).sum()
    assert value == pytest.approx(error(scale), abs=1e-12)
    assert value == pytest.approx(least(error, scale), abs=1e-9)
    assert 0.0 <= value <= 1.0


@given(distances())
def test_that_spearman_is_that_of_scipy(both: tuple[Floats, Floats]) -> None:
    value = spearman(pairs_with(*both)).value
    if any(len(set(each)) == 1 for each in both):
        assert np.isnan(value)
    else:
        assert value == pytest.approx(spearmanr(*both).statistic, abs=1e-12)


@given(distances())
def test_that_kendall_is_its_definition(both: tuple[Floats, Floats]) -> None:
    """τ_b counts pairs of pairs in the same order, less those in opposite order."""
    data, drawn = (np.sign(np.subtract.outer(each, each)) for each in both)
    size = np.sqrt((data**2).sum() * (drawn**2).sum())
    value = kendall(pairs_with(*both)).value
    if size == 0.0:
        assert np.isnan(value)
    else:
        assert value == pytest.approx((data * drawn).sum() / size, abs=1e-12)


@given(distances())
def test_that_normalised_stress_is_its_definition_at_the_best_scale(
    both: tuple[Floats, Floats],
) -> None:
    data, drawn = both
    value = normalised_stress(pairs_with(data, drawn)).value
    if not data.any():
        assert np.isnan(value)
        return

    def squared(scale: float) -> float:
        return float(((data - scale * drawn) ** 2).sum() / (data**2).sum())

    if not drawn.any():
        assert value == 1.0
        return
    scale = (data * drawn).sum() / (drawn**2).sum()
    assert value == pytest.approx(np.sqrt(squared(scale)), abs=1e-12)
    if scale > 0.0:
        assert value**2 == pytest.approx(least(squared, scale), abs=1e-9)
    assert 0.0 <= value <= 1.0


@given(distances())
def test_that_kruskal_stress_is_its_definition(both: tuple[Floats, Floats]) -> None:
    data, drawn = both
    value = kruskal_stress(pairs_with(data, drawn)).value
    if not drawn.any():
        assert np.isnan(value)
        return
    fit = fitted(data, drawn)
    expected = np.sqrt(((drawn - fit) ** 2).sum() / (drawn**2).sum())
    assert value == pytest.approx(expected, abs=1e-12)


def test_that_ties_in_the_data_may_be_drawn_at_any_distance() -> None:
    """Kruskal's primary approach; the secondary one would find a stress here."""
    data, drawn = np.array([1.0, 1.0, 2.0, 2.0]), np.array([3.0, 1.0, 7.0, 5.0])
    assert kruskal_stress(pairs_with(data, drawn)).value == 0.0
    assert kruskal_stress(pairs_with(data, np.array([3.0, 1.0, 7.0, 2.0]))).value == pytest.approx(
        np.sqrt(0.5 / 63.0)
    )


def test_that_a_worked_example_has_the_values_worked_out() -> None:
    pairs = pairs_with(np.array([1.0, 2.0, 4.0]), np.array([1.0, 4.0, 2.0]))
    # a = 7 / (1 + 8 + 1) = 0.7: (0.09 + 0.64/2 + 6.76/4) / 7 = 0.3
    assert sammon(pairs).value == pytest.approx(0.3, abs=1e-15)
    assert spearman(pairs).value == pytest.approx(0.5, abs=1e-15)
    assert kendall(pairs).value == pytest.approx(1.0 / 3.0, abs=1e-15)
    # a = 17 / 21: 21 − 17²/21 of 21
    assert normalised_stress(pairs).value == pytest.approx(np.sqrt(1.0 - (17.0 / 21.0) ** 2))
    # ê = 1, 3, 3
    assert kruskal_stress(pairs).value == pytest.approx(np.sqrt(2.0 / 21.0))


def test_that_pairs_of_equal_items_take_no_part_in_sammon() -> None:
    data, drawn = np.array([1.0, 2.0, 4.0, 0.0, 0.0]), np.array([1.0, 4.0, 2.0, 9.0, 0.0])
    assert pairs_with(data, drawn).n_same == 2
    assert sammon(pairs_with(data, drawn)) == sammon(pairs_with(data[:3], drawn[:3]))


def noisy_map(n_items: int, *, seed: int = 0) -> tuple[Floats, Floats]:
    """Items in eight dimensions, drawn by the widest two of them and some noise."""
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(n_items, 8)) * np.linspace(3.0, 0.3, 8)
    return values, values[:, :2] + 0.3 * rng.normal(size=(n_items, 2))


def test_that_the_identity_is_without_fault() -> None:
    positions = noisy_map(50)[1]
    for turned in (positions, 3.0 * positions[:, ::-1] + 5.0):
        pairs = pairs_of(positions, turned, FLAT)
        assert sammon(pairs).value == pytest.approx(0.0, abs=1e-14)
        assert spearman(pairs).value == pytest.approx(1.0, abs=1e-5)
        assert kendall(pairs).value == pytest.approx(1.0, abs=1e-4)
        assert normalised_stress(pairs).value == pytest.approx(0.0, abs=1e-14)
        assert kruskal_stress(pairs).value == pytest.approx(0.0, abs=1e-14)
    pairs = pairs_of(positions, positions, FLAT)
    assert spearman(pairs).value == kendall(pairs).value == 1.0
    assert sammon(pairs).value == normalised_stress(pairs).value == kruskal_stress(pairs).value == 0


def test_that_items_drawn_anywhere_are_not_correlated() -> None:
    values, positions = noisy_map(400)
    positions = np.random.default_rng(1).permutation(positions)
    pairs = pairs_of(values, positions, FLAT)
    assert abs(spearman(pairs).value) < 0.02
    assert abs(kendall(pairs).value) < 0.02
    assert kruskal_stress(pairs).value > 0.45


def test_that_a_ring_cut_open_is_whole_on_a_torus() -> None:
    angle = np.linspace(0.0, 2.0 * np.pi, 40, endpoint=False)
    values = np.column_stack([np.cos(angle), np.sin(angle)])
    positions = np.column_stack([angle, np.zeros(40)])
    whole = pairs_of(values, positions, (2.0 * np.pi, np.inf))
    torn = pairs_of(values, positions, FLAT)
    assert kruskal_stress(whole).value < 1e-9
    assert kruskal_stress(torn).value > 0.3
    assert sammon(whole).value < 0.02 < 0.2 < sammon(torn).value


@every_measure
def test_that_blanks_are_looked_past(measure: PairsMeasure) -> None:
    """Blank cells throughout a feature change nothing but the scale."""
    values, positions = noisy_map(40)
    with_blank = np.column_stack([values, np.full(40, np.nan)])
    expected = measure(pairs_of(values, positions, FLAT)).value
    assert measure(pairs_of(with_blank, positions, FLAT)).value == pytest.approx(
        expected, abs=1e-12
    )


@every_measure
@pytest.mark.parametrize("data_unit", [1e-150, 3.0, 1e150])
@pytest.mark.parametrize("map_unit", [1e-150, 7.0, 1e150])
def test_that_units_do_not_matter(measure: PairsMeasure, data_unit: float, map_unit: float) -> None:
    values, positions = noisy_map(60)
    expected = measure(pairs_of(values, positions, FLAT)).value
    pairs = pairs_of(data_unit * values, map_unit * positions, FLAT)
    assert np.isfinite([pairs.data, pairs.map]).all()
    assert measure(pairs).value == pytest.approx(expected, abs=1e-12)


def test_that_two_items_almost_the_same_are_no_obstacle() -> None:
    pairs = pairs_with(np.array([1e-310, 1.0, 1.0]), np.array([1.0, 1.0, 1.0]))
    assert sammon(pairs).value == pytest.approx(1.0)
    assert normalised_stress(pairs).value == pytest.approx(np.sqrt(1.0 / 3.0))


@pytest.mark.parametrize(
    ("data", "drawn", "expected"),
    [
        ([], [], [np.nan] * 5),
        ([2.0], [3.0], [0.0, np.nan, np.nan, 0.0, 0.0]),
        ([0.0], [3.0], [np.nan, np.nan, np.nan, np.nan, 0.0]),
        ([1.0, 2.0, 3.0], [0.0, 0.0, 0.0], [1.0, np.nan, np.nan, 1.0, np.nan]),
        ([0.0, 0.0, 0.0], [1.0, 2.0, 3.0], [np.nan, np.nan, np.nan, np.nan, 0.0]),
        ([0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [np.nan] * 5),
    ],
    ids=["no pairs", "one pair", "two equal items", "one spot", "all equal", "nothing at all"],
)
@pytest.mark.parametrize("all_pairs", [True, False])
def test_that_what_is_not_defined_is_nan(
    data: list[float], drawn: list[float], expected: list[float], all_pairs: bool
) -> None:
    pairs = pairs_with(np.array(data), np.array(drawn), all_pairs=all_pairs)
    found = [measure(pairs) for measure in MEASURES]
    np.testing.assert_allclose([each.value for each in found], expected, atol=1e-15)
    # So few pairs cannot tell how far off a sample may be.
    np.testing.assert_array_equal(
        [each.error for each in found], [0.0 if all_pairs else np.nan] * 5
    )


@every_measure
def test_that_all_pairs_leave_no_error(measure: PairsMeasure) -> None:
    values, positions = noisy_map(60)
    assert measure(pairs_of(values, positions, FLAT)).exact
    assert not measure(pairs_of(values, positions, FLAT, most=1000)).exact


@every_measure
def test_that_the_error_of_a_sample_covers_the_truth(measure: PairsMeasure) -> None:
    """The distance from the truth, in errors, is spread around 0 by about 1."""
    values, positions = noisy_map(600)
    truth = measure(pairs_of(values, positions, FLAT)).value
    samples = [
        measure(pairs_of(values, positions, FLAT, most=10_000, seed=seed)) for seed in range(40)
    ]
    off = np.array([(each.value - truth) / each.error for each in samples])
    # Student's t of 19 degrees of freedom has a spread of 1.06; a sampled stress is a little low.
    assert 0.75 < np.sqrt((off**2).mean()) < 1.5
    assert (np.abs(off) < 2.1).mean() >= 0.85
    assert abs(off.mean()) < (1.2 if measure is kruskal_stress else 0.5)


def test_that_the_error_shrinks_with_the_root_of_the_sample() -> None:
    values, positions = noisy_map(2000)
    few, many = (
        np.mean(
            [spearman(pairs_of(values, positions, FLAT, most=most, seed=s)).error for s in range(9)]
        )
        for most in (2000, 32_000)
    )
    assert few / many == pytest.approx(4.0, rel=0.3)


def test_that_kendall_draws_some_of_the_pairs() -> None:
    values, positions = noisy_map(300)
    pairs = pairs_of(values, positions, FLAT)
    truth = kendalltau(pairs.data, pairs.map).statistic
    assert kendall(pairs).value == pytest.approx(truth, abs=1e-12)
    assert kendall(pairs).exact
    found = [kendall(pairs, most=5000, seed=seed) for seed in range(40)]
    off = np.array([(each.value - truth) / each.error for each in found])
    assert 0.7 < np.sqrt((off**2).mean()) < 1.4
    assert kendall(pairs, most=5000, seed=3) == found[3]
    assert found[3] != found[4]


@every_measure
def test_that_a_sample_measured_twice_has_the_same_bits(measure: PairsMeasure) -> None:
    values, positions = noisy_map(300)
    one, again = (measure(pairs_of(values, positions, FLAT, most=9000)) for _ in range(2))
    assert one == again


@pytest.mark.parametrize("unit", [1e-150, 1.0, 1e150])
def test_that_a_shepard_diagram_counts_every_pair_and_fits_them(unit: float) -> None:
    values, positions = noisy_map(100)
    pairs = pairs_of(unit * values, unit * positions, FLAT)
    found = shepard(pairs, bins=30)
    assert found.shares.shape == (30, 30)
    assert found.shares.sum() == pytest.approx(1.0, abs=1e-12)
    for edges, distances in ((found.data_edges, pairs.data), (found.map_edges, pairs.map)):
        assert len(edges) == 31
        assert edges[0] == 0.0
        assert edges[-1] == distances.max()
        np.testing.assert_allclose(np.diff(edges), distances.max() / 30, rtol=1e-9)
    row, column = 7, 5
    inside = (
        (pairs.data >= found.data_edges[row])
        & (pairs.data < found.data_edges[row + 1])
        & (pairs.map >= found.map_edges[column])
        & (pairs.map < found.map_edges[column + 1])
    )
    assert found.shares[row, column] == pytest.approx(inside.mean(), abs=1e-15)
    assert found.shares[row, column] > 0.0
    assert len(found.fit_data) == len(found.fit_map) == 31
    assert found.fit_data[0] == pairs.data.min()
    assert found.fit_data[-1] == pairs.data.max()
    assert (np.diff(found.fit_map) >= 0.0).all()
    assert np.ptp(found.fit_map) > 0.5 * pairs.map.max()


def test_that_the_fit_of_a_shepard_diagram_is_the_monotone_regression() -> None:
    rng = np.random.default_rng(2)
    data = np.arange(41.0)
    drawn = data + 10.0 * rng.random(41)
    found = shepard(pairs_with(data, drawn), bins=40)
    np.testing.assert_allclose(found.fit_data, data, rtol=1e-12)
    np.testing.assert_allclose(found.fit_map, fitted(data, drawn), rtol=1e-12)


@pytest.mark.parametrize(
    ("data", "drawn"),
    [([], []), ([2.0], [3.0]), ([1.0, 2.0], [0.0, 0.0]), ([0.0, 0.0], [1.0, 2.0])],
)
def test_that_a_shepard_diagram_of_little_can_be_drawn(
    data: list[float], drawn: list[float]
) -> None:
    found = shepard(pairs_with(np.array(data), np.array(drawn)), bins=10)
    assert found.shares.sum() == pytest.approx(1.0 if data else 0.0)
    assert (np.diff(found.data_edges) > 0.0).all()
    assert (np.diff(found.map_edges) > 0.0).all()
    assert len(found.fit_data) == len(found.fit_map) == (11 if data else 0)
    assert np.isfinite(found.fit_map).all()
