"""Contents of the figure of a map view."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure

from tests.figures.drawn import (
    artist,
    artists,
    assert_nothing_is_cut,
    axes_named,
    corners,
    face_colours,
    figure,
    legend,
    n_points,
    places,
    said,
    size_mm,
)
from tests.structures import GRIDS, NAMES
from tests.ui.maps_to_show import result_of, run_of, shown_of, some_matrix
from ximstudio.figures import plot as plots
from ximstudio.figures.look import Look
from ximstudio.maps.cells import tiles
from ximstudio.maps.clusters import ClusteredUnit, Clustering
from ximstudio.maps.layout import lay_out
from ximstudio.model import PrototypeMap
from ximstudio.model.grid import Grid
from ximstudio.model.params import Params
from ximstudio.model.problem import UserError
from ximstudio.pictures.colouring import class_colours
from ximstudio.pictures.colours import LIGHT, channels
from ximstudio.pictures.ticks import tick_texts, ticks
from ximstudio.session.shown import Shown
from ximstudio.train.anchors import AnchorParams
from ximstudio.views.map.picture import HITS, ITEMS, NODES, NOTHING, POINTS
from ximstudio.views.map.state import MapState

TORUS: dict[str, Any] = {"lattice": "hexagonal", "toroidal": True}


def on_grid(grid: Grid) -> Shown:
    """Items on some map of this structure: where they lie is of no matter."""
    matrix = some_matrix()
    rng = np.random.default_rng(3)
    prototypes = rng.normal(size=(grid.n_nodes, matrix.n_features))
    winners = rng.integers(0, grid.n_nodes, matrix.n_items)
    result = replace(
        result_of("c-xim"),
        model=PrototypeMap(prototypes=prototypes, grid=grid),
        positions=grid.nodes[winners] + 0.0,
        winners=winners,
    )
    run = replace(run_of("c-xim", state="finished"), result=result)
    return Shown(result=result, matrix=matrix, run=run, chosen=run, runs=(run,))


@pytest.mark.parametrize("layer", ["u_matrix", "hits", "plane"])
def test_that_cells_have_the_colours_of_the_picture_and_the_bar_its_numbers(layer: str) -> None:
    shown = shown_of("c-xim")
    state = MapState(layer=layer, option="salt" if layer == "plane" else "")
    picture = state.picture(shown)
    assert picture.layer is not None
    assert picture.layer.key == layer
    assert picture.colours is not None
    assert picture.scale is not None
    drawn = figure(shown, state)
    expected = picture.colours[:, :3].astype(float)
    expected[picture.colours[:, 3] == 0] = channels(LIGHT.empty)
    cells = artist(drawn, "cells")
    np.testing.assert_array_equal(face_colours(cells), expected)
    assert picture.grid is not None
    np.testing.assert_allclose(np.array(corners(cells)), np.asarray(tiles(picture.grid).cells))
    low, high = picture.scale.low, picture.scale.high
    told = said(drawn, "bar number")
    assert any(told == tick_texts(ticks(low, high, most=most)) for most in range(2, 8))
    assert_nothing_is_cut(drawn)


def test_that_cells_overlap_so_that_no_white_line_is_seen_between_them() -> None:
    cells = artist(figure(shown_of("som"), MapState()), "cells")
    np.testing.assert_array_equal(cells.get_edgecolor(), cells.get_facecolor())
    assert np.min(cells.get_linewidth()) > 0.0


def test_that_the_legend_lists_the_classes_as_the_screen_does() -> None:
    shown = shown_of("c-xim")
    classes = MapState().picture(shown).classes
    assert classes is not None
    drawn = figure(shown, MapState())
    expected = zip(classes.names, class_colours(classes, LIGHT), strict=True)
    assert legend(drawn) == [(name, colour.upper()) for name, colour in expected]
    assert said(drawn, "legend count") == [str(count) for count in classes.counts.tolist()]
    assert said(drawn, "legend title") == ["kind"]


def test_that_hidden_classes_are_neither_drawn_nor_listed() -> None:
    shown = shown_of("c-xim")
    drawn = figure(shown, MapState(hidden=("proteasome",)))
    assert "proteasome" not in dict(legend(drawn))
    kinds = np.array(some_matrix().item_labels["kind"])
    assert len(places(drawn, "chosen items")) == (kinds != "proteasome").sum()


@pytest.mark.parametrize(
    ("marks", "n_marks", "listed"),
    [(NOTHING, 0, 0), (POINTS, 60, 4), (NODES, 60, 4), (HITS, 0, 0)],
)
def test_that_marks_are_drawn_as_chosen(marks: str, n_marks: int, listed: int) -> None:
    shown = shown_of("som")
    state = MapState(marks=marks, names="")
    drawn = figure(shown, state)
    points = artists(drawn, "chosen items")
    assert sum(map(n_points, points)) == n_marks
    assert len(legend(drawn)) == listed
    hits = state.picture(shown).hits
    counted = sorted(map(int, said(drawn, "count")))
    assert counted == (sorted(hits[hits > 0].tolist()) if marks == HITS else [])


def test_that_chosen_items_stand_in_front_and_their_nodes_are_outlined() -> None:
    shown = shown_of("c-xim")
    ids = some_matrix().item_ids[:3]
    drawn = figure(shown, MapState(), *ids)
    picture = MapState().picture(shown)
    order = np.lexsort(picture.positions[:3].T)
    found = places(drawn, "chosen items")
    np.testing.assert_allclose(found[np.lexsort(found.T)], picture.positions[:3][order])
    assert len(places(drawn, "other items")) == 57
    chosen = np.isin(np.arange(len(picture.hits)), picture.winners[:3])
    assert picture.grid is not None
    outline = artist(drawn, "selection")
    lines = np.array(corners(outline))
    np.testing.assert_allclose(lines, tiles(picture.grid).outline(chosen))
    assert not artists(figure(shown, MapState()), "selection")


@pytest.mark.parametrize("rows", [0, 2])
def test_that_a_torus_is_drawn_moved_and_repeated_as_on_the_screen(rows: int) -> None:
    shown = shown_of("c-xim", **TORUS)
    still, moved = (MapState(rows=n, columns=n, repeated=bool(n)) for n in (0, rows))
    picture = moved.picture(shown)
    assert picture.grid is not None
    assert picture.colours is not None
    before, after = (artist(figure(shown, state), "cells") for state in (still, moved))
    beyond = 2 if rows else 0
    laid = lay_out(picture.grid, rows=rows, columns=rows, beyond=beyond)
    assert len(after.get_paths()) == len(laid.nodes)
    own = ~laid.repeated[np.argsort(~laid.repeated, kind="stable")]
    colours = picture.colours[laid.nodes[~laid.repeated], :3]
    np.testing.assert_array_equal(face_colours(after)[own], colours)
    assert (face_colours(before).tolist() == face_colours(after)[own].tolist()) == (not rows)


def test_that_shares_are_pies_of_the_classes_that_are_seen() -> None:
    shown = shown_of("som")
    state = MapState(layer="classes", option="kind")
    picture = state.picture(shown)
    assert picture.classes is not None
    pies = artist(figure(shown, state), "pies")
    table = [list(map(float, channels(c))) for c in class_colours(picture.classes, LIGHT)]
    assert {tuple(row) for row in face_colours(pies).tolist()} == set(map(tuple, table))
    n_slices = np.count_nonzero(np.nan_to_num(picture.values) > 0.02)  # type: ignore[arg-type]
    assert len(pies.get_paths()) == n_slices
    fewer = artist(figure(shown, replace(state, hidden=("ribosome",))), "pies")
    assert table[0] not in face_colours(fewer).tolist()


@pytest.mark.parametrize("names", ["", ITEMS, "kind"])
def test_that_names_are_text_above_halos_and_never_above_each_other(names: str) -> None:
    drawn = figure(shown_of("som"), MapState(names=names, marks=NODES), look=Look(width_mm=114.0))
    written = said(drawn, "name")
    assert len(said(drawn, "_halo")) == len(written)
    if names == ITEMS:
        assert all(name.split(" +")[0] in some_matrix().item_ids for name in written)
    assert bool(written) == bool(names)
    assert set(written) <= {"ribosome", "proteasome", "respiration"} or names == ITEMS
    named = [text for text in drawn.axes[0].texts if text.get_label() == "name"]
    # Text with effects would be written as outlines.
    assert not any(text.get_path_effects() for text in named)
    assert_nothing_is_cut(drawn)


def test_that_many_cells_are_pixels_and_few_are_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = shown_of("som")
    assert not artist(figure(shown, MapState()), "cells").get_rasterized()
    monkeypatch.setattr(plots, "MOST_VECTORS", 47)
    drawn = figure(shown, MapState())
    assert artist(drawn, "cells").get_rasterized()
    assert not any(text.get_rasterized() for text in drawn.axes[0].texts)


def test_that_borders_of_clusters_are_drawn() -> None:
    shown = shown_of("som")
    assert shown.run is not None
    found = Clustering(
        method="ward",
        params=Params(),
        seed=0,
        over=ClusteredUnit.NODES,
        clusters=np.repeat([0, 1], 24),
        names=("1", "2"),
    )
    run = replace(shown.run, clustering=found)
    drawn = figure(replace(shown, run=run), MapState())
    assert len(artist(drawn, "borders").get_paths()) == 8


def test_that_pinned_nodes_have_pins() -> None:
    shown = shown_of("c-xim", "finished")
    ids = some_matrix().item_ids
    params = shown.result.params
    assert isinstance(params, AnchorParams)
    pinned = params.replace(anchors=(f"2:3={ids[0]}", f"0={ids[1]}"))
    drawn = figure(replace(shown, result=replace(shown.result, params=pinned)), MapState())
    assert sorted(places(drawn, "pins").tolist()) == [[0.0, 0.0], [2.0, 1.0]]
    assert "pinned" in dict(legend(drawn))
    assert not artists(figure(shown, MapState()), "pins")


def test_that_the_sight_is_kept() -> None:
    axes = axes_named(figure(shown_of("som"), MapState(sight=(1.0, 2.0, 5.0, 4.0))), "map")
    assert axes.get_xlim() == (1.0, 5.0)
    assert axes.get_ylim() == (4.0, 2.0)


@pytest.mark.parametrize("grid", GRIDS, ids=NAMES)
def test_that_every_structure_is_drawn_in_its_own_shape(grid: Grid) -> None:
    drawn = figure(on_grid(grid), MapState())
    assert len(artist(drawn, "cells").get_paths()) == grid.n_nodes
    box = axes_named(drawn, "map").get_position()
    width, height = size_mm(drawn)
    sight = axes_named(drawn, "map")
    across, down = np.ptp(sight.get_xlim()), np.ptp(sight.get_ylim())
    assert box.width * width / (box.height * height) == pytest.approx(across / down)
    assert_nothing_is_cut(drawn)


@pytest.mark.parametrize("width", [85.0, 114.0, 174.0])
def test_that_the_figure_is_as_wide_as_asked_and_no_higher_than_a_page(width: float) -> None:
    drawn: Figure = figure(shown_of("c-xim"), MapState(), look=Look(width_mm=width))
    found = size_mm(drawn)
    assert found[0] == pytest.approx(width)
    assert 0.4 * width < found[1] < 240.0


@pytest.mark.parametrize(
    ("shown", "state"),
    [
        (shown_of("pca"), MapState()),
        (shown_of("c-xim", "finished"), MapState(layer="trust")),
    ],
    ids=["no nodes", "not measured"],
)
def test_that_an_empty_figure_is_refused_with_a_way_out(shown: Shown, state: MapState) -> None:
    with pytest.raises(UserError) as caught:
        figure(shown, state)
    assert caught.value.keys == ("figure.nothing",)
    assert caught.value.problems[0].way_out
