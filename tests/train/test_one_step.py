"""Every rule × kernel × best match × lattice, blanks or not, moves as its float64 twin does."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
import pytest

from tests import twins
from ximstudio.model import Lattice, Matrix, PrototypeMap
from ximstudio.model.arrays import Floats
from ximstudio.train import checkpoints, method_named
from ximstudio.train.method import Method
from ximstudio.train.online import ItemOrder
from ximstudio.train.params import OnlineParams
from ximstudio.train.som import SomParams
from ximstudio.train.xim import TXimParams
from ximstudio.train.xim_family import XimParams

N_ITEMS, N_FEATURES, SHAPE = 24, 6, (6, 5)
N_STEPS = 10
SEED = 11

METHOD_OF_KERNEL = {"gaussian": "xim", "t": "t-xim", "cauchy": "c-xim"}
LATTICES = list(product(["rectangular", "hexagonal"], [False, True]))


@dataclass(frozen=True, kw_only=True, eq=False)
class Given:
    """Items and prototypes to begin with."""

    matrix: Matrix
    start: Floats


def given(blanks: bool) -> Given:
    rng = np.random.default_rng(1)
    values = 3.0 * rng.normal(size=(N_ITEMS, N_FEATURES)) + rng.normal(size=N_FEATURES) * 10.0
    if blanks:
        hidden = rng.random(values.shape) < 0.3
        hidden[np.arange(N_ITEMS), rng.integers(0, N_FEATURES, N_ITEMS)] = False
        values[hidden] = np.nan
    n_nodes = SHAPE[0] * SHAPE[1]
    start = np.nanmean(values, axis=0) + 3.0 * rng.normal(size=(n_nodes, N_FEATURES))
    return Given(matrix=Matrix.from_array(values), start=start)


def moved(data: Given, method: Method, params: OnlineParams) -> list[Floats]:
    """The prototypes after every step of a training."""
    maps: list[Floats] = []
    for checkpoint in checkpoints(
        data.matrix, method, params, seed=SEED, start=data.start, chunk=1
    ):
        model = checkpoint.result().model
        assert isinstance(model, PrototypeMap)
        maps.append(model.prototypes)
    return maps


def assert_same_steps(
    data: Given, maps: list[Floats], rule: twins.Rule, params: OnlineParams
) -> None:
    order = ItemOrder(N_ITEMS, SEED).of_steps(0, N_STEPS)
    steps = twins.online_training(rule, data.matrix.values, data.start, params.grid, order, N_STEPS)
    assert len(maps) == len(steps) == N_STEPS
    for ours, twin in zip(maps, steps, strict=True):
        np.testing.assert_allclose(ours, twin.prototypes, rtol=0.0, atol=3e-5)
    # The steps must be worth comparing.
    assert np.abs(steps[-1].prototypes - data.start).max() > 0.3
    assert rule.match != "distance" or len({step.winner for step in steps}) > 2


@pytest.mark.parametrize("blanks", [False, True], ids=["complete", "blanks"])
@pytest.mark.parametrize(("lattice", "toroidal"), LATTICES)
@pytest.mark.parametrize("match", ["distance", "heskes", "divergence"])
@pytest.mark.parametrize("kernel", ["gaussian", "t", "cauchy"])
@pytest.mark.parametrize("learning", ["weighted", "gradient"])
def test_that_a_step_equals_its_twin(
    learning: str, kernel: str, match: str, lattice: str, toroidal: bool, blanks: bool
) -> None:
    data = given(blanks)
    method = method_named(METHOD_OF_KERNEL[kernel])
    width = (0.8, 6.0) if kernel == "t" else (1.5, 0.6)
    scale = 1.4 if kernel == "t" else 1.0
    reach = (5.0, 2.5)
    # The literal rule divides by γ²: a larger step makes it move as far as the other.
    step = (1.0, 0.5) if learning == "gradient" else (0.5, 0.05)
    params = method.params.from_values(
        {
            "shape": SHAPE,
            "lattice": lattice,
            "toroidal": toroidal,
            "init": "given",
            "n_steps": N_STEPS,
            "step": step,
            "width": width,
            "best_match": match,
            "repulsion": 0.3,
            "reach": reach,
            "reach_unit": "data",
            "rule": learning,
        }
    )
    if isinstance(params, TXimParams):
        params = params.replace(length_scale=scale)
    assert isinstance(params, XimParams)
    rule = twins.Rule(
        kernel=kernel,
        match=match,
        learning=learning,
        step=step,
        width=width,
        reach=reach,
        repulsion=0.3,
        scale=scale,
    )
    assert_same_steps(data, moved(data, method, params), rule, params)


@pytest.mark.parametrize("match", ["distance", "heskes", "divergence"])
@pytest.mark.parametrize("lattice", [each for each in Lattice if each is not Lattice.TABLE])
def test_that_a_step_on_every_structure_equals_its_twin(lattice: Lattice, match: str) -> None:
    data = given(blanks=False)
    params = XimParams(
        shape=SHAPE,
        lattice=lattice.value,
        depth=1,
        init="given",
        n_steps=N_STEPS,
        width=(1.5, 0.6),
        best_match=match,
        reach=(5.0, 2.5),
        reach_unit="data",
    )
    rule = twins.Rule(kernel="cauchy", match=match, width=(1.5, 0.6), reach=(5.0, 2.5))
    assert_same_steps(data, moved(data, method_named("c-xim"), params), rule, params)


@pytest.mark.parametrize("blanks", [False, True], ids=["complete", "blanks"])
@pytest.mark.parametrize("match", ["distance", "heskes"])
@pytest.mark.parametrize("annealing", ["exponential", "linear", "constant"])
def test_that_a_step_of_the_som_equals_its_twin(annealing: str, match: str, blanks: bool) -> None:
    data = given(blanks)
    params = SomParams(
        shape=SHAPE,
        init="given",
        n_steps=N_STEPS,
        step=(0.6, 0.1),
        width=(1.5, 0.5),
        annealing=annealing,
        best_match=match,
    )
    rule = twins.Rule(
        kernel="gaussian",
        match=match,
        annealing=annealing,
        step=(0.6, 0.1),
        width=(1.5, 0.5),
        repulsion=0.0,
    )
    assert_same_steps(data, moved(data, method_named("som"), params), rule, params)


@pytest.mark.parametrize("blanks", [False, True], ids=["complete", "blanks"])
def test_that_the_reach_is_in_multiples_of_the_median_distance_by_default(blanks: bool) -> None:
    data = given(blanks)
    pairs = twins.pair_distances(data.matrix.values)[np.triu_indices(N_ITEMS, 1)]
    median = float(np.nanmedian(pairs))
    params = XimParams(
        shape=SHAPE, init="given", n_steps=N_STEPS, width=(1.5, 0.5), reach=(1.0, 0.3)
    )
    rule = twins.Rule(kernel="cauchy", width=(1.5, 0.5), reach=(median, 0.3 * median))
    assert_same_steps(data, moved(data, method_named("c-xim"), params), rule, params)


@pytest.mark.parametrize("kernel", ["gaussian", "t", "cauchy"])
def test_that_without_repulsion_the_family_is_a_self_organizing_map(kernel: str) -> None:
    data = given(blanks=False)
    method = method_named(METHOD_OF_KERNEL[kernel])
    params = method.params.from_values(
        {
            "shape": SHAPE,
            "init": "given",
            "n_steps": N_STEPS,
            "step": (0.6, 0.1),
            "width": (1.5, 0.5),
            "repulsion": 0.0,
        }
    )
    assert isinstance(params, XimParams)
    rule = twins.Rule(kernel=kernel, step=(0.6, 0.1), width=(1.5, 0.5), repulsion=0.0)
    assert_same_steps(data, moved(data, method, params), rule, params)


def test_that_the_automatic_width_begins_at_half_the_longer_side() -> None:
    params = XimParams(shape=(4, 9))
    assert params.widths == (4.5, params.width[1])
    assert XimParams(shape=(1, 1), width=(None, 3.0)).widths == (3.0, 3.0)
    resolved = params.resolved(100)
    assert resolved.width == params.widths
    assert resolved.n_steps == params.steps_for(100) == 20_000
    assert params.steps_for(100_000) == 500_000
    assert XimParams(shape=(30, 30)).steps_for(100) == 59_400
