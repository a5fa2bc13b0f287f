"""Evidence shared by layers, and refusals."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from tests.maps.results import evidence_of, result_of
from tests.place.maps import rough_map, smooth_map
from ximstudio.maps import LAYERS, LayerEvidence, layer_named
from ximstudio.maps import layer as layer_module
from ximstudio.measure.evidence import MapEvidence
from ximstudio.model import Grid, Matrix, UserError

SLOW = ("matplotlib", "numba", "pandas", "scipy", "sklearn")


def test_that_another_map_of_the_same_data_keeps_their_radius() -> None:
    evidence = evidence_of(smooth_map(Grid(5, 4)))
    radius = evidence.radius
    other = evidence.at(result_of(rough_map(Grid(4, 3)), evidence.items))
    assert vars(other)["radius"] == radius
    assert other.density.shape == (12,)
    assert (other.matrix, other.seed) == (evidence.matrix, evidence.seed)
    assert "radius" not in vars(evidence_of(smooth_map(Grid(5, 4))).at(other.result))


def test_that_the_density_of_a_live_map_is_told_from_a_sample_and_then_from_all_items(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(layer_module, "LIVE_ITEMS", 100)
    exact = evidence_of(smooth_map(Grid(7, 7)), n_items=400)
    live = exact.at(exact.result, live=True)
    assert len(live.counted) == 100
    assert live.counted is live.at(exact.result, live=True).counted
    assert live.density.sum() == pytest.approx(exact.density.sum(), rel=0.3)
    assert np.corrcoef(live.density, exact.density)[0, 1] > 0.5
    ended = live.at(exact.result)
    assert len(ended.counted) == 400
    np.testing.assert_array_equal(ended.density, exact.density)


def test_that_what_was_measured_is_not_measured_again() -> None:
    evidence = evidence_of(smooth_map(Grid(5, 4)))
    measured = MapEvidence(matrix=evidence.items, result=evidence.result, seed=3)
    ranks = measured.ranks
    again = LayerEvidence.of(measured)
    assert again.measured.ranks is ranks
    assert again.seed == 3
    for key in ("trust", "p_matrix"):
        layer = layer_named(key)
        np.testing.assert_array_equal(layer.of(again, ""), layer.of(evidence, ""))


def test_that_items_or_features_of_another_table_are_refused() -> None:
    evidence = evidence_of(smooth_map(Grid(5, 4)))
    matrix = evidence.items
    others = [
        matrix.items(range(matrix.n_items - 1)),
        replace(matrix, feature_names=tuple(f"f{number}" for number in range(7))),
    ]
    for other in others:
        with pytest.raises(UserError) as refused:
            LayerEvidence(result=evidence.result, matrix=other)
        assert refused.value.keys == ("layer.other_data",)


def test_that_unknown_features_and_labels_are_refused() -> None:
    evidence = evidence_of(smooth_map(Grid(5, 4)))
    for key, error in (("plane", "feature.unknown"), ("classes", "label.unknown")):
        for option in ("", "kimd"):
            with pytest.raises(UserError) as refused:
                layer_named(key).of(evidence, option)
            assert refused.value.keys == (error,)


def test_that_a_plane_is_the_prototypes_component() -> None:
    evidence = evidence_of(rough_map(Grid(5, 4)))
    for number, name in enumerate(evidence.items.feature_names):
        plane = layer_named("plane").of(evidence, name)
        np.testing.assert_array_equal(plane, evidence.model.prototypes[:, number])


def test_that_few_items_are_no_trouble() -> None:
    labels = {"kind": ("a", "b"), "dose": ("1.5", "2")}
    matrix = replace(Matrix.from_array(np.eye(2, 7)), item_labels=labels)
    evidence = LayerEvidence(result=result_of(smooth_map(Grid(3, 4)), matrix), matrix=matrix)
    options = {"plane": "feature 1", "classes": "kind", "label_mean": "dose"}
    for layer in LAYERS:
        assert len(layer.of(evidence, options.get(layer.key, ""))) == 12


def test_that_the_list_of_layers_comes_without_slow_libraries() -> None:
    program = f"import sys, ximstudio.maps; print([m for m in {SLOW} if m in sys.modules])"
    found = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    assert found.stdout.strip() == "[]"
