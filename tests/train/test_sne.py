"""t-SNE and SNE: the descent is openTSNE's, blanks and threads change nothing they should not."""

from __future__ import annotations

import numpy as np
import pytest
from openTSNE import TSNEEmbedding, affinity

from tests import twins
from ximstudio.model import Matrix, UserError
from ximstudio.model.arrays import Floats
from ximstudio.train import method_named, problems, train
from ximstudio.train import sne_family as family
from ximstudio.train.sne import NEARLY_GAUSSIAN
from ximstudio.train.sne_family import SneParams, TSneParams


def some_items(n_items: int = 60) -> Matrix:
    rng = np.random.default_rng(2)
    values = rng.normal(size=(n_items, 5)) + 6.0 * rng.integers(0, 3, (n_items, 1))
    return Matrix.from_array(values)


@pytest.mark.parametrize("key", ["t-sne", "sne"])
def test_that_the_descent_is_that_of_open_tsne(key: str) -> None:
    matrix = some_items()
    params = method_named(key).params.from_values({"n_steps": 60, "perplexity": 8.0})
    assert isinstance(params, SneParams)
    start = family._start(matrix, "pca", 4).positions
    # scikit-learn's neighbours and openTSNE's optimiser, neither of which is used here.
    known = affinity.PerplexityBasedNN(matrix.values, perplexity=8.0, method="exact")
    theirs = TSNEEmbedding(
        start,
        known,
        negative_gradient_method="bh",
        dof=1 if key == "t-sne" else NEARLY_GAUSSIAN,
    )
    longest = params.longest_move
    assert longest == (5.0 if key == "t-sne" else 1.0)
    theirs = theirs.optimize(20, exaggeration=12.0, momentum=0.8, max_step_norm=longest)
    theirs = theirs.optimize(40, momentum=0.8, max_step_norm=longest)
    ours = train(matrix, method_named(key), params, seed=4)
    scale = float(np.abs(theirs).max())
    np.testing.assert_allclose(ours.positions, np.asarray(theirs), atol=1e-5 * scale)
    assert scale > 100 * np.abs(start).max()


def divergence(known: Floats, positions: Floats, degrees_of_freedom: float) -> float:
    """Kullback–Leibler divergence between neighbourhoods in the data and in the map, exactly."""
    squares = ((positions[:, None] - positions[None]) ** 2).sum(axis=2)
    log_q = -degrees_of_freedom * np.log1p(squares / degrees_of_freedom)
    np.fill_diagonal(log_q, -np.inf)
    log_q -= np.log(np.exp(log_q - log_q.max()).sum()) + log_q.max()
    some = known > 0.0
    return float((known[some] * (np.log(known[some]) - log_q[some])).sum())


@pytest.mark.parametrize("n_items", [3, 4, 5, 6, 12])
@pytest.mark.parametrize("key", ["t-sne", "sne"])
def test_that_a_few_items_come_to_rest(key: str, n_items: int) -> None:
    method = method_named(key)
    for seed in range(4):
        matrix = Matrix.from_array(np.random.default_rng(seed).normal(size=(n_items, 5)))
        params = method.params().resolved(n_items)
        assert isinstance(params, SneParams)
        known = family.affinities_of(matrix, params.perplexity_for(n_items)).toarray()
        positions = train(matrix, method, params, seed=seed).positions
        assert divergence(known, positions, params.degrees_of_freedom) < 0.4


def test_that_an_item_that_all_are_drawn_to_does_not_leap() -> None:
    values = np.vstack([np.zeros((1, 60)), 3.0 * np.eye(60)])
    matrix, method = Matrix.from_array(values), method_named("sne")
    known = family.affinities_of(matrix, 2.0).toarray()
    result = train(matrix, method, method.params(perplexity=2.0))  # type: ignore[call-arg]
    assert divergence(known, result.positions, NEARLY_GAUSSIAN) < 3.0


@pytest.mark.parametrize("by_tree", [True, False], ids=["tree", "interpolation"])
def test_that_the_gradient_does_not_depend_on_the_number_of_threads(
    by_tree: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    matrix = some_items(400)
    known = family.affinities_of(matrix, 10.0)
    positions = np.random.default_rng(0).normal(size=(400, 2))
    monkeypatch.setattr(family, "ONE_THREAD", 0)
    monkeypatch.setattr(family, "BY_TREE", 1000 if by_tree else 0)
    slope = family.Slope(known, 1.0, 400)
    found = set()
    for n_threads in (1, 2, 3):
        monkeypatch.setattr(family, "n_threads", lambda n=n_threads: n)
        found.add(slope.at(positions, with_cost=False)[0].tobytes())
    assert len(found) == 1


def test_that_the_cost_repeats_on_several_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    matrix = some_items(3000)
    positions = np.random.default_rng(0).normal(size=(3000, 2))
    monkeypatch.setattr(family, "n_threads", lambda: 3)
    slope = family.Slope(family.affinities_of(matrix, 10.0), 1.0, 3000)
    assert not slope.one_thread
    assert len({slope.at(positions, with_cost=True)[1] for _ in range(12)}) == 1


@pytest.mark.parametrize("bound", ["low", "high"])
def test_that_repulsion_is_the_same_from_near_and_far_whatever_the_tail(bound: str) -> None:
    tail = float(getattr(TSneParams.specs()["tail"], bound))
    positions = 40.0 * np.random.default_rng(1).random((300, 2))
    nothing = 0.0 * family.affinities_of(some_items(300), 5.0)
    found, _ = family.Slope(nothing, tail, 300).at(positions, with_cost=False)
    steps = positions[:, None] - positions[None]
    slope = 1.0 / (1.0 + (steps**2).sum(axis=2) / tail)
    likeness = slope**tail
    np.fill_diagonal(likeness, 0.0)
    expected = -((likeness * slope)[:, :, None] * steps).sum(axis=1) / likeness.sum()
    assert np.linalg.norm(found - expected) < 0.05 * np.linalg.norm(expected)


def test_that_a_few_blanks_change_the_neighbours_little() -> None:
    matrix = some_items()
    values = np.array(matrix.values)
    values[::7, 2] = np.nan
    whole = family.affinities_of(matrix, 8.0).toarray()
    holed = family.affinities_of(matrix.with_values(values), 8.0).toarray()
    assert holed.sum() == pytest.approx(1.0)
    assert np.abs(whole - holed).sum() < 0.5
    assert np.abs(whole - np.random.default_rng(0).permutation(whole)).sum() > 1.0


def test_that_items_without_a_common_feature_are_no_neighbours() -> None:
    rng = np.random.default_rng(3)
    values = rng.normal(size=(30, 6))
    values[:15, 3:] = values[15:, :3] = np.nan
    known = family.affinities_of(Matrix.from_array(values), 3.0).toarray()
    assert known[:15, 15:].max() < 1e-12
    assert known.sum() == pytest.approx(1.0)


def test_that_a_perplexity_beyond_the_items_is_refused_and_an_open_one_chosen() -> None:
    matrix, method = some_items(20), method_named("t-sne")
    with pytest.raises(UserError) as error:
        train(matrix, method, method.params(perplexity=50.0))  # type: ignore[call-arg]
    assert error.value.keys == ("params.perplexity",)
    assert not problems(matrix, method, method.params())
    resolved = method.params().resolved(20)
    assert resolved.as_values()["perplexity"] == pytest.approx(19 / 3)
    assert method.params().resolved(1000).as_values()["perplexity"] == 30.0


def test_that_the_divergence_falls(yeast: Matrix) -> None:
    method = method_named("t-sne")
    history = train(yeast, method, method.params(n_steps=300)).history  # type: ignore[call-arg]
    assert np.isfinite(history.cost).all()
    assert history.cost[-1] < 0.5 * history.cost[0]


@pytest.mark.parametrize("key", ["t-sne", "sne"])
def test_that_the_genes_are_drawn_well(key: str, yeast: Matrix) -> None:
    method = method_named(key)
    found = train(yeast, method, method.params(n_steps=400))  # type: ignore[call-arg]
    trust, continuity = twins.quality(yeast.values, found.positions)
    assert trust > 0.87
    assert continuity > 0.89
