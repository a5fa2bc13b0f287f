"""Recognition of the scale of values."""

from __future__ import annotations

import numpy as np
import pytest

from ximstudio.load.scale import looks_logged, usual_size
from ximstudio.model import words
from ximstudio.model.arrays import Floats

RNG = np.random.default_rng(3)
LOGS = RNG.normal(8, 2, 10_000).clip(1)


def kind(*values: Floats) -> str:
    return looks_logged(np.concatenate(values))[0]


@pytest.mark.parametrize("slip", [8125.0, 81.25, -9999.0, 1e300])
def test_that_a_slip_of_the_pen_does_not_decide(slip: float) -> None:
    assert kind(LOGS, np.array([slip])) == "logged"
    assert kind(LOGS - 8, np.array([slip])) == "logged"
    assert usual_size(np.append(LOGS, slip)) == LOGS.max()


def test_that_large_values_without_a_gap_are_no_slips() -> None:
    intensities = 2**LOGS
    assert usual_size(intensities) == intensities.max()
    assert kind(intensities) == "linear"
    assert kind(intensities, np.array([1e9])) == "linear"


@pytest.mark.parametrize("share", [60, 20])
def test_that_a_column_of_days_leaves_logarithms_in_doubt(share: int) -> None:
    days = RNG.exponential(900, len(LOGS) // share).round()
    assert kind(LOGS, days) == "unclear"
    assert kind(LOGS - 8, days) == "unclear"


def test_that_rounded_intensities_are_no_counts() -> None:
    counts = RNG.negative_binomial(2, 0.01, 5000).astype(np.float64)
    intensities = (2 ** RNG.normal(25, 2, 5000)).round()
    assert kind(counts) == "counts"
    assert kind(counts[counts > 0]) == "counts"
    assert kind(intensities) == "linear"
    assert kind(np.where(RNG.random(5000) < 0.3, np.nan, intensities)) == "linear"
    assert kind(np.where(RNG.random(5000) < 0.3, 0.0, intensities)) == "linear"
    assert kind(np.where(RNG.random(5000) < 0.3, np.nan, counts)) == "linear"


@pytest.mark.parametrize("spread", [1.0, 2.0, 4.0])
def test_that_ratios_are_told_from_their_logarithms(spread: float) -> None:
    logarithms = RNG.normal(0, spread, 3000)
    assert kind(2**logarithms) == "ratios"
    assert kind(logarithms) == "logged"


def test_that_logarithms_of_one_and_more_are_no_ratios() -> None:
    assert kind(np.log1p(np.exp(RNG.normal(0.7, 1.5, 5000)))) == "logged"


def test_that_a_stride_does_not_hit_one_column_only() -> None:
    table = np.full((400_000, 2), 9.5) + RNG.normal(size=(400_000, 2))
    table[:, 1] = 2 ** table[:, 1]
    assert kind(table.ravel()) == "linear"
    assert kind(table[:, ::-1].ravel()) == "linear"


@pytest.mark.parametrize(
    "odd",
    [
        [],
        [np.nan] * 50,
        [np.inf, -np.inf] * 50,
        [1e308, -1e308, 1e307, 1.0] * 25,
        [5e-324] * 50,
        [0.0] * 50,
        [-1.0] * 50,
        [0.0] * 50 + [1e300],
    ],
)
def test_that_odd_values_have_some_scale(odd: list[float]) -> None:
    found, reason = looks_logged(np.array(odd, dtype=np.float64))
    assert found in {"linear", "unclear", "logged"}
    assert reason


def test_that_the_extremes_told_are_those_of_all_values() -> None:
    values = np.random.default_rng(0).lognormal(6.0, 1.0, size=(5000, 81))
    values[1234, 56], values[7, 3], values[8, 3] = 98765.0, -4321.0, np.inf
    low, high = words.number(-4321.0, 6), words.number(98765.0, 6)
    assert looks_logged(values)[1].startswith(f"Values go from {low} to {high}")
