"""Contents of the figure of a run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure

from tests.figures.drawn import (
    artist,
    assert_nothing_is_cut,
    axes_named,
    face_colours,
    legend,
    places,
    said,
    size_mm,
)
from tests.ui.maps_to_show import run_of, shown_of
from ximstudio.export.images import BOTH, Asked, write_run_figures
from ximstudio.figures.files import save_figure
from ximstudio.figures.look import Look
from ximstudio.figures.sheet import PAGE_MM
from ximstudio.maps import u_matrix
from ximstudio.maps.cells import cell_corners
from ximstudio.maps.label_kinds import default_class_label
from ximstudio.maps.palettes import PaletteScheme, coloured, default_palette
from ximstudio.model import Grid, Lattice, Matrix, PrototypeMap, Result
from ximstudio.model.problem import UserError
from ximstudio.prepare.input import Input
from ximstudio.session import Run
from ximstudio.session.shown import Shown
from ximstudio.train import METHODS, method_named, train
from ximstudio.views import VIEWS
from ximstudio.views.common.figure_plan import FigurePlan
from ximstudio.views.common.state import ViewState
from ximstudio.views.compare.state import CompareState
from ximstudio.views.figure import figure_of
from ximstudio.views.map.picture import POINTS
from ximstudio.views.map.state import MapState
from ximstudio.views.positions.figure import map_figure
from ximstudio.views.positions.state import PositionsState

LABELS = ["left", "right"] * 10


@pytest.fixture(scope="module")
def matrix() -> Matrix:
    values = np.random.default_rng(0).normal(size=(20, 5))
    names = tuple(f"g{number}" for number in range(20))
    return Matrix(
        values=values,
        item_ids=names,
        feature_names=tuple("abcde"),
        item_labels={"name": names, "side": tuple(LABELS)},
    )


def trained(matrix: Matrix, key: str, lattice: str = "rectangular") -> Result:
    method = method_named(key)
    wanted = {"shape": (4, 6), "n_steps": 300, "lattice": lattice}
    known = method.params.specs()
    settings = {name: value for name, value in wanted.items() if name in known}
    return train(matrix, method, method.params.from_values(settings))


def run_by(matrix: Matrix, result: Result) -> Run:
    return Run(key="run", name="run", result=result, matrix=matrix, input=Input(name="t"))


def shown_by(matrix: Matrix, result: Result) -> Shown:
    run = run_by(matrix, result)
    return Shown(result=result, matrix=matrix, run=run, chosen=run, runs=(run,))


def run_figure(matrix: Matrix, key: str, lattice: str = "rectangular", **changes: Any) -> Figure:
    return both(shown_by(matrix, trained(matrix, key, lattice)), **changes)


def both(shown: Shown, **changes: Any) -> Figure:
    """Map and positions, or positions alone of a map without nodes."""
    plan = FigurePlan(**{"state": MapState(names="", marks=POINTS), "title": "t", **changes})
    if isinstance(shown.result.model, PrototypeMap):
        return map_figure(shown, plan)
    return figure_of(shown, replace(plan, state=PositionsState()))


@pytest.mark.parametrize("key", [method.key for method in METHODS])
def test_that_every_item_is_drawn_once_with_its_class_in_the_legend(
    key: str, matrix: Matrix
) -> None:
    result = trained(matrix, key)
    drawn = both(shown_by(matrix, result))
    found, expected = places(drawn, "items"), result.positions
    np.testing.assert_allclose(found[np.lexsort(found.T)], expected[np.lexsort(expected.T)])
    assert [name for name, _ in legend(drawn)] == ["left", "right"]
    assert said(drawn, "legend count") == ["10", "10"]
    assert said(drawn, "title") == ["t"]
    assert_nothing_is_cut(drawn)


@pytest.mark.parametrize("depth", [1, 3])
def test_that_every_layer_of_a_block_is_framed_and_named(matrix: Matrix, depth: int) -> None:
    method = method_named("c-xim")
    settings = {"shape": (4, 6), "n_steps": 300, "lattice": "cubic", "depth": depth}
    result = train(matrix, method, method.params.from_values(settings))
    drawn = both(shown_by(matrix, result))
    names = said(drawn, "layer name")
    axes = axes_named(drawn, "positions")
    frames = [patch for patch in axes.patches if patch.get_label() == "layer"]
    if depth == 1:
        assert not names
        assert not frames
        return
    assert names == ["layer 1 of 3", "layer 2 of 3", "layer 3 of 3"]
    assert len(frames) == 3
    dots = axes.transData.transform(places(drawn, "items"))
    inside = [frame.get_extents().count_contains(dots) for frame in frames]
    assert sum(inside) == len(dots) == 20


@pytest.mark.parametrize("lattice", ["rectangular", "hexagonal"])
def test_that_the_map_shows_the_u_matrix_in_cells_that_tile_the_plane(
    lattice: str, matrix: Matrix
) -> None:
    result = trained(matrix, "c-xim", lattice)
    assert isinstance(result.model, PrototypeMap)
    cells = artist(run_figure(matrix, "c-xim", lattice), "cells")
    heights, table = u_matrix(result.model), default_palette(PaletteScheme.SEQUENTIAL).table
    low, high = float(heights.min()), float(heights.max())
    colours = coloured(heights, table, low=low, high=high, blank=(0, 0, 0))
    np.testing.assert_array_equal(face_colours(cells), colours.astype(float))
    corners = cell_corners(result.model.grid)
    x, y = corners.T
    area = 0.5 * abs(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1)))
    assert area == pytest.approx(result.model.grid.row_height)


def test_that_hexagons_touch_their_neighbours_along_an_edge() -> None:
    grid = Grid(2, 2, Lattice.HEXAGONAL)
    cells = [
        {tuple(corner) for corner in np.round(node + cell_corners(grid), 6).tolist()}
        for node in grid.nodes
    ]
    for left, right in grid.edges.tolist():
        assert len(cells[left] & cells[right]) == 2


def test_that_size_and_resolution_are_as_asked(matrix: Matrix, tmp_path: Path) -> None:
    from matplotlib.image import imread

    look = Look(width_mm=85.0, dpi=200.0)
    figure = run_figure(matrix, "som", look=look)
    assert figure.get_size_inches()[0] == pytest.approx(85.0 / 25.4)
    save_figure(figure, tmp_path / "map.png", look)
    assert imread(tmp_path / "map.png").shape[1] == int(85.0 / 25.4 * 200.0)


def test_that_all_formats_are_written_and_text_stays_text(matrix: Matrix, tmp_path: Path) -> None:
    names = ("map.pdf", "map.svg", "map.png", "map.tiff")
    asked = Asked(figures=tuple((name, BOTH) for name in names))
    assert write_run_figures(tmp_path, asked, run_by(matrix, trained(matrix, "c-xim"))) == ()
    assert {path.name for path in tmp_path.iterdir()} == set(names)
    svg = (tmp_path / "map.svg").read_text(encoding="utf-8")
    assert ">left</text>" in svg
    assert b"/FontFile2" in (tmp_path / "map.pdf").read_bytes()


@pytest.mark.parametrize(("view", "cells"), [("both", 1), ("map", 1), ("positions", 0)])
@pytest.mark.parametrize("key", ["c-xim", "pca"])
def test_that_a_run_is_drawn_in_the_view_and_width_that_is_asked_for(
    key: str, view: str, cells: int, matrix: Matrix, tmp_path: Path
) -> None:
    look = Look(width_mm=85.0, font_size=6.0)
    result = trained(matrix, key)
    asked = Asked(figures=(("map.svg", view),), look=look, label="side")
    assert write_run_figures(tmp_path, asked, run_by(matrix, result)) == ()
    svg = (tmp_path / "map.svg").read_text(encoding="utf-8")
    assert svg.partition('width="')[2].startswith('85mm"')
    assert ("mean distance" in svg) == (bool(cells) and key != "pca")
    assert ">side</text>" in svg


def test_that_a_label_that_names_every_item_does_not_colour(matrix: Matrix) -> None:
    assert default_class_label(matrix) == "side"
    assert default_class_label(Matrix.from_array(np.eye(3))) is None


@pytest.mark.parametrize("kind", [kind.state_class for kind in VIEWS])
def test_that_type_too_large_for_the_width_is_refused_and_not_drawn_over(
    kind: type[ViewState],
) -> None:
    # A bar stands beside; a legend would give way.
    state = kind(by="feature") if kind in (PositionsState, CompareState) else kind()
    shown = replace(shown_of("som"), compared=(run_of("som"),))
    with pytest.raises(UserError) as refused:
        figure_of(shown, FigurePlan(state=state, look=Look(width_mm=30.0, font_size=24.0)))
    assert refused.value.problems[0].key == "figure.narrow"


@pytest.mark.parametrize("state", [MapState(), PositionsState()], ids=["map", "positions"])
@pytest.mark.parametrize("width", [85.0, 114.0, 174.0])
def test_that_a_high_map_stays_on_the_page_with_title_and_legend(
    width: float, state: ViewState
) -> None:
    shown = shown_of("som", shape=(40, 4))
    look = Look(width_mm=width)
    for drawn in (
        figure_of(shown, FigurePlan(state=state, look=look, title="t")),
        both(shown, look=look),
    ):
        assert size_mm(drawn)[0] == pytest.approx(width)
        assert size_mm(drawn)[1] <= PAGE_MM + 1.0
        assert "ribosome" in dict(legend(drawn))
        assert_nothing_is_cut(drawn)
