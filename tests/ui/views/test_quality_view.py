"""The quality view: curves of all runs, diagrams of the one that is shown, and the table."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tests.ui.maps_to_show import run_of, showing, shown_of
from tests.ui.opened_views import drawn, opened
from ximstudio.measure.catalogue import MEASURES, Better
from ximstudio.measure.distances import shepard
from ximstudio.measure.neighbourhoods import co_ranking, continuity, trustworthiness
from ximstudio.pictures.measure_table import measure_table, value_text
from ximstudio.session import Run
from ximstudio.ui.views.quality.table import tool_tip
from ximstudio.ui.views.quality.view import QualityView

pytestmark = pytest.mark.usefixtures("dressed")


@pytest.fixture
def view(qtbot: QtBot) -> QualityView:
    return opened(qtbot, QualityView, (1400, 700))


@pytest.fixture
def runs() -> tuple[Run, ...]:
    return run_of("som"), run_of("c-xim"), run_of("pca")


def cell(view: QualityView, row: int, column: int, role: Any) -> Any:
    return view.table.model().index(row, column).data(role)


def test_that_every_run_has_its_curves(view: QualityView, runs: tuple[Run, ...]) -> None:
    picture = drawn(view, showing(runs[1], runs))
    assert view.trust.keys == view.continuity.keys == tuple(run.key for run in runs)
    for curves, run in zip(picture.runs, runs, strict=True):
        assert run.evidence is not None
        np.testing.assert_array_equal(curves.trust, trustworthiness(run.evidence.ranks))
        np.testing.assert_array_equal(curves.continuity, continuity(run.evidence.ranks))
    drawn(view, showing(runs[1], runs[1:]))
    assert set(view.trust.keys) == {run.key for run in runs[1:]}


def test_that_the_diagrams_are_those_of_the_run_that_is_shown(
    view: QualityView, runs: tuple[Run, ...]
) -> None:
    for run in runs:
        picture = drawn(view, showing(run, runs))
        assert run.evidence is not None
        assert picture.shepard is not None
        np.testing.assert_array_equal(picture.shepard.shares, shepard(run.evidence.pairs).shares)
        np.testing.assert_array_equal(picture.co_ranking, co_ranking(run.evidence.ranks))
        image = view.co_ranking.image.image
        np.testing.assert_array_equal(image > 0, np.asarray(picture.co_ranking) > 0)


def test_that_nothing_is_worked_out_twice(view: QualityView, runs: tuple[Run, ...]) -> None:
    first = drawn(view, showing(runs[0], runs))
    again = drawn(view, showing(runs[0], runs))
    assert first.shepard is again.shepard
    assert first.runs[2].trust is again.runs[2].trust


def test_that_the_table_has_every_measure_that_applies(runs: tuple[Run, ...]) -> None:
    table = measure_table(runs)
    applying = [one.key for one in MEASURES if any(one.key in run.measures for run in runs)]
    assert [row.key for row in table.rows] == [*applying, "seconds"]
    np.testing.assert_array_equal(table.values[-1], [run.seconds for run in runs])
    for row, key in enumerate(applying):
        for column, run in enumerate(runs):
            if key in run.measures:
                assert table.values[row, column] == run.measures[key].value
            else:
                assert value_text(table, row, column) == "–"


def test_that_the_best_of_a_row_is_marked(runs: tuple[Run, ...]) -> None:
    table = measure_table(runs)
    assert "label_agreement" in [row.key for row in table.rows]
    for row, marked in zip(table.rows[:-1], table.best, strict=False):
        better = next(one.better for one in MEASURES if one.key == row.key)
        known = {run.measures[row.key].value for run in runs if row.key in run.measures}
        if better is Better.NEITHER or len(known) < 2:
            assert not marked.any()
            continue
        wanted = max(known) if better is Better.HIGHER else min(known)
        values = table.values[table.rows.index(row)]
        np.testing.assert_array_equal(marked, values == wanted)
    assert not measure_table(runs[:1]).best.any()


def test_that_arrows_say_which_way_is_better(view: QualityView, runs: tuple[Run, ...]) -> None:
    picture = drawn(view, showing(runs[0], runs))
    assert picture.table is not None
    arrows = {row.key: row.arrow for row in picture.table.rows}
    assert arrows["trustworthiness"] == "↑"
    assert arrows["sammon"] == "↓"
    assert arrows["cost"] == ""
    for number, row in enumerate(picture.table.rows):
        header = view.table.model().headerData
        shown = header(number, Qt.Orientation.Vertical, Qt.ItemDataRole.DisplayRole)
        assert shown.startswith(row.arrow)
        assert row.title in shown
        tip = header(number, Qt.Orientation.Vertical, Qt.ItemDataRole.ToolTipRole)
        assert tip == tool_tip(row) == cell(view, number, 0, Qt.ItemDataRole.ToolTipRole)


def test_that_formulas_in_tips_are_not_taken_for_markup(runs: tuple[Run, ...]) -> None:
    rows = measure_table(runs).rows
    agreeing = next(row for row in rows if row.key == "trustworthiness")
    assert "r &gt; k" in tool_tip(agreeing)


def test_that_a_run_that_is_not_measured_is_waited_for(view: QualityView) -> None:
    bare, known = run_of("som", state="finished", name="bare"), run_of("c-xim")
    picture = drawn(view, showing(bare, (bare, known)))
    assert picture.table is not None
    assert picture.table.waiting.tolist() == [True, False]
    assert cell(view, 0, 0, Qt.ItemDataRole.DisplayRole) == "…"
    assert view.trust.keys == (known.key,)
    assert picture.shepard is None
    assert view.shepard.keys == ()
    assert view.co_ranking.image.image is None


def test_that_the_run_that_is_shown_stands_out(view: QualityView, runs: tuple[Run, ...]) -> None:
    drawn(view, showing(runs[0], runs))
    first = view.table.grab().toImage()
    drawn(view, showing(runs[1], runs))
    assert view.table.grab().toImage() != first


def test_that_sampled_curves_are_shown_while_a_map_trains(
    view: QualityView, runs: tuple[Run, ...]
) -> None:
    drawn(view, showing(runs[0], runs))
    assert view.table.isVisible()
    shown = shown_of("som", "live")
    picture = drawn(view, shown)
    assert picture.live is shown.curves
    assert view.live.isVisible()
    assert not view.table.isVisible()
    assert view.live.keys == ("trust", "continuity")
    drawn(view, showing(runs[0], runs))
    assert view.table.isVisible()


@pytest.mark.parametrize(
    ("width", "beside"), [(1400, True), (940, True), (600, False), (400, False)]
)
def test_that_the_table_finds_its_place(
    view: QualityView, runs: tuple[Run, ...], width: int, *, beside: bool
) -> None:
    view.resize(width, 600)
    drawn(view, showing(runs[0], runs[:1]))
    below = view.table.mapTo(view, view.table.rect().topLeft()).y()
    plots = view.cards[3].mapTo(view, view.cards[3].rect().bottomLeft()).y()
    assert (below < plots) == beside
    right = view.table.mapTo(view, view.table.rect().topRight()).x()
    assert right <= width
