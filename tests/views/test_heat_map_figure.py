"""Contents of the figure of a heat map."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.text import Text

from tests.figures.on_the_page import (
    as_printed,
    assert_readable,
    cells_of,
    found,
    images,
    size_mm,
    texts,
)
from tests.ui.maps_to_show import shown_of, some_matrix
from ximstudio.figures.look import Look
from ximstudio.maps.classes import classes_of
from ximstudio.maps.palettes import coloured
from ximstudio.model.matrix import Matrix
from ximstudio.model.problem import UserError
from ximstudio.model.selection import NOTHING, Selection
from ximstudio.pictures.colouring import class_colours
from ximstudio.pictures.colours import LIGHT, channels
from ximstudio.pictures.raster.heat_raster import HeatTable, heat_codes
from ximstudio.views.common.figure_plan import FigurePlan
from ximstudio.views.heat_map import figure as heat_map_figure
from ximstudio.views.heat_map import rows as heat_map_rows
from ximstudio.views.heat_map.figure import marked_rows
from ximstudio.views.heat_map.picture import HeatMapPicture, SideOrder, value_name
from ximstudio.views.heat_map.rows import HeatMapRows
from ximstudio.views.heat_map.state import HeatMapState

SOME = Selection.of(some_matrix().item_ids[5:25])
TIMES = ("early", "late", "early", "late", "late")
draw_heat_map = as_printed(heat_map_figure.draw_heat_map)
LOOKS = [(174.0, 8.0), (114.0, 7.0), (85.0, 9.0), (85.0, 6.0)]


def plan(
    state: HeatMapState,
    selection: Selection = NOTHING,
    *,
    width: float = 114.0,
    size: float = 7.0,
) -> FigurePlan:
    look = Look(width_mm=width, font_size=size)
    return FigurePlan(state=state, selection=selection, look=look)


def pictured(state: HeatMapState, selection: Selection = NOTHING) -> HeatMapPicture:
    """A heat map whose columns have classes, too."""
    shown = shown_of("som")
    matrix: Matrix = replace(shown.matrix, feature_labels={"time": TIMES})
    assert shown.run is not None
    labelled = replace(shown, matrix=matrix, run=replace(shown.run, matrix=matrix))
    # Of so few columns the view itself makes no classes.
    return replace(state.picture(labelled, selection), column_classes={"time": classes_of(TIMES)})


def drawn(state: HeatMapState, selection: Selection = NOTHING) -> tuple[HeatMapPicture, Figure]:
    picture = pictured(state, selection)
    return picture, draw_heat_map(picture, plan(state, selection))


@cache
def of_rows(n_rows: int, n_columns: int = 30) -> HeatMapPicture:
    """A heat map of so many rows, in reversed order."""
    picture = HeatMapState(which="all").picture(shown_of("som"))
    values = np.random.default_rng(n_rows).normal(size=(n_rows, n_columns))
    names = tuple(f"YAL{number:04d}W" for number in range(n_rows))
    matrix = replace(
        Matrix.from_array(values),
        item_ids=names,
        feature_names=tuple(f"alpha {number}" for number in range(n_columns)),
    )
    order, columns = np.arange(n_rows)[::-1], np.arange(n_columns)
    codes = heat_codes(values[order], 256, low=picture.scale.low, high=picture.scale.high)
    return replace(
        picture,
        shown=replace(picture.shown, matrix=matrix),
        rows=HeatMapRows(names=names, values=values, row_of=np.arange(n_rows)),
        row_order=SideOrder(order=order),
        column_order=SideOrder(order=columns),
        table=HeatTable.of(codes),
        row_classes={},
        column_classes={},
    )


def expected_colours(picture: HeatMapPicture) -> np.ndarray:
    values = picture.rows.values[picture.row_order.order][:, picture.column_order.order]
    return coloured(
        values,
        picture.palette.table,
        low=picture.scale.low,
        high=picture.scale.high,
        blank=channels(LIGHT.empty),
    )


@pytest.mark.parametrize(
    "state",
    [
        HeatMapState(),
        HeatMapState(which="all", by="clustered", columns_by="clustered"),
        HeatMapState(by="label", label="kind", columns_by="time"),
    ],
)
def test_that_every_value_has_its_colour_in_the_order_of_the_screen(state: HeatMapState) -> None:
    picture, figure = drawn(state, SOME)
    (image,) = images(figure, "values")
    expected = expected_colours(picture)
    assert np.isnan(picture.rows.values).any()
    np.testing.assert_array_equal(cells_of(image, *expected.shape[:2]), expected)
    # Whole pixels per value, so that none is smeared.
    assert image.shape[0] % expected.shape[0] == 0
    assert image.shape[1] % expected.shape[1] == 0
    (drawn_image,) = found(figure, AxesImage, "values")
    assert drawn_image.get_interpolation() == "none"


def test_that_rows_and_columns_are_named_in_their_order() -> None:
    picture, figure = drawn(HeatMapState(columns_by="clustered"), SOME)
    names = [picture.rows.names[row] for row in picture.row_order.order.tolist()]
    assert texts(figure, "row name") == names
    features = picture.matrix.feature_names
    order = picture.column_order.order.tolist()
    assert texts(figure, "column name") == [features[column] for column in order]
    places = [one.get_position()[1] for one in found(figure, Text, "row name")]
    assert places == sorted(places)


@pytest.mark.parametrize("n_rows", [20, 120, 600, 7000])
def test_that_names_are_written_if_they_can_be_read_and_counted_if_not(n_rows: int) -> None:
    picture = of_rows(n_rows)
    figure = draw_heat_map(picture, plan(HeatMapState()))
    named = texts(figure, "row name")
    if n_rows <= 120:
        assert len(named) == n_rows
        assert not texts(figure, "row count")
        sizes = {float(one.get_fontsize()) for one in found(figure, Text, "row name")}
        assert min(sizes) >= 4.0
    else:
        assert not named
        assert len(texts(figure, "row count")) == 1
    assert size_mm(figure)[1] <= 236.0
    assert size_mm(figure)[0] == pytest.approx(114.0)


def test_that_more_rows_than_the_paper_has_pixels_are_means_as_on_the_screen() -> None:
    picture = of_rows(7000)
    (image,) = images(draw_heat_map(picture, plan(HeatMapState())), "values")
    assert image.shape[0] < 7000
    assert image.shape[1] % 30 == 0
    # Means of noise are nearer to the middle than the noise itself.
    middle = picture.palette.table[127].astype(int)
    far = np.abs(image[:, ::30].astype(int) - middle).mean()
    alone = np.abs(expected_colours(picture).astype(int) - middle).mean()
    assert far < alone


def test_that_trees_stand_beside_rows_and_above_columns_with_their_leaves_at_the_colours() -> None:
    picture, figure = drawn(HeatMapState(by="clustered", columns_by="clustered"), SOME)
    left, right, bottom, top = found(figure, AxesImage, "values")[0].get_extent()
    (rows,) = found(figure, LineCollection, "row tree")
    (columns,) = found(figure, LineCollection, "column tree")
    beside, above = (np.concatenate(one.get_segments()) for one in (rows, columns))
    assert len(rows.get_segments()) == len(picture.row_order.tree)
    assert beside[:, 0].max() < left
    assert top < beside[:, 1].min() < beside[:, 1].max() < bottom
    assert above[:, 1].max() < top
    assert left < above[:, 0].min() < above[:, 0].max() < right
    # Every leaf is at the middle of its row.
    step = (bottom - top) / 20.0
    leaves = np.unique(beside[np.isclose(beside[:, 0], beside[:, 0].max()), 1].round(6))
    np.testing.assert_allclose(leaves, top + (np.arange(20) + 0.5) * step, atol=1e-5)
    _, plain = drawn(HeatMapState(), SOME)
    assert not found(plain, LineCollection, "row tree")


def test_that_strips_have_the_colours_of_classes_and_legends_name_them() -> None:
    state = HeatMapState(which="all", by="label", label="kind", columns_by="time")
    picture, figure = drawn(state)
    kinds, times = picture.row_classes["kind"], picture.column_classes["time"]
    (strip,) = images(figure, "row strip")
    expected = [channels(class_colours(kinds, LIGHT)[code]) for code in kinds.codes]
    ordered = np.array(expected)[picture.row_order.order]
    np.testing.assert_array_equal(cells_of(strip, 60, 1)[:, 0], ordered)
    (above,) = images(figure, "column strip")
    columns = [channels(class_colours(times, LIGHT)[code]) for code in times.codes]
    in_order = np.array(columns)[picture.column_order.order]
    np.testing.assert_array_equal(cells_of(above, 1, 5)[0], in_order)
    assert texts(figure, "strip name") == ["kind", "time"]
    assert texts(figure, "legend title") == ["kind", "time"]
    assert texts(figure, "legend name") == [*kinds.names, *times.names]


def test_that_hidden_classes_are_blank_and_not_in_the_legend() -> None:
    state = HeatMapState(which="all", hidden=("ribosome",))
    picture, figure = drawn(state)
    kinds = picture.row_classes["kind"]
    (strip,) = images(figure, "row strip")
    cells = cells_of(strip, 60, 1)[:, 0]
    hidden = kinds.codes[picture.row_order.order] == kinds.names.index("ribosome")
    assert (cells[hidden] == channels(LIGHT.empty)).all()
    assert not (cells[~hidden] == channels(LIGHT.empty)).all(axis=1).any()
    assert "ribosome" not in texts(figure, "legend name")


def test_that_rows_of_chosen_items_are_marked_where_there_are_others() -> None:
    state = HeatMapState(which="all", by="table")
    picture, figure = drawn(state, SOME)
    marked = marked_rows(picture, SOME)
    assert marked is not None
    np.testing.assert_array_equal(np.flatnonzero(marked), np.arange(5, 25))
    (marks,) = found(figure, PolyCollection, "marks")
    (shape,) = (np.asarray(path.vertices) for path in marks.get_paths())
    _, _, bottom, top = found(figure, AxesImage, "values")[0].get_extent()
    step = (bottom - top) / 60.0
    assert shape[:, 1].min() == pytest.approx(top + 5 * step)
    assert shape[:, 1].max() == pytest.approx(top + 25 * step)
    assert "20" in texts(figure, "legend count")
    # Nothing has to be marked where all rows are chosen.
    _, only = drawn(HeatMapState(), SOME)
    assert not found(only, PolyCollection, "marks")


def test_that_a_single_marked_row_among_thousands_can_be_seen() -> None:
    picture = of_rows(7000)
    one = Selection.of(["YAL3000W"])
    figure = draw_heat_map(picture, plan(HeatMapState(which="all"), one))
    (marks,) = found(figure, PolyCollection, "marks")
    (shape,) = (np.asarray(path.vertices) for path in marks.get_paths())
    assert np.ptp(shape[:, 1]) >= 0.2


def test_that_the_colour_bar_says_what_values_are_and_that_some_are_blank() -> None:
    picture, figure = drawn(HeatMapState(which="all"))
    assert texts(figure, "bar name") == [value_name(picture)]
    assert texts(figure, "bar blank") == ["blank"]
    assert not texts(draw_heat_map(of_rows(20), plan(HeatMapState())), "bar blank")


def test_that_paper_gives_no_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heat_map_rows, "MOST_ITEMS", 50)
    state = HeatMapState(which="all")
    picture = state.picture(shown_of("som"))
    assert picture.rows.advice in picture.note
    said = " ".join(texts(draw_heat_map(picture, plan(state)), "note"))
    assert picture.rows.note in said
    assert picture.rows.advice not in said


def test_that_a_note_stands_below() -> None:
    picture = replace(of_rows(20), note="Means of 3 nodes.")
    assert texts(draw_heat_map(picture, plan(HeatMapState())), "note") == ["Means of 3 nodes."]
    assert not texts(draw_heat_map(of_rows(20), plan(HeatMapState())), "note")


def test_that_long_names_are_cut_and_many_classes_go_below() -> None:
    shown = shown_of("som")
    kinds = tuple(f"a class with a very long name, number {n % 9}" for n in range(60))
    matrix = replace(shown.matrix, item_labels={"kind": kinds})
    assert shown.run is not None
    wide = replace(shown, matrix=matrix, run=replace(shown.run, matrix=matrix))
    state = HeatMapState(which="all")
    how = plan(state, width=85.0)
    figure = draw_heat_map(state.picture(wide), how)
    assert_readable(figure, how.look, apart=False)
    names = found(figure, Text, "legend name")
    assert len({one.get_text() for one in names}) >= 9
    _, _, bottom, _ = found(figure, AxesImage, "values")[0].get_extent()
    assert min(one.get_position()[1] for one in names) > bottom


def test_that_an_empty_heat_map_is_refused() -> None:
    with pytest.raises(UserError) as refused:
        draw_heat_map(
            replace(of_rows(20), table=HeatTable.of(np.zeros((0, 5), dtype=np.uint16))),
            plan(HeatMapState()),
        )
    assert refused.value.keys == ("figure.nothing",)


@pytest.mark.parametrize(("width", "size"), LOOKS)
def test_that_everything_is_readable_at_any_width(width: float, size: float) -> None:
    state = HeatMapState(by="clustered", columns_by="clustered")
    how = plan(state, SOME, width=width, size=size)
    assert_readable(draw_heat_map(pictured(state, SOME), how), how.look)
    assert_readable(draw_heat_map(of_rows(120), how), how.look, apart=False)


def test_that_columns_whose_names_begin_alike_are_told_apart() -> None:
    state = HeatMapState(which="all")
    picture = pictured(state)
    alike = tuple(f"shock at 37 degrees after transfer to rich medium, day {n}" for n in range(5))
    matrix = replace(picture.shown.matrix, feature_names=alike)
    shown = replace(picture.shown, matrix=matrix)
    assert shown.run is not None
    shown = replace(shown, run=replace(shown.run, matrix=matrix))
    said = texts(draw_heat_map(state.picture(shown), plan(state, width=85.0)), "column name")
    assert sorted(name[-1] for name in said) == list("01234")
