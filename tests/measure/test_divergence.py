"""The cost of every item, against the report's formulas spelled out."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest

from tests import divergences, twins
from ximstudio.kernels.divergence import KL
from ximstudio.measure import divergence as measured
from ximstudio.measure import nodes
from ximstudio.measure.divergence import Costs, generalised_kl, heskes_energy, item_costs
from ximstudio.model import Grid, Matrix, PrototypeMap, Result, TrainingHistory
from ximstudio.model.arrays import Floats
from ximstudio.train import METHODS, checkpoints, method_named, train
from ximstudio.train.divergences import DIVERGENCES, divergence_named, value
from ximstudio.train.online import LOG_KERNELS, MAP_KERNELS, ItemOrder


@dataclass(frozen=True, kw_only=True)
class Case:
    """A training, and what the report says about it."""

    method: str
    kernel: str
    repels: bool = True
    scale: float = 1.0
    settings: dict[str, Any] = field(default_factory=dict)


CASES = {
    "xim": Case(method="xim", kernel="gaussian"),
    "c-xim": Case(method="c-xim", kernel="cauchy"),
    "t-xim": Case(method="t-xim", kernel="t"),
    "length scale": Case(
        method="t-xim", kernel="t", scale=2.5, settings={"length_scale": 2.5, "width": (0.5, 3.0)}
    ),
    "gradient": Case(
        method="c-xim",
        kernel="cauchy",
        settings={"rule": "gradient", "step": (0.05, 0.01), "reach": (3.0, 1.0)},
    ),
    "data units": Case(
        method="xim", kernel="gaussian", settings={"reach_unit": "data", "reach": (9.0, 2.0)}
    ),
    "divergence best match": Case(
        method="c-xim", kernel="cauchy", settings={"best_match": "divergence"}
    ),
    "no repulsion": Case(
        method="c-xim", kernel="cauchy", repels=False, settings={"repulsion": 0.0}
    ),
    "constant": Case(method="c-xim", kernel="cauchy", settings={"annealing": "constant"}),
    "som": Case(method="som", kernel="gaussian", repels=False),
    "batch som": Case(
        method="som",
        kernel="gaussian",
        repels=False,
        settings={"algorithm": "batch", "n_epochs": 4},
    ),
}
MAPS: dict[str, dict[str, Any]] = {
    "flat": {"shape": (4, 5)},
    "hexagonal": {"shape": (5, 3), "lattice": "hexagonal"},
    "hexagonal torus": {"shape": (4, 5), "lattice": "hexagonal", "toroidal": True},
    "row": {"shape": (1, 12)},
    "one node": {"shape": (1, 1)},
}


def items(*, blanks: bool = False) -> Matrix:
    rng = np.random.default_rng(0)
    values = rng.normal(size=(40, 6)) + 5.0 * rng.integers(0, 2, (40, 1)) + 100.0
    if blanks:
        hidden = rng.random(values.shape) < 0.3
        hidden[np.arange(40), rng.integers(0, 6, 40)] = False
        values[hidden] = np.nan
    return Matrix.from_array(values)


def trained(case: Case, matrix: Matrix, **settings: Any) -> Result:
    method = method_named(case.method)
    wanted = {"n_steps": 400, **settings, **case.settings}
    return train(matrix, method, method.params.from_values(wanted), seed=1)


def costs_of(result: Result, values: Floats) -> Costs:
    costs = item_costs(result, values)
    assert costs is not None
    return costs


def last(result: Result, matrix: Matrix, case: Case) -> tuple[float, float]:
    """σ and γ in data units where training stands, from the parameters alone."""
    params: Any = result.params
    fraction = result.step / result.n_steps
    sigma = twins.annealed(params.annealing, params.widths, fraction)
    if not case.repels:
        return sigma, np.nan
    unit = matrix.median_distance if params.reach_unit == "median" else 1.0
    return sigma, twins.annealed(params.annealing, params.reach, fraction) * unit


def expected_parts(result: Result, matrix: Matrix, case: Case) -> tuple[Floats, Floats]:
    """Attraction and repulsion of all items, node by node."""
    assert isinstance(result.model, PrototypeMap)
    sigma, gamma = last(result, matrix, case)
    d_map = twins.map_distances(result.model.grid)
    attraction, repulsion = [], []
    for x, winner in zip(matrix.values, twins.winners_of(result), strict=True):
        h = twins.map_kernel(case.kernel, d_map[winner], sigma, case.scale)
        d = twins.data_distances(x, result.model.prototypes)
        if case.repels:
            repelled = twins.data_kernel(d, gamma).sum()
            repulsion.append(repelled)
            attraction.append(twins.divergence(h, d, gamma) - repelled)
        else:
            repulsion.append(0.0)
            attraction.append(0.5 * (h * d).sum())
    return np.array(attraction), np.array(repulsion)


@pytest.mark.parametrize("blanks", [False, True], ids=["complete", "blanks"])
@pytest.mark.parametrize("key", CASES)
def test_that_costs_equal_the_reports_divergence(key: str, blanks: bool) -> None:
    case, matrix = CASES[key], items(blanks=blanks)
    result = trained(case, matrix, shape=(4, 5))
    costs = costs_of(result, matrix.values)
    attraction, repulsion = expected_parts(result, matrix, case)
    np.testing.assert_allclose(costs.attraction, attraction, rtol=1e-9)
    np.testing.assert_allclose(costs.repulsion, repulsion, rtol=1e-9)
    np.testing.assert_allclose(costs.total, attraction + repulsion, rtol=1e-9)
    assert costs.repulsion.any() == case.repels


@pytest.mark.parametrize("blanks", [False, True], ids=["complete", "blanks"])
@pytest.mark.parametrize("key", [each.key for each in DIVERGENCES if each.key != "kl"])
def test_that_costs_are_those_of_the_divergence_trained_with(key: str, blanks: bool) -> None:
    case, matrix = CASES["c-xim"], items(blanks=blanks)
    result = trained(case, matrix, shape=(4, 5), divergence=key, reach=(2.0, 1.0))
    assert isinstance(result.model, PrototypeMap)
    sigma, gamma = last(result, matrix, case)
    d_map, order = twins.map_distances(result.model.grid), divergence_named(key).usual
    costs = costs_of(result, matrix.values)
    for item, (x, winner) in enumerate(zip(matrix.values, twins.winners_of(result), strict=True)):
        h = twins.map_kernel(case.kernel, d_map[winner], sigma)
        g = twins.data_kernel(twins.data_distances(x, result.model.prototypes), gamma)
        expected = divergences.VALUES[key](h, g, order)
        assert costs.total[item] == pytest.approx(expected, rel=1e-8)
        repelled = divergences.PARTS[key](h, g, order)[1].sum()
        assert costs.repulsion[item] == pytest.approx(repelled, rel=1e-8)


@pytest.mark.parametrize("name", MAPS)
@pytest.mark.parametrize("key", ["xim", "t-xim", "c-xim", "som"])
def test_that_costs_follow_the_lattice(key: str, name: str) -> None:
    case, matrix = CASES[key], items()
    result = trained(case, matrix, **MAPS[name])
    costs = costs_of(result, matrix.values)
    attraction, repulsion = expected_parts(result, matrix, case)
    np.testing.assert_allclose(costs.attraction, attraction, rtol=1e-9)
    np.testing.assert_allclose(costs.repulsion, repulsion, rtol=1e-9)


def test_that_a_stopped_training_costs_what_it_does_where_it_stands() -> None:
    case, matrix = CASES["c-xim"], items()
    method = method_named("c-xim")
    params = method.params.from_values({"shape": (4, 5), "n_steps": 400})
    result = next(checkpoints(matrix, method, params, chunk=150)).result()
    assert not result.finished
    attraction, repulsion = expected_parts(result, matrix, case)
    costs = costs_of(result, matrix.values)
    np.testing.assert_allclose(costs.attraction, attraction, rtol=1e-9)
    np.testing.assert_allclose(costs.repulsion, repulsion, rtol=1e-9)


def test_that_no_divergence_is_negative() -> None:
    matrix = items(blanks=True)
    for key, case in CASES.items():
        costs = costs_of(trained(case, matrix, shape=(4, 5)), matrix.values)
        assert (costs.total >= 0.0).all(), key


def test_that_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    matrix = items(blanks=True)
    result = trained(CASES["t-xim"], matrix, shape=(4, 5))
    whole = costs_of(result, matrix.values)
    monkeypatch.setattr(nodes, "DISTANCES", 3 * 20)
    parts = costs_of(result, matrix.values)
    np.testing.assert_allclose(parts.attraction, whole.attraction, rtol=1e-14)
    np.testing.assert_allclose(parts.repulsion, whole.repulsion, rtol=1e-14)


def test_that_kernels_that_underflow_cost_nothing() -> None:
    matrix = items()
    result = trained(CASES["xim"], matrix, shape=(1, 40), width=(2.0, 0.02))
    costs = costs_of(result, matrix.values)
    assert np.isfinite(costs.attraction).all()
    np.testing.assert_allclose(
        costs.attraction, expected_parts(result, matrix, CASES["xim"])[0], rtol=1e-9
    )


def test_that_costs_do_not_depend_on_the_unit_of_the_data() -> None:
    matrix = items()
    # So small that the square of the reach is no number any more.
    small = Matrix.from_array(matrix.values * 2.0**-430)
    one, other = (
        costs_of(trained(CASES["c-xim"], data, shape=(4, 5), reach=(1.0, 1e-40)), data.values)
        for data in (matrix, small)
    )
    np.testing.assert_allclose(other.attraction, one.attraction, rtol=1e-12)
    np.testing.assert_allclose(other.repulsion, one.repulsion, rtol=1e-12)


def test_that_maps_without_nodes_or_history_have_no_costs() -> None:
    matrix = items()
    pca = method_named("pca")
    forgotten = replace(
        trained(CASES["c-xim"], matrix, shape=(4, 5)), history=TrainingHistory.empty()
    )
    for result in (train(matrix, pca), forgotten):
        assert item_costs(result, matrix.values) is None
        assert heskes_energy(result, matrix.values) is None


def test_that_every_kernel_of_a_method_has_its_logarithm() -> None:
    assert set(LOG_KERNELS) == set(MAP_KERNELS)
    for method in METHODS:
        if "shape" in method.params.specs():
            assert method.map_kernel in MAP_KERNELS
        else:
            assert method.map_kernel is None


# Heskes' energy (TR 7) ----------------------------------------------------------------------------

WIDTH = 1.2
HESKES: dict[str, Any] = {
    "shape": (4, 5),
    "best_match": "heskes",
    "width": (WIDTH, WIDTH),
    "annealing": "constant",
}


def energy(values: Floats, prototypes: Floats) -> float:
    """TR 7 spelled out, the winner of every item by TR 6."""
    h = twins.map_kernel("gaussian", twins.map_distances(Grid(4, 5)), WIDTH)
    total = 0.0
    for x in values:
        d = twins.data_distances(x, prototypes)
        total += 0.5 * float((h[twins.best_match("heskes", h, d, np.nan)] * d).sum())
    return total / len(values)


@pytest.mark.parametrize("blanks", [False, True], ids=["complete", "blanks"])
def test_that_heskes_energy_is_that_of_the_report(
    blanks: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    matrix = items(blanks=blanks)
    for settings in (HESKES, HESKES | {"best_match": "distance"}):
        result = trained(CASES["som"], matrix, **settings)
        assert isinstance(result.model, PrototypeMap)
        expected = energy(matrix.values, result.model.prototypes)
        assert heskes_energy(result, matrix.values) == pytest.approx(expected, rel=1e-12)
    monkeypatch.setattr(measured, "NEIGHBOURHOODS", 3 * 20)
    assert heskes_energy(result, matrix.values) == pytest.approx(expected, rel=1e-12)


def test_that_every_epoch_after_heskes_lowers_his_energy() -> None:
    matrix, method = items(), method_named("som")
    epochs = {"algorithm": "batch", "n_epochs": 15, "init": "random", "tolerance": 0.0}
    energies = [
        heskes_energy(checkpoint.result(), matrix.values)
        for checkpoint in checkpoints(
            matrix, method, method.params.from_values(HESKES | epochs), seed=1, chunk=1
        )
    ]
    found = np.array(energies, dtype=np.float64)
    assert len(found) == 15
    assert (np.diff(found) <= 1e-6 * found[0]).all()
    assert found[-1] < 0.9 * found[0]


def test_that_the_rule_after_heskes_is_the_slope_of_his_energy() -> None:
    """The mean step is −ε ∂E'/∂w_j, with winners chosen again by TR 6."""
    rng = np.random.default_rng(4)
    values, start = rng.normal(size=(5, 3)), rng.normal(size=(20, 3))
    moves, method = [], method_named("som")
    settings = HESKES | {"init": "given", "n_steps": 1, "step": (0.5, 0.5)}
    first = next(seed for seed in range(100) if ItemOrder(2, seed).of_steps(0, 1)[0] == 0)
    params = method.params.from_values(settings)
    for x in values:
        matrix = Matrix.from_array([x, x + 1.0])
        model = train(matrix, method, params, seed=first, start=start).model
        assert isinstance(model, PrototypeMap)
        moves.append((model.prototypes - start) / 0.5)
    slopes = np.zeros_like(start)
    for place in np.ndindex(*start.shape):
        step = np.zeros_like(start)
        step[place] = 1e-5
        slopes[place] = (energy(values, start + step) - energy(values, start - step)) / 2e-5
    np.testing.assert_allclose(np.mean(moves, axis=0), -slopes, rtol=0.0, atol=2e-6)


# Measures that need not be normalised (TR 8) ------------------------------------------------------


def test_that_the_generalised_divergence_is_that_of_the_report() -> None:
    rng = np.random.default_rng(5)
    p, q = rng.exponential(size=(2, 7, 30))
    expected = (p * np.log(p / q)).sum(axis=1) - (p - q).sum(axis=1)
    np.testing.assert_allclose(generalised_kl(p, q), expected, rtol=1e-9)
    # TR 9 is TR 8 of h and g.
    np.testing.assert_allclose(generalised_kl(p, q), value(KL, np.log(p), np.log(q)), rtol=1e-9)


def test_that_the_generalised_divergence_is_0_for_equal_measures_alone() -> None:
    rng = np.random.default_rng(6)
    p = rng.exponential(size=(50, 30))
    p[:, 3] = 0.0
    q = p.copy()
    np.testing.assert_array_equal(generalised_kl(p, q), 0.0)
    q[np.arange(50), rng.integers(0, 30, 50)] += 1e-3
    assert (generalised_kl(p, q) > 0.0).all()
    assert (generalised_kl(q, p) > 0.0).all()
    # The same shape with another mass is another measure.
    np.testing.assert_allclose(
        generalised_kl(p, 2.0 * p), p.sum(axis=1) * (1.0 - np.log(2.0)), rtol=1e-12
    )
    assert generalised_kl(np.array([0.2, 0.8]), np.array([0.0, 1.0])) == np.inf


def test_that_normalised_measures_have_the_divergence_of_kullback_and_leibler() -> None:
    from scipy.stats import entropy

    p, q = np.random.default_rng(7).dirichlet(np.ones(30), size=2)
    assert generalised_kl(p, q) == pytest.approx(entropy(p, q), rel=1e-9)
