"""Pattern matching: items by their similarity to an item, a profile or a node."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ximstudio.explore.similar import (
    SimilarItems,
    likeness,
    similar_to_item,
    similar_to_node,
    similar_to_profile,
)
from ximstudio.kernels.parallel import checking
from ximstudio.model import Matrix, Result, UserError
from ximstudio.model.arrays import Floats
from ximstudio.model.metric import MetricParams, TableParams, in_metric
from ximstudio.train import method_named, train

N = np.nan
METRICS = ("euclidean", "correlation", "cosine")


def data(*, blanks: bool = True, seed: int = 0) -> Matrix:
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(40, 6)) + 2.0 * rng.integers(0, 3, (40, 1))
    if blanks:
        values[np.less(rng.random(values.shape), 0.15)] = N
    return Matrix.from_array(values)


def trained(matrix: Matrix, metric: str) -> Result:
    method = method_named("som")
    return train(
        matrix,
        method,
        method.params.from_values({"shape": (4, 4), "n_steps": 500, "metric": metric}),
    )


def known(values: Floats) -> list[int]:
    return [f for f, value in enumerate(values) if not np.isnan(value)]


def slow_seen(item: Floats, metric: str) -> Floats:
    """One item with unit length over its known features, times √(n/D)."""
    if metric == "euclidean":
        return item
    places = known(item)
    part = item[places] - (item[places].mean() if metric == "correlation" else 0.0)
    found = np.full(len(item), N)
    found[places] = part / np.linalg.norm(part) * np.sqrt(len(places) / len(item))
    return found


def slow_distance(one: Floats, other: Floats) -> float:
    both = [f for f in known(one) if f in known(other)]
    if not both:
        return N
    squares = sum((one[f] - other[f]) ** 2 for f in both)
    return float(np.sqrt(squares * len(one) / len(both)))


def check(
    similar: SimilarItems, matrix: Matrix, expected: list[float], *, without: int = -1
) -> None:
    wanted = [i for i, d in enumerate(expected) if i != without and d == d]
    assert sorted(similar.numbers.tolist()) == wanted
    assert similar.ids == tuple(matrix.item_ids[number] for number in similar.numbers)
    np.testing.assert_allclose(similar.distances, np.array(expected)[similar.numbers], atol=1e-9)
    assert (np.diff(similar.distances) >= 0).all()


@pytest.mark.parametrize("blanks", [False, True], ids=["complete", "blanks"])
@pytest.mark.parametrize("metric", METRICS)
def test_that_the_items_most_like_an_item_are_those_of_a_slow_search(
    metric: str, blanks: bool
) -> None:
    matrix = data(blanks=blanks)
    slow = [slow_seen(item, metric) for item in matrix.values]
    expected = [slow_distance(slow[7], other) for other in slow]
    params = MetricParams(metric=metric)
    check(similar_to_item(matrix, params, matrix.item_ids[7]), matrix, expected, without=7)
    # And those that training and measures take.
    one = similar_to_item(matrix, params, matrix.item_ids[7], most=5)
    far = in_metric(matrix, params).distances(np.full(5, 7), one.numbers)
    np.testing.assert_allclose(one.distances, far, atol=1e-12)


@pytest.mark.parametrize("metric", METRICS)
def test_that_the_items_most_like_a_node_are_those_of_a_slow_search(metric: str) -> None:
    matrix = data()
    result = trained(matrix, metric)
    seen = [slow_seen(item, metric) for item in matrix.values]
    expected = [slow_distance(item, result.model.prototypes[5]) for item in seen]  # type: ignore[union-attr]
    check(similar_to_node(result, matrix, 5), matrix, expected)


@pytest.mark.parametrize("metric", METRICS)
def test_that_a_profile_is_compared_where_it_is_drawn(metric: str) -> None:
    matrix = data()
    profile = np.array([1.0, N, -2.0, N, 0.5, 3.0])
    places = known(profile)
    expected = []
    for item in matrix.values:
        part = item[places]
        seen = slow_seen(part, metric) if known(part) else part
        far = slow_distance(seen, slow_seen(profile[places], metric))
        expected.append(far * (np.sqrt(6 / len(places)) if metric == "euclidean" else 1.0))
    check(similar_to_profile(matrix, MetricParams(metric=metric), profile), matrix, expected)


def test_that_an_items_own_values_as_a_profile_find_it_first() -> None:
    matrix = data(blanks=False)
    for metric in METRICS:
        params = MetricParams(metric=metric)
        found = similar_to_profile(matrix, params, matrix.values[11] * 1.0, most=1)
        assert found.numbers.tolist() == [11]
        assert found.distances[0] == 0.0


def test_that_correlation_looks_at_the_shape_alone() -> None:
    matrix = Matrix.from_array([[0, 0, 9.0], [5, 5.1, 5.2], [3, 2, 1]])
    rising = similar_to_profile(matrix, MetricParams(metric="correlation"), [100, 200, 300])
    assert rising.numbers.tolist() == [1, 0, 2]
    assert rising.distances[2] == pytest.approx(2.0)


@given(st.lists(st.integers(0, 2), min_size=2, max_size=20))
def test_that_equally_near_items_come_in_the_order_of_the_table(values: list[int]) -> None:
    matrix = Matrix.from_array(np.array(values, dtype=float)[:, None])
    found = similar_to_item(matrix, MetricParams(), matrix.item_ids[0])
    expected = sorted(range(1, len(values)), key=lambda i: abs(values[i] - values[0]))
    assert found.numbers.tolist() == expected


def test_that_blocks_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    matrix = data()
    params = MetricParams(metric="correlation")
    whole = similar_to_item(matrix, params, matrix.item_ids[0])
    monkeypatch.setattr("ximstudio.explore.similar.VALUES", 18)
    parts = similar_to_item(matrix, params, matrix.item_ids[0])
    assert np.array_equal(parts.numbers, whole.numbers)
    assert np.array_equal(parts.distances, whole.distances)


def table_of_distances() -> Matrix:
    matrix = data(blanks=False)
    n = matrix.n_items
    left, right = np.divmod(np.arange(n * n), n)
    return Matrix(
        values=matrix.distances(left, right).reshape(n, n),
        item_ids=matrix.item_ids,
        feature_names=matrix.item_ids,
    )


def test_that_a_table_of_distances_is_read_as_it_is() -> None:
    matrix, features = table_of_distances(), data(blanks=False)
    found = similar_to_item(matrix, TableParams(metric="precomputed"), matrix.item_ids[3])
    expected = similar_to_item(features, MetricParams(), matrix.item_ids[3])
    assert found.ids == expected.ids
    np.testing.assert_allclose(found.distances, expected.distances)
    with pytest.raises(UserError) as caught:
        similar_to_profile(matrix, TableParams(metric="precomputed"), np.zeros(40))
    assert caught.value.keys == ("similar.no_features",)


def test_that_nodes_of_a_table_of_distances_have_similar_items_too() -> None:
    matrix = table_of_distances()
    result = trained(matrix, "precomputed")
    found = similar_to_node(result, matrix, 5)
    squares = result.model.squared_distances(matrix.values)[:, 5]  # type: ignore[union-attr]
    expected = np.sqrt(np.maximum(squares, 0.0))
    check(found, matrix, expected.tolist())


def test_that_what_cannot_be_compared_is_refused() -> None:
    matrix = data()
    with pytest.raises(UserError) as caught:
        similar_to_item(matrix, MetricParams(), "item 3x")
    assert "item 3" in caught.value.problems[0].way_out
    for metric, profile in (
        ("euclidean", [N] * 6),
        ("correlation", [N] * 6),
        ("correlation", [2.0, 2.0, N, 2.0, 2.0, 2.0]),
        ("cosine", [0.0, 0.0, N, N, N, 0.0]),
    ):
        with pytest.raises(UserError) as caught:
            similar_to_profile(matrix, MetricParams(metric=metric), profile)
        assert caught.value.keys == ("similar.empty_profile",)
    flat = train(matrix, method_named("pca"))
    with pytest.raises(UserError) as caught:
        similar_to_node(flat, matrix, 0)
    assert caught.value.keys == ("similar.no_nodes",)


def test_that_a_search_can_be_ended() -> None:
    class EndedError(Exception):
        pass

    def end() -> None:
        raise EndedError

    with checking(end), pytest.raises(EndedError):
        similar_to_item(data(), MetricParams(), "item 1")


@pytest.mark.parametrize("metric", ["correlation", "cosine"])
def test_that_correlation_or_cosine_stands_beside_the_distance(metric: str) -> None:
    matrix, params = data(), MetricParams(metric=metric)
    target = matrix.values[3]

    def expected(values: Floats) -> float:
        known = ~np.isnan(values) & ~np.isnan(target)
        if metric == "correlation":
            return float(np.corrcoef(values[known], target[known])[0, 1])
        one, other = values[known], target[known]
        return float(one @ other / np.linalg.norm(one) / np.linalg.norm(other))

    for found in (
        similar_to_item(matrix, params, matrix.item_ids[3]),
        similar_to_profile(matrix, params, target),
    ):
        assert found.likeness is not None
        wanted = [expected(matrix.values[number]) for number in found.numbers]
        np.testing.assert_allclose(found.likeness, wanted, atol=1e-12)
    assert similar_to_item(matrix, MetricParams(), matrix.item_ids[3]).likeness is None


def test_that_r_and_distance_agree_where_nothing_is_blank_and_r_keeps_its_range() -> None:
    matrix = Matrix.from_array(np.random.default_rng(1).normal(size=(30, 6)) * 1e150)
    found = similar_to_item(matrix, MetricParams(metric="correlation"), "item 1")
    assert found.likeness is not None
    np.testing.assert_allclose(found.distances, np.sqrt(2.0 * (1.0 - found.likeness)), atol=1e-9)
    flat = likeness(np.array([[0.1, 0.1, 0.1], [1.0, 2.0, np.nan]]), np.arange(3.0), centred=True)
    np.testing.assert_array_equal(np.isnan(flat), [True, False])
    assert flat[1] == pytest.approx(1.0, abs=1e-12)
