"""Training with every divergence: steps, winners, costs, and what is refused."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from tests import divergences as formulas
from tests import twins
from ximstudio.kernels import layout, online, online_divergence
from ximstudio.load import load
from ximstudio.model import Grid, Matrix, PrototypeMap, UserError
from ximstudio.train import checkpoints, method_named, train
from ximstudio.train.divergences import DIVERGENCES, divergence_named, force_of
from ximstudio.train.online import MAP_KERNELS, ItemOrder
from ximstudio.train.xim_family import XimParams

OTHERS = [divergence.key for divergence in DIVERGENCES if divergence.key != "kl"]
METHODS = {"gaussian": "xim", "t": "t-xim", "cauchy": "c-xim"}
N_STEPS, SEED, REACH = 8, 3, (5.0, 2.5)


def items(*, blanks: bool = False) -> Matrix:
    rng = np.random.default_rng(1)
    values = 2.0 * rng.normal(size=(20, 5))
    if blanks:
        values[rng.random(values.shape) < 0.15] = np.nan
        values[:, 0] = rng.normal(size=20)
    return Matrix.from_array(values)


@pytest.mark.parametrize("blanks", [False, True], ids=["complete", "blanks"])
@pytest.mark.parametrize("match", ["distance", "divergence"])
@pytest.mark.parametrize("kernel", METHODS)
@pytest.mark.parametrize("learning", ["weighted", "gradient"])
@pytest.mark.parametrize("key", OTHERS)
def test_that_a_step_equals_its_twin(
    key: str, learning: str, kernel: str, match: str, blanks: bool
) -> None:
    matrix, method = items(blanks=blanks), method_named(METHODS[kernel])
    start = 2.0 * np.random.default_rng(2).normal(size=(30, 5))
    width = (0.8, 6.0) if kernel == "t" else (1.5, 0.6)
    step = (1.0, 0.5) if learning == "gradient" else (0.5, 0.05)
    params = method.params.from_values(
        {
            "shape": (6, 5),
            "init": "given",
            "n_steps": N_STEPS,
            "step": step,
            "width": width,
            "reach": REACH,
            "reach_unit": "data",
            "repulsion": 0.3,
            "rule": learning,
            "best_match": match,
            "divergence": key,
        }
    )
    rule = twins.Rule(
        kernel=kernel,
        match=match,
        learning=learning,
        step=step,
        width=width,
        reach=REACH,
        repulsion=0.3,
        divergence=key,
        order=divergence_named(key).usual,
    )
    assert isinstance(params, XimParams)
    order = ItemOrder(20, SEED).of_steps(0, N_STEPS)
    expected = twins.online_training(rule, matrix.values, start, params.grid, order, N_STEPS)
    (ours,) = checkpoints(matrix, method, params, seed=SEED, start=start, chunk=N_STEPS)
    result = ours.result()
    assert isinstance(result.model, PrototypeMap)
    np.testing.assert_allclose(
        result.model.prototypes, expected[-1].prototypes, rtol=0.0, atol=5e-5
    )
    np.testing.assert_allclose(result.history.cost, [step.cost for step in expected], rtol=1e-4)
    assert np.abs(expected[-1].prototypes - start).max() > 0.01


ARRANGED = [
    *product(["rectangular", "hexagonal"], [False, True]),
    *product(["cylinder", "ring", "cubic", "disc", "hyperbolic"], [False]),
]


@pytest.mark.parametrize(("lattice", "toroidal"), ARRANGED)
@pytest.mark.parametrize("kernel", METHODS)
@pytest.mark.parametrize("key", OTHERS)
def test_that_no_node_differs_less_than_the_winner(
    key: str, kernel: str, lattice: str, toroidal: bool
) -> None:
    params = XimParams(shape=(8, 7), lattice=lattice, toroidal=toroidal, depth=2)
    grid, sigma, gamma, order = params.grid, 1.2, 1.1, divergence_named(key).usual
    nodes, work = layout.lay_out_nodes(grid), layout.work_space(grid)
    rule = online.OnlineRule(
        map_kernel=MAP_KERNELS[kernel],
        best_match=online.DIVERGENCE,
        learning=online.WEIGHTED,
        annealing=online.CONSTANT,
        step=(0.1, 0.1),
        width=(sigma, sigma),
        reach=(gamma, gamma),
        repulsion=0.25,
        length_scale=1.0,
        unit=1.0,
        force=force_of(key),
    )
    h = twins.map_kernel(kernel, twins.map_distances(grid), sigma)
    rng = np.random.default_rng(4)
    for _ in range(5):
        d = ((grid.nodes[:, :2] - rng.normal(3.0, 2.0, 2)) ** 2).sum(axis=1) / 10.0
        d += rng.exponential(0.1, grid.n_nodes)
        work.d_E[: grid.n_nodes] = d
        winner = online_divergence.best_match(rule, nodes, sigma, gamma, 1.0, work)
        g = twins.data_kernel(d, gamma)
        values = np.array([formulas.VALUES[key](row, g, order) for row in h])
        assert values[winner] <= values.min() + 1e-5 * np.ptp(values)


@pytest.mark.parametrize("learning", ["weighted", "gradient"])
@pytest.mark.parametrize("key", OTHERS)
@pytest.mark.parametrize("kernel", METHODS)
def test_that_steps_are_bounded_however_far_the_prototypes(
    kernel: str, key: str, learning: str
) -> None:
    """A reach so short that no g is a number above 0, and a width so narrow that no h is."""
    matrix, method = items(), method_named(METHODS[kernel])
    params = method.params.from_values(
        {
            "shape": (5, 6),
            "n_steps": 60,
            "width": (0.05, 0.05),
            "reach": (1e-3, 1e-5),
            "divergence": key,
            "rule": learning,
            "best_match": "divergence",
        }
    )
    for checkpoint in checkpoints(matrix, method, params, chunk=20):
        model = checkpoint.result().model
        assert isinstance(model, PrototypeMap)
        assert np.isfinite(model.prototypes).all()
        assert np.isfinite(checkpoint.result().history.cost).all()


def test_that_no_step_passes_the_item_nor_more_than_doubles_the_distance() -> None:
    grid = Grid(4, 4)
    work = layout.work_space(grid)
    log_h = np.linspace(-50.0, 0.0, 16).astype(np.float32)
    log_g = np.linspace(0.0, -900.0, 16).astype(np.float32)
    reached = set()
    for divergence in DIVERGENCES:
        for attract, repel in ((0.9, 0.1), (1e6, 1e6)):
            online_divergence.set_bounded_gains(
                divergence.force(divergence.usual), attract, repel, log_h, log_g, work
            )
            gains = work.gain[:16]
            assert (gains >= -1.0).all()
            assert (gains <= 1.0).all()
            reached |= set(gains[np.abs(gains) == 1.0].tolist())
    assert reached == {-1.0, 1.0}


# Orders -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "order"),
    [
        ("alpha", 0.0),
        ("tsallis", 0.0),
        ("renyi", 0.0),
        ("renyi", 0.5),
        ("renyi", 0.999),
        ("gamma", 0.0),
    ],
)
def test_that_undefined_orders_are_refused(key: str, order: float) -> None:
    with pytest.raises(UserError) as error:
        XimParams(divergence=key, order=order)
    assert error.value.keys == ("params.order",)


def test_that_below_order_one_the_renyi_divergence_can_be_undefined() -> None:
    h, g = np.ones(30), np.full(30, 1e-3)
    with np.errstate(invalid="ignore"):
        assert np.isnan(formulas.renyi(h, g, 0.5))
    assert formulas.renyi(h, g, 1.5) > 0.0


def test_that_an_order_is_chosen_where_there_is_one_and_left_alone_elsewhere() -> None:
    assert XimParams(divergence="beta", order=1.5).force.order == 1.5
    assert XimParams(divergence="hellinger", order=1.5).force == force_of("hellinger")
    for divergence in DIVERGENCES:
        key = divergence.key
        resolved = XimParams(divergence=key).resolved(100)
        assert resolved.order == divergence.usual
        assert resolved.force == XimParams(divergence=key).force


def test_that_a_divergence_at_its_limit_trains_the_same_bits() -> None:
    params = XimParams(shape=(5, 5), n_steps=300)
    method, matrix = method_named("c-xim"), items()
    expected = train(matrix, method, params).hash
    for key in ("beta", "alpha", "tsallis", "renyi"):
        other = params.replace(divergence=key, order=1.0)
        assert train(matrix, method, other).hash == expected


# Maps ---------------------------------------------------------------------------------------------

SETTINGS = {"itakura-saito": {"reach": (1.0, 0.4), "step": (0.05, 0.005)}}
"""Where the defaults do not serve."""


@pytest.mark.parametrize("key", OTHERS)
def test_that_every_divergence_draws_a_good_map_from_a_random_start(key: str) -> None:
    matrix = load("sample:yeast")
    method = method_named("c-xim")
    params = method.params.from_values(
        {"shape": (12, 12), "n_steps": 8000, "divergence": key, "init": "random"}
        | SETTINGS.get(key, {})
    )
    result = train(matrix, method, params, seed=1)
    trust, continuity = twins.quality(matrix.values, result.positions, range(1, 51, 7))
    assert trust > 0.9
    assert continuity > 0.88
