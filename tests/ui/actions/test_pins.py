"""Pins: nodes of the next map that stay with chosen items."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.ui.hands import LEFT, click, eventually
from tests.ui.windows import LONG, is_running, run_shown, train_one, wait_idle
from ximstudio.model.result import PrototypeMap
from ximstudio.model.selection import Selection
from ximstudio.train.anchors import AnchorParams
from ximstudio.ui.actions.derived_maps import Further
from ximstudio.ui.app.window import MainWindow
from ximstudio.ui.panels.method.panel import MethodPanel
from ximstudio.ui.views.map.view import MapView
from ximstudio.ui.widgets.drawing.canvas import Tool
from ximstudio.ui.widgets.forms.fields import PinsField, pin_words


@pytest.fixture
def window(mapped: MainWindow) -> MainWindow:
    return mapped


def map_of(window: MainWindow) -> MapView:
    view = window.views.panes[0].view
    assert isinstance(view, MapView)
    return view


def method_of(window: MainWindow) -> MethodPanel:
    return next(panel for panel in window.steps.panels if isinstance(panel, MethodPanel))


def choose(window: MainWindow, *numbers: int) -> tuple[str, ...]:
    ids = tuple(run_shown(window).matrix.item_ids[number] for number in numbers)
    window.user_actions.selecting.select(Selection.of(ids))
    return ids


def anchors(window: MainWindow) -> tuple[str, ...]:
    params = window.user_actions.session.plan.params
    assert isinstance(params, AnchorParams)
    return params.anchors


def test_that_a_click_on_a_node_pins_the_chosen_item_to_it(
    qtbot: QtBot, window: MainWindow
) -> None:
    (item,) = choose(window, 4)
    wait_idle(qtbot, window)
    pinning, view = window.user_actions.pinning, map_of(window)
    pinning.begin_picking()
    place = view.canvas.position_of(view.drawing.place_of(13)).toPoint()
    QTest.mouseClick(view.canvas.viewport(), LEFT, pos=place)
    assert anchors(window) == (f"2:6={item}",)
    assert window.user_actions.undoes == f"Pin {item} to row 2, column 6"
    # The click was for the pin, not for another selection.
    assert window.user_actions.session.selection == Selection.of([item])
    assert view.pins.planned == {13: item}
    assert pinning.picking == ""
    window.user_actions.undo()
    assert anchors(window) == ()
    assert view.pins.planned == {}
    window.user_actions.redo()
    assert view.pins.planned == {13: item}


def test_that_enter_takes_the_node_of_the_arrow_keys_and_escape_none(
    qtbot: QtBot, window: MainWindow
) -> None:
    (item,) = choose(window, 4)
    wait_idle(qtbot, window)
    pinning, view = window.user_actions.pinning, map_of(window)
    pinning.begin_picking()
    QTest.keyClick(view.canvas, Qt.Key.Key_Escape)
    assert (pinning.picking, anchors(window)) == ("", ())
    pinning.begin_picking()
    QTest.keyClick(view.canvas, Qt.Key.Key_Right)
    node = view.drawing.map.hovered
    assert node >= 0
    QTest.keyClick(view.canvas, Qt.Key.Key_Return)
    assert window.user_actions.pinning.pins == {node: item}


def test_that_choosing_something_else_ends_the_question(window: MainWindow) -> None:
    choose(window, 4)
    window.user_actions.pinning.begin_picking()
    assert window.user_actions.pinning.picking
    assert not window.work.trail.cancel.isHidden()
    choose(window, 5, 6)
    assert window.user_actions.pinning.picking == ""
    assert window.work.trail.cancel.isHidden()


def test_that_no_node_is_asked_for_while_a_map_is_trained(qtbot: QtBot, window: MainWindow) -> None:
    choose(window, 4)
    wait_idle(qtbot, window)
    actions, pinning = window.user_actions, window.user_actions.pinning
    pinning.begin_picking()
    assert pinning.picking
    actions.derived_maps.train_further(run_shown(window), Further.STEPS, n_steps=LONG)
    eventually(qtbot, lambda: is_running(window))
    assert pinning.picking == ""
    assert pinning.why_not
    pinning.begin_picking()
    pinning.pin_winners()
    assert (pinning.picking, anchors(window)) == ("", ())
    actions.stop()
    wait_idle(qtbot, window)
    assert pinning.why_not == ""


def test_that_the_tool_keeps_its_cursor_when_a_node_was_asked_for(
    qtbot: QtBot, window: MainWindow
) -> None:
    choose(window, 4)
    wait_idle(qtbot, window)
    pinning, canvas = window.user_actions.pinning, map_of(window).canvas
    canvas.take(Tool.LASSO)
    pinning.begin_picking()
    assert canvas.viewport().cursor().shape() is Qt.CursorShape.PointingHandCursor
    pinning.end_picking()
    assert canvas.viewport().cursor().shape() is Qt.CursorShape.CrossCursor


def test_that_a_map_that_is_opened_later_is_asked_for_the_node_too(
    qtbot: QtBot, window: MainWindow
) -> None:
    (item,) = choose(window, 4)
    wait_idle(qtbot, window)
    window.user_actions.pinning.begin_picking()
    window.views.show_panes("2")
    second = window.views.panes[1]
    second.show_view(MapView.kind.key)
    view = second.view
    assert isinstance(view, MapView)
    eventually(qtbot, lambda: not view.is_blank and window.jobs.idle)
    place = view.canvas.position_of(view.drawing.place_of(13)).toPoint()
    QTest.mouseClick(view.canvas.viewport(), LEFT, pos=place)
    assert window.user_actions.pinning.pins == {13: item}
    assert view.canvas.viewport().cursor().shape() is Qt.CursorShape.ArrowCursor


def test_that_a_map_is_trained_with_its_pins_and_shows_them(
    qtbot: QtBot, window: MainWindow
) -> None:
    run = run_shown(window)
    assert run.result.winners is not None
    chosen = choose(window, *range(0, 186, 9))
    window.user_actions.pinning.pin_winners()
    pins = dict(window.user_actions.pinning.pins)
    nodes = {
        item: int(node) for item, node in zip(run.result.item_ids, run.result.winners, strict=True)
    }
    assert set(pins) == {nodes[item] for item in chosen}
    assert all(nodes[item] == node for node, item in pins.items())
    train_one(qtbot, window)
    after = run_shown(window)
    assert isinstance(after.result.model, PrototypeMap)
    for node, item in pins.items():
        values = after.matrix.values[after.matrix.item_ids.index(item)]
        known = np.isfinite(values)
        np.testing.assert_array_equal(after.result.model.prototypes[node][known], values[known])
    assert map_of(window).pins.held == pins


def test_that_pins_are_listed_and_removed_one_by_one(qtbot: QtBot, window: MainWindow) -> None:
    panel = method_of(window)
    assert panel.pins.isHidden()
    choose(window, 0, 60, 120)
    window.user_actions.pinning.pin_winners()
    window.steps.open(window.steps.panels.index(panel))
    before = anchors(window)
    assert [pin_words(text) for text in before] == [
        (row.place.text(), row.item.full) for row in panel.pins.rows.rows
    ]
    for _ in range(2):
        click(panel.pins.rows.rows[0].cross)
        wait_idle(qtbot, window)
    assert anchors(window) == before[2:]
    window.user_actions.undo()
    assert anchors(window) == before[1:]
    window.user_actions.pinning.remove_all()
    assert anchors(window) == ()
    assert panel.pins.isHidden()


def test_that_pins_can_be_written_in_the_form(qtbot: QtBot, window: MainWindow) -> None:
    panel = method_of(window)
    window.steps.open(window.steps.panels.index(panel))
    panel.form.set_advanced(True)
    field = panel.form.fields["anchors"]
    assert isinstance(field, PinsField)
    for text, good in (("3:5=YAL003W", True), ("nowhere", False), ("99:1=YAL003W", False)):
        click(field.edit)
        QTest.keyClicks(field.edit, text)
        QTest.keyClick(field.edit, Qt.Key.Key_Return)
        assert panel.form.valid is good
    assert anchors(window) == ("3:5=YAL003W",)
    eventually(qtbot, lambda: window.jobs.idle)


def test_that_an_item_that_is_pinned_again_moves(window: MainWindow) -> None:
    (item,) = choose(window, 4)
    for node in (3, 7):
        window.user_actions.pinning.begin_picking()
        window.user_actions.pinning.pick(node)
    assert window.user_actions.pinning.pins == {7: item}


@pytest.mark.parametrize("method", ["t-sne", "pca"])
def test_that_methods_without_nodes_say_why_nothing_is_pinned(
    window: MainWindow, method: str
) -> None:
    choose(window, 4)
    window.user_actions.choose_method(method)
    assert window.user_actions.pinning.why_not
    window.user_actions.pinning.pin_winners()
    assert window.user_actions.pinning.pins == {}


def test_that_nodes_of_another_map_are_not_pinned(window: MainWindow) -> None:
    choose(window, 4)
    assert window.user_actions.pinning.why_not == ""
    window.user_actions.set_params(window.user_actions.session.plan.params.replace(shape=(5, 5)))
    assert "5 × 5" in window.user_actions.pinning.why_not
    window.user_actions.reuse(run_shown(window))
    assert window.user_actions.pinning.why_not == ""
