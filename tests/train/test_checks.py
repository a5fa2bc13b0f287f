"""Refusals before training."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform

from ximstudio.model import Matrix, Severity, UserError
from ximstudio.model.dissimilarities import Dissimilarities
from ximstudio.train import METHODS, checkpoints, method_named, problems, train
from ximstudio.train.method import Method
from ximstudio.train.xim_family import XimParams


def keys(matrix: Matrix, method: Method) -> list[str]:
    return [problem.key for problem in problems(matrix, method, method.params())]


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.key)
def test_that_tables_nothing_can_be_learnt_from_are_refused(method: Method) -> None:
    nan = np.nan
    for values, key in (
        (np.ones((1, 5)), "data.too_small"),
        (np.ones((0, 5)), "data.too_small"),
        (np.ones((5, 0)), "data.too_small"),
        (np.ones((5, 3)), "data.constant"),
        ([[1.0, nan], [1.0, 2.0], [nan, 2.0]], "data.constant"),
        ([[1.0, nan], [2.0, nan]], "data.empty_feature"),
        ([[1.0, 2.0], [nan, nan]], "data.empty_item"),
        ([[1.0, 2.0], [3.0, 1e200]], "data.scale"),
        ([[1e-200, 2e-200], [3e-200, 0.0]], "data.scale"),
    ):
        found = set(keys(Matrix.from_array(np.array(values, dtype=float)), method))
        assert found == {key}


def test_that_a_refusal_comes_before_any_training() -> None:
    with pytest.raises(UserError) as error:
        next(checkpoints(Matrix.from_array(np.ones((4, 4))), method_named("c-xim")))
    assert error.value.keys == ("data.constant",)


def test_that_a_good_table_has_no_problems(yeast: Matrix) -> None:
    for method in METHODS:
        assert keys(yeast, method) == []


def test_that_a_map_larger_than_memory_is_refused() -> None:
    matrix = Matrix.from_array(np.random.default_rng(0).normal(size=(4, 100_000)))
    params = XimParams(shape=(1000, 1000))
    found = problems(matrix, method_named("c-xim"), params)
    assert [problem.key for problem in found] == ["params.memory"]


def test_that_a_median_distance_of_zero_is_no_unit_for_the_reach() -> None:
    values = np.zeros((20, 3))
    values[0] = 1.0
    matrix, method = Matrix.from_array(values), method_named("c-xim")
    with pytest.raises(UserError) as error:
        train(matrix, method)
    assert error.value.keys == ("params.reach_unit",)
    params = XimParams(shape=(3, 3), n_steps=200, reach=(1.0, 0.5), reach_unit="data")
    assert np.isfinite(train(matrix, method, params).positions).all()


def test_that_a_reach_too_small_to_square_is_answered_with_a_key_or_not_at_all() -> None:
    matrix = Matrix.from_array(np.random.default_rng(0).normal(size=(10, 3)))
    params = XimParams(shape=(3, 3), n_steps=100, reach=(1e-130, 1e-130), reach_unit="data")
    found = problems(matrix, method_named("c-xim"), params)
    assert all(problem.key.startswith("params.") for problem in found)
    assert np.isfinite(train(matrix, method_named("c-xim"), params).positions).all()


@pytest.mark.parametrize("key", ["xim", "t-xim", "c-xim", "som"])
@pytest.mark.parametrize("absurd", [1e12, 1e30])
def test_that_one_absurd_value_is_refused_by_name_or_trained_around(
    key: str, absurd: float
) -> None:
    """Some programs write 1e30 for a blank: that must not end as 'training diverged'."""
    values = np.random.default_rng(1).normal(size=(50, 4))
    values[7, 2] = absurd
    method = method_named(key)
    params = method.params.from_values({"shape": (5, 5), "n_steps": 500})
    refused: tuple[str, ...] = ()
    try:
        result = train(Matrix.from_array(values), method, params)
    except UserError as error:
        refused = error.keys
    assert "train.diverged" not in refused
    if not refused:
        assert np.isfinite(result.positions).all()
        assert np.isfinite(result.history.quantisation_error).all()


def test_that_a_value_far_off_is_pointed_out_by_name() -> None:
    values = np.random.default_rng(1).normal(size=(50, 4))
    values[7, 2] = -1e5
    (found,) = problems(
        Matrix.from_array(values), method_named("som"), method_named("som").params()
    )
    assert (found.key, found.severity) == ("data.outlier", Severity.WARNING)
    assert "'item 8', feature 'feature 3'" in found.where
    values[7, 2] = 1e30
    (found,) = problems(
        Matrix.from_array(values), method_named("som"), method_named("som").params()
    )
    assert (found.key, found.severity) == ("data.outlier", Severity.ERROR)


@pytest.mark.parametrize("chunk", [0, -5])
def test_that_a_chunk_has_at_least_one_step(chunk: int) -> None:
    matrix = Matrix.from_array(np.random.default_rng(0).normal(size=(10, 3)))
    with pytest.raises(UserError) as error:
        next(checkpoints(matrix, method_named("som"), chunk=chunk))
    assert error.value.keys == ("train.chunk",)


def test_that_training_does_not_end_before_it_begins() -> None:
    matrix = Matrix.from_array(np.random.default_rng(0).normal(size=(10, 3)))
    method = method_named("som")
    *_, third = checkpoints(matrix, method, last=3)
    for last, resume in ((0, None), (3, third.result().resume)):
        with pytest.raises(UserError) as error:
            next(checkpoints(matrix, method, last=last, resume=resume))
        assert error.value.keys == ("train.last",)


def test_that_given_prototypes_are_not_ignored() -> None:
    matrix = Matrix.from_array(np.random.default_rng(0).normal(size=(10, 3)))
    with pytest.raises(UserError) as error:
        train(matrix, method_named("c-xim"), XimParams(init="pca"), start=np.zeros((900, 3)))
    assert error.value.keys == ("start.unused",)


@pytest.mark.parametrize(
    ("chosen", "warned"),
    [
        ({"divergence": "itakura-saito"}, True),
        ({"divergence": "itakura-saito", "reach": (0.7, 0.4), "step": (0.05, 0.005)}, False),
        ({"divergence": "itakura-saito", "reach": (1.0, 0.7), "algorithm": "batch"}, True),
        ({"divergence": "beta", "order": 0.8}, False),
        ({"divergence": "beta", "order": 0.4}, True),
        ({"divergence": "beta", "order": 0.8, "algorithm": "batch"}, False),
        ({"divergence": "beta", "order": 0.6, "algorithm": "batch"}, True),
        ({"divergence": "beta", "order": 0.6, "reach": (1.0, 0.5), "algorithm": "batch"}, False),
        ({"divergence": "hellinger"}, False),
        ({"divergence": "alpha", "order": 2.0}, True),
        ({"divergence": "cauchy-schwarz"}, False),
    ],
)
def test_that_a_map_made_by_far_items_alone_is_announced(
    yeast: Matrix, chosen: dict[str, object], warned: bool
) -> None:
    found = problems(yeast, method_named("c-xim"), XimParams(**chosen))  # type: ignore[arg-type]
    assert [problem.key for problem in found] == (["params.far_items"] if warned else [])
    assert all(problem.severity is Severity.WARNING for problem in found)


@pytest.mark.parametrize(("repulsion", "warned"), [(0.25, True), (0.1, True), (0.02, False)])
def test_that_medians_which_repel_too_much_are_announced(
    yeast: Matrix, repulsion: float, warned: bool
) -> None:
    apart = Dissimilarities.from_array(squareform(pdist(np.nan_to_num(yeast.values))))
    for relational in ("median", "relational"):
        params = XimParams(metric="precomputed", relational=relational, repulsion=repulsion)
        found = problems(apart, method_named("c-xim"), params)
        expected = ["params.medians"] if warned and relational == "median" else []
        assert [problem.key for problem in found] == expected
