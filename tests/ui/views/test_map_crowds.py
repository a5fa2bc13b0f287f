"""Contract: many items on a map are seen, on the screen as on paper, or it is said why not."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from tests.figures.drawn import artists, face_colours, figure, n_points
from tests.ui.maps_to_show import CURVES, showing
from tests.ui.opened_views import drawn, opened
from ximstudio.export.figure_legend import figure_legend
from ximstudio.model import Matrix
from ximstudio.model.words import grouped
from ximstudio.pictures.colouring import INKS, luminances
from ximstudio.prepare.input import Input
from ximstudio.session import Run
from ximstudio.session.shown import Shown
from ximstudio.train import method_named, train
from ximstudio.ui.views.map.view import MapView
from ximstudio.views.common.figure_plan import FigurePlan
from ximstudio.views.map.picture import MOST_DOTS, MOST_POINTS, NOTHING, POINTS, point_size

pytestmark = pytest.mark.usefixtures("dressed")

READABLE = 3.0
"""Contrast that WCAG asks of graphics."""


@cache
def crowd(n_items: int) -> Shown:
    rng = np.random.default_rng(0)
    matrix = Matrix.from_array(rng.normal(size=(n_items, 3)) ** 3)
    method = method_named("som")
    result = train(matrix, method, method.params.from_values({"shape": (6, 8), "n_steps": 2000}))
    run = Run(
        key="run-1",
        name="SOM 1",
        result=result,
        matrix=matrix,
        input=Input(name="sample:yeast"),
        curves=CURVES,
    )
    return showing(run, (run,))


@pytest.mark.parametrize("n_items", [MOST_DOTS, MOST_DOTS + 1])
def test_that_all_items_are_seen_on_screen_and_paper(qtbot: QtBot, n_items: int) -> None:
    shown, view = crowd(n_items), opened(qtbot, MapView)
    drawn(view, shown)
    points = view.drawing.points
    assert points.isVisible()
    paper = artists(figure(shown, view.state), "items" if n_items > MOST_DOTS else "chosen items")
    assert sum(map(n_points, paper)) == len(points) == n_items
    assert {tuple(ink) for ink in face_colours(paper[0]).tolist()} == {
        tuple(map(float, ink)) for ink in points.colours[:, :3].tolist()
    }


def test_that_points_without_rings_are_read_on_their_cells(qtbot: QtBot) -> None:
    view = opened(qtbot, MapView)
    picture = drawn(view, crowd(MOST_DOTS + 1))
    assert picture.colours is not None
    inks = luminances(view.drawing.points.colours)
    cells = luminances(picture.colours[picture.winners])
    light, dark = np.maximum(inks, cells), np.minimum(inks, cells)
    assert ((light + 0.05) / (dark + 0.05)).min() > READABLE
    assert len(np.unique(inks)) == len(INKS)


@pytest.mark.parametrize("scale", [0.6, 1.0])
def test_that_points_leave_most_of_the_map_to_be_seen(scale: float) -> None:
    for n_items in (MOST_DOTS + 1, 10_000, MOST_POINTS):
        covered = n_items * np.pi / 4.0 * point_size(n_items, scale) ** 2
        assert covered < 0.25 * (480.0 * scale) ** 2


def test_that_items_too_many_to_draw_are_told_of(qtbot: QtBot) -> None:
    shown, view = crowd(MOST_POINTS + 1), opened(qtbot, MapView)
    drawn(view, shown)
    assert not view.drawing.points.isVisible()
    assert grouped(MOST_POINTS + 1) in view.note.text()
    hidden = figure_legend(shown, FigurePlan(state=view.state))
    chosen = figure_legend(shown, FigurePlan(state=replace(view.state, marks=NOTHING)))
    assert "not drawn" in hidden
    assert "not drawn" not in chosen
    view.marks.choose(POINTS)
    assert view.drawing.points.isVisible()
    assert not view.note.text()
    view.marks.choose(NOTHING)
    assert not view.note.text()
