"""A second file on a trained map: asked about, placed, listed, taken back."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from tests.ui.explored import new_file
from tests.ui.windows import (
    PATIENCE,
    run_shown,
    shown_window,
    train_one,
    turned_data,
    wait_idle,
    with_sample,
)
from ximstudio.export.projection import write_projection
from ximstudio.model.selection import Selection
from ximstudio.session.projection import ProjectedFile, project_file
from ximstudio.ui.app.window import MainWindow
from ximstudio.ui.dialogs.importing.dialog import ImportDialog
from ximstudio.ui.dialogs.importing.join_dialog import JoinDialog
from ximstudio.ui.files.questions import DropQuestion

pytestmark = pytest.mark.usefixtures("dressed")
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def window(mapped: MainWindow) -> MainWindow:
    return mapped


@pytest.fixture
def path(window: MainWindow, tmp_path: Path) -> Path:
    run = window.user_actions.session.run
    assert run is not None
    return new_file(tmp_path, run.matrix)


def asked(window: MainWindow, path: Path) -> DropQuestion:
    """The question that a dropped file raises."""
    window.opening.open_files((path,))
    (question,) = window.findChildren(DropQuestion)
    return question


def placed(qtbot: QtBot, window: MainWindow, path: Path) -> ProjectedFile:
    """What came of a file that is dropped and placed by a click."""
    question = asked(window, path)
    QTest.mouseClick(question.place, LEFT)
    qtbot.waitUntil(lambda: bool(window.user_actions.projection.projected), timeout=PATIENCE)
    wait_idle(qtbot, window)
    return window.user_actions.projection.projected[-1]


def test_that_a_file_dropped_before_there_is_a_map_is_opened(qtbot: QtBot, tmp_path: Path) -> None:
    window = with_sample(qtbot, shown_window(qtbot))
    data = window.user_actions.session.data
    assert data is not None
    assert data.matrix is not None
    window.opening.open_files((new_file(tmp_path, data.matrix),))
    assert window.findChildren(DropQuestion) == []
    (dialog,) = window.findChildren(ImportDialog)
    dialog.reject()
    wait_idle(qtbot, window)
    window.close()


def test_that_a_dropped_file_is_placed_and_taken_back_as_one_step(
    qtbot: QtBot, window: MainWindow, path: Path
) -> None:
    before = window.user_actions.session
    projected = placed(qtbot, window, path)
    assert window.user_actions.undoes == "Place 7 genes of new.csv"
    assert projected.items.ids[:2] == ("NEW0W", "NEW1W")
    assert bool(projected.items.strange[-1])
    assert not projected.items.strange[:6].all()
    view = window.views.pane.view
    assert view.overlay.projected.n_marks == 7  # type: ignore[attr-defined]
    assert window.explorer.projected.isVisible()

    window.user_actions.undo()
    wait_idle(qtbot, window)
    assert window.user_actions.session is before
    assert view.overlay.projected.n_marks == 0  # type: ignore[attr-defined]
    assert window.explorer.projected.table.contents.rowCount() == 0


def test_that_the_frozen_recipe_of_the_map_is_kept_with_it(window: MainWindow, path: Path) -> None:
    run = window.user_actions.session.run
    assert run is not None
    assert run.frozen is not None
    kept, read_again = project_file(run, path), project_file(replace(run, frozen=None), path)
    np.testing.assert_array_equal(kept.items.positions, read_again.items.positions)
    np.testing.assert_array_equal(kept.items.novelty, read_again.items.novelty)


def test_that_the_list_tells_nodes_and_novelty_the_strangest_first(
    qtbot: QtBot, window: MainWindow, path: Path
) -> None:
    projected = placed(qtbot, window, path)
    dialog = window.explorer.projected
    assert (
        dialog.table.contents.order.tolist()
        == np.argsort(-projected.items.novelty, kind="stable").tolist()
    )
    assert [each.name for each in dialog.table.contents.columns] == [
        "Gene",
        "Node",
        "Novelty",
        "Fits",
    ]
    fits = dialog.table.contents.columns[-1].texts
    assert fits is not None
    assert [text == "no" for text in fits] == projected.items.strange.tolist()
    assert dialog.mismatches.isVisible()
    assert len(projected.items.absent) == 1


def test_that_a_click_selects_who_is_at_the_same_node(
    qtbot: QtBot, window: MainWindow, path: Path
) -> None:
    projected = placed(qtbot, window, path)
    table, run = window.explorer.projected.table, window.user_actions.session.run
    assert run is not None
    assert run.result.winners is not None
    assert projected.items.winners is not None
    row = table.contents.order.tolist().index(0)
    place = table.visualRect(table.model().index(row, 0)).center()
    QTest.mouseClick(table.viewport(), LEFT, pos=place)
    members = run.result.winners == projected.items.winners[0]
    assert window.user_actions.session.selection == Selection.where(members, run.matrix.item_ids)


def test_that_the_list_is_copied_and_saved(
    qtbot: QtBot, window: MainWindow, path: Path, tmp_path: Path
) -> None:
    projected = placed(qtbot, window, path)
    dialog = window.explorer.projected
    QTest.mouseClick(dialog.copy, LEFT)
    copied = QGuiApplication.clipboard().text().splitlines()
    assert [line.split("\t")[0] for line in copied] == ["id", *projected.items.ids]

    dialog.save_as(tmp_path / "out.csv")
    wait_idle(qtbot, window)
    with (tmp_path / "out.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["id"] for row in rows] == list(projected.items.ids)
    assert [float(row["novelty"]) for row in rows] == projected.items.novelty.tolist()
    assert rows[-1]["does_not_belong"] == "1"
    assert copied[0].split("\t") == list(rows[0])
    write_projection(tmp_path / "command.csv", run_shown(window).result, projected.items)
    assert (tmp_path / "out.csv").read_bytes() == (tmp_path / "command.csv").read_bytes()


def test_that_another_table_has_another_list_in_its_own_words(
    qtbot: QtBot, window: MainWindow, path: Path
) -> None:
    placed(qtbot, window, path)
    dialog = window.explorer.projected
    assert dialog.windowTitle() == "New genes on this map"
    window.user_actions.use_table(turned_data())
    wait_idle(qtbot, window)
    assert dialog.windowTitle() == dialog.heading.text() == "New samples on this map"
    assert dialog.table.contents.rowCount() == 0
    assert "samples" in dialog.summary.text()


def test_that_files_are_listed_one_by_one_and_removed_one_by_one(
    qtbot: QtBot, window: MainWindow, path: Path
) -> None:
    first = placed(qtbot, window, path)
    again = path.with_name("more.csv")
    path.rename(again)
    window.user_actions.projection.place(again)
    qtbot.waitUntil(lambda: len(window.user_actions.projection.projected) == 2, timeout=PATIENCE)
    dialog = window.explorer.projected
    assert dialog.projected is not None
    assert dialog.projected.name == "more.csv"
    assert dialog.files.isVisible()
    assert dialog.files.count() == 2
    QTest.mouseClick(dialog.remove, LEFT)
    assert window.user_actions.projection.projected == (first,)
    assert dialog.projected is first
    assert not dialog.files.isVisible()
    assert "more.csv" in window.user_actions.undoes


def test_that_a_file_of_other_features_is_refused_and_nothing_changes(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    other = tmp_path / "other.csv"
    other.write_text("gene,a,b,c\nX1,1,2,3\nX2,2,3,4\nX3,3,5,4\n", encoding="utf-8")
    before = window.user_actions.session
    window.user_actions.projection.place(other)
    wait_idle(qtbot, window)
    assert [problem.key for problem in window.banner.problems] == ["newcomers.other_features"]
    assert window.user_actions.session is before


def test_that_the_other_answers_open_a_table_or_join_one(
    qtbot: QtBot, window: MainWindow, path: Path
) -> None:
    QTest.mouseClick(asked(window, path).open_table, LEFT)
    (dialog,) = window.findChildren(ImportDialog)
    dialog.reject()
    wait_idle(qtbot, window)
    qtbot.waitUntil(lambda: window.findChildren(DropQuestion) == [])

    QTest.mouseClick(asked(window, path).join, LEFT)
    (joining,) = window.findChildren(JoinDialog)
    joining.reject()
    wait_idle(qtbot, window)
    qtbot.waitUntil(lambda: window.findChildren(DropQuestion) == [])

    question = asked(window, path)
    QTest.keyClick(question, Qt.Key.Key_Escape)
    assert window.user_actions.projection.projected == ()


def test_that_the_menu_waits_for_a_map_and_its_keys_are_those_of_the_help_page(
    qtbot: QtBot,
) -> None:
    window = with_sample(qtbot, shown_window(qtbot))
    explorer = window.explorer
    assert not explorer.button.isEnabled()
    explorer.show_clusters()
    explorer.show_similar()
    assert not {"clusters", "similar"} & vars(explorer).keys()
    train_one(qtbot, window)
    assert explorer.button.isEnabled()
    texts = [action.text() for action in explorer.entries.values()]
    assert [text.split("\t")[1] for text in texts] == ["Ctrl+K", "Ctrl+M", "Ctrl+Shift+O"]
    QTest.keyClick(window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    assert explorer.clusters.isVisible()
    window.close()


def test_that_the_menu_of_a_run_shows_it_and_asks_for_a_file(
    qtbot: QtBot, window: MainWindow
) -> None:
    train_one(qtbot, window)
    card = window.runs.cards["run-1"]
    menu = card.open_menu(card.rect().center())
    (action,) = [each for each in menu.actions() if each.text().startswith("Place a file")]
    action.trigger()
    menu.close()
    assert window.user_actions.session.shown == "run-1"
    (dialog,) = window.findChildren(QFileDialog)
    dialog.reject()
