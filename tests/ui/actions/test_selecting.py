"""One selection: wherever it is made, all views show the same items."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.ui.maps_to_show import shown_of
from tests.ui.opened_views import drawn, opened
from tests.ui.windows import wait_idle
from ximstudio.maps.box import enclosed
from ximstudio.model.selection import NOTHING, Combine, Selection
from ximstudio.ui.app.window import MainWindow
from ximstudio.ui.views import VIEWS
from ximstudio.ui.views.map.view import MapView
from ximstudio.ui.views.positions.view import PositionsView
from ximstudio.ui.widgets.drawing.canvas import Tool
from ximstudio.views.map.picture import HITS, POINTS

pytestmark = pytest.mark.usefixtures("dressed")

SHOWS_ITEMS = [kind for kind in VIEWS if not kind.kind.shows_measures]
Key = Qt.KeyboardModifier


@pytest.fixture
def window(mapped: MainWindow) -> MainWindow:
    return mapped


def test_that_a_selection_is_the_same_in_every_view(qtbot: QtBot, window: MainWindow) -> None:
    run = window.user_actions.session.run
    assert run is not None
    rng = np.random.default_rng(0)
    ids = run.matrix.item_ids
    window.user_actions.comparison.set_compared(run.key, on=True)
    pane = window.views.panes[0]
    for kind in SHOWS_ITEMS:
        pane.show_view(kind.kind.key)
        wait_idle(qtbot, window)
        for share in (0.0, 0.03, 0.3, 1.0):
            chosen = Selection.where(rng.random(len(ids)) < share, ids)
            window.user_actions.selecting.select(chosen)
            assert pane.view.selected_ids == chosen.ids == window.user_actions.session.selection.ids
    # A view that was not seen meanwhile knows it, too.
    for kind in SHOWS_ITEMS:
        pane.show_view(kind.kind.key)
        wait_idle(qtbot, window)
        assert pane.view.selected_ids == window.user_actions.session.selection.ids


def drag(view: MapView | PositionsView, corners: list[QPointF], keys: Key = Key.NoModifier) -> None:
    """Draw a line through places of the canvas with the mouse."""
    canvas = view.canvas
    spots = [canvas.position_of(corner).toPoint() for corner in corners]
    QTest.mousePress(canvas.viewport(), Qt.MouseButton.LeftButton, keys, spots[0])
    for spot in spots[1:]:
        QTest.mouseMove(canvas.viewport(), spot)
    QTest.mouseRelease(canvas.viewport(), Qt.MouseButton.LeftButton, keys, spots[-1])


def test_that_a_lasso_selects_the_points_inside(qtbot: QtBot) -> None:
    view, shown = opened(qtbot, PositionsView), shown_of("c-xim")
    picture = drawn(view, shown)
    heard: list[tuple[Selection, Combine]] = []
    view.chosen.connect(lambda chosen, how: heard.append((chosen, how)))
    view.take_tool(Tool.LASSO)
    (left, top), (right, bottom) = picture.positions.min(axis=0), picture.positions.max(axis=0)
    middle, third = (left + right) / 2, (left + right) / 3
    corners = np.array(
        [(left - 0.2, top - 0.2), (middle, top - 0.2), (third, bottom + 0.2), (left, bottom + 0.2)]
    )
    drag(view, [QPointF(*corner) for corner in corners.tolist()], Key.ShiftModifier)
    ((chosen, how),) = heard
    ids = picture.matrix.item_ids
    assert how is Combine.ADD
    assert 0 < len(chosen) < len(ids)
    # Corners are whole pixels of the screen: whoever lies on the line may be on either side.
    far = (
        np.abs(
            picture.positions[:, 0]
            - np.interp(picture.positions[:, 1], [top - 0.2, bottom + 0.2], [middle, third])
        )
        > 0.05
    )
    expected = Selection.where(enclosed(picture.positions, corners) & far, ids)
    assert chosen.combined(Selection.where(far, ids), Combine.INTERSECT) == expected


def test_that_a_rectangle_selects_the_members_of_nodes(qtbot: QtBot) -> None:
    view, shown = opened(qtbot, MapView), shown_of("c-xim")
    picture = drawn(view, shown)
    assert picture.grid is not None
    heard: list[Selection] = []
    view.chosen.connect(lambda chosen, _: heard.append(chosen))
    view.take_tool(Tool.RECTANGLE)
    nodes = picture.grid.nodes
    for marks in (HITS, POINTS):
        view.marks.choose(marks)
        heard.clear()
        drag(view, [QPointF(-0.5, -0.6), QPointF(3.4, 2.4)])
        box = np.array([[-0.5, -0.6], [3.4, -0.6], [3.4, 2.4], [-0.5, 2.4]])
        inside = enclosed(nodes, box)[picture.winners]
        if marks == POINTS:
            inside = enclosed(picture.positions, box)
        assert heard == [Selection.where(inside, picture.matrix.item_ids)]


def test_that_a_click_selects_and_a_click_beside_lets_go(window: MainWindow) -> None:
    pane = window.views.panes[0]
    view = pane.view
    assert isinstance(view, MapView)
    picture = view._picture
    assert picture is not None
    node = int(picture.hits.argmax())
    viewport = view.canvas.viewport()
    members = Selection.where(picture.winners == node, picture.matrix.item_ids)
    # The panel of what is chosen opens with the first selection, and the map makes room for it.
    window.user_actions.selecting.select(members)
    QApplication.processEvents()
    spot = view.canvas.position_of(view.drawing.place_of(node)).toPoint()
    for tool in Tool:
        view.take_tool(tool)
        QTest.mouseClick(viewport, Qt.MouseButton.LeftButton, Key.NoModifier, spot)
        assert window.user_actions.session.selection == members
        assert view.drawing.map.selected.tolist() == [node]
        QTest.mouseClick(viewport, Qt.MouseButton.LeftButton, Key.ControlModifier, spot)
        assert window.user_actions.session.selection == NOTHING
        QTest.mouseClick(viewport, Qt.MouseButton.LeftButton, Key.ShiftModifier, spot)
        assert window.user_actions.session.selection == members
        beside = QPoint(viewport.width() - 3, 3)
        QTest.mouseClick(viewport, Qt.MouseButton.LeftButton, Key.ShiftModifier, beside)
        assert window.user_actions.session.selection == members
        QTest.mouseClick(viewport, Qt.MouseButton.LeftButton, Key.NoModifier, beside)
        assert window.user_actions.session.selection == NOTHING


def test_that_keys_walk_and_select(window: MainWindow) -> None:
    view = window.views.panes[0].view
    assert isinstance(view, MapView)
    picture = view._picture
    assert picture is not None
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Space):
        QTest.keyClick(view.canvas, key)
    node = int(picture.hits.argmax())
    expected = Selection.where(picture.winners == node, picture.matrix.item_ids)
    assert window.user_actions.session.selection == expected
    for key, tool in ((Qt.Key.Key_L, Tool.LASSO), (Qt.Key.Key_R, Tool.RECTANGLE)):
        QTest.keyClick(view.canvas, key)
        assert view.canvas.tool is tool
        assert view.tools.value == tool


def test_that_escape_drops_a_line_that_is_being_drawn(qtbot: QtBot) -> None:
    view = opened(qtbot, PositionsView)
    drawn(view, shown_of("c-xim"))
    heard: list[object] = []
    view.chosen.connect(lambda *what: heard.append(what))
    view.take_tool(Tool.LASSO)
    viewport = view.canvas.viewport()
    QTest.mousePress(viewport, Qt.MouseButton.LeftButton, Key.NoModifier, QPoint(50, 50))
    QTest.mouseMove(viewport, QPoint(150, 150))
    QTest.keyClick(view.canvas, Qt.Key.Key_Escape)
    QTest.mouseRelease(viewport, Qt.MouseButton.LeftButton, Key.NoModifier, QPoint(150, 50))
    assert heard == []


def test_that_choosing_goes_back_and_forth(window: MainWindow) -> None:
    actions = window.user_actions
    selecting, ids = actions.selecting, actions.selecting.item_ids
    before = actions.session
    selecting.select(Selection.of(ids[:5]))
    selecting.invert()
    assert len(selecting.selection) == len(ids) - 5
    selecting.select_before()
    assert selecting.selection == Selection.of(ids[:5])
    made = selecting.save_set("Five")
    assert made.members == ids[:5]
    selecting.select_all()
    selecting.clear()
    selecting.rename_set("Five", "First five")
    selecting.remove_set("First five")
    assert not actions.session.sets
    while actions.session is not before:
        assert window.bar.undo.isEnabled()
        window.bar.undo.click()
    while window.bar.redo.isEnabled():
        window.bar.redo.click()
    assert not actions.session.sets
    actions.undo()
    assert [each.name for each in actions.session.sets] == ["First five"]


def test_that_a_run_that_was_taken_back_comes_again_with_its_measures(
    qtbot: QtBot, window: MainWindow
) -> None:
    run = window.user_actions.session.run
    assert run is not None
    assert run.measures
    window.user_actions.delete_run(run.key)
    assert not window.user_actions.session.runs
    window.user_actions.undo()
    wait_idle(qtbot, window)
    assert [each.key for each in window.user_actions.session.runs] == [run.key]
    window.user_actions.undo()
    assert not window.user_actions.session.runs
    window.user_actions.redo()
    wait_idle(qtbot, window)
    (again,) = window.user_actions.session.runs
    assert again.result is run.result
    assert again.measures
