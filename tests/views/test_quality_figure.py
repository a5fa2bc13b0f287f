"""Contents of the figure of the quality view, and of the measures of compared runs."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
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
from tests.ui.maps_to_show import run_of, showing, shown_of
from ximstudio.figures.look import Look
from ximstudio.model.problem import UserError
from ximstudio.pictures.colours import LIGHT, channels
from ximstudio.pictures.curves import run_colour
from ximstudio.pictures.density import count_levels, density_table
from ximstudio.pictures.measure_table import MeasureTable, value_text
from ximstudio.session.shown import Shown
from ximstudio.views.common.figure_plan import FigurePlan
from ximstudio.views.compare import figure as compare_figure
from ximstudio.views.compare.picture import ComparePicture
from ximstudio.views.compare.state import CompareState
from ximstudio.views.quality import figure as quality_figure
from ximstudio.views.quality.picture import QualityPicture
from ximstudio.views.quality.state import QualityState

draw_quality = as_printed(quality_figure.draw_quality)
draw_measures = as_printed(compare_figure.draw_measures)
LOOKS = [(174.0, 8.0), (114.0, 6.0), (85.0, 7.0), (85.0, 9.0), (174.0, 9.0)]


@cache
def runs_shown() -> Shown:
    runs = tuple(run_of(key) for key in ("som", "xom", "pca"))
    return replace(showing(runs[1], runs), compared=runs)


@cache
def quality() -> QualityPicture:
    return QualityState().picture(runs_shown())


@cache
def compared() -> ComparePicture:
    return CompareState(page="measures").picture(runs_shown())


def plan(width: float = 174.0, size: float = 8.0, *, table: bool = False) -> FigurePlan:
    look = Look(width_mm=width, font_size=size)
    return FigurePlan(state=QualityState(), look=look, table=table)


@cache
def drawn(*, table: bool = False) -> Figure:
    """The figure of the picture at its usual size."""
    return draw_quality(quality(), plan(table=table))


def axes_of(figure: Figure, label: str) -> Axes:
    (axes,) = (one for one in figure.axes if one.get_label() == label)
    return axes


def test_that_the_curves_are_those_of_the_picture_in_the_colours_of_the_screen() -> None:
    picture = quality()
    figure = drawn()
    for part in ("trust", "continuity"):
        lines = axes_of(figure, part).lines
        assert [line.get_label() for line in lines] == ["som", "xom", "pca"]
        for number, (run, line) in enumerate(zip(picture.runs, lines, strict=True)):
            values = getattr(run, part)
            np.testing.assert_array_equal(line.get_xdata(), np.arange(1, len(values) + 1))
            np.testing.assert_array_equal(line.get_ydata(), values)
            # The one that is shown stands out.
            expected = run_colour(number, LIGHT, faint=run.key != picture.shown)
            assert to_hex(line.get_color()) == expected.lower()


def test_that_both_plots_have_the_same_axes() -> None:
    figure = drawn()
    trust, continuity = (axes_of(figure, part) for part in ("trust", "continuity"))
    assert trust.get_ylim() == continuity.get_ylim()
    assert trust.get_xlim() == continuity.get_xlim()
    low, high = trust.get_ylim()
    both = np.concatenate([part for run in quality().runs for part in (run.trust, run.continuity)])
    assert low < both.min()
    assert both.max() < high


def test_that_names_stand_at_the_ends_of_curves_or_in_a_legend() -> None:
    figure = drawn()
    assert texts(figure, "curve name") == ["som", "xom", "pca"] * 2
    colours = [str(one.get_color()) for one in found(figure, Text, "curve name")]
    lines = [line for part in ("trust", "continuity") for line in axes_of(figure, part).lines]
    assert colours == [line.get_color() for line in lines]
    long = replace(
        quality(),
        runs=tuple(replace(run, name=f"{run.name} of a very long name") for run in quality().runs),
    )
    narrow = draw_quality(long, plan(85.0))
    assert not texts(narrow, "curve name")
    assert len(texts(narrow, "legend name")) >= 3


def test_that_shepard_diagram_and_co_ranking_are_images_of_the_counts() -> None:
    picture = quality()
    assert picture.shepard is not None
    assert picture.co_ranking is not None
    figure = drawn()
    table = density_table(LIGHT)
    for label, counts in (
        ("shepard", picture.shepard.shares),
        ("co-ranking", picture.co_ranking.astype(np.float64)),
    ):
        (image,) = axes_of(figure, label).images
        pixels = np.asarray(image.get_array())
        assert image.get_interpolation() == "none"
        expected = table[count_levels(counts)].T
        colours = cells_of(pixels, *expected.shape).astype(np.uint32)
        some = expected > 0
        packed = colours[..., 0] << 16 | colours[..., 1] << 8 | colours[..., 2] | 0xFF000000
        np.testing.assert_array_equal(packed[some], expected[some])
        # White and not transparent: viewers would draw seams.
        assert (colours[~some] == 255).all()
        assert colours.shape[-1] == 3
    (fit,) = axes_of(figure, "shepard").lines
    np.testing.assert_array_equal(fit.get_xdata(), picture.shepard.fit_data)
    np.testing.assert_array_equal(fit.get_ydata(), picture.shepard.fit_map)
    assert to_hex(fit.get_color()) == LIGHT.series[1].lower()
    assert axes_of(figure, "shepard").get_xlim() == (0.0, picture.shepard.data_edges[-1])


def test_that_panels_have_letters_and_the_table_comes_if_it_is_planned() -> None:
    assert texts(drawn(), "letter") == list("abcd")
    figure = drawn(table=True)
    assert texts(figure, "letter") == list("abcde")
    assert not texts(drawn(), "table value")
    bare = replace(quality(), shepard=None, co_ranking=None)
    assert texts(draw_quality(bare, plan()), "letter") == list("ab")


def table_is_drawn(figure: Figure, table: MeasureTable) -> None:
    n_rows, n_columns = table.values.shape
    assert texts(figure, "table name") == list(table.names)
    assert texts(figure, "table title") == [row.title for row in table.rows]
    arrows = [row.arrow for row in table.rows]
    assert texts(figure, "table arrow") == arrows
    assert {"↑", "↓"} <= set(arrows)
    values = found(figure, Text, "table value")
    expected = [value_text(table, r, c) for r in range(n_rows) for c in range(n_columns)]
    assert [one.get_text() for one in values] == expected
    bold = [one.get_fontweight() == "bold" for one in values]
    assert bold == table.best.ravel().tolist()
    assert any(bold)


def test_that_the_table_is_text_with_the_best_in_bold_and_the_shown_run_tinted() -> None:
    picture = quality()
    assert picture.table is not None
    figure = drawn(table=True)
    table_is_drawn(figure, picture.table)
    (shade,) = found(figure, Rectangle, "shown run")
    (name,) = (one for one in found(figure, Text, "table name") if one.get_text() == "xom")
    right = shade.get_x() + shade.get_width()
    assert shade.get_x() < name.get_position()[0] <= right


def many_runs(n: int) -> MeasureTable:
    """A table of so many runs."""
    table = quality().table
    assert table is not None
    return replace(
        table,
        keys=tuple(f"run-{number}" for number in range(n)),
        names=tuple(f"run {number}" for number in range(n)),
        values=np.tile(table.values[:, :1], n),
        errors=np.tile(table.errors[:, :1], n),
        best=np.tile(table.best[:, :1], n),
        waiting=np.zeros(n, dtype=np.bool_),
    )


def test_that_runs_that_do_not_fit_beside_others_follow_below_and_none_is_lost_in_silence() -> None:
    many = 30
    table = many_runs(many)
    figure = draw_quality(replace(quality(), table=table), plan(table=True))
    names = texts(figure, "table name")
    assert 8 < len(names) < many
    assert names == list(table.names[: len(names)])
    assert str(many - len(names)) in " ".join(texts(figure, "table note"))
    assert size_mm(figure)[1] <= 236.0


def test_that_all_runs_are_there_where_the_page_has_room_for_two_parts_of_the_table() -> None:
    table = many_runs(9)
    picture = replace(compared(), quality=replace(compared().quality, table=table))
    figure = draw_measures(picture, plan(85.0, 8.0))
    assert len(texts(figure, "table arrow")) == 2 * len(table.rows)
    values = texts(figure, "table value")
    assert len(values) == table.values.size
    assert size_mm(figure)[1] <= 236.0


def test_that_titles_take_several_lines_before_runs_stand_below_each_other() -> None:
    table = compared().quality.table
    assert table is not None
    figure = draw_measures(compared(), plan(70.0, 9.0))
    assert len(texts(figure, "table arrow")) == len(table.rows)
    lines = texts(figure, "table title")
    assert len(lines) > len(table.rows)
    assert " ".join(lines) == " ".join(row.title for row in table.rows)


def test_that_long_names_take_several_lines_before_runs_stand_below_each_other() -> None:
    table = compared().quality.table
    assert table is not None
    wide = replace(table, names=tuple(f"{name} with a long name of its own" for name in "abc"))
    picture = replace(compared(), quality=replace(compared().quality, table=wide))
    figure = draw_measures(picture, plan(114.0))
    assert len(texts(figure, "table title")) == len(table.rows)
    words = [word for name in wide.names for word in name.split()]
    assert sorted(" ".join(texts(figure, "table name")).split()) == sorted(words)


def test_that_runs_of_other_data_are_named() -> None:
    figure = draw_quality(
        replace(quality(), others=("SOM 9",), why_apart="SOM 9: other data."), plan()
    )
    assert any("SOM 9" in text for text in texts(figure, "others"))
    assert not texts(drawn(), "others")


@pytest.mark.parametrize("state", ["live", "finished"])
def test_that_what_is_not_measured_is_refused(state: str) -> None:
    picture = QualityState().picture(shown_of("som", state))
    with pytest.raises(UserError) as refused:
        draw_quality(picture, plan())
    assert refused.value.keys == ("figure.nothing",)


@pytest.mark.parametrize(("width", "size"), LOOKS)
def test_that_everything_is_readable_at_any_width(width: float, size: float) -> None:
    how = plan(width, size, table=True)
    figure = draw_quality(quality(), how)
    assert_readable(figure, how.look)
    sizes = {one.get_fontsize() for one in found(figure, Text, "axis name")}
    assert sizes == {size}
    assert {one.get_fontsize() for one in found(figure, Text, "table value")} == {size - 1.0}
    ticks = axes_of(figure, "trust").get_xticklabels()
    assert {one.get_fontsize() for one in ticks} == {size - 1.0}


def test_that_no_text_is_smaller_than_five_points() -> None:
    figure = draw_quality(quality(), plan(85.0, 5.0, table=True))
    every = [one for axes in figure.axes for one in axes.get_children() if isinstance(one, Text)]
    assert min(one.get_fontsize() for one in every if one.get_text()) == 5.0


def test_that_a_title_stands_above_only_if_it_is_given() -> None:
    assert not texts(drawn(), "title")
    titled = replace(plan(), title="Maps of $yeast_1$")
    assert texts(draw_quality(quality(), titled), "title") == ["Maps of $yeast_1$"]


# Measures of compared runs


def test_that_compared_runs_have_both_curves_in_full_colour_and_their_table() -> None:
    picture = compared()
    assert picture.quality.table is not None
    figure = draw_measures(picture, plan())
    table_is_drawn(figure, picture.quality.table)
    assert texts(figure, "letter") == list("abc")
    for part in ("trust", "continuity"):
        colours = [to_hex(line.get_color()) for line in axes_of(figure, part).lines]
        assert colours == [LIGHT.series[number].lower() for number in range(3)]


def test_that_means_of_repetitions_take_the_place_of_single_runs() -> None:
    picture = compared()
    assert picture.quality.table is not None
    table = replace(
        picture.quality.table,
        errors=np.full(picture.quality.table.values.shape, 0.0125),
        repeats=10,
        n_made=(10, 7, 10),
    )
    figure = draw_measures(replace(picture, repeated=table), plan())
    table_is_drawn(figure, table)
    assert any("(" in text for text in texts(figure, "table value"))
    note = " ".join(texts(figure, "table note"))
    assert "10" in note
    assert "xom 7" in note


def test_that_runs_without_measures_are_refused() -> None:
    run = run_of("som", state="finished")
    shown = replace(showing(run, (run,)), compared=(run,))
    for what in (shown, replace(shown, compared=())):
        picture = CompareState(page="measures").picture(what)
        with pytest.raises(UserError) as refused:
            draw_measures(picture, plan())
        assert refused.value.keys == ("figure.nothing",)


@pytest.mark.parametrize(("width", "size"), LOOKS)
def test_that_measures_are_readable_at_any_width(width: float, size: float) -> None:
    how = plan(width, size)
    assert_readable(draw_measures(compared(), how), how.look)


def test_that_the_colour_bars_have_the_colours_of_the_counts() -> None:
    bars = [
        np.asarray(one.images[0].get_array())[:, 0, :3]
        for one in drawn().axes
        if one.get_label() == "colour bar"
    ]
    assert len(bars) == 2
    assert tuple(bars[0][-1]) == channels(LIGHT.text)
    assert not images(drawn(), "values")
