"""The user explores a map by mouse and keyboard, and undoes everything."""

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
from ximstudio.maps.box import enclosed
from ximstudio.model.selection import Selection
from ximstudio.ui.app.window import MainWindow
from ximstudio.ui.files.questions import DropQuestion
from ximstudio.ui.panels.selection.sets_dialogs import SetNameDialog
from ximstudio.ui.views import VIEWS
from ximstudio.ui.views.heat_map.view import HeatMapView
from ximstudio.ui.views.map.view import MapView

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
    actions, pane = window.user_actions, window.views.panes[0]
    first, n_steps = actions.session, len(window.store.history.past)
    run = first.run
    assert run is not None

    # Lasso: the lower half of the map.
    view = map_view(window)
    corners = np.array([[-0.6, 2.4], [7.6, 2.4], [7.6, 5.6], [-0.6, 5.6]])
    lasso(view, corners)
    inside = enclosed(view.drawing.points._positions, corners)
    chosen = actions.session.selection
    assert chosen == Selection.where(inside, run.matrix.item_ids)
    assert 3 < len(chosen) < run.matrix.n_items
    wait_idle(qtbot, window)

    # Save as set.
    click(window.work.panel.chosen.head.save)
    (naming,) = window.findChildren(SetNameDialog)
    write(naming.field, "Lower half")
    QTest.keyClick(naming.field, Qt.Key.Key_Return)
    eventually(qtbot, lambda: bool(actions.session.sets))
    assert [each.name for each in actions.session.sets] == ["Lower half"]
    assert actions.session.sets[0].selection == chosen

    # Heat map: its rows are what is chosen.
    click_tab(pane.tabs, [kind.kind.key for kind in VIEWS].index(HeatMapView.kind.key))
    wait_idle(qtbot, window)
    heat = pane.view
    assert isinstance(heat, HeatMapView)
    assert heat.selected_ids == chosen.ids

    # Zoom in, and back.
    click_tab(pane.tabs, 0)
    wait_idle(qtbot, window)
    click(window.work.trail.zoom)
    qtbot.waitUntil(lambda: len(actions.session.runs) == 2, timeout=PATIENCE)
    wait_idle(qtbot, window)
    finer = actions.session.run
    assert finer is not None
    assert finer.parent == run.key
    assert frozenset(finer.matrix.item_ids) == chosen.ids
    click(window.work.trail.steps[0])
    wait_idle(qtbot, window)
    assert actions.session.shown == run.key
    assert actions.session.selection == chosen

    # A new file on the map.
    drop(window, new_file(tmp_path, run.matrix))
    (question,) = window.findChildren(DropQuestion)
    click(question.place)
    qtbot.waitUntil(lambda: bool(actions.projection.projected), timeout=PATIENCE)
    wait_idle(qtbot, window)
    projected = actions.projection.projected[-1]
    assert len(projected.items.ids) == 7
    assert map_view(window).overlay.projected.n_marks == 7

    # All of it back, step by step, and forth again.
    last = actions.session
    while len(window.store.history.past) > n_steps:
        click(window.bar.undo)
        wait_idle(qtbot, window)
    assert actions.session is first
    assert map_view(window).selected_ids == frozenset()
    assert map_view(window).overlay.projected.n_marks == 0
    while window.bar.redo.isEnabled():
        click(window.bar.redo)
        wait_idle(qtbot, window)
    assert actions.session is last
