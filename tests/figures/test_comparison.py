"""The figure of a comparison."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_hex

from tests.measure.comparisons import HIGHER, LOWER, NEITHER, compared
from ximstudio.figures import save_figure
from ximstudio.figures.comparison import BEST, BETTER, comparison_figure
from ximstudio.model.arrays import Floats
from ximstudio.train import METHODS

VALUES = np.random.default_rng(0).normal(0.7, 0.05, size=(3, 6, 3))


def panels(values: Floats) -> list[Axes]:
    axes = comparison_figure(compared(values), title="t").axes
    return [one for one in axes if one.get_title()]


def dots(axes: Axes) -> list[Floats]:
    """The values of the dots of every method, from top to bottom."""
    return [np.asarray(line.get_xdata()) for line in axes.lines if line.get_marker() == "o"]


def test_that_every_run_is_a_dot_in_the_panel_of_its_measure() -> None:
    found = panels(VALUES)
    assert len(found) == 4  # and wander
    for number, axes in enumerate(found[:3]):
        np.testing.assert_array_equal(dots(axes), VALUES[:, :, number])


def test_that_methods_go_from_top_to_bottom_in_the_order_given() -> None:
    axes = panels(VALUES)[0]
    names = [label.get_text() for label in axes.get_yticklabels()]
    assert names == [method.name for method in METHODS[:3]]
    low, high = axes.get_ylim()
    assert low > high


def test_that_only_the_best_method_stands_out_and_only_where_there_is_one() -> None:
    higher, lower, neither, _ = panels(VALUES)
    means = VALUES.mean(axis=1)
    for axes, best in ((higher, means[:, 0].argmax()), (lower, means[:, 1].argmin())):
        colors = [to_hex(line.get_color()) for line in axes.lines if line.get_marker() == "o"]
        assert [color == BEST.lower() for color in colors] == [n == best for n in range(3)]
    assert BEST.lower() not in {to_hex(line.get_color()) for line in neither.lines}
    said = [axes.get_xlabel() for axes in (higher, lower, neither)]
    assert said == [BETTER[HIGHER], BETTER[LOWER], ""]
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


@pytest.mark.parametrize(
    ("methods", "runs", "measures"), [(2, 1, 4), (2, 10, 4), (3, 3, 16), (5, 10, 23)]
)
def test_that_no_text_is_clipped_or_overlaps_and_a_page_is_wide_and_high_enough(
    methods: int, runs: int, measures: int
) -> None:
    values = np.random.default_rng(1).normal(0.7, 0.1, size=(methods, runs, measures))
    better = [HIGHER, LOWER, NEITHER, HIGHER] * 6
    comparison = compared(values, better=better)
    long = [
        replace(measure, name="Preservation of neighbourhoods of all sizes")
        for measure in comparison.measures
    ]
    figure = comparison_figure(
        replace(comparison, measures=tuple(long)), title="title $ of_a table"
    )
    figure.draw_without_rendering()
    width, height = figure.get_size_inches() * 25.4
    assert width == pytest.approx(174.0)
    assert height <= 240.0
    texts = [figure._suptitle, *figure.legends[0].get_texts()]  # type: ignore[attr-defined]
    for axes in figure.axes:
        if axes.get_title():
            low, high = axes.get_xlim()
            # matplotlib keeps labels for ticks beyond the ends, and does not draw them.
            inside = [one for one in axes.get_xticklabels() if low <= one.get_position()[0] <= high]
            texts += [axes.title, axes.xaxis.label, *inside, *axes.get_yticklabels()]
    boxes = [text.get_window_extent() for text in texts if text.get_text() and text.get_visible()]
    for box in boxes:
        assert box.x0 >= 0
        assert box.y0 >= 0
        assert box.x1 <= figure.bbox.x1
        assert box.y1 <= figure.bbox.y1
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))


def test_that_the_same_figure_is_the_same_file(tmp_path: Path) -> None:
    for name in ("figure.pdf", "figure.svg", "figure.png"):
        for folder in ("one", "two"):
            (tmp_path / folder).mkdir(exist_ok=True)
            figure = comparison_figure(compared(VALUES), title="t")
            save_figure(figure, tmp_path / folder / name)
        one, two = ((tmp_path / folder / name).read_bytes() for folder in ("one", "two"))
        assert one == two
        assert b"CreationDate" not in one
        assert b"<dc:date>" not in one
