"""The literal rule (TR 17) descends the divergence (TR 9)."""

from __future__ import annotations

import numpy as np
import pytest

from tests import twins
from ximstudio.model import Grid, Matrix, PrototypeMap, Severity, UserError
from ximstudio.model.arrays import Floats
from ximstudio.train import checkpoints, method_named, problems, train
from ximstudio.train.method import Checkpoint
from ximstudio.train.online import ItemOrder
from ximstudio.train.xim_family import XimParams

GRID = Grid(4, 5)
GAMMA, SIGMA = 1.3, 1.1
KERNELS = {"gaussian": "xim", "t": "t-xim", "cauchy": "c-xim"}


def slopes(x: Floats, prototypes: Floats, h: Floats, gamma: float) -> Floats:
    """∂Div/∂w_j by central differences of the value, one coordinate at a time."""
    found = np.zeros_like(prototypes)
    for place in np.ndindex(*prototypes.shape):
        ahead, behind = prototypes.copy(), prototypes.copy()
        ahead[place] += 1e-5
        behind[place] -= 1e-5
        change = twins.divergence_of(x, ahead, h, gamma) - twins.divergence_of(x, behind, h, gamma)
        found[place] = change / 2e-5
    return found


def one_step(kernel: str, x: Floats, other: Floats, start: Floats, epsilon: float) -> Floats:
    """What the kernel adds to the prototypes when it presents x."""
    method = method_named(KERNELS[kernel])
    params = method.params.from_values(
        {
            "shape": (GRID.rows, GRID.columns),
            "init": "given",
            "n_steps": 1,
            "step": (epsilon, epsilon),
            "width": (SIGMA, SIGMA),
            "reach": (GAMMA, GAMMA),
            "reach_unit": "data",
            "rule": "gradient",
        }
    )
    matrix = Matrix.from_array([x, other])
    seed = next(seed for seed in range(100) if ItemOrder(2, seed).of_steps(0, 1)[0] == 0)
    model = train(matrix, method, params, seed=seed, start=start).model
    assert isinstance(model, PrototypeMap)
    return model.prototypes - start


@pytest.mark.parametrize("kernel", KERNELS)
def test_that_the_force_is_the_slope_of_the_divergence(kernel: str) -> None:
    rng = np.random.default_rng(0)
    x, other = rng.normal(size=(2, 3))
    start = rng.normal(size=(GRID.n_nodes, 3))
    d = twins.data_distances(x, start)
    winner = twins.best_match("distance", np.empty((0, 0)), d, GAMMA)
    h = twins.map_kernel(kernel, twins.map_distances(GRID)[winner], SIGMA)
    downhill = -slopes(x, start, h, GAMMA)
    force = (h - twins.data_kernel(d, GAMMA))[:, None] / GAMMA**2 * (x - start)
    np.testing.assert_allclose(force, downhill, rtol=0.0, atol=1e-6)
    moved = one_step(kernel, x, other, start, epsilon=0.5)
    np.testing.assert_allclose(moved / 0.5, downhill, rtol=0.0, atol=2e-6)


def test_that_with_blanks_the_force_points_downhill_on_the_known_features() -> None:
    """The distance of an item with blanks is weighted up and its force is not: directions agree."""
    rng = np.random.default_rng(1)
    x, other = rng.normal(size=(2, 5))
    x[[1, 3]] = np.nan
    start = rng.normal(size=(GRID.n_nodes, 5))
    d = twins.data_distances(x, start)
    winner = int(np.argmin(d))
    h = twins.map_kernel("cauchy", twins.map_distances(GRID)[winner], SIGMA)
    downhill = -slopes(x, start, h, GAMMA)
    moved = one_step("cauchy", x, other, start, epsilon=0.5)
    assert np.abs(moved[:, [1, 3]]).max() < 1e-6
    np.testing.assert_allclose(moved / 0.5, downhill * 3 / 5, rtol=0.0, atol=2e-6)


@pytest.mark.parametrize("kernel", KERNELS)
def test_that_small_literal_steps_lower_the_mean_cost(kernel: str) -> None:
    rng = np.random.default_rng(2)
    values = rng.normal(size=(40, 4)) + 2.0 * rng.integers(0, 2, (40, 1))
    matrix, method = Matrix.from_array(values), method_named(KERNELS[kernel])
    start = rng.normal(size=(GRID.n_nodes, 4))
    params = method.params.from_values(
        {
            "shape": (GRID.rows, GRID.columns),
            "init": "given",
            "n_steps": 40 * 60,
            "step": (0.02, 0.02),
            "width": (SIGMA, SIGMA),
            "reach": (GAMMA, GAMMA),
            "reach_unit": "data",
            "annealing": "constant",
            "rule": "gradient",
            "best_match": "divergence",
        }
    )
    every_h = twins.map_kernel(kernel, twins.map_distances(GRID), SIGMA)

    def mean_cost(prototypes: Floats) -> float:
        costs = []
        for x in values:
            d = twins.data_distances(x, prototypes)
            winner = twins.best_match("divergence", every_h, d, GAMMA)
            costs.append(twins.divergence(every_h[winner], d, GAMMA))
        return float(np.mean(costs))

    costs = [mean_cost(start)]
    for checkpoint in checkpoints(matrix, method, params, start=start, chunk=40 * 10):
        model = checkpoint.result().model
        assert isinstance(model, PrototypeMap)
        costs.append(mean_cost(model.prototypes))
    assert (np.diff(costs) < 0.0).all()
    assert costs[-1] < 0.8 * costs[0]


# Overshooting -------------------------------------------------------------------------------------


def warned(matrix: Matrix, params: XimParams) -> bool:
    found = problems(matrix, method_named("c-xim"), params)
    assert {problem.key for problem in found} <= {"params.overshoot"}
    assert all(problem.severity is Severity.WARNING for problem in found)
    return bool(found)


@pytest.fixture
def matrix() -> Matrix:
    return Matrix.from_array(np.random.default_rng(3).normal(size=(30, 5)))


@pytest.mark.parametrize(
    ("step", "reach", "overshoots"),
    [
        ((0.5, 0.02), (1.0, 0.5), False),
        ((0.5, 0.02), (0.6, 0.5), True),
        ((0.5, 0.5), (1.0, 0.6), True),
        ((1.0, 1.0), (1.0, 1.0), False),
    ],
)
def test_that_overshooting_is_announced_before_training(
    matrix: Matrix,
    step: tuple[float, float],
    reach: tuple[float, float],
    overshoots: bool,
) -> None:
    literal = XimParams(rule="gradient", step=step, reach=reach, reach_unit="data")
    assert warned(matrix, literal) is overshoots
    assert not warned(matrix, literal.replace(rule="weighted"))


def test_that_overshooting_is_judged_in_data_units(matrix: Matrix) -> None:
    pairs = twins.pair_distances(matrix.values)[np.triu_indices(30, 1)]
    median = float(np.median(pairs))
    just_right = XimParams(rule="gradient", step=(0.5, 0.5), reach=(0.72 / median,) * 2)
    assert not warned(matrix, just_right)
    assert warned(matrix, just_right.replace(reach=(0.70 / median,) * 2))
    assert warned(matrix.with_values(matrix.values * 0.9), just_right)


def test_that_a_constant_annealing_is_judged_by_its_start_alone(matrix: Matrix) -> None:
    params = XimParams(
        rule="gradient", reach_unit="data", step=(0.1, 0.02), reach=(2.0, 0.1), annealing="constant"
    )
    assert not warned(matrix, params)


def test_that_a_linear_annealing_that_overshoots_on_the_way_is_announced(matrix: Matrix) -> None:
    step, reach = (1.0, 1e-6), (1.2, 0.02)
    on_the_way = [
        twins.annealed("linear", step, t) / twins.annealed("linear", reach, t) ** 2
        for t in np.linspace(0.0, 1.0, 1001)
    ]
    assert max(on_the_way) > 10.0
    params = XimParams(
        rule="gradient", reach_unit="data", step=step, reach=reach, annealing="linear"
    )
    assert warned(matrix, params)


@pytest.mark.parametrize("key", ["xim", "t-xim", "c-xim"])
def test_that_a_diverging_training_is_refused_and_not_returned(matrix: Matrix, key: str) -> None:
    method = method_named(key)
    params = method.params.from_values(
        {
            "shape": (5, 5),
            "n_steps": 3000,
            "rule": "gradient",
            "reach": (0.2, 0.2),
            "reach_unit": "data",
            "step": (1.0, 1.0),
        }
    )
    with pytest.raises(UserError) as error:
        train(matrix, method, params)
    assert error.value.keys == ("train.diverged",)


def test_that_no_checkpoint_before_the_refusal_holds_anything_but_numbers(matrix: Matrix) -> None:
    method = method_named("c-xim")
    params = XimParams(
        shape=(5, 5),
        n_steps=3000,
        rule="gradient",
        reach=(0.2, 0.2),
        reach_unit="data",
        step=(1.0, 1.0),
    )
    seen: list[Checkpoint] = []
    with pytest.raises(UserError) as error:
        seen.extend(checkpoints(matrix, method, params, chunk=1))
    assert error.value.keys == ("train.diverged",)
    assert seen
    for checkpoint in seen:
        result = checkpoint.result()
        assert isinstance(result.model, PrototypeMap)
        assert np.isfinite(result.model.prototypes).all()
        assert np.isfinite(result.positions).all()
