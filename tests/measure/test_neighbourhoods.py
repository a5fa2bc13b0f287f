from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.manifold import trustworthiness as sklearn_trustworthiness

from tests.measure import oracles
from ximstudio.measure import neighbourhoods
from ximstudio.measure.neighbourhoods import (
    co_ranking,
    continuity,
    intruders,
    item_continuity,
    item_trust,
    label_agreement,
    lcmc,
    lost_neighbours,
    q_nx,
    r_nx,
    r_nx_area,
    trustworthiness,
)
from ximstudio.measure.ranks import Ranks, neighbour_ranks
from ximstudio.model.arrays import Floats

PLANE = (np.inf, np.inf)


def ranks_of(values: Floats, positions: Floats, k: int) -> Ranks:
    return neighbour_ranks(values, positions, (np.inf,) * positions.shape[1], k)


def some_map(n_items: int, seed: int) -> tuple[Floats, Floats]:
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(n_items, 6))
    return values, values[:, :2] + rng.normal(size=(n_items, 2))


@settings(max_examples=25, deadline=None)
@given(n_items=st.integers(5, 80), seed=st.integers(0, 10_000))
def test_that_trustworthiness_is_that_of_scikit_learn(n_items: int, seed: int) -> None:
    values, positions = some_map(n_items, seed)
    k = (n_items - 1) // 2
    theirs = [
        sklearn_trustworthiness(values, positions, n_neighbors=number) for number in range(1, k + 1)
    ]
    ours = trustworthiness(ranks_of(values, positions, k))
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-12)


@settings(max_examples=25, deadline=None)
@given(n_items=st.integers(5, 60), seed=st.integers(0, 10_000), rounded=st.booleans())
def test_that_the_measures_follow_from_the_co_ranking_matrix(
    n_items: int, seed: int, rounded: bool
) -> None:
    values, positions = some_map(n_items, seed)
    if rounded:
        values, positions = np.round(values), np.round(positions)
    data, drawn = (
        oracles.table_of_ranks(oracles.table_of_distances(each)) for each in (values, positions)
    )
    whole = oracles.co_ranking_matrix(data, drawn)
    k = (n_items - 1) // 2
    ranks = ranks_of(values, positions, k)
    np.testing.assert_array_equal(co_ranking(ranks), whole[:k, :k])
    np.testing.assert_array_equal(co_ranking(ranks_of(values, positions, n_items - 1)), whole)
    numbers = np.arange(1, k + 1)
    kept = np.array([whole[:number, :number].sum() for number in numbers]) / (numbers * n_items)
    np.testing.assert_allclose(q_nx(ranks), kept, rtol=0, atol=1e-12)
    np.testing.assert_allclose(lcmc(ranks), kept - numbers / (n_items - 1), rtol=0, atol=1e-12)
    beyond = ((n_items - 1) * kept - numbers) / (n_items - 1 - numbers)
    np.testing.assert_allclose(r_nx(ranks), beyond, rtol=0, atol=1e-12)
    told = [oracles.trustworthiness(data, drawn, int(number)) for number in numbers]
    np.testing.assert_allclose(trustworthiness(ranks), told, rtol=0, atol=1e-12)
    told = [oracles.trustworthiness(drawn, data, int(number)) for number in numbers]
    np.testing.assert_allclose(continuity(ranks), told, rtol=0, atol=1e-12)


@pytest.mark.parametrize("step", [0.0, 0.5])
def test_that_continuity_is_trustworthiness_with_data_and_map_exchanged(step: float) -> None:
    values, positions = some_map(200, 0)
    if step:
        values, positions = np.round(values / step) * step, np.round(positions / step) * step
    there, back = ranks_of(values, positions, 50), ranks_of(positions, values, 50)
    np.testing.assert_array_equal(continuity(there), trustworthiness(back))
    np.testing.assert_array_equal(item_continuity(there), item_trust(back))


def test_that_the_map_that_is_the_data_is_perfect() -> None:
    values, _ = some_map(150, 1)
    ranks = ranks_of(values, values, 50)
    for curve in (trustworthiness, continuity, q_nx, r_nx):
        np.testing.assert_array_equal(curve(ranks), np.ones(50))
    np.testing.assert_array_equal(item_trust(ranks), np.ones(150))
    assert (intruders(ranks, 3)[0] == -1).all()
    assert (lost_neighbours(ranks, 3)[1] == -1).all()


def test_that_a_shuffled_map_is_near_one_half() -> None:
    values, positions = some_map(2000, 2)
    ranks = ranks_of(values, np.random.default_rng(0).permutation(positions), 50)
    np.testing.assert_allclose(trustworthiness(ranks), 0.5, atol=0.02)
    np.testing.assert_allclose(continuity(ranks), 0.5, atol=0.02)
    np.testing.assert_allclose(r_nx(ranks), 0.0, atol=0.02)


def test_that_a_torn_ring_shows_its_tear_in_the_continuity_of_items() -> None:
    angles = np.linspace(0.0, 2.0 * np.pi, 200, endpoint=False)
    ring = np.column_stack([np.cos(angles), np.sin(angles)])
    ranks = ranks_of(ring, np.column_stack([angles, np.zeros(200)]), 10)
    kept = item_continuity(ranks)
    tear = np.r_[0:4, 196:200]
    middle = np.arange(20, 180)
    assert kept[tear].max() < kept[middle].min()
    # Items to the left and right are equally far, up to rounding.
    assert kept[middle].min() > 0.998
    # A tear loses neighbours; it invents hardly any.
    assert item_trust(ranks)[tear].min() > kept[tear].max()
    lost, of_rank = lost_neighbours(ranks, 1)
    assert lost[0, 0] >= 195
    assert of_rank[0, 0] >= 190


def test_that_a_collapsed_pair_of_clusters_shows_in_the_trust_of_items() -> None:
    rng = np.random.default_rng(0)
    centres = np.repeat(np.array([[0.0, 0.0, 0.0], [50.0, 0.0, 0.0], [0.0, 50.0, 0.0]]), 40, axis=0)
    values = centres + rng.normal(size=(120, 3))
    positions = values[:, 1:].copy()  # without the first axis the first two clusters are one
    ranks = ranks_of(values, positions, 20)
    trust = item_trust(ranks)
    assert trust[:80].max() < trust[80:].min()
    worst, of_rank = intruders(ranks, 2)
    assert (worst[:40] >= 40).all()
    assert (worst[:40] < 80).all()
    assert (worst[40:80] < 40).all()
    assert (of_rank[:80] > 40).all()


def test_that_items_share_out_the_measure_of_the_map() -> None:
    ranks = ranks_of(*some_map(300, 3), 50)
    assert item_trust(ranks).mean() == pytest.approx(trustworthiness(ranks).mean(), abs=1e-12)
    assert item_continuity(ranks).mean() == pytest.approx(continuity(ranks).mean(), abs=1e-12)


def test_that_the_worst_intruders_come_first() -> None:
    values, positions = some_map(120, 4)
    ranks = ranks_of(values, positions, 10)
    items, of_rank = intruders(ranks, 3)
    table = oracles.table_of_ranks(oracles.table_of_distances(values))
    drawn = oracles.table_of_ranks(oracles.table_of_distances(positions))
    for i in range(120):
        wrong = sorted(-table[i, j] for j in range(120) if 0 < drawn[i, j] <= 10)[:3]
        wanted = [-rank if -rank > 10 else -1 for rank in wrong]
        assert of_rank[i].tolist() == wanted
        assert [table[i, j] if j >= 0 else -1 for j in items[i]] == wanted


def test_that_nothing_is_wrong_where_all_others_are_neighbours() -> None:
    ranks = ranks_of(*some_map(8, 0), 7)
    assert trustworthiness(ranks)[-1] == 1.0
    assert q_nx(ranks)[-1] == 1.0
    assert np.isnan(r_nx(ranks)[-1])
    # Between half and all of the items worst is another sum: no k leaves the range.
    assert trustworthiness(ranks).min() >= 0.0


@pytest.mark.parametrize("k", [3, 5, 6])
def test_that_the_worst_map_scores_zero(k: int) -> None:
    n_items = 9
    worst = np.tile(np.arange(n_items - 1, n_items - 1 - k, -1), (n_items, 1))
    neighbours = np.zeros((n_items, k), dtype=np.int64)
    ranks = Ranks(
        data_neighbours=neighbours, map_neighbours=neighbours, map_ranks=worst, data_ranks=worst
    )
    assert trustworthiness(ranks)[-1] == pytest.approx(0.0, abs=1e-12)


def test_that_label_agreement_is_the_share_of_neighbours_with_the_same_label() -> None:
    positions = np.array([[0.0, 0.0], [1.0, 0.0], [2.1, 0.0], [3.3, 0.0], [9.0, 0.0], [10.5, 0.0]])
    ranks = ranks_of(positions, positions, 2)
    labels = ["a", "a", "b", "", "b", "b"]
    # Nearest first: 0: a b, 1: a b, 2: a (none), 4: b (none), 5: b (none) — item 3 has no label.
    curve = label_agreement(ranks, labels)
    np.testing.assert_allclose(curve, [(1 + 1 + 0 + 1 + 1) / 5, (0.5 + 0.5 + 0 + 1 + 1) / 5])


def test_that_labels_of_which_no_two_are_neighbours_agree_on_nothing() -> None:
    positions = np.arange(10.0)[:, None] * [1.0, 0.0]
    ranks = ranks_of(positions, positions, 2)
    assert np.isnan(label_agreement(ranks, ["a"] + [""] * 9)).all()


def area(values: Floats, positions: Floats, seed: int = 0) -> tuple[float, float]:
    found = r_nx_area(values, positions, PLANE, seed=seed)
    assert found is not None
    return found.value, found.error


@pytest.mark.parametrize("n_items", [3, 4, 50])
def test_that_the_area_is_the_weighted_mean_of_the_curve(n_items: int) -> None:
    values, positions = some_map(n_items, 5)
    curve = r_nx(neighbour_ranks(values, positions, PLANE, n_items - 2))
    k = np.arange(1, n_items - 1)
    assert area(values, positions) == pytest.approx(
        ((curve / k).sum() / (1.0 / k).sum(), 0.0), abs=1e-12
    )


def test_that_ties_and_blanks_are_ranked_as_in_the_curves() -> None:
    values, positions = some_map(60, 5)
    values = np.round(values)
    values[::7, 2] = np.nan
    data, drawn = (
        oracles.table_of_ranks(oracles.table_of_distances(each)) for each in (values, positions)
    )
    whole = oracles.co_ranking_matrix(data, drawn)
    k = np.arange(1, 59)
    kept = np.array([whole[:number, :number].sum() for number in k]) / (k * 60)
    curve = (59 * kept - k) / (59 - k)
    wanted = (curve / k).sum() / (1.0 / k).sum()
    assert area(values, positions)[0] == pytest.approx(wanted, abs=1e-12)


def test_that_the_best_map_has_all_of_the_area_and_a_random_one_none() -> None:
    values, positions = some_map(400, 5)
    assert area(positions, positions) == pytest.approx((1.0, 0.0), abs=1e-12)
    assert abs(area(values, np.random.default_rng(0).permutation(positions))[0]) < 0.03


def test_that_the_error_of_a_sample_covers_the_truth(monkeypatch: pytest.MonkeyPatch) -> None:
    values, positions = some_map(600, 5)
    truth, _ = area(values, positions)
    monkeypatch.setattr(neighbourhoods, "MOST_PAIRS", 600 * 60)
    off = []
    for seed in range(60):
        value, error = area(values, positions, seed)
        assert error > 0.0
        off.append((value - truth) / error)
    assert 0.7 < np.sqrt(np.mean(np.square(off))) < 1.4


def test_that_two_items_have_no_neighbourhoods_to_compare() -> None:
    assert r_nx_area(np.eye(2), np.eye(2), PLANE) is None
