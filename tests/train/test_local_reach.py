"""A reach for every item: by its neighbours and by perplexity, against brute force."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests import twins
from ximstudio.measure.divergence import item_costs
from ximstudio.model import Matrix, PrototypeMap, Result
from ximstudio.model.arrays import Floats
from ximstudio.train import checkpoints, local_reach, method_named, problems, train
from ximstudio.train.annealing import annealed
from ximstudio.train.local_reach import POINTS, local_reaches
from ximstudio.train.online import ItemOrder
from ximstudio.train.xim_family import XimParams


def items(n_items: int = 50, *, blanks: bool = False) -> Floats:
    """A dense and a loose group, far from zero."""
    rng = np.random.default_rng(0)
    spread = np.where(np.arange(n_items) % 2 == 0, 0.3, 3.0)[:, None]
    values = 100.0 + spread * rng.normal(size=(n_items, 6))
    if blanks:
        values[rng.random(values.shape) < 0.2] = np.nan
        values[:, 0] = 100.0 + rng.normal(size=n_items)
    return values


def distances_of(values: Floats, item: int) -> Floats:
    apart = twins.pair_distances(values)[item]
    return np.asarray(np.sort(np.delete(apart, item)))


def bits(distances: Floats, reach: float) -> float:
    """Entropy of the shares exp(−d²/2γ²)."""
    exponents = -((distances / reach) ** 2) / 2.0
    shares = np.exp(exponents - exponents.max())
    shares /= shares.sum()
    shares = shares[shares > 0.0]
    return float(-(shares * np.log2(shares)).sum())


@pytest.mark.parametrize("blanks", [False, True], ids=["complete", "blanks"])
def test_that_a_reach_by_neighbours_is_the_distance_to_the_kth(blanks: bool) -> None:
    values = items(blanks=blanks)
    reaches = local_reaches(values, np.array([1.0, 7.0, 7.25, 49.0, 1e6]), by="neighbours", seed=0)
    for item in range(50):
        d = distances_of(values, item)
        expected = [d[0], d[6], d[6] + 0.25 * (d[7] - d[6]), d[48], d[48]]
        np.testing.assert_allclose(reaches[item], expected, rtol=1e-5)


@pytest.mark.parametrize("blanks", [False, True], ids=["complete", "blanks"])
def test_that_a_reach_by_perplexity_holds_as_many_neighbours_in_effect(blanks: bool) -> None:
    values = items(blanks=blanks)
    counts = np.array([44.0, 30.0, 12.5, 5.0, 2.5, 20.0])
    reaches = local_reaches(values, counts, by="perplexity", seed=0)
    for item in range(50):
        d = distances_of(values, item)
        found = [bits(d, reach) for reach in reaches[item].tolist()]
        np.testing.assert_allclose(found, np.log2(counts), rtol=0.0, atol=1e-3)


@pytest.mark.parametrize("by", ["neighbours", "perplexity"])
def test_that_items_in_a_dense_group_reach_less_far(by: str) -> None:
    reaches = local_reaches(items(), np.array([10.0]), by=by, seed=0)[:, 0]
    assert reaches[::2].max() < reaches[1::2].min()


@pytest.mark.parametrize("by", ["neighbours", "perplexity"])
def test_that_copies_of_an_item_and_items_without_a_common_feature_have_a_reach(by: str) -> None:
    values = items(12)
    values[:6] = values[0]
    values[8:, 3:] = np.nan
    values[7, :3] = np.nan
    values[:7] = np.where(np.arange(6) < 3, values[:7], np.nan)
    values = np.where(np.arange(6) == 5, np.where(np.arange(12) == 7, 1.0, np.nan)[:, None], values)
    reaches = local_reaches(values, np.array([9.0, 3.0, 1.0]), by=by, seed=0)
    assert np.isfinite(reaches).all()
    assert (reaches > 0.0).all()


@pytest.mark.parametrize("by", ["neighbours", "perplexity"])
def test_that_many_items_are_held_against_a_seeded_sample(
    monkeypatch: pytest.MonkeyPatch, by: str
) -> None:
    values, counts = items(3000), np.array([600.0, 200.0])
    exact = local_reaches(values, counts, by=by, seed=0)
    monkeypatch.setattr(local_reach, "EXACT", 2000)
    monkeypatch.setattr(local_reach, "SAMPLE", 1000)
    sampled = local_reaches(values, counts, by=by, seed=0)
    assert sampled.tobytes() == local_reaches(values, counts, by=by, seed=0).tobytes()
    assert sampled.tobytes() != local_reaches(values, counts, by=by, seed=1).tobytes()
    off = np.abs(sampled / exact - 1.0)
    assert off.mean() < 0.05
    assert np.quantile(off, 0.99) < 0.25


@pytest.mark.parametrize("by", ["neighbours", "perplexity"])
def test_that_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch, by: str) -> None:
    values, counts = items(blanks=True), np.array([20.0, 4.0])
    whole = local_reaches(values, counts, by=by, seed=0)
    monkeypatch.setattr(local_reach, "AT_ONCE", 150)
    np.testing.assert_allclose(local_reaches(values, counts, by=by, seed=0), whole, rtol=1e-6)


# In training --------------------------------------------------------------------------------------

SETTINGS: dict[str, Any] = {
    "shape": (5, 4),
    "n_steps": 48,
    "step": (0.5, 0.1),
    "width": (1.5, 0.6),
    "init": "given",
    "reach_neighbours": (20.0, 4.0),
}


@pytest.mark.parametrize("blanks", [False, True], ids=["complete", "blanks"])
@pytest.mark.parametrize("annealing", ["exponential", "linear"])
@pytest.mark.parametrize("by", ["neighbours", "perplexity"])
def test_that_steps_use_the_reach_of_their_item(by: str, annealing: str, blanks: bool) -> None:
    values = items(blanks=blanks)
    start = 100.0 + np.random.default_rng(1).normal(size=(20, 6))
    params = XimParams(**SETTINGS, reach_from=by, annealing=annealing)
    # The points of training at which reaches are exact, and the middle between two of them.
    fractions = np.linspace(0.0, 1.0, POINTS)
    counts = annealed(annealing, (20.0, 4.0), fractions)
    every = local_reaches(values, counts, by=by, seed=0)
    d_map = twins.map_distances(params.grid)
    prototypes = start
    for t, item in enumerate(ItemOrder(50, 4).of_steps(0, 48)):
        reach = float(np.interp(t / 48, fractions, every[item]))
        rule = twins.Rule(
            kernel="cauchy",
            annealing=annealing,
            step=(0.5, 0.1),
            width=(1.5, 0.6),
            reach=(reach, reach),
        )
        prototypes = twins.online_step(rule, values[item], prototypes, d_map, t / 48).prototypes
    result = train(Matrix.from_array(values), method_named("c-xim"), params, seed=4, start=start)
    assert isinstance(result.model, PrototypeMap)
    np.testing.assert_allclose(result.model.prototypes, prototypes, rtol=0.0, atol=2e-4)
    assert np.abs(prototypes - start).max() > 0.3


def trained(by: str, **changes: Any) -> tuple[Matrix, Result]:
    matrix = Matrix.from_array(items())
    params = XimParams(shape=(5, 4), n_steps=300, reach_from=by, **changes)
    return matrix, train(matrix, method_named("c-xim"), params, seed=2)


@pytest.mark.parametrize("by", ["neighbours", "perplexity"])
def test_that_the_history_tells_the_mean_reach_in_data_units(by: str) -> None:
    matrix, result = trained(by)
    assert isinstance(result.params, XimParams)
    last = np.array([result.params.neighbours_for(50)[1]])
    expected = local_reaches(matrix.values, last, by=by, seed=2).mean()
    assert result.history.reach[-1] == pytest.approx(expected, rel=1e-5)
    assert (np.diff(result.history.reach) < 0.0).all()


@pytest.mark.parametrize("by", ["neighbours", "perplexity"])
def test_that_costs_are_those_of_each_items_own_reach(by: str) -> None:
    matrix, method = Matrix.from_array(items()), method_named("c-xim")
    params = XimParams(shape=(5, 4), n_steps=300, reach_from=by)
    result = next(checkpoints(matrix, method, params, seed=2, chunk=190)).result()
    assert isinstance(result.model, PrototypeMap)
    costs = item_costs(result, matrix.values)
    assert costs is not None
    counts = annealed("exponential", params.neighbours_for(50), np.linspace(0.0, 1.0, POINTS))
    every = local_reaches(matrix.values, counts, by=by, seed=2)
    sigma = twins.annealed("exponential", params.widths, 190 / 300)
    d_map = twins.map_distances(params.grid)
    for item, winner in enumerate(twins.winners_of(result)):
        reach = float(np.interp(190 / 300, np.linspace(0.0, 1.0, POINTS), every[item]))
        h = twins.map_kernel("cauchy", d_map[winner], sigma)
        d = twins.data_distances(matrix.values[item], result.model.prototypes)
        assert costs.total[item] == pytest.approx(twins.divergence(h, d, reach), rel=1e-4)


def test_that_most_items_may_be_the_same_where_each_has_its_own_reach() -> None:
    values = np.tile(np.random.default_rng(3).normal(size=5), (20, 1))
    values[:4] += np.arange(1.0, 5.0)[:, None]
    matrix, method = Matrix.from_array(values), method_named("c-xim")
    shared = XimParams(shape=(3, 3), n_steps=200)
    assert {found.key for found in problems(matrix, method, shared)} == {"params.reach_unit"}
    for by in ("neighbours", "perplexity"):
        params = shared.replace(reach_from=by)
        assert not problems(matrix, method, params)
        assert np.isfinite(train(matrix, method, params).positions).all()


def test_that_the_gradient_rule_warns_of_overshooting_with_reaches_of_their_own() -> None:
    matrix, method = Matrix.from_array(items() / 100.0), method_named("c-xim")
    params = XimParams(rule="gradient", reach_from="neighbours")
    assert {found.key for found in problems(matrix, method, params)} == {"params.overshoot"}
    wide = Matrix.from_array(items() * 100.0)
    assert not problems(wide, method, params)


@pytest.mark.parametrize("exponent", [-460, -140, 140, 460])
@pytest.mark.parametrize("by", ["neighbours", "perplexity"])
def test_that_reaches_of_data_beyond_single_precision_are_the_same_in_their_unit(
    by: str, exponent: int
) -> None:
    how: dict[str, Any] = {"annealing": "exponential", "neighbours": (20.0, 3.0), "seed": 0}
    values = items(blanks=True)
    usual = local_reach.reaches_at(values, 0.7, by=by, **how)
    beyond = local_reach.reaches_at(np.ldexp(values, exponent), 0.7, by=by, **how)
    np.testing.assert_array_equal(beyond, np.ldexp(usual, exponent))
