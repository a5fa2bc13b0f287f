"""Maps of dissimilarities: the same as of the features, where there are any."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest
from scipy.spatial import procrustes
from threadpoolctl import threadpool_limits

from tests import twins
from ximstudio.cli import main
from ximstudio.kernels import parallel
from ximstudio.measure.catalogue import measure_named
from ximstudio.measure.evidence import MapEvidence
from ximstudio.measure.neighbourhoods import continuity, trustworthiness
from ximstudio.measure.protocol import compare
from ximstudio.model import Grid, Matrix, Result, UserError
from ximstudio.model.arrays import Floats, Ints
from ximstudio.model.dissimilarities import Dissimilarities
from ximstudio.model.relational import RelationalMap
from ximstudio.place.items import place_items
from ximstudio.train import checkpoints, method_named, problems, train
from ximstudio.train.batch_params import BatchParams
from ximstudio.train.finished import open_run
from ximstudio.train.relational import classical_scaling, squared_table, start_coefficients
from ximstudio.train.xim_family import XimParams

KERNELS = {"xim": "gaussian", "t-xim": "t", "c-xim": "cauchy", "som": "gaussian"}
SMALL = {"shape": (5, 6), "n_epochs": 20, "metric": "precomputed"}


def items_of(n_items: int = 60, n_features: int = 4) -> Floats:
    rng = np.random.default_rng(7)
    return rng.normal(size=(n_items, n_features)) + 3.0 * rng.integers(0, 3, (n_items, 1))


def table_of(values: Floats) -> Matrix:
    names = tuple(f"gene {number}" for number in range(len(values)))
    return Matrix(values=twins.pair_distances(values), item_ids=names, feature_names=names)


def trained(matrix: Matrix, key: str = "c-xim", *, seed: int = 0, **changes: Any) -> Result:
    method = method_named(key)
    return train(matrix, method, method.params.from_values(SMALL | changes), seed=seed)


def quality(matrix: Matrix, result: Result) -> tuple[float, float]:
    ranks = MapEvidence(matrix=matrix, result=result).ranks
    return float(trustworthiness(ranks).mean()), float(continuity(ranks).mean())


# The twin: damped training in epochs on features, spelled out in float64 ------------------------


def moments(key: str, params: BatchParams, grid: Grid, median: float) -> Iterator[Any]:
    """h between all nodes, γ and the weights of both forces, epoch by epoch."""
    d_map, reach, weights = twins.map_distances(grid), (1.0, 1.0), (1.0, 0.0)
    if isinstance(params, XimParams):
        reach = (params.reach[0] * median, params.reach[1] * median)
        weights = (1.0 - params.repulsion, params.repulsion)
        if params.rule == "gradient":
            weights = (1.0, 1.0)
    for number in range(params.n_epochs):
        fraction = number / (params.n_epochs - 1)
        sigma = twins.annealed(params.annealing, params.widths, fraction)
        gamma = twins.annealed(params.annealing, reach, fraction)
        yield twins.map_kernel(KERNELS[key], d_map, sigma, params.length_scale), gamma, *weights


def batch_twin(key: str, params: BatchParams, items: Floats, prototypes: Floats) -> Floats:
    """w_j ← w_j + λ Σ_i f_ij (x_i − w_j) / Σ_i (a_ij + b_ij), item by item."""
    pairs = twins.pair_distances(items)[np.triu_indices(len(items), 1)]
    for h, gamma, attract, repel in moments(key, params, params.grid, float(np.median(pairs))):
        pulled = np.zeros_like(prototypes)
        weight = np.zeros(len(prototypes))
        for x in items:
            d = twins.data_distances(x, prototypes)
            winner = twins.best_match(params.best_match, h, d, gamma)
            a, b = attract * h[winner], repel * twins.data_kernel(d, gamma)
            pulled += (a - b)[:, None] * (x - prototypes)
            weight += a + b
        prototypes = prototypes + params.relaxation_of(len(items)) * pulled / weight[:, None]
    return prototypes


def median_twin(key: str, params: BatchParams, table: Floats, medians: Ints) -> Ints:
    """Each prototype becomes the item m that makes Σ_i f_ij Δ(i, m) least (TR section 6)."""
    squares = table**2
    pairs = table[np.triu_indices(len(table), 1)]
    for h, gamma, attract, repel in moments(key, params, params.grid, float(np.median(pairs))):
        match = "divergence" if repel else params.best_match
        d = squares[:, medians]
        winners = [twins.best_match(match, h, row, gamma) for row in d]
        f = attract * h[winners] - repel * twins.data_kernel(d, gamma)
        medians = np.argmin(squares @ f, axis=0)
    return medians


EVERY = [
    ("c-xim", {}),
    ("xim", {}),
    ("t-xim", {}),
    ("som", {}),
    ("som", {"best_match": "heskes"}),
    # A plane laid over a torus puts pairs of nodes in the same place: they tie for winner, and the
    # rounding of each processor decides. Items as prototypes tie nowhere: in all epochs the second
    # best is farther by 2e-4 at least, where single precision is good for 1e-7.
    ("som", {"toroidal": True, "init": "items"}),
    ("c-xim", {"best_match": "divergence"}),
    ("c-xim", {"rule": "gradient", "relaxation": 0.3}),
    ("xim", {"lattice": "hexagonal", "annealing": "linear", "relaxation": 1.0}),
    ("c-xim", {"repulsion": 0.0}),
]


@pytest.mark.parametrize(("key", "changes"), EVERY)
def test_that_a_euclidean_table_gives_the_map_of_its_features(
    key: str, changes: dict[str, Any]
) -> None:
    values = items_of()
    matrix = table_of(values)
    method = method_named(key)
    params = method.params.from_values(SMALL | changes)
    assert isinstance(params, BatchParams)
    data = Dissimilarities.of(matrix)
    table = squared_table(data, 1.0)
    alpha = start_coefficients(table, data, params.grid, start=params.init, seed=0)
    expected = batch_twin(key, params, values, alpha.T.astype(np.float64) @ values)
    result = train(matrix, method, params)
    assert isinstance(result.model, RelationalMap)
    found = result.model.coefficients @ values
    np.testing.assert_allclose(found, expected, atol=2e-3)
    places = [
        twins.shepard(params.grid, expected, x, params.power, params.neighbours) for x in values
    ]
    assert procrustes(np.array(places), result.positions)[2] < 1e-3**2
    np.testing.assert_allclose(result.positions, places, atol=0.02)


@pytest.mark.parametrize("key", KERNELS)
def test_that_it_is_the_map_that_training_in_epochs_makes_of_the_features(key: str) -> None:
    values, method = items_of(), method_named(key)
    matrix = table_of(values)
    data = Dissimilarities.of(matrix)
    shared = {"shape": (5, 6), "n_epochs": 20, "relaxation": 0.5, "init": "given"}
    of_table = method.params.from_values(shared | {"metric": "precomputed"})
    of_items = method.params.from_values(shared | {"algorithm": "batch"})
    assert isinstance(of_items, BatchParams)
    grid = of_items.grid
    alpha = start_coefficients(squared_table(data, 1.0), data, grid, start="pca", seed=0).T
    found = train(matrix, method, of_table, start=alpha.astype(np.float64))
    features = Matrix.from_array(values)
    expected = train(features, method, of_items, start=alpha.astype(np.float64) @ values)
    assert procrustes(expected.positions, found.positions)[2] < 1e-3**2


@pytest.mark.parametrize(
    "changes",
    [
        {"divergence": "hellinger"},
        {"reach_from": "perplexity"},
        {"anchors": ("0=gene 1",)},
        {"fixed_point": "literal"},
        {"repelled_by": "means"},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_that_what_needs_features_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(UserError) as error:
        trained(table_of(items_of()), **changes)
    assert error.value.keys == ("params.not_for_tables",)


@pytest.mark.parametrize("key", ["c-xim", "xim", "som"])
def test_that_medians_are_those_of_the_report(key: str) -> None:
    matrix = table_of(items_of())
    method = method_named(key)
    # Medians that have met tie, and rounding decides: a few epochs are enough to tell.
    changes = {"relational": "median", "init": "items", "n_epochs": 3, "width": (1.5, 1.0)}
    params = method.params.from_values(SMALL | changes)
    assert isinstance(params, BatchParams)
    rng = np.random.default_rng([3, 0, 1])
    rows = rng.choice(60, params.grid.n_nodes, replace=False)
    result = train(matrix, method, params, seed=3)
    assert isinstance(result.model, RelationalMap)
    alpha = result.model.coefficients
    assert set(np.unique(alpha)) == {0.0, 1.0}
    assert (alpha.sum(axis=1) == 1.0).all()
    expected = median_twin(key, params, matrix.values, rows)
    assert (alpha.argmax(axis=1) == expected).mean() > 0.95
    np.testing.assert_allclose(result.model.prototypes, matrix.values[alpha.argmax(axis=1)])


# Starts -----------------------------------------------------------------------------------------


def test_that_the_start_lies_on_the_plane_of_largest_variance() -> None:
    values = items_of(500, 6) * [5.0, 3.0, 1.0, 0.5, 0.5, 0.2]
    matrix = Matrix.from_array(values)
    plane = train(matrix, method_named("pca")).positions
    for some in (values[:90], values):
        coordinates = classical_scaling(twins.pair_distances(some).astype(np.float32) ** 2)
        plane = train(Matrix.from_array(some), method_named("pca")).positions
        for found, expected in zip(coordinates.T[:2], plane.T, strict=True):
            np.testing.assert_allclose(np.abs(found), np.abs(expected), atol=2e-3 * plane.std())


@pytest.mark.parametrize("start", ["pca", "items", "random"])
def test_that_every_start_is_a_mixture_of_the_items(start: str) -> None:
    values = items_of()
    data, grid = Dissimilarities.of(table_of(values)), Grid(4, 5)
    table = squared_table(data, 1.0)
    alpha, same, other = (
        start_coefficients(table, data, grid, start=start, seed=seed) for seed in (1, 1, 2)
    )
    np.testing.assert_allclose(alpha.sum(axis=0), 1.0, atol=1e-5)
    np.testing.assert_array_equal(alpha, same)
    assert np.array_equal(alpha, other) == (start == "pca")
    assert np.abs(alpha.T @ values - values.mean(axis=0)).max() <= np.ptp(values, axis=0).max()


def test_that_training_can_begin_with_the_mixtures_of_an_earlier_map() -> None:
    matrix = table_of(items_of())
    method = method_named("som")
    earlier = trained(matrix, "som")
    assert isinstance(earlier.model, RelationalMap)
    params = method.params.from_values(
        SMALL | {"init": "given", "n_epochs": 1, "width": (1.5, 1.5)}
    )
    begin = earlier.model.coefficients
    later = train(matrix, method, params, start=begin)
    assert isinstance(later.model, RelationalMap)
    assert np.abs(later.model.coefficients - begin).max() < 0.05
    with pytest.raises(UserError) as error:
        train(matrix, method, params, start=earlier.model.prototypes)
    assert error.value.keys == ("start.coefficients",)


# What training promises ---------------------------------------------------------------------------


@pytest.mark.parametrize("relational", ["relational", "median"])
def test_that_stopping_and_cores_do_not_change_a_bit(
    relational: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    matrix = table_of(items_of(300))
    method = method_named("c-xim")
    params = method.params.from_values(SMALL | {"relational": relational})
    whole = train(matrix, method, params)
    steps = checkpoints(matrix, method, params, chunk=7)
    half = next(steps).result()
    assert half.step == 7
    resumed = train(matrix, method, params, resume=half.resume)
    assert resumed.hash == whole.hash
    np.testing.assert_array_equal(resumed.history.cost, whole.history.cost)
    monkeypatch.setattr(parallel, "n_cores", lambda: 3)
    with threadpool_limits(3):
        assert train(matrix, method, params).hash == whole.hash
    monkeypatch.setattr(parallel, "n_cores", lambda: 1)
    assert train(matrix, method, params).hash == whole.hash


@pytest.mark.parametrize("key", KERNELS)
def test_that_history_tells_width_reach_error_and_cost(key: str) -> None:
    values = items_of()
    matrix = table_of(values)
    result = trained(matrix, key, n_epochs=30)
    history, params = result.history, result.params
    assert isinstance(params, BatchParams)
    assert history.step.tolist() == list(range(1, 31))
    assert history.width[0] == pytest.approx(params.widths[0])
    assert history.width[-1] == pytest.approx(params.widths[1])
    data = Dissimilarities.of(matrix)
    assert np.isnan(history.reach).all() == (key == "som")
    if key != "som":
        assert history.reach[-1] == pytest.approx(0.2 * data.median_distance)
    alpha = start_coefficients(squared_table(data, 1.0), data, params.grid, start="pca", seed=0)
    d = np.array([twins.data_distances(x, alpha.T @ values) for x in values])
    h, gamma, _, repel = next(moments(key, params, params.grid, data.median_distance))
    winners = d.argmin(axis=1)
    assert history.quantisation_error[0] == pytest.approx(np.sqrt(d.min(axis=1)).mean(), rel=1e-4)
    costs = [
        twins.divergence(h[winner], row, gamma) if repel else 0.5 * float(h[winner] @ row)
        for winner, row in zip(winners, d, strict=True)
    ]
    assert history.cost[0] == pytest.approx(np.mean(costs), rel=1e-4)


@pytest.mark.parametrize("factor", [1e-12, 1e12])
def test_that_the_unit_of_the_table_does_not_matter(factor: float) -> None:
    matrix = table_of(items_of())
    one = trained(matrix)
    other = trained(matrix.with_values(factor * matrix.values))
    np.testing.assert_allclose(other.positions, one.positions, atol=0.02)


def test_that_the_order_of_columns_does_not_matter() -> None:
    matrix = table_of(items_of())
    order = np.random.default_rng(1).permutation(60)
    names = tuple(matrix.feature_names[number] for number in order)
    shuffled = replace(matrix, values=matrix.values[:, order], feature_names=names)
    one, other = trained(matrix), trained(shuffled)
    np.testing.assert_allclose(other.positions, one.positions, atol=1e-9)
    assert other.feature_names == names
    assert isinstance(one.model, RelationalMap)
    assert isinstance(other.model, RelationalMap)
    np.testing.assert_allclose(other.model.prototypes, one.model.prototypes[:, order], atol=1e-9)
    for result in (one, other):
        for given in (matrix, shuffled):
            placed = place_items(result, given.items(range(9)))
            np.testing.assert_allclose(placed.positions, result.positions[:9], atol=1e-6)


def test_that_new_items_are_placed_by_their_dissimilarities() -> None:
    values = items_of(80)
    whole = table_of(values)
    known = Matrix(
        values=whole.values[:60, :60],
        item_ids=whole.item_ids[:60],
        feature_names=whole.feature_names[:60],
    )
    result = trained(known)
    new = Matrix(
        values=whole.values[60:, :60],
        item_ids=whole.item_ids[60:],
        feature_names=whole.feature_names[:60],
    )
    assert isinstance(result.model, RelationalMap)
    grid, prototypes = result.model.grid, result.model.coefficients @ values[:60]
    expected = [twins.shepard(grid, prototypes, x, 4.0, 12) for x in values[60:]]
    np.testing.assert_allclose(place_items(result, new).positions, expected, atol=1e-6)
    holes = new.values.copy()
    holes[2, 7] = np.nan
    with pytest.raises(UserError) as error:
        place_items(result, new.with_values(holes))
    assert error.value.keys == ("place.dissimilarities",)


def test_that_tables_which_no_space_holds_are_trained_on() -> None:
    rng = np.random.default_rng(2)
    values = twins.pair_distances(items_of()) ** 1.6 + rng.uniform(0.0, 2.0, (60, 60))
    values = np.triu(values, 1) + np.triu(values, 1).T
    assert np.linalg.eigvalsh(-0.5 * (values**2 - (values**2).mean()))[0] < 0.0
    matrix = Matrix.from_array(values)
    for relational in ("relational", "median"):
        result = trained(matrix, relational=relational)
        assert np.isfinite(result.positions).all()
        assert min(quality(matrix, result)) > 0.75


def test_that_a_table_too_large_for_the_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    matrix, method = table_of(items_of()), method_named("c-xim")
    params = method.params.from_values(SMALL)
    assert problems(matrix, method, params) == []

    class Memory:
        available = 60 * 60 * 8

    monkeypatch.setattr(psutil, "virtual_memory", Memory)
    assert [problem.key for problem in problems(matrix, method, params)] == ["params.memory"]


def test_that_features_are_not_taken_for_a_table() -> None:
    with pytest.raises(UserError) as error:
        trained(Matrix.from_array(items_of()))
    assert error.value.keys == ("dissimilarities.names",)


def test_that_the_protocol_runs_on_shares_of_a_table() -> None:
    matrix, method = table_of(items_of()), method_named("som")
    params = method.params.from_values(SMALL | {"n_epochs": 5})
    measures = (measure_named("trustworthiness"),)
    *_, last = compare(matrix, [(method, params)], runs=2, share=0.9, measures=measures)
    assert last.comparison is not None
    assert last.comparison.items.shape == (2, 54)
    assert last.comparison.values.min() > 0.75


# Files --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("relational", ["relational", "median"])
def test_that_a_run_on_a_table_opens_as_it_was(relational: str, tmp_path: Path) -> None:
    matrix = table_of(items_of())
    lines = [",".join(["gene", *matrix.feature_names])]
    for name, row in zip(matrix.item_ids, matrix.values, strict=True):
        lines.append(",".join([name, *map(repr, row.tolist())]))
    path, out = tmp_path / "distances.csv", tmp_path / "out"
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")
    settings = ["metric=precomputed", "shape=5x6", "n_epochs=20", f"relational={relational}"]
    chosen = [part for setting in settings for part in ("--set", setting)]
    assert main(["run", str(path), *chosen, "--out", str(out), "--quiet"]) == 0
    opened = open_run(out)
    expected = trained(opened.matrix, relational=relational)
    result = opened.result
    np.testing.assert_array_equal(result.positions, expected.positions)
    assert result.data_fingerprint == opened.matrix.fingerprint == expected.data_fingerprint
    assert isinstance(result.model, RelationalMap)
    assert isinstance(expected.model, RelationalMap)
    np.testing.assert_allclose(result.model.coefficients, expected.model.coefficients, rtol=1e-8)
    np.testing.assert_allclose(result.model.spacing, expected.model.spacing, atol=1e-6)
    placed = place_items(result, opened.matrix.items(range(9)))
    np.testing.assert_allclose(placed.positions, expected.positions[:9], atol=1e-5)
    assert quality(opened.matrix, result) == quality(opened.matrix, expected)
    start = ["--start", str(out / "coefficients.csv"), "--out", str(tmp_path / "again"), "--quiet"]
    assert main(["run", str(path), *chosen, *start]) == 0
    assert open_run(tmp_path / "again").result.finished


# Quality ------------------------------------------------------------------------------------------


def test_that_the_distances_of_the_genes_are_enough_for_a_good_map(yeast: Matrix) -> None:
    values = twins.pair_distances(yeast.values)
    matrix = Matrix(values=values, item_ids=yeast.item_ids, feature_names=yeast.item_ids)
    trust, kept = quality(matrix, trained(matrix, shape=(20, 20), n_epochs=60))
    assert trust > 0.885
    assert kept > 0.91
    spread: dict[str, Any] = {"relational": "median", "repulsion": 0.02, "reach": (0.5, 0.2)}
    spread |= {"shape": (10, 10), "width": (1.0, 0.5)}
    trust, kept = quality(matrix, trained(matrix, "xim", **spread))
    assert trust > 0.79
    assert kept > 0.82
