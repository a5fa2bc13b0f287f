"""Winners of a block of items, and sums of items per node."""

from __future__ import annotations

import numpy as np
import pytest

from ximstudio.kernels.batch import add_to_nodes, column_winners


@pytest.mark.parametrize("shape", [(1, 1), (1, 9), (7, 1), (36, 512), (100, 33)])
def test_that_the_first_smallest_score_of_a_column_wins(shape: tuple[int, int]) -> None:
    scores = np.random.default_rng(0).integers(0, 20, shape).astype(np.float32)
    least, winners = np.empty(shape[1], dtype=np.float32), np.empty(shape[1], dtype=np.int64)
    column_winners(scores, least, winners)
    assert winners.tolist() == scores.argmin(axis=0).tolist()
    assert least.tolist() == scores.min(axis=0).tolist()


def test_that_items_are_added_to_their_winners_and_to_what_is_there() -> None:
    rng = np.random.default_rng(1)
    values = rng.normal(size=(50, 3)).astype(np.float32)
    winners = rng.integers(0, 7, 50)
    sums = np.ones((7, 3))
    add_to_nodes(values, winners, sums)
    expected = np.ones((7, 3))
    np.add.at(expected, winners, values.astype(np.float64))
    np.testing.assert_allclose(sums, expected, rtol=1e-12)
