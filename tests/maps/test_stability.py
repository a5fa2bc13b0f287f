"""Maps made again: what wanders and what stays, and how it ends."""

from __future__ import annotations

import threading
from collections.abc import Generator
from typing import Any

import numpy as np
import pytest

from ximstudio.maps import LayerEvidence
from ximstudio.maps import stability as module
from ximstudio.maps.ridges import cloud, permuted, ridge_shares
from ximstudio.maps.stability import MapStability, map_stability
from ximstudio.measure.protocol import drawn
from ximstudio.measure.stability import Placement, stability
from ximstudio.measure.trials import TrialProgress
from ximstudio.model import Matrix, PrototypeMap, Result, UserError
from ximstudio.train import Method, method_named, train

SOM, PCA = method_named("som"), method_named("pca")
QUICK = SOM.params.from_values({"shape": (5, 4), "n_steps": 500, "toroidal": True})


@pytest.fixture(scope="module")
def matrix() -> Matrix:
    rng = np.random.default_rng(1)
    return Matrix.from_array(rng.normal(size=(40, 5)) + np.repeat([[0.0], [9.0]], 20, axis=0))


@pytest.fixture(scope="module")
def reference(matrix: Matrix) -> Result:
    return train(matrix, SOM, QUICK, seed=3)


def end_of(steps: Generator[TrialProgress, None, MapStability]) -> MapStability:
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            found: MapStability = stop.value
            return found


@pytest.mark.parametrize("share", [1.0, 0.8])
def test_that_runs_differ_in_seeds_and_items_and_never_are_the_reference(
    matrix: Matrix, reference: Result, share: float
) -> None:
    found = end_of(
        map_stability(matrix, SOM, QUICK, reference=reference, runs=3, share=share, nulls=2, seed=2)
    )
    items = drawn(40, runs=3, share=share, seed=2)
    seeds = (2, 4, 5)
    parts = [matrix.items(chosen) for chosen in items]
    runs = [train(part, SOM, QUICK, seed=seed) for part, seed in zip(parts, seeds, strict=True)]
    places = [
        Placement(items=chosen, positions=run.positions)
        for chosen, run in zip(items, runs, strict=True)
    ]
    assert isinstance(reference.model, PrototypeMap)
    expected_wander = stability(places, 40, reference.model.grid).wander
    np.testing.assert_array_equal(found.wander, expected_wander)
    chance = [cloud(matrix, seed) for seed in (2, 3)]
    nulls = [train(null, SOM, QUICK, seed=2) for null in chance]
    expected = ridge_shares(
        LayerEvidence(result=reference, matrix=matrix),
        [LayerEvidence(result=run, matrix=part) for run, part in zip(runs, parts, strict=True)],
        [LayerEvidence(result=run, matrix=null) for run, null in zip(nulls, chance, strict=True)],
    )
    assert found.ridges is not None
    np.testing.assert_array_equal(found.ridges.shares, expected.shares)
    assert found.null is not None
    assert found.null.hash == train(permuted(matrix, 2), SOM, QUICK, seed=2).hash
    assert (found.runs, found.nulls, found.share, found.seed) == (3, 2, share, 2)
    assert found.n_made == 3


def test_that_the_news_count_runs_and_null_maps(matrix: Matrix, reference: Result) -> None:
    news = list(map_stability(matrix, SOM, QUICK, reference=reference, runs=2, nulls=1))
    assert {one.total for one in news} == {4}
    assert (news[0].done, news[-1].done) == (0, 4)


def distances(matrix: Matrix) -> Matrix:
    table = np.linalg.norm(matrix.values[:, None] - matrix.values[None], axis=2)
    return Matrix(values=table, item_ids=matrix.item_ids, feature_names=matrix.item_ids)


@pytest.mark.parametrize("of_table", [False, True], ids=["no nodes", "table of distances"])
def test_that_maps_without_nodes_or_features_wander_but_have_no_ridges(
    matrix: Matrix, of_table: bool
) -> None:
    method: Method = SOM if of_table else PCA
    params = QUICK.replace(metric="precomputed", n_steps=5) if of_table else PCA.params()
    data = distances(matrix) if of_table else matrix
    shown = train(data, method, params)
    found = end_of(map_stability(data, method, params, reference=shown, runs=3, share=0.7))
    assert (found.ridges, found.null, found.nulls) == (None, None, 0)
    counts = np.bincount(drawn(40, runs=3, share=0.7, seed=0).ravel(), minlength=40)
    np.testing.assert_array_equal(np.isnan(found.wander), counts < 2)


def test_that_refused_runs_are_left_out_unless_all_are(matrix: Matrix) -> None:
    pinned = QUICK.replace(anchors=("1:1=item 8",))
    shown = train(matrix, SOM, pinned, seed=9)
    assert matrix.item_ids[7] == "item 8"
    items = drawn(40, runs=4, share=0.5, seed=3)
    drawn_there = [7 in run for run in items]
    assert drawn_there == [False, False, True, True]

    def found_of(runs: int) -> MapStability:
        return end_of(
            map_stability(
                matrix, SOM, pinned, reference=shown, runs=runs, share=0.5, nulls=1, seed=3
            )
        )

    found = found_of(4)
    assert (found.runs, found.n_made) == (4, 2)
    counts = np.bincount(items[drawn_there].ravel(), minlength=40)
    np.testing.assert_array_equal(np.isnan(found.wander), counts < 2)
    assert found.ridges is not None
    with pytest.raises(UserError) as caught:
        found_of(2)
    assert caught.value.problems[0].where.startswith("run 1: ")


def test_that_tables_full_of_blanks_can_be_made_again() -> None:
    rng = np.random.default_rng(0)
    values = rng.normal(size=(60, 5))
    values[rng.random(values.shape) < 0.5] = np.nan
    values[np.isnan(values).all(axis=1), 0] = 1.0
    data = Matrix.from_array(values)
    shown = train(data, SOM, QUICK)
    found = end_of(map_stability(data, SOM, QUICK, reference=shown, runs=2, nulls=1))
    assert found.null is not None
    assert found.ridges is not None


def test_that_a_null_map_that_is_refused_is_left_out() -> None:
    """Items of nothing but zeros have no direction."""
    rng = np.random.default_rng(0)
    values = np.where(rng.random((60, 6)) < 0.15, 1.0 + rng.random((60, 6)), 0.0)
    values[np.arange(60), np.arange(60) % 6] = 1.0 + rng.random(60)
    data, cosine = Matrix.from_array(values), QUICK.replace(metric="cosine")
    shown = train(data, SOM, cosine)
    with pytest.raises(UserError) as caught:
        train(permuted(data, 0), SOM, cosine)
    assert caught.value.keys == ("metric.no_direction",)
    found = end_of(map_stability(data, SOM, cosine, reference=shown, runs=2, nulls=2))
    assert (found.null, found.nulls, found.n_made) == (None, 2, 2)
    assert found.ridges is not None


@pytest.mark.parametrize("n_refused", [1, 2])
def test_that_ridges_are_told_by_the_clouds_that_could_be_trained(
    matrix: Matrix, reference: Result, n_refused: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def some_flat(data: Matrix, seed: int) -> Matrix:
        return data.with_values(np.ones((40, 5))) if seed < n_refused else cloud(data, seed)

    monkeypatch.setattr(module, "cloud", some_flat)
    found = end_of(map_stability(matrix, SOM, QUICK, reference=reference, runs=2, nulls=2))
    assert found.nulls == 2 - n_refused
    assert (found.ridges is None) is (n_refused == 2)
    assert found.null is not None


@pytest.mark.parametrize(
    ("named", "key"),
    [
        ({"runs": 0}, "compare.runs"),
        ({"nulls": 0}, "stability.nulls"),
        ({"share": 0.0}, "compare.share"),
        ({"share": 0.01}, "compare.too_few"),
        ({"seed": -1}, "compare.seed"),
    ],
)
def test_that_what_cannot_be_made_again_is_refused(
    named: dict[str, Any], key: str, matrix: Matrix, reference: Result
) -> None:
    with pytest.raises(UserError) as caught:
        next(map_stability(matrix, SOM, QUICK, reference=reference, **named))
    assert caught.value.keys == (key,)


def test_that_the_reference_of_other_data_is_refused_before_any_training(
    matrix: Matrix, reference: Result
) -> None:
    with pytest.raises(UserError) as caught:
        next(map_stability(matrix.items(range(30)), SOM, QUICK, reference=reference))
    assert caught.value.keys == ("layer.other_data",)


def test_that_closing_ends_all_threads(matrix: Matrix, reference: Result) -> None:
    before = set(threading.enumerate())
    endless = QUICK.replace(n_steps=10**9)
    steps = map_stability(matrix, SOM, endless, reference=reference)
    for news in steps:
        if news.fraction > 0.0:
            break
    steps.close()
    assert set(threading.enumerate()) == before
