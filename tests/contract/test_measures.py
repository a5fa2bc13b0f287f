"""Contract of every entry of MEASURES."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ximstudio.measure.catalogue import MEASURES, Better, Measure, measure_named
from ximstudio.measure.evidence import MapEvidence
from ximstudio.model import LinearMap, Matrix, Result, UserError
from ximstudio.train import METHODS, method_named, train

LABELS = {"kind": ("a", "b") * 30}
SMALL = {"shape": (6, 5), "n_steps": 2000}

every_measure = pytest.mark.parametrize("measure", MEASURES, ids=lambda measure: measure.key)


def some_matrix() -> Matrix:
    rng = np.random.default_rng(0)
    values = rng.normal(size=(60, 5)) + np.repeat(rng.normal(size=(2, 5)) * 4, 30, axis=0)
    return replace(Matrix.from_array(values), item_labels=LABELS)


def run_of(key: str, matrix: Matrix) -> Result:
    method = method_named(key)
    known = method.params.specs()
    params = method.params.from_values({k: v for k, v in SMALL.items() if k in known})
    return train(matrix, method, params)


@pytest.fixture(scope="module", params=[method.key for method in METHODS])
def evidence(request: pytest.FixtureRequest) -> MapEvidence:
    matrix = some_matrix()
    return MapEvidence(matrix=matrix, result=run_of(request.param, matrix), label="kind")


def test_that_keys_and_names_are_unique() -> None:
    assert len({measure.key for measure in MEASURES}) == len(MEASURES)
    assert len({measure.name for measure in MEASURES}) == len(MEASURES)


def test_that_the_reports_measures_come_first() -> None:
    assert [measure.key for measure in MEASURES[:4]] == [
        "sammon",
        "spearman",
        "trustworthiness",
        "continuity",
    ]


@every_measure
def test_that_every_measure_says_all_about_itself(measure: Measure) -> None:
    assert measure.low < measure.high
    for text in (measure.meaning, measure.definition, measure.reference):
        assert text.strip() == text != ""
    assert measure.meaning.endswith(".")
    assert measure_named(measure.key) is measure


@every_measure
def test_that_values_stay_within_the_range(measure: Measure, evidence: MapEvidence) -> None:
    found = measure.of(evidence)
    nodes = evidence.result.winners is not None
    of_nodes = {"quantisation_error", "topographic_error", "kaski_lagus", "hit_entropy"}
    of_nodes |= {"cost", "attraction", "repulsion"}
    assert (found is None) == (measure.key in of_nodes and not nodes)
    if found is not None:
        assert measure.low - 1e-12 <= found.value <= measure.high + 1e-12
        assert found.exact


@every_measure
def test_that_the_map_that_is_the_data_gets_the_best_value(measure: Measure) -> None:
    matrix = Matrix.from_array(np.random.default_rng(1).normal(size=(50, 2)))
    perfect = replace(
        run_of("pca", matrix),
        positions=matrix.values,
        model=LinearMap(centre=np.zeros(2), components=np.eye(2), explained=np.ones(2) / 2),
    )
    found = measure.of(MapEvidence(matrix=matrix, result=perfect))
    if found is None:
        return
    best = {Better.HIGHER: measure.high, Better.LOWER: measure.low}
    if measure.key in ("neighbours_kept", "trustworthiness", "continuity", "r_nx_area"):
        assert found.value == pytest.approx(1.0, abs=1e-12)
    elif measure.key == "lcmc":
        assert found.value == pytest.approx(1.0 - np.arange(1, 25).mean() / 49, abs=1e-12)
    else:
        assert found.value == pytest.approx(best[measure.better], abs=1e-7)


@every_measure
def test_that_no_measure_depends_on_the_unit_of_the_map(measure: Measure) -> None:
    matrix = some_matrix()
    result = run_of("pca", matrix)
    larger = replace(result, positions=result.positions * 8.0 + 3.0)
    first, second = (
        measure.of(MapEvidence(matrix=matrix, result=each, label="kind"))
        for each in (result, larger)
    )
    assert (first is None) == (second is None)
    if first is not None and second is not None:
        assert second.value == pytest.approx(first.value, abs=1e-9)


def test_that_label_measures_need_a_label() -> None:
    matrix = some_matrix()
    evidence = MapEvidence(matrix=matrix, result=run_of("pca", matrix))
    assert measure_named("label_agreement").of(evidence) is None
    assert measure_named("silhouette").of(evidence) is None


def test_that_an_unknown_measure_is_refused() -> None:
    with pytest.raises(UserError) as refused:
        measure_named("trustwortiness")
    assert refused.value.keys == ("measure.unknown",)


@pytest.mark.parametrize("n_items", [2, 3, 4])
def test_that_few_items_are_no_trouble(n_items: int) -> None:
    matrix = Matrix.from_array(np.random.default_rng(0).normal(size=(n_items, 3)))
    evidence = MapEvidence(matrix=matrix, result=run_of("c-xim", matrix))
    for measure in MEASURES:
        measure.of(evidence)
