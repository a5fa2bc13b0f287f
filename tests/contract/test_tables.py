"""Contract of every method that can be trained on a table of dissimilarities."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from tests import twins
from tests.contract.test_methods import arrays_of, assert_complete, variants
from ximstudio.maps import LAYERS, LayerEvidence
from ximstudio.measure.catalogue import MEASURES
from ximstudio.measure.evidence import MapEvidence
from ximstudio.model import Matrix, Params, Result
from ximstudio.place.items import place_items
from ximstudio.session.training import TrainingSample
from ximstudio.train import METHODS, checkpoints, problems, train
from ximstudio.train.checks import table_problems
from ximstudio.train.method import Method

pytestmark = pytest.mark.usefixtures("briefly_taught")

PRECOMPUTED = "precomputed"
OF_TABLES = [
    method
    for method in METHODS
    if "metric" in (specs := method.params.specs())
    and PRECOMPUTED in getattr(specs["metric"], "options", ())
]
every_method = pytest.mark.parametrize("method", OF_TABLES, ids=lambda method: method.key)


@cache
def table() -> Matrix:
    rng = np.random.default_rng(1)
    values = rng.normal(size=(40, 4)) + 4.0 * rng.integers(0, 2, (40, 1))
    names = tuple(f"YBR{number:03d}W" for number in range(40))
    kinds = tuple("ab"[int(value > 2.0)] for value in values.mean(axis=1))
    return Matrix(
        values=twins.pair_distances(values),
        item_ids=names,
        feature_names=names,
        item_labels={"kind": kinds, "dose": tuple(f"{number / 7}" for number in range(40))},
    )


def table_variants(method: Method) -> Iterator[Params]:
    """Every variant of the method there is for features, on a table."""
    for params in variants(method):
        if getattr(params, "metric", "") == "euclidean":
            of_table = params.replace(metric=PRECOMPUTED)
            if not list(table_problems(of_table)):
                yield of_table


def result_of(method: Method, params: Params | None = None) -> Result:
    return train(table(), method, params or next(table_variants(method)), seed=2)


def test_that_the_family_and_the_som_take_tables() -> None:
    assert {method.key for method in OF_TABLES} >= {"c-xim", "t-xim", "xim", "som"}


@every_method
def test_that_every_variant_trains_to_a_complete_result(method: Method) -> None:
    for params in table_variants(method):
        found = problems(table(), method, params)
        assert {problem.key for problem in found} <= {"params.medians"}
        result = result_of(method, params)
        assert_complete(result, table(), method)
        assert result.finished
        assert result.params == params
        writeable = [name for name, array in arrays_of(result).items() if array.flags.writeable]
        assert writeable == []


@every_method
def test_that_training_does_not_follow_the_chunks(method: Method) -> None:
    for params in table_variants(method):
        hashes = set()
        for chunk in (None, 1, 4, 10_000):
            *_, last = checkpoints(table(), method, params, seed=5, chunk=chunk)
            hashes.add(last.result().hash)
        assert len(hashes) == 1


@every_method
def test_that_every_checkpoint_completes_at_any_time(method: Method) -> None:
    for params in table_variants(method):
        every = list(checkpoints(table(), method, params, chunk=2))
        assert [checkpoint.step for checkpoint in every] == [2, 4, 6]
        assert every[-1].step == every[-1].n_steps
        results = [checkpoint.result() for checkpoint in every]
        for checkpoint, result in zip(every, results, strict=True):
            assert_complete(result, table(), method)
            assert result.step == checkpoint.step
        for one, other in pairwise(results):
            for name, array in arrays_of(one).items():
                assert not np.shares_memory(array, arrays_of(other)[name])
                assert not np.shares_memory(array, table().values)


@every_method
def test_that_training_ends_after_the_last_epoch_that_is_asked_for(method: Method) -> None:
    for params in table_variants(method):
        first = next(checkpoints(table(), method, params, chunk=3))
        for chunk in (None, 2):
            *_, last = checkpoints(table(), method, params, chunk=chunk, last=3)
            assert last.step == 3
            assert last.result().hash == first.result().hash


@every_method
def test_that_resolved_parameters_train_the_same_map(method: Method) -> None:
    params = next(table_variants(method))
    resolved = params.resolved(table().n_items)
    assert result_of(method, params).hash == result_of(method, resolved).hash


@every_method
def test_that_items_are_placed_where_they_lie(method: Method) -> None:
    for params in table_variants(method):
        result = result_of(method, params)
        placed = place_items(result, table().items(range(5)))
        np.testing.assert_allclose(placed.positions, result.positions[:5], atol=1e-5)
        assert result.winners is not None
        np.testing.assert_array_equal(placed.winners, result.winners[:5])


@every_method
@pytest.mark.parametrize("relational", ["relational", "median"])
def test_that_every_measure_and_layer_can_be_had(method: Method, relational: str) -> None:
    result = result_of(method, next(table_variants(method)).replace(relational=relational))
    evidence = MapEvidence(matrix=table(), result=result, label="kind")
    for measure in MEASURES:
        found = measure.of(evidence)
        assert found is not None
        assert measure.low - 1e-12 <= found.value <= measure.high + 1e-12
    for live in (True, False):
        drawn = LayerEvidence(result=result, matrix=table(), live=live)
        for layer in LAYERS:
            for option in (layer.options(result, table()) or ("",))[:2]:
                values = layer.of(drawn, option)
                assert len(values) == drawn.grid.n_nodes
                assert not np.isinf(values).any()


def test_that_measures_take_the_distances_of_the_table() -> None:
    # Far from those of its rows taken for features.
    shuffled = np.random.default_rng(0).permutation(40)
    far = Matrix.from_array(table().values[np.ix_(shuffled, shuffled)] ** 3)
    result = train(far, OF_TABLES[0], next(table_variants(OF_TABLES[0])))
    evidence = MapEvidence(matrix=far, result=result)
    np.testing.assert_array_equal(
        evidence.pairs.data, far.values[evidence.pairs.left, evidence.pairs.right]
    )
    truth, drawn = far.values, twins.pair_distances(result.positions)
    k = evidence.ranks.k
    np.testing.assert_array_equal(
        evidence.ranks.data_neighbours, twins.neighbours_in_order(truth)[:, :k]
    )
    np.testing.assert_array_equal(
        evidence.ranks.map_neighbours, twins.neighbours_in_order(drawn)[:, :k]
    )
    ranks = TrainingSample(evidence.seen).ranks(result.positions, result.periods)
    np.testing.assert_array_equal(
        ranks.data_neighbours, twins.neighbours_in_order(truth)[:, : ranks.k]
    )


def test_that_evidence_of_another_metric_is_not_kept() -> None:
    method = OF_TABLES[0]
    params = next(table_variants(method))
    of_table = result_of(method, params)
    of_rows = result_of(method, params.replace(metric="euclidean"))
    first = LayerEvidence(result=of_table, matrix=table())
    assert first.radius == first.at(of_table).radius
    other = first.at(of_rows)
    assert other.radius == LayerEvidence(result=of_rows, matrix=table()).radius != first.radius


def test_that_renamed_items_are_another_table() -> None:
    named = replace(table(), feature_names=tuple(f"sample {n}" for n in range(40)))
    method = OF_TABLES[0]
    one, other = (train(data, method, next(table_variants(method))) for data in (table(), named))
    np.testing.assert_array_equal(one.positions, other.positions)
    assert one.data_fingerprint != other.data_fingerprint
