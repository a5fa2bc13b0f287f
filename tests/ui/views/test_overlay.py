"""Overlay of a map: borders of clusters, and projected items."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPointF
from pytestqt.qtbot import QtBot

from tests.ui.explored import clustered, shown, with_new
from tests.ui.maps_to_show import run_of
from tests.ui.opened_views import drawn, opened
from ximstudio.maps.cells import tiles
from ximstudio.maps.clusters import borders, items_of
from ximstudio.maps.sides import drawn_borders
from ximstudio.model.result import PrototypeMap
from ximstudio.pictures.set_classes import cluster_classes
from ximstudio.ui.views.common.canvas_view import CanvasView
from ximstudio.ui.views.common.class_colours import cluster_colours
from ximstudio.ui.views.map.view import MapView
from ximstudio.ui.views.positions.view import PositionsView
from ximstudio.ui.widgets.look.theme import Scheme, the_theme
from ximstudio.views.positions.picture import CLUSTERS

pytestmark = pytest.mark.usefixtures("dressed")


def lines_of(view: MapView) -> set[tuple[float, ...]]:
    return {
        tuple(round(each, 6) for each in (line.x1(), line.y1(), line.x2(), line.y2()))
        for line in view.overlay.borders.lines
    }


def rounded(segments: np.ndarray) -> set[tuple[float, ...]]:
    return {tuple(round(each, 6) for each in line) for line in segments.reshape(-1, 4).tolist()}


def test_that_borders_are_drawn_above_any_layer_and_go_with_the_clusters(qtbot: QtBot) -> None:
    view, run = opened(qtbot, MapView), clustered()
    drawn(view, shown(run_of("som", state="finished")))
    assert not view.overlay.borders.lines

    drawn(view, shown(run))
    assert isinstance(run.result.model, PrototypeMap)
    assert run.clustering is not None
    expected = rounded(borders(run.result.model.grid, run.clustering.clusters))
    assert len(expected) > 3
    assert lines_of(view) == expected
    above = [item.zValue() for item in (view.drawing.map, view.drawing.points)]
    assert view.overlay.borders.zValue() > max(above)
    for layer in ("hits", "classes"):
        view.layers.choose(layer)
        drawn(view, shown(run))
        assert lines_of(view) == expected

    drawn(view, shown(replace(run, clustering=None)))
    assert not view.overlay.borders.lines
    assert not view.overlay.borders.isVisible()


@pytest.mark.parametrize("lattice", ["rectangular", "hexagonal"])
def test_that_borders_move_with_a_torus_across_its_seams(qtbot: QtBot, lattice: str) -> None:
    view = opened(qtbot, MapView)
    run = clustered("som", toroidal=True, lattice=lattice, n_clusters=4)
    drawn(view, shown(run))
    assert isinstance(run.result.model, PrototypeMap)
    assert run.clustering is not None
    grid = run.result.model.grid
    before = lines_of(view)

    view.shift.move(2, 3)
    moved = drawn_borders(tiles(grid, rows=2, columns=3, beyond=0), run.clustering.clusters)
    assert lines_of(view) == rounded(moved) != before
    view.shift.move(0, 0)
    assert lines_of(view) == before


def test_that_new_items_are_marked_where_they_were_placed(qtbot: QtBot) -> None:
    run = with_new(run_of("som", state="finished"))
    placed = run.projected[0].items
    assert placed.strange[[0, 3]].tolist() == [False, True]
    both: tuple[CanvasView[Any, Any], ...] = (opened(qtbot, MapView), opened(qtbot, PositionsView))
    for view in both:
        drawn(view, shown(run))
        marks = view.overlay.projected
        near, strange = (np.column_stack(item.getData()) for item in (marks.near, marks.strange))
        np.testing.assert_allclose(near, placed.positions[~placed.strange])
        np.testing.assert_allclose(strange, placed.positions[placed.strange])
        drawn(view, shown(replace(run, projected=())))
        assert marks.n_marks == 0


def test_that_the_card_tells_about_a_new_item_before_what_is_below_it(qtbot: QtBot) -> None:
    view = opened(qtbot, MapView)
    run = with_new(run_of("som", state="finished"))
    drawn(view, shown(run))
    marks = view.overlay.projected

    view.canvas.hovered.emit(marks.place_of(3))
    assert view.card.isVisible()
    assert view.card.title == "odd"
    view.canvas.hovered.emit(far_from(view))
    assert view.card.title != "odd"


def far_from(view: MapView) -> QPointF:
    """The middle of a node that no new item is near to."""
    places = view.overlay.projected._places
    nodes = [view.drawing.place_of(node) for node in range(48)]
    gaps = [np.hypot(*(places - (node.x(), node.y())).T).min() for node in nodes]
    return nodes[int(np.argmax(gaps))]


def test_that_marks_follow_the_theme(qtbot: QtBot) -> None:
    view = opened(qtbot, MapView)
    drawn(view, shown(with_new(run_of("som", state="finished"))))
    marks = view.overlay.projected
    before = marks.near.opts["brush"].color().name()
    the_theme().choose(Scheme.DARK)
    assert marks.near.opts["brush"].color().name() == the_theme().colours.accent.lower() != before


def test_that_positions_can_be_coloured_by_clusters_as_long_as_there_are_some(qtbot: QtBot) -> None:
    view, run = opened(qtbot, PositionsView), clustered()
    drawn(view, shown(run))
    view.colouring.choose(CLUSTERS)
    picture = drawn(view, shown(run))
    assert run.clustering is not None
    assert picture.by == CLUSTERS
    assert picture.classes is not None
    assert picture.classes.names == run.clustering.names
    np.testing.assert_array_equal(
        picture.classes.codes, items_of(run.clustering, run.result.winners)
    )

    picture = drawn(view, shown(replace(run, clustering=None)))
    assert picture.by != CLUSTERS
    assert view.colouring.key == picture.by


def test_that_many_clusters_share_grey_and_those_of_none_are_told_apart() -> None:
    run = clustered(n_clusters=14)
    assert run.clustering is not None
    of_item = np.arange(60) % 15 - 1
    classes = cluster_classes(run.clustering, of_item)
    assert classes.n_own == 12
    assert classes.names[12:] == ("other", "no cluster")
    assert classes.counts.sum() == 60
    assert set(classes.codes[of_item < 0].tolist()) == {13}
    assert set(classes.codes[of_item >= 12].tolist()) == {12}
    colours = cluster_colours(14)
    assert colours[12] == colours[13]
    assert len(set(colours[:12])) == 12
