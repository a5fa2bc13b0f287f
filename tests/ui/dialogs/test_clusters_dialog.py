"""Clusters in the window: found, named, selected, kept as sets, and taken back."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from tests.ui.maps_to_show import run_of
from tests.ui.windows import train_one, wait_idle
from ximstudio.maps.clusters import CLUSTERINGS, ClusterMethod, clusterings_of, items_of
from ximstudio.model.selection import Selection
from ximstudio.ui.app.window import MainWindow
from ximstudio.ui.dialogs.exploring.clusters_dialog import ClustersDialog

pytestmark = pytest.mark.usefixtures("dressed")
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def window(mapped: MainWindow) -> MainWindow:
    return mapped


def found(qtbot: QtBot, window: MainWindow, number: int = 3) -> ClustersDialog:
    """The dialog after clusters were found by clicks."""
    window.explorer.show_clusters()
    dialog = window.explorer.clusters
    assert dialog.form is not None
    params = dialog.way.params.from_values({"n_clusters": number})
    dialog.form.show_params(params)
    QTest.mouseClick(dialog.start, LEFT)
    wait_idle(qtbot, window)
    return dialog


def members(window: MainWindow, cluster: int) -> Selection:
    run = window.user_actions.session.run
    assert run is not None
    assert run.clustering is not None
    inside = items_of(run.clustering, run.result.winners) == cluster
    return Selection.where(inside, run.matrix.item_ids)


def click_row(dialog: ClustersDialog, row: int, held: Qt.KeyboardModifier | None = None) -> None:
    place = dialog.table.visualRect(dialog.table.model().index(row, 1)).center()
    keys = Qt.KeyboardModifier.NoModifier if held is None else held
    QTest.mouseClick(dialog.table.viewport(), LEFT, keys, place)


def test_that_clusters_are_found_listed_and_taken_back_as_one_step(
    qtbot: QtBot, window: MainWindow
) -> None:
    before = window.user_actions.session
    dialog = found(qtbot, window)
    run = window.user_actions.session.run
    assert run is not None
    assert run.clustering is not None
    assert len(run.clustering) == 3
    names, genes, nodes = dialog.table.contents.columns
    assert names.texts == run.clustering.names
    assert genes.numbers is not None
    assert nodes.numbers is not None
    assert int(genes.numbers.sum()) == run.matrix.n_items
    assert int(nodes.numbers.sum()) == 48
    assert dialog.plot.isVisible()
    view = window.views.pane.view
    assert view.overlay.borders.lines  # type: ignore[attr-defined]

    window.user_actions.undo()
    wait_idle(qtbot, window)
    assert window.user_actions.session is before
    assert not view.overlay.borders.lines  # type: ignore[attr-defined]
    assert dialog.table.contents.rowCount() == 0
    window.user_actions.redo()
    wait_idle(qtbot, window)
    assert dialog.table.contents.rowCount() == 3


def test_that_a_click_selects_members_and_keys_change_how(qtbot: QtBot, window: MainWindow) -> None:
    dialog = found(qtbot, window)
    click_row(dialog, 1)
    assert window.user_actions.session.selection == members(window, 1)
    click_row(dialog, 0, Qt.KeyboardModifier.ShiftModifier)
    both = members(window, 0).ids | members(window, 1).ids
    assert window.user_actions.session.selection.ids == both
    click_row(dialog, 1, Qt.KeyboardModifier.ControlModifier)
    assert window.user_actions.session.selection == members(window, 0)


def test_that_enter_selects_the_members_of_the_row_at_the_keyboard(
    qtbot: QtBot, window: MainWindow
) -> None:
    dialog = found(qtbot, window)
    dialog.table.setFocus()
    dialog.table.setCurrentIndex(dialog.table.model().index(2, 0))
    QTest.keyClick(dialog.table, Qt.Key.Key_Return)
    assert window.user_actions.session.selection == members(window, 2)
    assert dialog.isVisible()


def test_that_a_cluster_is_renamed_where_it_stands_and_names_stay_unlike(
    qtbot: QtBot, window: MainWindow
) -> None:
    dialog = found(qtbot, window)
    dialog.table.setCurrentIndex(dialog.table.model().index(0, 0))
    QTest.keyClick(dialog.table, Qt.Key.Key_F2)
    field = dialog.table.findChild(QLineEdit)
    assert isinstance(field, QLineEdit)
    field.selectAll()
    QTest.keyClicks(field, "Ribosome")
    QTest.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "Ribosome" in window.user_actions.undoes)
    run = window.user_actions.session.run
    assert run is not None
    assert run.clustering is not None
    assert run.clustering.names == ("Ribosome", "Cluster 2", "Cluster 3")

    dialog.table.edited.emit(1, "Ribosome")
    assert [problem.key for problem in window.banner.problems] == ["clusters.name"]
    assert window.user_actions.session.run is run


def test_that_clusters_are_kept_as_sets_with_their_names(qtbot: QtBot, window: MainWindow) -> None:
    dialog = found(qtbot, window)
    dialog.table.edited.emit(0, "Ribosome")
    QTest.mouseClick(dialog.keep, LEFT)
    sets = window.user_actions.session.sets
    assert [each.name for each in sets] == ["Ribosome", "Cluster 2", "Cluster 3"]
    assert sets[0].selection == members(window, 0)


def test_that_a_click_in_the_plot_takes_that_number(qtbot: QtBot, window: MainWindow) -> None:
    dialog = found(qtbot, window)
    plot = dialog.plot
    centre = plot.view.viewRect().center()
    centre.setX(5.2)
    scene = plot.view.mapViewToScene(centre)
    place = plot.mapFromScene(scene)
    QTest.mouseClick(plot.viewport(), LEFT, pos=QPoint(place.x(), place.y()))
    wait_idle(qtbot, window)
    run = window.user_actions.session.run
    assert run is not None
    assert run.clustering is not None
    assert len(run.clustering) == 5


@pytest.mark.parametrize("way", CLUSTERINGS, ids=lambda way: way.key)
def test_that_every_method_has_its_form_and_finds_something(
    qtbot: QtBot, window: MainWindow, way: ClusterMethod
) -> None:
    window.explorer.show_clusters()
    dialog = window.explorer.clusters
    dialog.method.setCurrentIndex(CLUSTERINGS.index(way))
    dialog.method.activated.emit(dialog.method.currentIndex())
    assert dialog.way is way
    QTest.mouseClick(dialog.start, LEFT)
    wait_idle(qtbot, window)
    run = window.user_actions.session.run
    assert run is not None
    assert run.clustering is not None
    assert run.clustering.method == dialog.way.key
    assert dialog.table.contents.rowCount() == len(run.clustering)


def test_that_names_of_clusters_are_sorted_by_a_click_and_rows_stay_themselves(
    qtbot: QtBot, window: MainWindow
) -> None:
    dialog = found(qtbot, window)
    _, genes, _ = dialog.table.contents.columns
    assert genes.numbers is not None
    dialog.table.sort(1)
    assert dialog.table.contents.order.tolist() == np.argsort(genes.numbers, kind="stable").tolist()
    smallest = dialog.table.contents.order.tolist()[0]
    click_row(dialog, 0)
    assert window.user_actions.session.selection == members(window, smallest)


def test_that_clusters_go_with_their_map(qtbot: QtBot, window: MainWindow) -> None:
    dialog = found(qtbot, window)
    train_one(qtbot, window)
    assert dialog.table.contents.rowCount() == 0
    window.user_actions.show_run("run-1")
    wait_idle(qtbot, window)
    assert dialog.table.contents.rowCount() == 3
    QTest.mouseClick(dialog.remove, LEFT)
    assert window.user_actions.session.run is not None
    assert window.user_actions.session.run.clustering is None


def test_that_only_what_the_map_allows_is_offered(qtbot: QtBot, window: MainWindow) -> None:
    dialog = found(qtbot, window)
    pca = run_of("pca", state="finished")
    window.store.commit(window.user_actions.session.with_run(pca), "Train")
    wait_idle(qtbot, window)
    offered = [dialog.method.itemText(number) for number in range(dialog.method.count())]
    assert offered == [way.name for way in clusterings_of(pca.result)] == ["HDBSCAN"]
    assert dialog.way.key == "hdbscan"

    window.user_actions.show_run("run-1")
    wait_idle(qtbot, window)
    assert dialog.method.count() == len(CLUSTERINGS)
    assert dialog.way.key == "ward"


def test_that_nothing_is_counted_while_nobody_sees_it(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog = found(qtbot, window)
    asked: list[object] = []
    monkeypatch.setattr(dialog, "_show_state", lambda: asked.append(None))
    dialog.hide()
    window.user_actions.selecting.select(members(window, 1))
    wait_idle(qtbot, window)
    assert asked == []
    dialog.show()
    window.user_actions.selecting.select(members(window, 0))
    assert asked


def test_that_a_new_name_leaves_what_was_typed_meanwhile(qtbot: QtBot, window: MainWindow) -> None:
    dialog = found(qtbot, window)
    assert dialog.form is not None
    typed = dialog.way.params.from_values({"n_clusters": 7})
    dialog.form.show_params(typed)
    dialog.table.edited.emit(0, "Ribosome")
    assert dialog.table.contents.columns[0].texts == ("Ribosome", "Cluster 2", "Cluster 3")
    assert dialog.form.params == typed


def test_that_escape_closes_it_and_undo_works_in_it(qtbot: QtBot, window: MainWindow) -> None:
    dialog = found(qtbot, window)
    dialog.activateWindow()
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
