"""Contract of every structure hypothesis: layers, measures, comparisons and figures work."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.figures.drawn import artist, places
from tests.structures import NODE_FILE
from ximstudio.maps import LAYERS, LayerEvidence, LayerKind
from ximstudio.maps.cells import bounds
from ximstudio.measure.alignment import align, short_way
from ximstudio.measure.catalogue import MEASURES
from ximstudio.measure.evidence import MapEvidence
from ximstudio.measure.stability import Placement, stability
from ximstudio.model import Lattice, Matrix, PrototypeMap, Result
from ximstudio.place import MAPPINGS
from ximstudio.place.items import place_items
from ximstudio.prepare.input import Input
from ximstudio.session import Run
from ximstudio.session.shown import Shown
from ximstudio.train import method_named, train
from ximstudio.train.xim_family import XimParams
from ximstudio.views.common.figure_plan import FigurePlan
from ximstudio.views.map.picture import POINTS
from ximstudio.views.map.state import MapState
from ximstudio.views.positions.figure import map_figure


def some_matrix() -> Matrix:
    rng = np.random.default_rng(0)
    group = np.repeat([0, 1], 30)
    values = rng.normal(size=(60, 5)) + 4.0 * rng.normal(size=(2, 5))[group]
    labels = {"kind": ("a", "b") * 30, "dose": tuple(f"{n / 7}" for n in range(60))}
    return replace(Matrix.from_array(values), item_labels=labels)


def params_of(lattice: Lattice) -> XimParams:
    return XimParams(
        shape=(6, 5), depth=2, lattice=lattice.value, node_file=NODE_FILE, n_steps=2000
    )


@pytest.fixture(scope="module", params=list(Lattice), ids=str)
def result(request: pytest.FixtureRequest) -> Result:
    return train(some_matrix(), method_named("c-xim"), params_of(request.param))


def test_that_every_layer_has_a_value_for_every_node(result: Result) -> None:
    assert isinstance(result.model, PrototypeMap)
    n_nodes = result.model.grid.n_nodes
    evidence = LayerEvidence(result=result, matrix=some_matrix())
    for layer in LAYERS:
        option = (layer.options(result, some_matrix()) or ("",))[0]
        values = layer.of(evidence, option)
        assert values.shape[:1] == (n_nodes,)
        assert (values.ndim == 2) == (layer.kind is LayerKind.SHARES)
        assert np.isfinite(values).any()


def test_that_every_measure_stays_within_its_range(result: Result) -> None:
    evidence = MapEvidence(matrix=some_matrix(), result=result, label="kind")
    for measure in MEASURES:
        found = measure.of(evidence)
        assert found is not None
        assert measure.low - 1e-12 <= found.value <= measure.high + 1e-12


def test_that_new_items_are_placed_in_every_way(result: Result) -> None:
    assert isinstance(result.model, PrototypeMap)
    low = result.model.grid.nodes.min(axis=0) - 1.0
    high = result.model.grid.nodes.max(axis=0) + 1.0
    for rule in MAPPINGS:
        assert isinstance(result.params, XimParams)
        other = replace(result, params=result.params.replace(mapping=rule.key))
        placed = place_items(other, some_matrix())
        assert placed.positions.shape == result.positions.shape
        if rule.key != "supervised":
            assert ((placed.positions >= low) & (placed.positions <= high)).all()
        assert np.isfinite(placed.positions).all()


def test_that_a_map_is_as_it_was_once_it_is_turned_back(result: Result) -> None:
    assert isinstance(result.model, PrototypeMap)
    grid, positions = result.model.grid, result.positions
    flipped = positions * np.where(np.arange(grid.n_axes) == 0, -1.0, 1.0) + 0.7
    back = align(flipped, positions, grid)
    assert np.abs(short_way(back - positions, grid)).max() < 1e-9


def test_that_runs_over_each_other_show_how_items_wander(result: Result) -> None:
    assert isinstance(result.model, PrototypeMap)
    grid, every = result.model.grid, np.arange(60)
    same = [Placement(items=every, positions=result.positions)] * 3
    np.testing.assert_allclose(stability(same, 60, grid).wander, 0.0, atol=1e-6)
    rng = np.random.default_rng(0)
    strewn = [Placement(items=every, positions=rng.permutation(result.positions)) for _ in range(5)]
    assert 0.5 < stability(strewn, 60, grid).mean_wander < 1.5


def test_that_the_figure_has_a_cell_for_every_node_and_a_dot_for_every_item(
    result: Result,
) -> None:
    assert isinstance(result.model, PrototypeMap)
    grid = result.model.grid
    run = Run(
        key="run", name="map", result=result, matrix=some_matrix(), input=Input(name="sample:yeast")
    )
    shown = Shown(result=result, matrix=some_matrix(), run=run, chosen=run, runs=(run,))
    drawn = map_figure(shown, FigurePlan(state=MapState(names="", marks=POINTS)))
    assert len(artist(drawn, "cells").get_paths()) == grid.n_nodes
    dots = places(drawn, "chosen items")
    box = bounds(grid)
    assert len(dots) == 60
    assert (dots >= np.array(box[:2]) - 0.01).all()
    assert (dots <= np.array(box[2:]) + 0.01).all()
    assert len(places(drawn, "items")) == 60
