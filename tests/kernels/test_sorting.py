"""Long rows in order, against numpy and scipy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import isotonic_regression
from scipy.stats import rankdata

from ximstudio.kernels import sorting
from ximstudio.kernels.sorting import (
    count_falling,
    in_order,
    merge,
    monotone_fit,
    shared_ranks,
)
from ximstudio.model.arrays import Complexes


def numbers(n: int, seed: int = 0, *, ties: int = 7) -> Complexes:
    rng = np.random.default_rng(seed)
    return np.asarray(rng.integers(-ties, ties, n) + 1j * rng.integers(-3, 4, n))


@pytest.mark.parametrize("n", [0, 1, 15, 16, 17, 64, 95, 1000])
def test_that_a_row_sorted_in_parts_is_in_order(n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sorting, "PART", 16)
    values = numbers(n)
    assert np.array_equal(in_order(values.copy()), np.sort(values))


@pytest.mark.parametrize(("left", "right"), [(0, 0), (0, 5), (5, 0), (1, 30), (30, 30)])
def test_that_two_rows_become_one(left: int, right: int) -> None:
    one, other = np.sort(numbers(left, 1)), np.sort(numbers(right, 2))
    out = np.empty(left + right, dtype=np.complex128)
    merge(one, other, out)
    assert np.array_equal(out, np.sort(np.concatenate([one, other])))


@pytest.mark.parametrize("ties", [1, 5, 10_000])
def test_that_equal_values_share_the_mean_of_their_ranks(ties: int) -> None:
    values = np.random.default_rng(3).integers(0, ties, 500).astype(np.float64)
    ranks = np.empty(500)
    shared_ranks(in_order(values + 1j * np.arange(500)), ranks)
    assert np.array_equal(ranks, rankdata(values))


@pytest.mark.parametrize("kind", ["random", "falling", "rising", "level", "walk"])
def test_that_the_monotone_fit_is_that_of_scipy(kind: str) -> None:
    rng = np.random.default_rng(4)
    values = {
        "random": rng.random(400),
        "falling": np.linspace(1.0, -1.0, 400),
        "rising": np.linspace(0.0, 1.0, 400),
        "level": np.full(400, 0.3),
        "walk": np.cumsum(rng.normal(size=400)),
    }[kind]
    fit = np.empty(400)
    monotone_fit(values, fit)
    assert np.allclose(fit, isotonic_regression(values).x, rtol=1e-12, atol=1e-12)
    assert (np.diff(fit) >= 0.0).all()


@pytest.mark.parametrize("n", [0, 1, 2, 3, 17, 64, 333])
@pytest.mark.parametrize("ties", [False, True])
def test_that_falling_pairs_are_counted_and_the_row_is_sorted(n: int, ties: bool) -> None:
    rng = np.random.default_rng(n)
    row = rng.integers(0, 9, n).astype(np.float64) if ties else rng.normal(size=n)
    expected = sum(int((row[i + 1 :] < row[i]).sum()) for i in range(n))
    ordered = row.copy()
    assert count_falling(ordered, np.empty(n)) == expected
    assert np.array_equal(ordered, np.sort(row))
