"""The smallest entry, found in strides."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ximstudio.kernels.search import STRIDE, argmin, smallest

SIZES = [1, 2, STRIDE - 1, STRIDE, STRIDE + 1, 2 * STRIDE, 5 * STRIDE + 7]


@pytest.mark.parametrize("size", SIZES)
def test_that_the_smallest_entry_is_found_wherever_it_lies(size: int) -> None:
    values = np.random.default_rng(size).normal(size=size).astype(np.float32)
    for place in range(0, size, max(1, size // 50)):
        changed = values.copy()
        changed[place] = -10.0
        assert argmin(changed) == place
        assert smallest(changed) == -10.0


@pytest.mark.parametrize("size", SIZES)
def test_that_the_first_of_equal_entries_wins(size: int) -> None:
    values = np.random.default_rng(size).integers(0, 4, size).astype(np.float32)
    assert argmin(values) == np.argmin(values)
    assert argmin(np.ones(size, dtype=np.float32)) == 0


@given(st.lists(st.floats(-(2.0**99), 2.0**99, width=32), min_size=1))
def test_that_it_agrees_with_numpy(numbers: list[float]) -> None:
    values = np.array(numbers, dtype=np.float32)
    assert argmin(values) == np.argmin(values)


def test_that_an_answer_among_infinities_is_an_index() -> None:
    values = np.full(STRIDE + 3, np.inf, dtype=np.float32)
    assert 0 <= argmin(values) < values.size
    values[STRIDE] = 1.0
    assert argmin(values) == STRIDE
