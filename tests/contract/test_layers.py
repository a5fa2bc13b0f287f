"""Contract of every entry of LAYERS, on the map of every method, during training and after."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ximstudio.maps import (
    LAYERS,
    Layer,
    LayerEvidence,
    LayerKind,
    LayerNeed,
    hits,
    layer_named,
    layers_of,
)
from ximstudio.maps.classes import classes_of
from ximstudio.maps.palettes import PaletteScheme
from ximstudio.model import Matrix, PrototypeMap, Result, UserError
from ximstudio.model.arrays import Floats
from ximstudio.train import METHODS, checkpoints, method_named, train

SMALL = {"shape": (6, 5), "n_steps": 600, "n_epochs": 6}
WITH_NODES = [method.key for method in METHODS if method.map_kernel is not None]
MEANS = {"classes", "label_mean", "quantisation_error", "trust", "continuity"}
COUNTS = {"p_matrix", "hits"}

every_layer = pytest.mark.parametrize("layer", LAYERS, ids=lambda layer: layer.key)


def some_matrix() -> Matrix:
    rng = np.random.default_rng(0)
    values = rng.normal(size=(50, 4)) + np.repeat(4.0 * rng.normal(size=(2, 4)), 25, axis=0)
    values[rng.random(values.shape) < 0.03] = np.nan
    labels = {"kind": (*"ab", "") * 16 + ("a", "c"), "dose": tuple(f"{n / 7}" for n in range(50))}
    return replace(Matrix.from_array(values), item_labels=labels)


def run_of(key: str, state: str) -> Result:
    method = method_named(key)
    known = method.params.specs()
    params = method.params.from_values({k: v for k, v in SMALL.items() if k in known})
    if state == "finished":
        return train(some_matrix(), method, params)
    return next(checkpoints(some_matrix(), method, params, chunk=100)).result()


@pytest.fixture(
    scope="module",
    params=[(key, state) for key in WITH_NODES for state in ("live", "finished")],
    ids="-".join,
)
def evidence(request: pytest.FixtureRequest) -> LayerEvidence:
    key, state = request.param
    result = run_of(key, state)
    assert result.finished == (state == "finished")
    return LayerEvidence(result=result, matrix=some_matrix())


def values_of(layer: Layer, evidence: LayerEvidence) -> list[Floats]:
    """The layer, once for every option there is."""
    options = layer.options(evidence.result, evidence.matrix) or ("",)
    return [layer.of(evidence, option) for option in options]


def test_that_keys_and_names_are_unique() -> None:
    assert len({layer.key for layer in LAYERS}) == len(LAYERS)
    assert len({layer.name for layer in LAYERS}) == len(LAYERS)


@every_layer
def test_that_every_layer_says_all_about_itself(layer: Layer) -> None:
    for text in (layer.name, layer.about, layer.legend):
        assert text.strip() == text != ""
    assert layer.about.endswith(".")
    assert layer.key.isidentifier()
    assert layer_named(layer.key) is layer
    assert layer.title() == layer.name
    assert layer.title("heat").endswith("heat")
    if layer.kind is LayerKind.SHARES:
        assert LayerNeed.LABEL in layer.needs
        assert layer.scheme is PaletteScheme.SEQUENTIAL
    if layer.needs & {LayerNeed.RANKS, LayerNeed.LABEL, LayerNeed.SCALE}:
        assert LayerNeed.MATRIX in layer.needs


def test_that_an_unknown_layer_is_refused() -> None:
    with pytest.raises(UserError) as refused:
        layer_named("umatrix")
    assert refused.value.keys == ("layer.unknown",)


@every_layer
def test_that_every_node_gets_its_number_or_its_shares(
    layer: Layer, evidence: LayerEvidence
) -> None:
    empty = hits(evidence.result) == 0
    assert 0 < empty.sum() < evidence.grid.n_nodes
    for values in values_of(layer, evidence):
        assert values.dtype == np.float64
        if layer.kind is LayerKind.SHARES:
            n_classes = len(classes_of(evidence.labels("kind")).names)
            assert values.shape == (evidence.grid.n_nodes, n_classes)
            np.testing.assert_allclose(values[~empty].sum(axis=1), 1.0)
            assert values[~empty].min() >= 0.0
        else:
            assert values.shape == (evidence.grid.n_nodes,)
        unknown = np.isnan(values) if values.ndim == 1 else np.isnan(values).all(axis=1)
        np.testing.assert_array_equal(unknown, empty if layer.key in MEANS else False)
        assert np.isfinite(values[~unknown]).all()
        if layer.key in COUNTS:
            np.testing.assert_array_equal(values, np.floor(values))
            assert 0 <= values.min() <= values.max() <= len(evidence.result.item_ids)
        if layer.key in {"trust", "continuity"}:
            assert 0.0 <= np.nanmin(values) <= np.nanmax(values) <= 1.0


@every_layer
def test_that_nothing_is_changed_and_twice_is_the_same(
    layer: Layer, evidence: LayerEvidence
) -> None:
    digest = evidence.result.hash
    again = LayerEvidence(result=evidence.result, matrix=evidence.matrix)
    for one, other in zip(values_of(layer, evidence), values_of(layer, again), strict=True):
        np.testing.assert_array_equal(one, other)
    assert replace(evidence.result).hash == digest


@every_layer
def test_that_layers_say_when_the_data_are_needed(layer: Layer, evidence: LayerEvidence) -> None:
    bare = LayerEvidence(result=evidence.result)
    if LayerNeed.MATRIX not in layer.needs:
        for one, other in zip(values_of(layer, bare), values_of(layer, evidence), strict=True):
            np.testing.assert_array_equal(one, other)
        return
    with pytest.raises(UserError) as refused:
        layer.of(bare, "kind")
    assert refused.value.keys == ("layer.no_matrix",)


def test_that_all_layers_apply_where_all_is_there(evidence: LayerEvidence) -> None:
    result, matrix = evidence.result, evidence.items
    assert layers_of(result, matrix) == LAYERS
    unlabelled = replace(matrix, item_labels={})
    assert {layer.key for layer in LAYERS} - {
        layer.key for layer in layers_of(result, unlabelled)
    } == {"classes", "label_mean"}
    assert {layer.key for layer in layers_of(result)} == {"u_matrix", "hits", "plane"}


@pytest.mark.parametrize("state", ["live", "finished"])
@pytest.mark.parametrize("key", [m.key for m in METHODS if m.key not in WITH_NODES])
def test_that_maps_without_nodes_have_no_layers(key: str, state: str) -> None:
    result = run_of(key, state)
    assert not isinstance(result.model, PrototypeMap)
    assert layers_of(result, some_matrix()) == ()
    with pytest.raises(UserError) as refused:
        LayerEvidence(result=result, matrix=some_matrix())
    assert refused.value.keys == ("layer.no_nodes",)
