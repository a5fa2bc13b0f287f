"""Quality of maps of the bundled genes, by a slow exact oracle."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import spearmanr
from sklearn.manifold import trustworthiness

from tests import twins
from ximstudio.model import Matrix
from ximstudio.model.arrays import Floats
from ximstudio.train import method_named, train
from ximstudio.train.online import ItemOrder
from ximstudio.train.params import OnlineParams
from ximstudio.train.start import start_prototypes
from ximstudio.train.xim_family import XimParams

KERNELS = {"xim": "gaussian", "t-xim": "t", "c-xim": "cauchy", "som": "gaussian"}


@pytest.mark.parametrize("k", [1, 5, 20, 50])
def test_that_the_oracle_agrees_with_scikit_learn(k: int) -> None:
    rng = np.random.default_rng(k)
    values, positions = rng.normal(size=(130, 8)), rng.normal(size=(130, 2))
    positions += values[:, :2]
    truth, drawn = twins.pair_distances(values), twins.pair_distances(positions)
    trust = twins.trustworthiness(truth, drawn, [k])[0]
    continuity = twins.trustworthiness(drawn, truth, [k])[0]
    assert trust == pytest.approx(trustworthiness(values, positions, n_neighbors=k), abs=1e-12)
    assert continuity == pytest.approx(trustworthiness(positions, values, n_neighbors=k), abs=1e-12)


def test_that_the_oracle_knows_a_perfect_and_a_random_map(yeast: Matrix) -> None:
    values = np.random.default_rng(0).normal(size=(120, 2))
    assert twins.quality(values, values * 3.0) == (1.0, 1.0)
    shuffled = twins.quality(values, np.random.default_rng(1).permutation(values))
    assert shuffled == pytest.approx((0.5, 0.5), abs=0.05)
    assert np.isfinite(twins.pair_distances(yeast.values)).all()


def correlation(values: Floats, positions: Floats) -> float:
    """Spearman's ρ between all pairwise distances."""
    pairs = np.triu_indices(len(values), 1)
    truth, drawn = twins.pair_distances(values)[pairs], twins.pair_distances(positions)[pairs]
    return float(spearmanr(truth, drawn).statistic)


@pytest.mark.parametrize("key", KERNELS)
def test_that_float32_trains_as_good_a_map_as_its_float64_twin(yeast: Matrix, key: str) -> None:
    method, seed = method_named(key), 4
    params = method.params.from_values({"shape": (10, 10), "n_steps": 5000})
    assert isinstance(params, OnlineParams)
    result = train(yeast, method, params, seed=seed)
    pairs = twins.pair_distances(yeast.values)[np.triu_indices(yeast.n_items, 1)]
    median = float(np.median(pairs))
    reach, repulsion = (median, median), 0.0
    if isinstance(params, XimParams):
        reach, repulsion = (params.reach[0] * median, params.reach[1] * median), params.repulsion
    rule = twins.Rule(
        kernel=KERNELS[key],
        step=params.step,
        width=params.widths,
        reach=reach,
        repulsion=repulsion,
    )
    order, steps = ItemOrder(yeast.n_items, seed), list[int]()
    while len(steps) < 5000:
        steps += order.of_steps(len(steps), 5000).tolist()
    start = start_prototypes(yeast, params.grid, start="pca", seed=seed)
    prototypes = twins.trained(rule, yeast.values, start, params.grid, steps, 5000)
    positions = np.array(
        [
            twins.shepard(params.grid, prototypes, x, params.power, params.neighbours)
            for x in yeast.values
        ]
    )
    ours = twins.quality(yeast.values, result.positions)
    twin = twins.quality(yeast.values, positions)
    assert ours == pytest.approx(twin, abs=0.005)
    assert min(twin) > 0.8


def test_that_c_xim_draws_the_genes_better_than_a_som(yeast: Matrix) -> None:
    """With the defaults of both, in the mean over five seeds."""
    means = {}
    for key in ("c-xim", "som"):
        rows = []
        for seed in range(5):
            positions = train(yeast, method_named(key), seed=seed).positions
            rows.append(
                (*twins.quality(yeast.values, positions), correlation(yeast.values, positions))
            )
        means[key] = np.mean(rows, axis=0)
    trust, continuity, rho = means["c-xim"] - means["som"]
    assert trust > 0.0
    assert continuity > 0.0
    assert rho >= 0.2


def test_that_epochs_draw_the_genes_as_well_as_single_steps(yeast: Matrix) -> None:
    """The damped rule keeps what the literal fixed point (TR 27) loses."""
    method = method_named("c-xim")
    found = {}
    for rule in ("damped", "literal"):
        params = method.params.from_values({"algorithm": "batch", "fixed_point": rule})
        result = train(yeast, method, params)
        found[rule] = twins.quality(yeast.values, result.positions)
        assert (result.history.stalled > 0).any() == (rule == "literal")
    trust, continuity = found["damped"]
    assert trust >= 0.90
    assert continuity >= 0.91
    assert trust > found["literal"][0] + 0.03
    assert continuity > found["literal"][1] + 0.03


def test_that_mini_batches_draw_the_genes_as_well(yeast: Matrix) -> None:
    method = method_named("c-xim")
    params = method.params.from_values({"algorithm": "mini-batch", "block_items": 50})
    trust, continuity = twins.quality(yeast.values, train(yeast, method, params).positions)
    assert trust >= 0.90
    assert continuity >= 0.91


def test_that_training_separates_what_the_start_does_not() -> None:
    """Four groups in four directions of equal size: a plane can only show two of them."""
    rng = np.random.default_rng(2)
    groups = np.repeat(np.arange(4), 25)
    values = 6.0 * np.eye(4)[groups] + 0.5 * rng.normal(size=(100, 4))
    matrix = Matrix.from_array(values)
    pca = twins.quality(values, train(matrix, method_named("pca")).positions, [10])
    for key in KERNELS:
        method = method_named(key)
        params = method.params.from_values({"shape": (12, 12), "n_steps": 6000})
        positions = train(matrix, method, params).positions
        found = twins.quality(values, positions, [10])
        assert found[0] > pca[0]
        drawn = twins.pair_distances(positions)
        np.fill_diagonal(drawn, np.inf)
        assert (groups[drawn.argmin(axis=1)] == groups).mean() > 0.97
