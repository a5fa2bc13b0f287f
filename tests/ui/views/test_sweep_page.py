"""Sweeps in the window: what is asked for, the gallery, and a map that becomes a run."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.ui.compared import plan_quick_methods
from tests.ui.windows import LONG, PATIENCE, shown_window, wait_idle, with_sample
from ximstudio.measure.catalogue import MEASURES
from ximstudio.measure.sweep import SweepAxis, pareto
from ximstudio.model.problem import Problem
from ximstudio.prepare.input import Input
from ximstudio.session import open_data
from ximstudio.session.plan import TrainingPlan
from ximstudio.train import METHODS, method_named
from ximstudio.ui.actions.retraining import ParameterSweep
from ximstudio.ui.app.window import MainWindow
from ximstudio.ui.views.compare.sweep_axes import SweepAxes, parts, swept
from ximstudio.ui.views.compare.sweep_page import SweepPage
from ximstudio.ui.views.compare.view import CompareView
from ximstudio.ui.widgets.look.theme import the_theme
from ximstudio.views.compare.sweep_picture import SHOWN, SweepPicture

pytestmark = pytest.mark.usefixtures("dressed")


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[MainWindow]:
    window = with_sample(qtbot, shown_window(qtbot))
    plan_quick_methods(window, "som")
    window.views.pane.show_view("compare")
    wait_idle(qtbot, window)
    yield window
    window.close()


@pytest.fixture
def page(window: MainWindow) -> SweepPage:
    view = window.views.pane.view
    assert isinstance(view, CompareView)
    view.pages.button("sweep").click()
    return view.sweep


@pytest.fixture
def parameter_sweep(window: MainWindow) -> ParameterSweep:
    return window.user_actions.parameter_sweep


def write(page: SweepPage, *values: str) -> None:
    for row, text in zip(page.axes.rows, values, strict=True):
        row.values.setText(text)


def swept_page(qtbot: QtBot, window: MainWindow, page: SweepPage) -> SweepPage:
    """A page with four maps."""
    write(page, "0.1; 0.4", "auto,0.4; auto,0.9")
    page.begin.click()
    qtbot.waitUntil(lambda: not window.user_actions.parameter_sweep.busy, timeout=PATIENCE)
    wait_idle(qtbot, window)
    return page


def test_that_a_sweep_has_its_cards_before_it_begins(
    window: MainWindow, page: SweepPage, parameter_sweep: ParameterSweep
) -> None:
    write(page, "0.1; 0.4", "auto,0.4; auto,0.9")
    page.begin.click()
    assert parameter_sweep.busy
    assert len(page.cards) == 4
    assert window.jobs.series is None
    page.stop.click()
    assert page.stop.isHidden()
    assert not window.jobs.waiting


def test_that_every_method_has_settings_to_sweep(qtbot: QtBot) -> None:
    for method in METHODS:
        axes = SweepAxes()
        qtbot.addWidget(axes)
        params = method.params()
        axes.show_params(params)
        assert bool(axes.rows) is bool(swept(params)) is True
        if axes.rows:
            assert axes.n_maps > 0
            for axis in axes.axes():
                assert getattr(params, axis.name) in axis.values


def test_that_settings_are_read_and_wrong_ones_told(qtbot: QtBot) -> None:
    axes = SweepAxes()
    qtbot.addWidget(axes)
    axes.show_params(method_named("c-xim").params())
    assert [row.name for row in axes.rows] == ["repulsion", "width"]
    axes.rows[0].values.setText("0.1, 0.2;0.3")
    axes.rows[1].values.setText("auto,0.5; 4,1")
    first, second = axes.axes()
    assert first == SweepAxis("repulsion", (0.1, 0.2, 0.3))
    assert second == SweepAxis("width", ((None, 0.5), (4.0, 1.0)))
    assert axes.n_maps == 6

    axes.rows[0].values.setText("0.1; much")
    assert axes.n_maps == 0
    assert "much" in axes.wrong.text()
    with pytest.raises(ValueError, match="Repulsion cannot be"):
        axes.axes()
    axes.rows[0].values.setText("0.1; 7000")
    assert "7000" in axes.wrong.text()
    axes.rows[0].values.setText("0.1")
    assert axes.wrong.text() == ""

    axes.add.click()
    assert len(axes.rows) == 3
    assert not axes.add.isEnabled()
    for row in list(axes.rows[1:]):
        row.remove.click()
    assert len(axes.rows) == 1
    assert not axes.rows[0].remove.isEnabled()


def test_that_pairs_keep_their_commas() -> None:
    specs = method_named("c-xim").params().specs()
    assert parts(specs["width"], "auto,0.4; 3,1") == ["auto,0.4", "3,1"]
    assert parts(specs["repulsion"], "1, 2; 3") == ["1", "2", "3"]


def test_that_the_page_tells_paper_what_it_shows(
    qtbot: QtBot, window: MainWindow, page: SweepPage, parameter_sweep: ParameterSweep
) -> None:
    nothing: SweepPicture | None = page.picture
    assert nothing is None
    swept_page(qtbot, window, page)
    page.order.setCurrentIndex(page.order.findData("trustworthiness"))
    picture: SweepPicture | None = page.picture
    assert picture is not None
    assert [one.place for one in picture.maps] == page.ordered
    for one in picture.maps:
        card = page.cards[one.place]
        assert ", ".join(one.settings) == card.toolTip()
        assert one.front is not card.front.isHidden()
        assert one.result is parameter_sweep.found[one.place].result


def test_that_a_sweep_fills_its_gallery_and_marks_the_front(
    qtbot: QtBot, window: MainWindow, page: SweepPage, parameter_sweep: ParameterSweep
) -> None:
    swept_page(qtbot, window, page)
    assert len(page.cards) == len(parameter_sweep.found) == 4
    assert [card.toolTip() for card in page.cards.values()] == [
        f"Repulsion {one}, Map width {other}"
        for one in ("0.1", "0.4")
        for other in ("auto,0.4", "auto,0.9")
    ]
    keys = [measure.key for measure in MEASURES]
    columns = [keys.index(key) for key in SHOWN]
    values = np.array([parameter_sweep.found[place].values[columns] for place in range(4)])
    ways = {measure.key: measure.better for measure in MEASURES}
    expected = pareto(values, [ways[key] for key in SHOWN])
    assert expected.any()
    for place, card in page.cards.items():
        assert not card.picture.empty
        assert f"T {values[place, 0]:.3f}" in card.figures.text()
        assert card.front.isHidden() is not expected[place]
    assert page.state.text() == "4 of 4 maps"
    # A sweep is no step: nothing in the session has changed.
    assert window.user_actions.session.runs == ()


def test_that_the_gallery_has_the_colour_of_the_page(page: SweepPage) -> None:
    QApplication.processEvents()
    seen = page.area.grab().toImage()
    assert seen.pixelColor(seen.rect().center()) == QColor(the_theme().colours.surface)


def test_that_the_gallery_is_sorted_by_any_measure(
    qtbot: QtBot, window: MainWindow, page: SweepPage, parameter_sweep: ParameterSweep
) -> None:
    swept_page(qtbot, window, page)
    assert page.ordered == [0, 1, 2, 3]
    for key, sign in (("trustworthiness", -1), ("quantisation_error", 1)):
        number = [measure.key for measure in MEASURES].index(key)
        page.order.setCurrentIndex(page.order.findData(key))
        page.order.activated.emit(page.order.currentIndex())
        QApplication.processEvents()
        values = [sign * parameter_sweep.found[place].values[number] for place in page.ordered]
        assert values == sorted(values)
        places = [page.cards[place].pos() for place in page.ordered]
        assert places == sorted(places, key=lambda at: (at.y(), at.x()))


def test_that_a_click_opens_a_map_as_a_run(
    qtbot: QtBot, window: MainWindow, page: SweepPage, parameter_sweep: ParameterSweep
) -> None:
    swept_page(qtbot, window, page)
    QTest.mouseClick(page.cards[2], Qt.MouseButton.LeftButton)
    wait_idle(qtbot, window)
    (run,) = window.user_actions.session.runs
    assert run.result is parameter_sweep.found[2].result
    assert run.result.params.repulsion == 0.4  # type: ignore[attr-defined]
    assert window.user_actions.session.run is run
    assert run.measures
    assert run.evidence is not None
    assert window.views.pane.view.kind.key == "map"

    parameter_sweep.open(2)
    assert len(window.user_actions.session.runs) == 1
    window.user_actions.undo()
    assert not window.user_actions.session.runs


def test_that_a_sweep_is_stopped_and_keeps_what_is_there(
    qtbot: QtBot, window: MainWindow, page: SweepPage, parameter_sweep: ParameterSweep
) -> None:
    plan = window.user_actions.session.plan
    axes = (SweepAxis("n_steps", (500, LONG, LONG + 1, LONG + 2)),)
    parameter_sweep.begin(plan, axes)
    qtbot.waitUntil(lambda: len(parameter_sweep.found) == 1, timeout=PATIENCE)
    assert page.stop.isVisible()
    page.stop.click()
    wait_idle(qtbot, window)
    assert set(parameter_sweep.found) == {0}
    assert not page.stop.isVisible()
    window.user_actions.use_table(open_data(Input(name="sample:yeast")))
    assert parameter_sweep.sweep is None
    assert page.cards == {}


def test_that_maps_that_are_refused_are_told_and_others_come(
    qtbot: QtBot, window: MainWindow, page: SweepPage, parameter_sweep: ParameterSweep
) -> None:
    parameter_sweep.begin(
        TrainingPlan(method_key="som"), (SweepAxis("metric", ("euclidean", "precomputed")),)
    )
    qtbot.waitUntil(lambda: not parameter_sweep.busy, timeout=PATIENCE)
    wait_idle(qtbot, window)
    assert page.cards[1].figures.text() == "Refused"
    assert "square" in page.cards[1].toolTip() or "table" in page.cards[1].toolTip()
    assert page.cards[0].figures.text().startswith("T ")
    QTest.mouseClick(page.cards[1], Qt.MouseButton.LeftButton)
    assert window.user_actions.session.runs == ()
    assert window.views.pane.view.kind.key == "compare"


def test_that_what_cannot_be_swept_is_refused(
    window: MainWindow, parameter_sweep: ParameterSweep
) -> None:
    told: list[tuple[Problem, ...]] = []
    window.jobs.refused.connect(told.append)
    many = tuple(range(100, 400))
    parameter_sweep.begin(window.user_actions.session.plan, (SweepAxis("n_steps", many),))
    assert [problem.key for problem in told[0]] == ["sweep.too_many"]
    assert not parameter_sweep.busy
