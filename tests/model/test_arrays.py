"""Arrays that cannot be written to by accident."""

from __future__ import annotations

import numpy as np
import pytest

from ximstudio.model.arrays import frozen, frozen_floats


def test_that_values_that_nobody_can_write_to_are_shared() -> None:
    sealed = frozen(np.ones((2, 3)))
    assert frozen_floats(sealed) is sealed
    view = sealed[:]
    assert frozen_floats(view) is view


@pytest.mark.parametrize(
    "given",
    [
        np.arange(6.0).reshape(2, 3),
        # Read-only itself, but its base is not.
        frozen(np.arange(12.0).reshape(4, 3)[:2]),
        frozen(np.arange(6).reshape(2, 3)),
        frozen(np.asfortranarray(np.arange(6.0).reshape(2, 3))),
        frozen(np.frombuffer(bytearray(48)).reshape(2, 3)),
    ],
    ids=["writeable", "view", "integers", "columns", "foreign memory"],
)
def test_that_all_others_are_copied(given: np.typing.NDArray[np.float64]) -> None:
    made = frozen_floats(given)
    assert not np.shares_memory(made, given)
    assert np.array_equal(made, given)
    assert made.dtype == np.float64
    assert made.flags.c_contiguous
    assert not made.flags.writeable
