"""Maps by correlation and cosine are Euclidean maps of directions, and say whose they are."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ximstudio.cli import main
from ximstudio.maps import LayerEvidence, layer_named
from ximstudio.measure.catalogue import measure_named
from ximstudio.measure.evidence import MapEvidence
from ximstudio.model import Matrix, PrototypeMap, Result, UserError
from ximstudio.model.arrays import Floats
from ximstudio.model.directions import directions
from ximstudio.model.metric import in_metric
from ximstudio.place.items import place_items, place_values
from ximstudio.train import METHODS, checkpoints, method_named, train
from ximstudio.train.finished import open_run

SMALL = {"shape": (5, 6), "n_steps": 3000}
CENTRED = {"correlation": True, "cosine": False}
OF_METRICS = [method.key for method in METHODS if "metric" in method.params.specs()]

every_metric = pytest.mark.parametrize("metric", CENTRED)


def profiles(*, blanks: bool = False) -> Matrix:
    """Shapes of three kinds, each item at a level and of a strength of its own."""
    rng = np.random.default_rng(3)
    shapes = rng.normal(size=(3, 8))[rng.integers(0, 3, 50)] + 0.3 * rng.normal(size=(50, 8))
    values = shapes * rng.uniform(1.0, 30.0, (50, 1)) + rng.uniform(-50.0, 50.0, (50, 1))
    if blanks:
        values[rng.random(values.shape) < 0.05] = np.nan
    return Matrix.from_array(values)


def trained(matrix: Matrix, key: str = "c-xim", **changes: Any) -> Result:
    method = method_named(key)
    small = SMALL if method.map_kernel else {"n_steps": 60}
    small = {name: value for name, value in small.items() if name in method.params.specs()}
    return train(matrix, method, method.params.from_values(small | changes), seed=4)


def turned(matrix: Matrix, metric: str) -> Matrix:
    return matrix.with_values(directions(matrix.values, centred=CENTRED[metric]))


@every_metric
@pytest.mark.parametrize("key", OF_METRICS)
@pytest.mark.parametrize("blanks", [False, True], ids=["complete", "blanks"])
def test_that_the_map_is_the_euclidean_one_of_directions(
    key: str, metric: str, blanks: bool
) -> None:
    matrix = profiles(blanks=blanks)
    found = trained(matrix, key, metric=metric)
    expected = trained(turned(matrix, metric), key)
    np.testing.assert_array_equal(found.positions, expected.positions)
    assert not np.array_equal(found.positions, trained(matrix, key).positions)
    assert found.data_fingerprint == matrix.fingerprint
    assert found.feature_names == matrix.feature_names


def test_that_correlation_sees_kinds_that_levels_hide() -> None:
    matrix = profiles()
    by_shape, by_value = trained(matrix, metric="correlation"), trained(matrix)
    seen = turned(matrix, "correlation")
    kept = [
        measure_named("trustworthiness").of(
            MapEvidence(matrix=seen, result=replace(result, params=by_value.params))
        )
        for result in (by_shape, by_value)
    ]
    assert kept[0] is not None
    assert kept[1] is not None
    assert kept[0].value > kept[1].value + 0.1


@every_metric
def test_that_new_items_are_placed_by_the_same_rule(metric: str) -> None:
    matrix = profiles(blanks=True)
    result = trained(matrix, metric=metric)
    level = 7.0 if metric == "correlation" else 0.0
    louder = matrix.with_values(3.0 * matrix.values + level).items(range(9))
    for placed in (
        place_items(result, louder),
        place_values(result.model, louder.values, result.params),
    ):
        np.testing.assert_allclose(placed.positions, result.positions[:9], atol=1e-4)


@every_metric
def test_that_items_without_a_direction_are_refused_by_name(metric: str) -> None:
    values = profiles().values.copy()
    values[7] = 0.0
    matrix = Matrix.from_array(values)
    with pytest.raises(UserError) as error:
        trained(matrix, metric=metric)
    assert error.value.keys == ("metric.no_direction",)
    assert "item 8" in error.value.problems[0].where
    assert np.isfinite(trained(matrix).positions).all()
    with pytest.raises(UserError) as error:
        place_items(trained(profiles(), metric=metric), matrix.items([3, 7]))
    assert error.value.keys == ("metric.no_direction",)


def test_that_profiles_of_one_shape_are_refused() -> None:
    values = np.outer(np.arange(1.0, 9.0), [1.0, 3.0, 2.0])
    with pytest.raises(UserError) as error:
        trained(Matrix.from_array(values), metric="cosine")
    assert error.value.keys == ("data.constant",)


@every_metric
def test_that_measures_and_layers_see_what_the_map_was_asked_to_keep(metric: str) -> None:
    matrix = profiles(blanks=True)
    result = trained(matrix, metric=metric)
    seen = turned(matrix, metric)
    plain = replace(result, params=result.params.replace(metric="euclidean"))
    found, expected = (
        MapEvidence(matrix=matrix, result=result),
        MapEvidence(matrix=seen, result=plain),
    )
    for key in ("trustworthiness", "spearman", "quantisation_error", "cost", "r_nx_area"):
        one, other = measure_named(key).of(found), measure_named(key).of(expected)
        assert one is not None
        assert one == other
    of_map, of_seen = (
        LayerEvidence(result=result, matrix=matrix),
        LayerEvidence(result=plain, matrix=seen),
    )
    for key in ("p_matrix", "quantisation_error"):
        np.testing.assert_array_equal(
            layer_named(key).of(of_map, ""), layer_named(key).of(of_seen, "")
        )


def test_that_a_stopped_training_goes_on_in_its_metric() -> None:
    matrix, method = profiles(), method_named("c-xim")
    params = method.params.from_values(SMALL | {"metric": "correlation"})
    stopped = next(checkpoints(matrix, method, params, seed=4, chunk=1000)).result()
    assert (
        train(matrix, method, params, seed=4, resume=stopped.resume).hash
        == trained(matrix, metric="correlation").hash
    )


@pytest.mark.parametrize("key", ["c-xim", "xom"])
def test_that_a_run_by_correlation_opens_as_it_was(key: str, tmp_path: Path) -> None:
    matrix = profiles()
    lines = [",".join(["gene", *matrix.feature_names])]
    for name, row in zip(matrix.item_ids, matrix.values, strict=True):
        lines.append(",".join([name, *map(repr, row.tolist())]))
    path, out = tmp_path / "table.csv", tmp_path / "out"
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")
    sizes = {"c-xim": ["shape=5x6", "n_steps=3000"], "xom": ["n_steps=60"]}
    settings = ["metric=correlation", *sizes[key]]
    chosen = [part for setting in settings for part in ("--set", setting)]
    chosen += ["--method", key, "--seed", "4", "--out", str(out), "--quiet"]
    assert main(["run", str(path), *chosen]) == 0
    opened = open_run(out)
    expected = trained(opened.matrix, key, metric="correlation")
    np.testing.assert_array_equal(opened.result.positions, expected.positions)
    assert opened.result.data_fingerprint == opened.matrix.fingerprint
    if isinstance(opened.result.model, PrototypeMap):
        lengths: Floats = np.linalg.norm(opened.result.model.prototypes, axis=1)
        assert lengths.max() < 1.5
    placed = place_items(opened.result, opened.matrix.items(range(5)))
    np.testing.assert_allclose(placed.positions, expected.positions[:5], atol=1e-5)


def test_that_the_euclidean_metric_leaves_the_data_alone() -> None:
    matrix = profiles()
    assert in_metric(matrix, method_named("c-xim").params()) is matrix
    assert in_metric(matrix, method_named("pca").params()) is matrix
