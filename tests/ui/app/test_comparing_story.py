"""The user compares methods by mouse and keyboard, and undoes everything."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from tests.ui.compared import FOUR, plan_quick_methods, wait_series
from tests.ui.hands import click, write
from tests.ui.windows import PATIENCE, shown_window, wait_idle, with_sample
from ximstudio.explore.similar import distances_from
from ximstudio.maps.palettes import coloured
from ximstudio.ui.app.window import MainWindow
from ximstudio.ui.views.compare.maps_page import NEIGHBOURS
from ximstudio.ui.views.compare.view import CompareView

pytestmark = pytest.mark.usefixtures("dressed")

LEFT, NO_KEYS = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[MainWindow]:
    window = with_sample(qtbot, shown_window(qtbot))
    plan_quick_methods(window, *FOUR)
    yield window
    window.close()


def test_that_a_person_compares_methods_and_takes_all_of_it_back(
    qtbot: QtBot, window: MainWindow
) -> None:
    actions = window.user_actions
    first, n_steps = actions.session, len(window.store.history.past)

    # The usual four, from the empty page.
    click(window.bar.compare)
    view = window.views.pane.view
    assert isinstance(view, CompareView)
    wait_idle(qtbot, window)
    usual = view.empty.findChild(QPushButton)
    assert usual is not None
    click(usual)
    wait_series(qtbot, window)
    panels = view.maps.panels
    assert [panel.picture.run.result.method for panel in panels if panel.picture] == list(FOUR)
    assert all(panel.figures.text().startswith("T 0.") for panel in panels)

    # Select in one panel: the same ids in all.
    click(view.maps.tools.button("rectangle"))
    panel = panels[1]
    box = panel.canvas.viewport().rect()
    corners = (
        box.center() - QPoint(box.width() // 3, 0),
        box.center() + QPoint(0, box.height() // 3),
    )
    port = panel.canvas.viewport()
    QTest.mousePress(port, LEFT, NO_KEYS, corners[0])
    QTest.mouseMove(port, corners[1])
    QTest.mouseRelease(port, LEFT, NO_KEYS, corners[1])
    chosen = actions.session.selection
    assert 0 < len(chosen) < 186
    assert {each.selected_ids for each in panels} == {chosen.ids}
    assert view.selected_ids == chosen.ids

    # The torch, once what is chosen has its place beside the views.
    wait_idle(qtbot, window)
    click(view.maps.torch)
    panel = panels[3]
    spot = panel.canvas.position_of(panel.points.place_of(60)).toPoint()
    for away in (3, 0):
        QTest.mouseMove(panel.canvas.viewport(), spot + QPoint(away, 0))
        QApplication.processEvents()
    assert view.maps.lit is not None
    number, item = view.maps.lit
    assert number == 3
    run = actions.session.compared_runs[3]
    distances = distances_from(run.matrix, run.result.params, item)
    low, high = view.maps.bar.limits
    table = view.maps.torch_table()
    expected = coloured(distances, table, low=low, high=high, blank=(0, 0, 0))
    for each in panels:
        np.testing.assert_array_equal(each.points.colours[:, :3], expected)
        assert len(each.points.ringed) == NEIGHBOURS

    # The table.
    click(view.pages.button("measures"))
    shown = view.measures.table.model()
    titles = [shown.headerData(row, Qt.Orientation.Vertical) for row in range(shown.rowCount())]
    for wanted in ("Sammon", "ρ", "Trustworthiness", "Continuity", "AUC", "Quantisation"):
        assert any(wanted in title for title in titles), wanted
    for wanted in ("Topographic", "Label agreement", "Training time"):
        assert any(wanted in title for title in titles), wanted
    row = next(number for number, title in enumerate(titles) if "Trustworthiness" in title)
    texts = [shown.data(shown.index(row, column)) for column in range(4)]
    values = [one.measures["trustworthiness"].value for one in actions.session.compared_runs]
    assert texts == [f"{value:.3f}" for value in values]
    fonts = [
        shown.data(shown.index(row, column), Qt.ItemDataRole.FontRole).bold() for column in range(4)
    ]
    assert fonts == [value == max(values) for value in values]

    # A sweep, and one of its maps as a run.
    click(view.pages.button("sweep"))
    for line, text in zip(view.sweep.axes.rows, ("0.1; 0.3", "auto,0.5"), strict=True):
        write(line.values, text)
    click(view.sweep.begin)
    qtbot.waitUntil(lambda: len(actions.parameter_sweep.found) == 2, timeout=PATIENCE)
    wait_idle(qtbot, window)
    click(view.sweep.cards[1])
    wait_idle(qtbot, window)
    opened = actions.session.run
    assert opened is not None
    assert opened.result.params.repulsion == 0.3  # type: ignore[attr-defined]
    assert window.views.pane.view.kind.key == "map"
    assert not window.views.pane.view.is_blank

    # All of it back: sweep's run, selection, the four.
    steps = []
    while len(window.store.history.past) > n_steps:
        steps.append(actions.undoes)
        click(window.bar.undo)
        wait_idle(qtbot, window)
    assert steps[0].startswith("Open c-XIM")
    assert steps[-1] == "Compare PCA, SOM, XOM, c-XIM"
    assert actions.session.runs == first.runs
    assert actions.session.compared == first.compared == ()
    assert not actions.session.selection
