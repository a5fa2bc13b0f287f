"""The quality view: comparison of runs, format of numbers, and contents of plots."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.ui.maps_to_show import run_of, showing, shown_of, some_matrix
from tests.ui.opened_views import drawn, opened
from ximstudio.measure.chance import chance_level
from ximstudio.pictures.curves import wide_range
from ximstudio.pictures.measure_table import MeasureTable, measure_table, value_text
from ximstudio.session import Run
from ximstudio.session.run import TrainingCurves as Live
from ximstudio.session.training import TrainingSample
from ximstudio.ui.panels.curves import TrainCurves
from ximstudio.ui.views.quality.table import tool_tip
from ximstudio.ui.views.quality.view import QualityView, live_text
from ximstudio.ui.widgets.drawing.curves import Curves
from ximstudio.views.quality.picture import QualityPicture, others_text

pytestmark = pytest.mark.usefixtures("dressed")
LONG = "Smooth one, my favourite with a very long name"


@pytest.fixture
def view(qtbot: QtBot) -> QualityView:
    return opened(qtbot, QualityView, (1000, 640))


def compared(view: QualityView, *runs: Run) -> QualityPicture:
    """The first of these runs, beside the others."""
    return drawn(view, showing(runs[0], runs))


def other_data(run: Run, *, values: bool) -> Run:
    """The run as one of other values, or only of other labels."""
    matrix = replace(some_matrix(), item_labels={})
    if values:
        matrix = replace(matrix, values=matrix.values + 1.0)
    return replace(run, key="run-other", name="other", matrix=matrix)


def test_that_runs_of_other_values_are_not_compared(view: QualityView) -> None:
    run, other = run_of("som"), other_data(run_of("c-xim"), values=True)
    picture = compared(view, run, other)
    assert picture.table is not None
    assert picture.table.keys == (run.key,)
    assert not picture.table.best.any()
    assert [curves.key for curves in picture.runs] == [run.key]
    assert picture.others == ("other",)
    assert view.others.isVisible()
    assert view.others.text() == others_text(picture)
    assert compared(view, other, run).others == (run.name,)


def test_that_runs_of_the_same_values_are_compared_whatever_their_labels(view: QualityView) -> None:
    run, other = run_of("som"), other_data(run_of("c-xim"), values=False)
    picture = compared(view, run, other)
    assert picture.table is not None
    assert picture.table.keys == (run.key, other.key)
    assert picture.table.best.any()
    assert not view.others.isVisible()


def table_of(value: float, error: float) -> MeasureTable:
    table = measure_table((run_of("som"),))
    return replace(table, values=np.full((1, 1), value), errors=np.full((1, 1), error))


@pytest.mark.parametrize(
    ("value", "error", "text"),
    [
        (0.0720, 4.57e-5, "0.0720"),
        (0.0720, 5.2e-5, "0.0720 ± 0.0001"),
        (0.933, 8.62e-5, "0.933"),
        (0.340, 0.0012, "0.340 ± 0.001"),
        (17.5, 0.3, "17.5 ± 0.3"),
        (130.0, 0.2, "130"),
        (2.5e-6, 1e-6, "2.5·10⁻⁶"),
        (0.5, 0.0, "0.500"),
    ],
)
def test_that_errors_have_the_digits_of_their_value(value: float, error: float, text: str) -> None:
    assert value_text(table_of(value, error), 0, 0) == text


@pytest.mark.parametrize(
    ("value", "error", "text"),
    [
        (0.0720, 5.2e-5, "0.0720 (0.0001)"),
        (0.340, 0.0004, "0.340 (0.000)"),
        (17.5, 0.31, "17.5 (0.3)"),
        (2.5e-6, 1e-6, "2.5·10⁻⁶ (1·10⁻⁶)"),
        (0.5, np.nan, "0.500"),
        (np.nan, np.nan, "–"),
    ],
)
def test_that_deviations_stand_in_brackets(value: float, error: float, text: str) -> None:
    table = replace(table_of(value, error), repeats=10)
    assert value_text(table, 0, 0) == text


def test_that_the_tip_tells_every_error() -> None:
    row = measure_table((run_of("som"),)).rows[0]
    assert "4.57·10⁻⁵" in tool_tip(row, 4.57e-5)
    assert "sample" not in tool_tip(row)


def test_that_a_long_name_leaves_curves_their_room(view: QualityView) -> None:
    run = run_of("som")
    compared(view, run)
    before = view.trust.view.width()
    compared(view, replace(run, name=LONG))
    assert view.trust.view.width() > 0.4 * view.trust.width()
    assert view.trust._names.toolTip() == LONG
    assert view.trust.view.width() <= before


def test_that_trust_and_continuity_have_one_range(view: QualityView) -> None:
    picture = compared(view, run_of("som"), run_of("c-xim"))
    low, high = view.trust.view.viewRange()[1]
    assert view.continuity.view.viewRange()[1] == [low, high]
    for run in picture.runs:
        assert low < min(run.trust.min(), run.continuity.min())
        assert max(run.trust.max(), run.continuity.max()) < high


@pytest.mark.parametrize(
    "values", [[0.839, 0.843], [0.9], [0.999, 1.0], [0.2, 0.9], [np.nan, 0.5], [], [0.01]]
)
def test_that_a_range_is_never_so_narrow_that_noise_looks_large(values: list[float]) -> None:
    low, high = wide_range(np.array(values))
    assert high - low >= 0.05 - 1e-12
    assert high <= 1.0
    for value in values:
        assert np.isnan(value) or low <= value <= high


@pytest.mark.parametrize("n_points", [1, 2, 50])
def test_that_few_points_are_drawn_as_points(qtbot: QtBot, n_points: int) -> None:
    curves = Curves()
    qtbot.addWidget(curves)
    x = np.arange(float(n_points))
    curves.show_curve("a", x, x, name="A")
    dots = curves._curves["a"].dots
    assert (dots is not None) == (n_points < 4)
    curves.show_curve("a", np.arange(9.0), np.arange(9.0), name="A")
    assert curves._curves["a"].dots is None


def hover(view: QualityView, k: float) -> None:
    plot = view.trust
    middle = plot.view.viewRect().center().y()
    spot = QPointF(plot.mapFromScene(plot.view.mapViewToScene(QPointF(k, middle))))
    there = QPointF(plot.viewport().mapToGlobal(spot))
    none, no_key = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier
    move = QMouseEvent(QEvent.Type.MouseMove, spot, there, none, none, no_key)
    QApplication.sendEvent(plot.viewport(), move)


def test_that_the_mouse_reads_the_values_of_all_runs(view: QualityView) -> None:
    picture = compared(view, run_of("som"), run_of("c-xim"))
    hover(view, 7.2)
    card = view.trust.readout.card
    assert card.isVisible()
    assert card.title.startswith("7 ")
    told = {line.name: float(line.value) for line in card.lines}
    assert told == {run.name: pytest.approx(run.trust[6], abs=5e-4) for run in picture.runs}
    assert view.trust.rect().contains(card.geometry())
    QApplication.sendEvent(view.trust.viewport(), QEvent(QEvent.Type.Leave))
    assert not card.isVisible()


def test_that_reading_changes_nothing(view: QualityView) -> None:
    compared(view, run_of("som"))
    before = view.trust.view.viewRange()
    hover(view, 3.0)
    assert view.trust.view.viewRange() == before


@pytest.mark.parametrize("width", [1280 - 364, 900])
def test_that_the_table_of_two_runs_is_seen_beside_the_plots(view: QualityView, width: int) -> None:
    view.resize(width, 560)
    compared(view, run_of("som"), run_of("c-xim"))
    top = view.table.mapTo(view, view.table.rect().topLeft())
    assert top.y() < 120
    right = view.table.mapTo(view, view.table.rect().topRight()).x()
    assert right <= width
    assert view.trust.width() >= 200


def test_that_live_curves_say_what_they_are_taken_from(view: QualityView) -> None:
    shown = shown_of("som", "live")
    picture = view.request()(replace(shown, curves=replace(shown.curves or Live(), n_sampled=50)))
    view.draw(picture)
    assert "50" in live_text(picture)
    assert view._live_card.reading == live_text(picture)
    low, high = view.live.view.viewRange()[1]
    assert low < 0.5
    assert high > 0.875


def test_that_a_sample_knows_whether_it_has_all() -> None:
    assert TrainingSample(some_matrix()).n_sampled == 0
    rng = np.random.default_rng(0)
    many = replace(
        some_matrix(),
        values=rng.normal(size=(400, 5)),
        item_ids=tuple(f"g{number}" for number in range(400)),
        item_labels={},
    )
    assert TrainingSample(many).n_sampled == len(TrainingSample(many).items) == 300


def test_that_the_curves_of_a_training_name_their_sample(qtbot: QtBot) -> None:
    curves = TrainCurves()
    qtbot.addWidget(curves)
    history = run_of("som").result.history
    live = Live(steps=(0, 9), trust=(0.839, 0.841), continuity=(0.84, 0.843), n_sampled=300)
    curves.show_training(history, live, 10, 40)
    qtbot.waitUntil(lambda: curves.slices.idle)
    assert "300" in curves.kept.title.text()
    assert "k ≤ 15" in curves.kept.title.text()
    assert f"{chance_level(300, 15):.2f}" in curves.kept.note.text()
    low, high = curves.kept.curves.view.viewRange()[1]
    assert high - low >= 0.05
    assert curves.kept.curves._curves["T"].dots is not None
    curves.show_training(history, replace(live, n_sampled=0), 10, 20)
    assert "sample" not in curves.kept.title.text()
    assert "k ≤ 9" in curves.kept.title.text()


def test_that_live_curves_stay_until_there_are_measures(view: QualityView) -> None:
    trained = run_of("som", state="finished")
    bare = replace(trained, curves=Live())
    picture = compared(view, trained)
    assert picture.live is trained.curves
    assert view.live.isVisible()
    compared(view, bare)
    assert view.empty.isVisible()
    assert view.empty.waiting
    compared(view, run_of("som"))
    assert view.table.isVisible()


def test_that_axes_are_never_in_thousandths(view: QualityView) -> None:
    compared(view, run_of("som"))
    for plot in (view.trust, view.shepard, view.co_ranking):
        for side in ("left", "bottom"):
            assert not plot.getAxis(side).autoSIPrefix
