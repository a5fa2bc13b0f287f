"""Silhouettes of labels on the map."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist
from sklearn.metrics import silhouette_samples

from ximstudio.measure import silhouette as module
from ximstudio.measure.silhouette import silhouette, silhouettes
from ximstudio.model.arrays import Floats

FLAT = (np.inf, np.inf)


def groups(n_items: int, n_labels: int, seed: int = 0) -> tuple[Floats, list[str]]:
    """Overlapping groups in a plane, each with its label."""
    rng = np.random.default_rng(seed)
    numbers = rng.integers(0, n_labels, n_items)
    centres = rng.uniform(0.0, 10.0, (n_labels, 2))
    positions = centres[numbers] + 1.5 * rng.normal(size=(n_items, 2))
    return positions, [f"group {number}" for number in numbers]


@settings(max_examples=40)
@given(
    n_items=st.integers(5, 120),
    n_labels=st.integers(2, 6),
    coarse=st.booleans(),
    seed=st.integers(0, 2**16),
)
def test_that_silhouettes_are_those_of_scikit_learn(
    n_items: int, n_labels: int, coarse: bool, seed: int
) -> None:
    positions, labels = groups(n_items, n_labels, seed)
    if coarse:
        # Many items in one place, as on the nodes of a map.
        positions = np.round(positions / 4.0)
    assume(2 <= len(set(labels)) < n_items)
    # From distances by differences: from products, those of equal positions are not 0.
    expected = silhouette_samples(cdist(positions, positions), labels, metric="precomputed")
    np.testing.assert_allclose(silhouettes(positions, FLAT, labels), expected, atol=1e-12)
    mean = silhouette(positions, FLAT, labels)
    assert mean is not None
    assert mean.exact
    assert mean.value == pytest.approx(expected.mean(), abs=1e-12)


def test_that_distances_go_the_short_way_round_a_torus() -> None:
    periods = np.array([10.0, 6.0])
    positions, labels = groups(80, 3)
    positions = positions % periods
    images = [
        cdist(positions, positions + np.array([a, b]) * periods)
        for a in (-1, 0, 1)
        for b in (-1, 0, 1)
    ]
    expected = silhouette_samples(np.min(images, axis=0), labels, metric="precomputed")
    found = silhouettes(positions, (10.0, 6.0), labels)
    np.testing.assert_allclose(found, expected, atol=1e-12)
    assert np.abs(found - silhouettes(positions, FLAT, labels)).max() > 0.1


def test_that_a_map_joined_along_one_axis_is_round_along_that_axis_only() -> None:
    positions = np.array([[0.0, 0.0], [9.0, 0.0], [5.0, 0.0], [5.0, 3.0]])
    # Across the seam the first two are 1 apart; from the first to the others it is 5 and √34.
    far = (5.0 + np.sqrt(34.0)) / 2.0
    found = silhouettes(positions, (10.0, np.inf), ["a", "a", "b", "b"])
    assert found[0] == pytest.approx((far - 1.0) / far, abs=1e-15)


def test_that_items_without_a_label_take_no_part() -> None:
    positions, labels = groups(60, 3)
    blank = np.arange(0, 60, 4)
    some = ["" if item in blank else label for item, label in enumerate(labels)]
    rest = np.setdiff1d(np.arange(60), blank)
    expected = silhouettes(positions[rest], FLAT, [labels[item] for item in rest])
    found = silhouettes(positions, FLAT, some)
    assert np.isnan(found[blank]).all()
    np.testing.assert_allclose(found[rest], expected, atol=1e-14)
    mean = silhouette(positions, FLAT, some)
    assert mean is not None
    assert mean.value == pytest.approx(expected.mean(), abs=1e-14)


def test_that_an_item_alone_with_its_label_has_0() -> None:
    positions = np.array([[0.0, 0.0], [1.0, 0.0], [9.0, 0.0]])
    found = silhouettes(positions, FLAT, ["a", "a", "b"])
    np.testing.assert_allclose(found, [8 / 9, 7 / 8, 0.0], atol=1e-15)


def test_that_items_all_in_one_place_have_0() -> None:
    assert silhouettes(np.ones((4, 2)), FLAT, ["a", "a", "b", "b"]).tolist() == [0.0] * 4


def test_that_exchanged_labels_are_worse_than_chance() -> None:
    positions = np.array([[0.0, 0.0], [9.0, 0.0], [0.0, 1.0], [9.0, 1.0]])
    mean = silhouette(positions, FLAT, ["a", "a", "b", "b"])
    assert mean is not None
    assert mean.value < -0.4


@pytest.mark.parametrize(
    "labels", [["a", "a", "a"], ["", "", ""], ["a", "a", ""], ["a", "b", "c"], ["a", "b", ""]]
)
def test_that_labels_that_cannot_be_told_apart_have_no_silhouette(labels: list[str]) -> None:
    assert silhouette(np.random.default_rng(0).normal(size=(3, 2)), FLAT, labels) is None


@pytest.mark.parametrize("labels", [["a", "a", "a"], ["", "", ""], ["a", "a", ""]])
def test_that_items_have_no_silhouette_where_there_is_only_one_label(labels: list[str]) -> None:
    assert np.isnan(silhouettes(np.random.default_rng(0).normal(size=(3, 2)), FLAT, labels)).all()


def test_that_a_sample_is_as_far_off_as_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    positions, labels = groups(400, 4)
    labels[:40] = [""] * 40
    exact = silhouette(positions, FLAT, labels)
    assert exact is not None
    assert exact.exact
    # A quarter of the 360 items with a label.
    monkeypatch.setattr(module, "MOST_DISTANCES", 90 * 360)
    sampled = [silhouette(positions, FLAT, labels, seed) for seed in range(300)]
    values = np.array([found.value for found in sampled if found is not None])
    errors = np.array([found.error for found in sampled if found is not None])
    assert len(values) == 300
    deviation = float(np.sqrt(((values - exact.value) ** 2).mean()))
    assert errors.mean() == pytest.approx(deviation, rel=0.15)
    assert abs(values.mean() - exact.value) < 4.0 * deviation / np.sqrt(300.0)
    assert silhouette(positions, FLAT, labels, 7) == sampled[7]


def test_that_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    positions, labels = groups(100, 4)
    whole = silhouettes(positions, FLAT, labels)
    monkeypatch.setattr(module, "AT_ONCE", 7 * 100)
    np.testing.assert_array_equal(silhouettes(positions, FLAT, labels), whole)
