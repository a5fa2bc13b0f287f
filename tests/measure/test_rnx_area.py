from __future__ import annotations

import numpy as np
import pytest

from tests.measure import oracles
from ximstudio.measure import rnx_area
from ximstudio.measure.neighbourhoods import r_nx
from ximstudio.measure.ranks import neighbour_ranks
from ximstudio.measure.rnx_area import r_nx_area
from ximstudio.model.arrays import Floats

PLANE = (np.inf, np.inf)


def some_map(n_items: int) -> tuple[Floats, Floats]:
    rng = np.random.default_rng(5)
    values = rng.normal(size=(n_items, 6))
    return values, values[:, :2] + rng.normal(size=(n_items, 2))


def area(values: Floats, positions: Floats, seed: int = 0) -> tuple[float, float]:
    found = r_nx_area(values, positions, PLANE, seed=seed)
    assert found is not None
    return found.value, found.error


@pytest.mark.parametrize("n_items", [3, 4, 50])
def test_that_the_area_is_the_weighted_mean_of_the_curve(n_items: int) -> None:
    values, positions = some_map(n_items)
    curve = r_nx(neighbour_ranks(values, positions, PLANE, n_items - 2))
    k = np.arange(1, n_items - 1)
    assert area(values, positions) == pytest.approx(
        ((curve / k).sum() / (1.0 / k).sum(), 0.0), abs=1e-12
    )


def test_that_ties_and_blanks_are_ranked_as_in_the_curves() -> None:
    values, positions = some_map(60)
    values = np.round(values)
    values[::7, 2] = np.nan
    data, drawn = (
        oracles.table_of_ranks(oracles.table_of_distances(each)) for each in (values, positions)
    )
    whole = oracles.co_ranking_matrix(data, drawn)
    k = np.arange(1, 59)
    kept = np.array([whole[:number, :number].sum() for number in k]) / (k * 60)
    curve = (59 * kept - k) / (59 - k)
    wanted = (curve / k).sum() / (1.0 / k).sum()
    assert area(values, positions)[0] == pytest.approx(wanted, abs=1e-12)


def test_that_the_best_map_has_all_of_the_area_and_a_random_one_none() -> None:
    values, positions = some_map(400)
    assert area(positions, positions) == pytest.approx((1.0, 0.0), abs=1e-12)
    assert abs(area(values, np.random.default_rng(0).permutation(positions))[0]) < 0.03


def test_that_the_error_of_a_sample_covers_the_truth(monkeypatch: pytest.MonkeyPatch) -> None:
    values, positions = some_map(600)
    truth, _ = area(values, positions)
    monkeypatch.setattr(rnx_area, "MOST_PAIRS", 600 * 60)
    off = []
    for seed in range(60):
        value, error = area(values, positions, seed)
        assert error > 0.0
        off.append((value - truth) / error)
    assert 0.7 < np.sqrt(np.mean(np.square(off))) < 1.4


def test_that_two_items_have_no_neighbourhoods_to_compare() -> None:
    assert r_nx_area(np.eye(2), np.eye(2), PLANE) is None
