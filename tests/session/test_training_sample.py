"""Live trustworthiness and continuity are those of the sampled items, exactly."""

import numpy as np
import pytest

from ximstudio.measure.ranks import neighbour_ranks
from ximstudio.model import Matrix
from ximstudio.session.training_sample import MOST, TrainingSample


@pytest.mark.parametrize("periods", [(np.inf, np.inf), (6.0, 8.0)])
def test_that_ranks_are_the_exact_ones(yeast: Matrix, periods: tuple[float, float]) -> None:
    positions = np.random.default_rng(0).uniform(0.0, 6.0, (yeast.n_items, 2))
    sample = TrainingSample(yeast)
    assert len(sample.items) == yeast.n_items
    ours = sample.ranks(positions, periods)
    exact = neighbour_ranks(yeast.values, positions, periods, sample.k)
    for name in ("data_neighbours", "map_neighbours", "map_ranks", "data_ranks"):
        assert np.array_equal(getattr(ours, name), getattr(exact, name)), name


def test_that_equal_places_are_ranked_in_the_order_of_the_table() -> None:
    values = np.random.default_rng(1).normal(size=(20, 3))
    positions = np.repeat(np.arange(4.0), 5)[:, None] * [1.0, 0.0]
    sample = TrainingSample(Matrix.from_array(values))
    exact = neighbour_ranks(values, positions, (np.inf, np.inf), sample.k)
    assert np.array_equal(sample.ranks(positions, (np.inf, np.inf)).map_ranks, exact.map_ranks)


def test_that_many_items_are_sampled_and_the_sample_repeats() -> None:
    matrix = Matrix.from_array(np.random.default_rng(2).normal(size=(1000, 4)))
    sample, again = TrainingSample(matrix), TrainingSample(matrix)
    assert len(sample.items) == MOST
    assert np.array_equal(sample.items, again.items)
    perfect = sample.trust_and_continuity(matrix.values, (np.inf,) * 4)
    assert perfect == (1.0, 1.0)


def test_that_long_items_are_sampled_more_sparsely() -> None:
    wide = Matrix.from_array(np.random.default_rng(3).normal(size=(400, 30_000)))
    assert len(TrainingSample(wide).items) < 100


def test_that_three_items_are_enough() -> None:
    matrix = Matrix.from_array(np.array([[0.0], [1.0], [3.0]]))
    assert TrainingSample(matrix).trust_and_continuity(matrix.values, (np.inf,)) == (1.0, 1.0)
