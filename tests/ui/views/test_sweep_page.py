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
from ximstudio.measure.sweep import Axis, pareto
from ximstudio.model.problem import Problem
from ximstudio.pictures.sweep import SHOWN, SweepPicture
from ximstudio.prepare.input import Input
from ximstudio.session import open_data
from ximstudio.session.plan import Plan
from ximstudio.train import METHODS, method_named
from ximstudio.ui.look.theme import the_theme
from ximstudio.ui.sweeping import Sweeping
from ximstudio.ui.views.compare.sweep_axes import SweepAxes, parts, swept
from ximstudio.ui.views.compare.sweep_page import SweepPage
from ximstudio.ui.views.compare.view import CompareView
from ximstudio.ui.window import MainWindow

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
def sweeping(window: MainWindow) -> Sweeping:
    return window.studio.sweeping


def write(page: SweepPage, *values: str) -> None:
    for row, text in zip(page.axes.rows, values, strict=True):
        row.values.setText(text)


def swept_page(qtbot: QtBot, window: MainWindow, page: SweepPage) -> SweepPage:
    """A page with four maps."""
    write(page, "0.1; 0.4", "auto,0.4; auto,0.9")
    page.begin.click()
    qtbot.waitUntil(lambda: not window.studio.sweeping.is_busy, timeout=PATIENCE)
    wait_idle(qtbot, window)
    return page


def test_that_a_sweep_has_its_cards_before_it_begins(
    window: MainWindow, page: SweepPage, sweeping: Sweeping
) -> None:
    write(page, "0.1; 0.4", "auto,0.4; auto,0.9")
    page.begin.click()
    assert sweeping.is_busy
    assert len(page.cards) == 4
    assert window.desk.series is None
    page.stop.click()
    assert page.stop.isHidden()
    assert not window.desk.waiting


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
    assert first == Axis("repulsion", (0.1, 0.2, 0.3))
    assert second == Axis("width", ((None, 0.5), (4.0, 1.0)))
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
    qtbot: QtBot, window: MainWindow, page: SweepPage, sweeping: Sweeping
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
        assert one.result is sweeping.found[one.place].result


def test_that_a_sweep_fills_its_gallery_and_marks_the_front(
    qtbot: QtBot, window: MainWindow, page: SweepPage, sweeping: Sweeping
) -> None:
    swept_page(qtbot, window, page)
    assert len(page.cards) == len(sweeping.found) == 4
    assert [card.toolTip() for card in page.cards.values()] == [
        f"Repulsion {one}, Map width {other}"
        for one in ("0.1", "0.4")
        for other in ("auto,0.4", "auto,0.9")
    ]
    keys = [measure.key for measure in MEASURES]
    columns = [keys.index(key) for key in SHOWN]
    values = np.array([sweeping.found[place].values[columns] for place in range(4)])
    ways = {measure.key: measure.better for measure in MEASURES}
    expected = pareto(values, [ways[key] for key in SHOWN])
    assert expected.any()
    for place, card in page.cards.items():
        assert not card.picture.empty
        assert f"T {values[place, 0]:.3f}" in card.figures.text()
        assert card.front.isHidden() is not expected[place]
    assert page.state.text() == "4 of 4 maps"
    # A sweep is no step: nothing in the session has changed.
    assert window.studio.session.runs == ()


def test_that_the_gallery_has_the_colour_of_the_page(page: SweepPage) -> None:
    QApplication.processEvents()
    seen = page.area.grab().toImage()
    assert seen.pixelColor(seen.rect().center()) == QColor(the_theme().colours.surface)


def test_that_the_gallery_is_sorted_by_any_measure(
    qtbot: QtBot, window: MainWindow, page: SweepPage, sweeping: Sweeping
) -> None:
    swept_page(qtbot, window, page)
    assert page.ordered == [0, 1, 2, 3]
    for key, sign in (("trustworthiness", -1), ("quantisation_error", 1)):
        number = [measure.key for measure in MEASURES].index(key)
        page.order.setCurrentIndex(page.order.findData(key))
        page.order.activated.emit(page.order.currentIndex())
        QApplication.processEvents()
        values = [sign * sweeping.found[place].values[number] for place in page.ordered]
        assert values == sorted(values)
        places = [page.cards[place].pos() for place in page.ordered]
        assert places == sorted(places, key=lambda at: (at.y(), at.x()))


def test_that_a_click_opens_a_map_as_a_run(
    qtbot: QtBot, window: MainWindow, page: SweepPage, sweeping: Sweeping
) -> None:
    swept_page(qtbot, window, page)
    QTest.mouseClick(page.cards[2], Qt.MouseButton.LeftButton)
    wait_idle(qtbot, window)
    (run,) = window.studio.session.runs
    assert run.result is sweeping.found[2].result
    assert run.result.params.repulsion == 0.4  # type: ignore[attr-defined]
    assert window.studio.session.run is run
    assert run.measures
    assert run.evidence is not None
    assert window.views.pane.view.key == "map"

    sweeping.open(2)
    assert len(window.studio.session.runs) == 1
    window.studio.undo()
    assert not window.studio.session.runs


def test_that_a_sweep_is_stopped_and_keeps_what_is_there(
    qtbot: QtBot, window: MainWindow, page: SweepPage, sweeping: Sweeping
) -> None:
    plan = window.studio.session.plan
    axes = (Axis("n_steps", (500, LONG, LONG + 1, LONG + 2)),)
    sweeping.begin(plan, axes)
    qtbot.waitUntil(lambda: len(sweeping.found) == 1, timeout=PATIENCE)
    assert page.stop.isVisible()
    page.stop.click()
    wait_idle(qtbot, window)
    assert set(sweeping.found) == {0}
    assert not page.stop.isVisible()
    window.studio.take_data(open_data(Input(name="sample:yeast")))
    assert sweeping.sweep is None
    assert page.cards == {}


def test_that_maps_that_are_refused_are_told_and_others_come(
    qtbot: QtBot, window: MainWindow, page: SweepPage, sweeping: Sweeping
) -> None:
    sweeping.begin(Plan(method_key="som"), (Axis("metric", ("euclidean", "precomputed")),))
    qtbot.waitUntil(lambda: not sweeping.is_busy, timeout=PATIENCE)
    wait_idle(qtbot, window)
    assert page.cards[1].figures.text() == "Refused"
    assert "square" in page.cards[1].toolTip() or "table" in page.cards[1].toolTip()
    assert page.cards[0].figures.text().startswith("T ")
    QTest.mouseClick(page.cards[1], Qt.MouseButton.LeftButton)
    assert window.studio.session.runs == ()
    assert window.views.pane.view.key == "compare"


def test_that_what_cannot_be_swept_is_refused(window: MainWindow, sweeping: Sweeping) -> None:
    told: list[tuple[Problem, ...]] = []
    window.desk.refused.connect(told.append)
    many = tuple(range(100, 400))
    sweeping.begin(window.studio.session.plan, (Axis("n_steps", many),))
    assert [problem.key for problem in told[0]] == ["sweep.too_many"]
    assert not sweeping.is_busy
