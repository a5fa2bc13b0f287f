"""The key beside a drawing: it stays, it can be read, and nothing it hides is lost."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.ui.maps_to_show import shown_of, some_matrix
from tests.ui.opened_views import drawn, opened
from ximstudio.model.selection import Combine
from ximstudio.session.shown import Shown
from ximstudio.ui.views.common.page import BAR_WIDTH
from ximstudio.ui.views.map.view import MapView
from ximstudio.ui.views.positions.view import PositionsView
from ximstudio.ui.widgets.drawing.colour_bar import LEAST_HEIGHT
from ximstudio.ui.widgets.drawing.legend import ROW, Legend, LegendEntry

pytestmark = pytest.mark.usefixtures("dressed")


def many_classes() -> Shown:
    kinds = tuple(f"a class with a long name {number % 12:02d}" for number in range(60))
    matrix = replace(some_matrix(), item_labels={"kind": kinds})
    return Shown(result=shown_of("som").result, matrix=matrix)


@pytest.mark.parametrize("width", [480, 900, 1500])
def test_that_other_colours_do_not_move_the_map(qtbot: QtBot, width: int) -> None:
    view = opened(qtbot, MapView, (width, 500))
    drawn(view, shown_of("som"))
    before = view.canvas.geometry()
    for layer in ("classes", "plane", "label_mean", "hits", "trust"):
        view.layers.choose(layer)
        drawn(view, shown_of("som"))
        assert view.canvas.geometry() == before


@pytest.mark.parametrize("width", [440, 900])
def test_that_other_colours_do_not_move_positions(qtbot: QtBot, width: int) -> None:
    view = opened(qtbot, PositionsView, (width, 500))
    drawn(view, shown_of("som"))
    before = view.canvas.geometry()
    for by in ("feature", "trust", "plain", "label"):
        view.colouring.choose(by)
        drawn(view, shown_of("som"))
        assert view.canvas.geometry() == before


def test_that_the_key_is_narrow_where_there_are_no_classes(qtbot: QtBot) -> None:
    view = opened(qtbot, MapView, (900, 500))
    shown = shown_of("som")
    drawn(view, Shown(result=shown.result, matrix=replace(some_matrix(), item_labels={})))
    assert 900 - view.canvas.width() == BAR_WIDTH


@pytest.mark.parametrize(("width", "height"), [(460, 260), (900, 560)])
def test_that_many_classes_leave_the_bar_its_height(qtbot: QtBot, width: int, height: int) -> None:
    view = opened(qtbot, MapView, (width, height))
    drawn(view, many_classes())
    assert view.legend.isVisible()
    assert view.bar.isVisible()
    assert view.bar.height() >= LEAST_HEIGHT
    bottom = view.bar.mapTo(view, view.bar.rect().bottomLeft()).y()
    assert bottom < height
    assert (view.legend.height() - view.legend.height_of(0)) % view.legend.row == 0


def test_that_hidden_classes_can_be_shown_again(qtbot: QtBot) -> None:
    view = opened(qtbot, PositionsView, (900, 500))
    drawn(view, shown_of("som"))
    everyone = view._side.show_all
    assert not everyone.isVisible()
    view.legend.setFocus()
    view.legend.setCurrentIndex(view.legend.model().index(0, 0))
    for _ in view.legend.shown:
        QTest.keyClick(view.legend, Qt.Key.Key_Space)
        assert everyone.isVisible()
        QTest.keyClick(view.legend, Qt.Key.Key_Down)
    assert not view.legend.shown.any()
    QTest.mouseClick(everyone, Qt.MouseButton.LeftButton)
    assert view.legend.shown.all()
    assert not everyone.isVisible()


@pytest.fixture
def legend(qtbot: QtBot) -> Legend:
    made = Legend()
    entries = [LegendEntry(name=name, colour="#0072B2", count=3) for name in ("Ribo", "Resp", "X")]
    made.show_classes(entries)
    qtbot.addWidget(made)
    made.resize(200, 140)
    with qtbot.waitExposed(made):
        made.show()
    return made


def test_that_alt_shows_a_class_alone(legend: Legend) -> None:
    spot = QPoint(40, 4 + ROW + ROW // 2)
    alt = Qt.KeyboardModifier.AltModifier
    QTest.mouseClick(legend.viewport(), Qt.MouseButton.LeftButton, alt, spot)
    assert legend.shown.tolist() == [False, True, False]
    QTest.mouseClick(legend.viewport(), Qt.MouseButton.LeftButton, alt, spot)
    assert legend.shown.all()


def test_that_the_menu_of_a_class_does_what_clicks_do(legend: Legend) -> None:
    hide, alone, everyone = legend.menu_at(1).actions()[-3:]
    assert not everyone.isEnabled()
    alone.trigger()
    assert legend.shown.tolist() == [False, True, False]
    hide.trigger()
    assert not legend.shown.any()
    legend.menu_at(1).actions()[-1].trigger()
    assert legend.shown.all()


def test_that_a_class_is_selected_by_menu_and_by_key(legend: Legend) -> None:
    asked: list[tuple[int, Combine]] = []
    legend.select_wanted.connect(lambda number, how: asked.append((number, how)))
    for action in legend.menu_at(1).actions()[:3]:
        action.trigger()
    legend.setCurrentIndex(legend.model().index(2, 0))
    QTest.keyClick(legend, Qt.Key.Key_S)
    assert asked == [
        (1, Combine.REPLACE),
        (1, Combine.ADD),
        (1, Combine.REMOVE),
        (2, Combine.REPLACE),
    ]
    assert legend.shown.all()


def test_that_a_class_under_the_mouse_says_what_a_click_does(legend: Legend) -> None:
    QTest.mouseMove(legend.viewport(), QPoint(40, 120))
    before = legend.viewport().grab().toImage()
    QTest.mouseMove(legend.viewport(), QPoint(40, 4 + ROW // 2))
    QApplication.processEvents()
    right = legend.viewport().grab().toImage().copy(150, 4, 50, ROW)
    assert right != before.copy(150, 4, 50, ROW)
    tip = legend.model().index(0, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert tip.startswith("Ribo: 3, shown")
    assert len(tip.splitlines()) == 2
