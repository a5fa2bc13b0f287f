"""What a person does with a trained map, by mouse and keyboard, and the whole way back."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.ui.explored import new_file
from tests.ui.hands import click, click_tab, eventually, write
from tests.ui.windows import PATIENCE, wait_idle
from ximstudio.maps.enclosed import enclosed
from ximstudio.model.selection import Selection
from ximstudio.ui.drop_question import DropQuestion
from ximstudio.ui.selection.name_dialog import NameDialog
from ximstudio.ui.views import VIEWS
from ximstudio.ui.views.heat_map_view import HeatMapView
from ximstudio.ui.views.map_view import MapView
from ximstudio.ui.window import MainWindow

pytestmark = pytest.mark.usefixtures("dressed")

LEFT, NO_KEYS = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


@pytest.fixture
def window(mapped: MainWindow) -> MainWindow:
    return mapped


def map_view(window: MainWindow) -> MapView:
    view = window.views.panes[0].view
    assert isinstance(view, MapView)
    return view


def lasso(view: MapView, corners: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> None:
    """Draw a line around a part of the map, beginning with the key that takes the lasso."""
    QTest.keyClick(view.canvas, Qt.Key.Key_L)
    viewport = view.canvas.viewport()
    spots = [view.canvas.position_of(QPointF(*corner)).toPoint() for corner in corners.tolist()]
    QTest.mousePress(viewport, LEFT, NO_KEYS, spots[0])
    for spot in spots[1:]:
        QTest.mouseMove(viewport, spot)
    QTest.mouseRelease(viewport, LEFT, NO_KEYS, spots[-1])


def drop(window: MainWindow, path: Path) -> None:
    """Drag a file onto the window and let go of it."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    action = Qt.DropAction.CopyAction
    enters = QDragEnterEvent(QPoint(400, 300), action, data, LEFT, NO_KEYS)
    QApplication.sendEvent(window, enters)
    assert enters.isAccepted()
    QApplication.sendEvent(
        window, QDropEvent(QPointF(400, 300), action, data, LEFT, NO_KEYS, QEvent.Type.Drop)
    )


def test_that_a_person_explores_a_map_and_takes_all_of_it_back(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    studio, pane = window.studio, window.views.panes[0]
    first, n_steps = studio.session, len(window.desk.history.past)
    run = first.run
    assert run is not None

    # Lasso: the lower half of the map.
    view = map_view(window)
    corners = np.array([[-0.6, 2.4], [7.6, 2.4], [7.6, 5.6], [-0.6, 5.6]])
    lasso(view, corners)
    inside = enclosed(view.drawing.points._positions, corners)
    chosen = studio.session.selection
    assert chosen == Selection.where(inside, run.matrix.item_ids)
    assert 3 < len(chosen) < run.matrix.n_items
    wait_idle(qtbot, window)

    # Save as set.
    click(window.work.panel.chosen.head.save)
    (naming,) = window.findChildren(NameDialog)
    write(naming.field, "Lower half")
    QTest.keyClick(naming.field, Qt.Key.Key_Return)
    eventually(qtbot, lambda: bool(studio.session.sets))
    assert [each.name for each in studio.session.sets] == ["Lower half"]
    assert studio.session.sets[0].selection == chosen

    # Heat map: its rows are what is chosen.
    click_tab(pane.tabs, [kind.key for kind in VIEWS].index(HeatMapView.key))
    wait_idle(qtbot, window)
    heat = pane.view
    assert isinstance(heat, HeatMapView)
    assert heat.selected_ids == chosen.ids

    # Zoom in, and back.
    click_tab(pane.tabs, 0)
    wait_idle(qtbot, window)
    click(window.work.trail.zoom)
    qtbot.waitUntil(lambda: len(studio.session.runs) == 2, timeout=PATIENCE)
    wait_idle(qtbot, window)
    finer = studio.session.run
    assert finer is not None
    assert finer.parent == run.key
    assert frozenset(finer.matrix.item_ids) == chosen.ids
    click(window.work.trail.steps[0])
    wait_idle(qtbot, window)
    assert studio.session.shown == run.key
    assert studio.session.selection == chosen

    # A new file on the map.
    drop(window, new_file(tmp_path, run.matrix))
    (question,) = window.findChildren(DropQuestion)
    click(question.place)
    qtbot.waitUntil(lambda: bool(studio.exploring.bringing.brought), timeout=PATIENCE)
    wait_idle(qtbot, window)
    brought = studio.exploring.bringing.brought[-1]
    assert len(brought.newcomers.ids) == 7
    assert map_view(window).overlay.newcomers.n_marks == 7

    # All of it back, step by step, and forth again.
    last = studio.session
    while len(window.desk.history.past) > n_steps:
        click(window.bar.undo)
        wait_idle(qtbot, window)
    assert studio.session is first
    assert map_view(window).selected_ids == frozenset()
    assert map_view(window).overlay.newcomers.n_marks == 0
    while window.bar.redo.isEnabled():
        click(window.bar.redo)
        wait_idle(qtbot, window)
    assert studio.session is last
