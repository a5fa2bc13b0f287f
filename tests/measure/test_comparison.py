"""Means, deviations, and which method is best."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tests.measure.comparisons import HIGHER, LOWER, NEITHER, compared
from ximstudio.measure.catalogue import WANDER, Better
from ximstudio.model.arrays import Floats

UNKNOWN = np.nan


def of_means(*means: float, better: Better = HIGHER) -> list[bool]:
    """Which of methods with these means, over two runs each, are best."""
    values = np.reshape(means, (-1, 1, 1)) + np.array([[-1e-3], [1e-3]])
    return [bool(best) for best in compared(values, better=[better]).summaries[0].best]


@given(arrays(np.float64, (3, 4, 2), elements=st.floats(-1e3, 1e3)))
def test_that_means_and_unbiased_deviations_are_taken_over_the_runs(values: Floats) -> None:
    summaries = compared(values).summaries
    for number in range(2):
        runs = values[:, :, number]
        np.testing.assert_allclose(summaries[number].means, runs.sum(axis=1) / 4, atol=1e-9)
        squares = ((runs - runs.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
        np.testing.assert_allclose(summaries[number].deviations, np.sqrt(squares / 3), atol=1e-9)


def test_that_the_best_is_the_largest_or_the_smallest_mean_as_the_measure_says() -> None:
    assert of_means(0.5, 0.7, 0.6) == [False, True, False]
    assert of_means(0.5, 0.7, 0.6, better=LOWER) == [True, False, False]
    assert of_means(0.5, 0.7, 0.6, better=NEITHER) == [False, False, False]


def test_that_methods_equal_in_the_printed_digits_are_all_best() -> None:
    assert of_means(0.8701, 0.8704, 0.8690) == [True, True, False]
    assert of_means(0.8704, 0.8706, 0.8690) == [False, True, False]
    assert of_means(0.1702, 0.1698, 0.1710, better=LOWER) == [True, True, False]
    assert of_means(-0.0001, 0.0001, 0.5, better=LOWER) == [True, True, False]


def test_that_nothing_is_best_without_something_to_compare_with() -> None:
    assert of_means(0.5) == [False]
    assert of_means(0.5, UNKNOWN) == [False, False]
    assert of_means(0.5, UNKNOWN, 0.4) == [True, False, False]


@pytest.mark.parametrize(
    ("largest", "text"),
    [(0.871, "0.871"), (5.318, "5.32"), (53.18, "53.2"), (5318.2, "5318"), (0.00234, "0.00234")],
)
def test_that_the_largest_mean_shows_three_digits_and_the_others_as_many_places(
    largest: float, text: str
) -> None:
    summary = compared(np.reshape([largest, largest / 10], (2, 1, 1))).summaries[0]
    assert summary.text(0) == text
    assert len(summary.text(1).partition(".")[2]) == len(text.partition(".")[2])


def test_that_nothing_below_zero_is_printed_as_zero_below_zero() -> None:
    assert compared(np.reshape([-0.0001, 0.5], (2, 1, 1))).summaries[0].text(0) == "0.000"


def test_that_one_run_has_no_deviation_and_no_wander() -> None:
    comparison = compared([[[0.5]], [[0.6]]])
    assert np.isnan(comparison.summaries[0].deviations).all()
    assert comparison.summaries[0].text(0) == "0.500"
    assert [summary.definition.key for summary in comparison.summaries] == ["measure_0"]
    assert np.isnan(comparison.wander).all()


def test_that_wander_is_summarised_after_the_measures() -> None:
    comparison = compared(np.full((2, 3, 1), 0.5), wander=0.25)
    last = comparison.summaries[-1]
    assert last.definition is WANDER
    assert last.means.tolist() == [0.25, 0.25]
    assert comparison.wander.shape == (2, 20)


def test_that_a_measure_that_does_not_apply_to_a_method_leaves_it_blank() -> None:
    summary = compared([[[0.5], [0.7]], [[UNKNOWN], [UNKNOWN]]]).summaries[0]
    assert summary.text(0) == "0.600 (0.141)"
    assert summary.text(1) == "–"


def test_that_samples_are_known_by_their_errors() -> None:
    assert compared(np.full((2, 3, 2), 0.5)).sampled == {}
    assert compared(np.full((2, 3, 2), 0.5), errors=[0.0, 0.01]).sampled == {"measure_1": 0.01}
