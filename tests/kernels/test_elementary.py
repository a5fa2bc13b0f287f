"""The fast exponential and logarithm keep the accuracy that they state."""

from __future__ import annotations

import numpy as np
import pytest

from ximstudio.kernels.elementary import exp_bounded, exp_negative, log_positive
from ximstudio.kernels.jit import kernel
from ximstudio.model.arrays import Floats32

SMALLEST_NORMAL = float(np.finfo(np.float32).tiny)


@kernel
def exponentials(values: Floats32, out: Floats32) -> None:
    """exp_negative of every value."""
    for j in range(values.size):
        out[j] = exp_negative(values[j])


@kernel
def bounded_exponentials(values: Floats32, out: Floats32) -> None:
    """exp_bounded of every value."""
    for j in range(values.size):
        out[j] = exp_bounded(values[j])


@kernel
def logarithms(values: Floats32, out: Floats32) -> None:
    """log_positive of every value."""
    for j in range(values.size):
        out[j] = log_positive(values[j])


def exp_of(values: Floats32) -> Floats32:
    out = np.empty_like(values)
    exponentials(values, out)
    return out


def log_of(values: Floats32) -> Floats32:
    out = np.empty_like(values)
    logarithms(values, out)
    return out


def test_that_the_exponential_is_accurate_to_six_millionths() -> None:
    small = -np.geomspace(1e-30, 1.0, 100_001)
    values = np.concatenate([np.linspace(-87.3, 0.0, 1_000_001), small]).astype(np.float32)
    exact = np.exp(values.astype(np.float64))
    assert np.abs(exp_of(values) / exact - 1.0).max() < 6e-6


def test_that_the_bounded_exponential_is_accurate_on_both_sides_of_zero_and_never_infinite() -> (
    None
):
    values = np.linspace(-87.3, 69.3, 1_000_001).astype(np.float32)
    out = np.empty_like(values)
    bounded_exponentials(values, out)
    assert np.abs(out / np.exp(values.astype(np.float64)) - 1.0).max() < 1e-5
    values = np.array([-np.inf, -3e38, -1e3, 70.0, 1e3, 3e38, np.inf], dtype=np.float32)
    out = np.empty_like(values)
    bounded_exponentials(values, out)
    assert out.tolist() == [SMALLEST_NORMAL] * 3 + [2.0**100] * 4


def test_that_the_exponential_of_zero_is_exactly_one() -> None:
    assert exp_of(np.zeros(3, dtype=np.float32)).tolist() == [1.0, 1.0, 1.0]


@pytest.mark.parametrize("far", [-87.5, -88.0, -1e3, -2.2e9, -1e20, -3e38, -np.inf])
def test_that_the_exponential_never_falls_below_the_smallest_normal_number(far: float) -> None:
    assert exp_of(np.full(5, far, dtype=np.float32)).tolist() == [SMALLEST_NORMAL] * 5


def test_that_the_exponential_never_exceeds_one_nor_falls_by_more_than_rounding_as_it_rises() -> (
    None
):
    values = np.linspace(-90.0, 0.0, 1_000_001).astype(np.float32)
    rising = exp_of(values)
    assert rising.max() <= 1.0
    assert (rising[1:] >= rising[:-1] * np.float32(1.0 - 1.2e-5)).all()


def test_that_the_logarithm_is_accurate_to_a_millionth_of_itself_or_of_one() -> None:
    everywhere = np.geomspace(1.2e-38, 3e38, 1_000_001)
    near_one = np.linspace(0.3, 3.0, 1_000_001)
    values = np.concatenate([everywhere, near_one]).astype(np.float32)
    exact = np.log(values.astype(np.float64))
    assert (np.abs(log_of(values) - exact) / np.maximum(1.0, np.abs(exact))).max() < 1e-6


def test_that_the_logarithm_of_one_is_exactly_zero() -> None:
    assert log_of(np.ones(3, dtype=np.float32)).tolist() == [0.0, 0.0, 0.0]


def test_that_one_value_alone_gives_the_same_bits_as_among_many() -> None:
    values = np.linspace(-20.0, 0.0, 257).astype(np.float32)
    alone = np.concatenate([exp_of(values[j : j + 1]) for j in range(len(values))])
    assert alone.tobytes() == exp_of(values).tobytes()
