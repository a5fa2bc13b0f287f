"""Contents of the figures of the compare view."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from tests.figures.drawn import (
    artists,
    assert_nothing_is_cut,
    axes_named,
    corners,
    face_colours,
    figure,
    legend,
    n_points,
    said,
    size_mm,
    texts,
)
from tests.measure.comparisons import compared as comparison_of
from tests.ui.maps_to_show import run_of, showing, some_matrix
from ximstudio.export.figure_legend import figure_legend
from ximstudio.figures.look import Look
from ximstudio.figures.panels import columns_for
from ximstudio.figures.sheet import PAGE_MM
from ximstudio.maps.stability import MapStability, map_stability
from ximstudio.measure.catalogue import MEASURES
from ximstudio.model import PrototypeMap
from ximstudio.model.problem import UserError
from ximstudio.pictures.colouring import colours_of, node_shades
from ximstudio.pictures.colours import LIGHT
from ximstudio.pictures.measure_table import value_text
from ximstudio.session import Run
from ximstudio.session.run import Judged
from ximstudio.session.shown import Shown
from ximstudio.train import METHODS, method_named
from ximstudio.views.common.figure_plan import FigurePlan
from ximstudio.views.compare.picture import figures_text
from ximstudio.views.compare.state import CompareState
from ximstudio.views.figure import figure_of
from ximstudio.views.positions.picture import FEATURE, TRUST

FOUR = ("c-xim", "som", "xom", "pca")


def compared(*runs: Run) -> Shown:
    return replace(showing(runs[0], runs), compared=runs)


def four() -> Shown:
    return compared(*(run_of(key) for key in FOUR))


def flipped(run: Run) -> Run:
    """The same map, left for right."""
    model = run.result.model
    assert isinstance(model, PrototypeMap)
    assert run.result.winners is not None
    grid = model.grid
    mirrored = np.arange(grid.n_nodes).reshape(grid.rows, grid.columns)[:, ::-1].ravel()
    positions = run.result.positions * [-1.0, 1.0] + [grid.columns - 1.0, 0.0]
    result = replace(
        run.result,
        model=PrototypeMap(grid=grid, prototypes=model.prototypes[mirrored]),
        positions=positions,
        winners=mirrored[run.result.winners],
    )
    return replace(run, key="flipped", name="flipped", result=result)


@cache
def found(**changes: Any) -> MapStability:
    """What stays of a small map that is made again a few times."""
    run = run_of("som", **changes)
    steps = map_stability(
        run.matrix,
        method_named("som"),
        run.result.params,
        reference=run.result,
        runs=2,
        nulls=2,
        share=0.9,
    )

    def to_the_end() -> Iterator[object]:
        ended.append((yield from steps))

    ended: list[MapStability] = []
    deque(to_the_end(), maxlen=0)
    return ended[0]


def steady(**changes: Any) -> Shown:
    return compared(replace(run_of("som", **changes), stability=found(**changes)))


def test_that_every_run_has_a_panel_with_letter_name_and_figures() -> None:
    shown = four()
    drawn = figure(shown, CompareState())
    assert said(drawn, "letter") == list("abcd")
    assert said(drawn, "panel name") == [run.name for run in shown.compared]
    for run, line in zip(shown.compared, said(drawn, "panel line"), strict=True):
        for part in figures_text(run).split("  "):
            assert part in line
    assert_nothing_is_cut(drawn)


def test_that_items_lie_where_the_screen_has_them_above_shaded_nodes() -> None:
    shown = four()
    picture = CompareState().picture(shown)
    drawn = figure(shown, CompareState())
    for one in picture.panels:
        axes = axes_named(drawn, one.run.name)
        (items,) = [part for part in axes.collections if part.get_label() == "items"]
        there = np.asarray(items.get_offsets())
        np.testing.assert_allclose(
            there[np.lexsort(there.T)], one.places[np.lexsort(one.places.T)], atol=1e-9
        )
        cells = [part for part in axes.collections if part.get_label() == "cells"]
        assert len(cells) == (one.spacing is not None)
        if one.spacing is not None:
            np.testing.assert_array_equal(
                face_colours(cells[0]), node_shades(one.spacing, LIGHT).astype(float)
            )


def test_that_a_turned_map_has_its_cells_turned() -> None:
    shown = compared(run_of("som"), flipped(run_of("som")))
    drawn = figure(shown, CompareState())
    turned = 0
    for one in CompareState().picture(shown).panels:
        if one.grid is None or one.turn is None:
            continue
        cells = [c for c in artists(drawn, "cells") if c.axes.get_label() == one.run.name]  # type: ignore[union-attr]
        middles = np.array([one.mean(axis=0) for one in corners(cells[0])])
        expected = one.turn.moved(one.grid.nodes, one.grid)
        np.testing.assert_allclose(middles, expected, atol=1e-9)
        turned += one.turn.turns
    assert turned == 1


def test_that_there_is_one_legend_or_one_bar_for_all() -> None:
    shown = four()
    drawn = figure(shown, CompareState())
    assert [name for name, _ in legend(drawn)][:2] == ["ribosome", "proteasome"]
    numbers = figure(shown, CompareState(by=FEATURE, option="salt"))
    assert len([axes for axes in numbers.axes if axes.get_label() == "colour bar"]) == 1
    assert not legend(numbers)
    fewer = figure(shown, CompareState(hidden=("ribosome",)))
    assert "ribosome" not in dict(legend(fewer))
    kinds = np.array(some_matrix().item_labels["kind"])
    for part in artists(fewer, "items"):
        assert n_points(part) == (kinds != "ribosome").sum()


def test_that_what_is_chosen_is_marked_in_every_panel() -> None:
    drawn = figure(four(), CompareState(), *some_matrix().item_ids[:5])
    marked = artists(drawn, "chosen items")
    assert [n_points(part) for part in marked] == [5] * 4


@pytest.mark.parametrize("n", range(1, 7))
@pytest.mark.parametrize("width", [85.0, 114.0, 174.0])
def test_that_panels_suit_the_width(n: int, width: float) -> None:
    runs = tuple(replace(run_of("som"), key=f"{i}", name=f"a run number {i}") for i in range(n))
    drawn = figure(compared(*runs), CompareState(), look=Look(width_mm=width, font_size=7.0))
    assert size_mm(drawn)[0] == pytest.approx(width)
    assert size_mm(drawn)[1] < 240.0
    assert len(said(drawn, "letter")) == n
    assert_nothing_is_cut(drawn)
    columns = len({round(text.get_position()[0]) for text in texts(drawn, "letter")})
    assert columns == min(n, columns_for(n, width))
    assert columns <= {85.0: 2, 114.0: 3, 174.0: 4}[width]


@pytest.mark.parametrize("width", [85.0, 174.0])
def test_that_the_table_of_measures_is_text_with_the_best_in_bold(width: float) -> None:
    shown = four()
    table = CompareState().picture(shown).quality.table
    assert table is not None
    drawn = figure(shown, CompareState(), table=True, look=Look(width_mm=width, font_size=7.0))
    values = texts(drawn, "table value")
    shape = len(table.rows), len(table.names)
    assert len(values) == shape[0] * shape[1]
    expected = sorted(
        (value_text(table, row, column), bool(table.best[row, column]))
        for row in range(shape[0])
        for column in range(shape[1])
    )
    assert sorted((t.get_text(), t.get_fontweight() == "bold") for t in values) == expected
    assert set(said(drawn, "table letter")) == set("abcd")
    assert_nothing_is_cut(drawn)
    assert not texts(figure(shown, CompareState()), "table value")


@pytest.mark.parametrize(
    ("shown", "changes"),
    [
        (replace(four(), compared=()), {}),
        (compared(run_of("som", state="finished")), {"by": TRUST}),
        (four(), {"page": "stability"}),
    ],
    ids=["no runs", "not measured", "not made again"],
)
def test_that_an_empty_page_is_refused(shown: Shown, changes: dict[str, Any]) -> None:
    with pytest.raises(UserError) as caught:
        figure(shown, CompareState(**changes))
    assert caught.value.keys == ("figure.nothing",)


def test_that_a_table_of_nothing_is_refused() -> None:
    with pytest.raises(UserError) as caught:
        figure(compared(run_of("som", state="finished")), CompareState(), table=True)
    assert caught.value.keys == ("figure.nothing",)


@pytest.mark.parametrize("width", [85.0, 174.0])
def test_that_stability_shows_ridges_chance_and_wander(width: float) -> None:
    state = CompareState(page="stability")
    picture = state.picture(steady()).stability
    assert picture is not None
    drawn = figure(steady(), state, look=Look(width_mm=width, font_size=7.0))
    assert said(drawn, "letter") == list("abc")
    for land, cells in zip((picture.own, picture.null), artists(drawn, "cells"), strict=False):
        assert land is not None
        table = picture.palette.table
        same = colours_of(land.heights, table, low=picture.low, high=picture.high)
        np.testing.assert_array_equal(face_colours(cells), same[:, :3].astype(float))
    assert picture.own is not None
    ridges = sum(len(part.get_paths()) for part in artists(drawn, "ridges"))
    assert ridges == len(picture.own.lines)
    (items,) = artists(drawn, "items")
    assert n_points(items) == 60
    assert len([axes for axes in drawn.axes if axes.get_label() == "colour bar"]) == 2
    assert_nothing_is_cut(drawn)


@pytest.mark.parametrize("width", [85.0, 174.0])
def test_that_bars_beside_flat_maps_are_whole_and_apart(width: float) -> None:
    shown = steady(shape=(1, 40))
    look = Look(width_mm=width, font_size=7.0)
    drawn = figure(shown, CompareState(page="stability"), look=look)
    bars = [axes for axes in drawn.axes if axes.get_label() == "colour bar"]
    assert len(bars) == 2
    for bar in bars:
        assert bar.get_position().height * size_mm(drawn)[1] > 12.0
    assert_nothing_is_cut(drawn)


def test_that_the_table_below_maps_says_which_of_them_it_cannot_compare() -> None:
    run, other = run_of("som"), run_of("c-xim")
    matrix = replace(other.matrix, values=other.matrix.values + 1.0)
    drawn = figure(compared(run, replace(other, matrix=matrix)), CompareState(), table=True)
    assert other.name in " ".join(said(drawn, "others"))
    assert not said(figure(compared(run, other), CompareState(), table=True), "others")


def test_that_more_maps_than_letters_are_told_apart() -> None:
    run = run_of("som")
    many = compared(*(replace(run, key=f"{n}", name=f"{n}") for n in range(28)))
    drawn = figure(many, CompareState(), look=Look(width_mm=174.0, font_size=7.0))
    assert said(drawn, "letter")[25:] == ["z", "aa", "ab"]
    assert "(ab) Run ‘27’" in figure_legend(many, FigurePlan(state=CompareState()))


# On a page


@cache
def repeated(n: int) -> Shown:
    """So many maps, each repeated; every method that there is, and some of them again."""
    runs = tuple(
        replace(
            run_of(METHODS[i % len(METHODS)].key),
            key=f"{i}",
            name=METHODS[i % len(METHODS)].name,
            result=replace(run_of(METHODS[i % len(METHODS)].key).result),
        )
        for i in range(n)
    )
    values = np.random.default_rng(0).normal(0.7, 0.05, size=(n, 4, len(MEASURES)))
    of_some = comparison_of(values[: len(METHODS)], better=[one.better for one in MEASURES])
    entries = tuple((method_named(run.result.method), run.result.params) for run in runs)
    comparison = replace(
        of_some,
        entries=entries,
        measures=MEASURES,
        values=values,
        errors=np.zeros_like(values),
        n_made=(4,) * n,
        stability=of_some.stability[:1] * n,
    )
    results = tuple((run.result, number) for number, run in enumerate(runs))
    judged = Judged(results=results, comparison=comparison)
    return replace(compared(*runs), judged=judged)


@pytest.mark.parametrize("n", [2, 4, 11, 15])
@pytest.mark.parametrize("width", [85.0, 114.0, 174.0])
@pytest.mark.parametrize(("page", "dots"), [("maps", False), ("maps", True), ("measures", True)])
def test_that_any_number_of_maps_is_on_a_page(n: int, width: float, page: str, dots: bool) -> None:
    look = Look(width_mm=width)
    drawn = figure(repeated(n), CompareState(page=page), look=look, dots=dots)
    assert size_mm(drawn)[0] == pytest.approx(width)
    assert size_mm(drawn)[1] <= PAGE_MM + 1.0
    # T(k) and C(k) are on the page of measures.
    assert len(said(drawn, "letter")) == (n if page == "maps" else 2) + dots
    assert len(said(drawn, "panel name")) == (n if page == "maps" else 0)
    assert_nothing_is_cut(drawn)
    sizes = [float(text.get_fontsize()) for text in drawn.axes[0].texts]
    assert min(sizes) >= look.font_size - 1.0
    named = [run.name for run in repeated(n).compared]
    if dots:
        assert said(drawn, "method name")[:n] == named
        assert len(said(drawn, "measure")) >= 2


FITTING = {
    85.0: [(2, False), (2, True), (4, False)],
    114.0: [(2, False), (2, True), (4, False), (4, True), (6, False)],
    174.0: [(2, False), (2, True), (4, False), (4, True), (6, False), (6, True), (11, False)],
}
"""By width: how many maps share a page with the table, and whether with repetitions, too."""


@pytest.mark.parametrize("n", [2, 4, 6, 11, 15])
@pytest.mark.parametrize("width", [85.0, 114.0, 174.0])
@pytest.mark.parametrize("dots", [False, True])
def test_that_a_table_is_on_the_page_or_the_way_out_is_said(
    n: int, width: float, dots: bool
) -> None:
    plan = FigurePlan(state=CompareState(), look=Look(width_mm=width), table=True, dots=dots)
    fits = (n, dots) in FITTING[width]
    if not fits:
        with pytest.raises(UserError) as caught:
            figure_of(repeated(n), plan)
        assert caught.value.keys == ("figure.high",)
        way_out = caught.value.problems[0].way_out
        assert "table" in way_out
        wider = re.search(r"width of (\d+) mm", way_out)
        fitting = [wide for wide in (114.0, 174.0) if wide > width and (n, dots) in FITTING[wide]]
        assert ([] if wider is None else [float(wider[1])]) == fitting[:1]
        return
    drawn = figure_of(repeated(n), plan)
    assert size_mm(drawn)[1] <= PAGE_MM + 1.0
    assert len(said(drawn, "table value")) == n * (len(MEASURES) + 1)


def test_that_repetitions_that_nobody_made_are_refused() -> None:
    for page in ("maps", "measures"):
        with pytest.raises(UserError) as caught:
            figure(four(), CompareState(page=page), dots=True)
        assert caught.value.keys == ("figure.nothing",)


def test_that_a_poster_is_as_high_as_it_takes() -> None:
    plan = FigurePlan(state=CompareState(), look=Look(width_mm=200.0, font_size=12.0), table=True)
    assert size_mm(figure_of(repeated(15), plan))[1] > PAGE_MM
