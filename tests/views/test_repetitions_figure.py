"""Repetitions of methods on paper: every run a dot."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from tests.figures.on_the_page import assert_readable, size_mm, texts
from tests.measure.comparisons import HIGHER, LOWER, NEITHER, compared
from ximstudio.figures.look import Look, on_paper
from ximstudio.figures.sheet import PAGE_MM, PaperSheet
from ximstudio.measure.comparison import Comparison
from ximstudio.model.arrays import Floats
from ximstudio.train import METHODS
from ximstudio.views.compare.repetitions_figure import BEST, BETTER, draw_dots

VALUES = np.random.default_rng(0).normal(0.7, 0.05, size=(3, 6, 3))


def figure(comparison: Comparison, look: Look | None = None) -> Figure:
    look = Look() if look is None else look
    names = [method.name for method in comparison.methods]
    with on_paper(look):
        sheet = PaperSheet(look)
        return sheet.finish(draw_dots(sheet, comparison, names, sheet.top, lowest=PAGE_MM))


def panels(values: Floats) -> list[Axes]:
    return [axes for axes in figure(compared(values)).axes if axes.get_label() != "paper"]


def dots(axes: Axes) -> list[Floats]:
    """The values of the dots of every method, from top to bottom."""
    return [np.asarray(line.get_xdata()) for line in axes.lines if line.get_marker() == "o"]


def test_that_every_run_is_a_dot_in_the_panel_of_its_measure() -> None:
    found = panels(VALUES)
    assert len(found) == 4  # and wander
    for number, axes in enumerate(found[:3]):
        np.testing.assert_array_equal(dots(axes), VALUES[:, :, number])


def test_that_methods_go_from_top_to_bottom_in_the_order_given() -> None:
    assert texts(figure(compared(VALUES)), "method name") == [one.name for one in METHODS[:3]]
    low, high = panels(VALUES)[0].get_ylim()
    assert low > high


def test_that_only_the_best_method_stands_out_and_only_where_there_is_one() -> None:
    higher, lower, neither, _ = panels(VALUES)
    means = VALUES.mean(axis=1)
    for axes, best in ((higher, means[:, 0].argmax()), (lower, means[:, 1].argmin())):
        colors = [to_hex(line.get_color()) for line in axes.lines if line.get_marker() == "o"]
        assert [color == BEST.lower() for color in colors] == [n == best for n in range(3)]
    assert BEST.lower() not in {to_hex(line.get_color()) for line in neither.lines}
    said = texts(figure(compared(VALUES)), "better")
    assert said[:3] == [BETTER[HIGHER], BETTER[LOWER], ""]
    assert NEITHER not in BETTER


def test_that_a_method_without_the_measure_is_named_as_such() -> None:
    values = VALUES.copy()
    values[1, :, 0] = np.nan
    axes = panels(values)[0]
    assert [text.get_text() for text in axes.texts] == ["does not apply"]
    assert len(dots(axes)) == 2


def test_that_what_the_table_prints_alike_does_not_look_different() -> None:
    values = np.full((2, 3, 1), 0.7) + np.array([0.0, 1e-9]).reshape(2, 1, 1)
    low, high = panels(values)[0].get_xlim()
    assert high - low > 1e-3


def test_that_the_legend_says_what_dots_marks_and_shades_are() -> None:
    several, one = figure(compared(VALUES)), figure(compared(VALUES[:, :1]))
    assert texts(several, "legend name") == ["a run", "mean", "± standard deviation", "best"]
    assert texts(one, "legend name") == ["the only run", "best"]


@pytest.mark.parametrize("width", [85.0, 114.0, 174.0])
@pytest.mark.parametrize(("methods", "runs", "measures"), [(2, 1, 4), (3, 3, 16), (11, 10, 23)])
def test_that_a_page_has_room_for_it_and_what_it_has_no_room_for_is_said(
    methods: int, runs: int, measures: int, width: float
) -> None:
    values = np.random.default_rng(1).normal(0.7, 0.1, size=(methods, runs, measures))
    comparison = compared(values, better=[HIGHER, LOWER, NEITHER, HIGHER] * 6)
    long = [
        replace(measure, name="Preservation of neighbourhoods of all sizes")
        for measure in comparison.measures
    ]
    look = Look(width_mm=width)
    drawn = figure(replace(comparison, measures=tuple(long)), look)
    assert_readable(drawn, look)
    n_drawn = len([axes for axes in drawn.axes if axes.get_label() != "paper"])
    n_wanted = measures + (runs > 1)
    assert n_drawn >= min(2, n_wanted)
    said = " ".join(texts(drawn, "left out"))
    assert (f"{n_wanted - n_drawn} more" in said) == (n_drawn < n_wanted)


def test_that_few_methods_stand_as_far_apart_as_suits_them() -> None:
    few, many = size_mm(figure(compared(VALUES)))[1], size_mm(figure(compared(VALUES[:2])))[1]
    assert many < few < PAGE_MM / 2.0
