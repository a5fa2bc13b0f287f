"""The bar above the views: zoom in, and back; by mouse and keyboard in the real window."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from tests.ui.hands import CONTROL, click, eventually, pick, write
from tests.ui.windows import run_shown, train_one, wait_idle
from ximstudio.maps.label_kinds import default_class_label
from ximstudio.model.result import PrototypeMap
from ximstudio.model.selection import Selection
from ximstudio.ui.actions.derived_maps import Further
from ximstudio.ui.actions.trainer import Phase
from ximstudio.ui.app.window import MainWindow
from ximstudio.ui.views.common.class_colours import class_colours
from ximstudio.ui.views.map.view import MapView


@pytest.fixture
def window(mapped: MainWindow) -> MainWindow:
    return mapped


def trail_of(window: MainWindow) -> list[str]:
    return [step.accessibleName() for step in window.work.trail.steps]


def choose_class(window: MainWindow, name: str) -> int:
    """Choose all genes of a class; how many."""
    matrix = run_shown(window).matrix
    labels = matrix.item_labels["function"]
    ids = [item for item, text in zip(matrix.item_ids, labels, strict=True) if text == name]
    window.user_actions.selecting.select(Selection.of(ids))
    return len(ids)


def settled(qtbot: QtBot, window: MainWindow, n_runs: int) -> None:
    eventually(qtbot, lambda: len(window.user_actions.session.runs) == n_runs)
    wait_idle(qtbot, window)


def colours_seen(window: MainWindow) -> dict[str, str]:
    """The colours of the legend beside the map."""
    view = window.views.panes[0].view
    assert isinstance(view, MapView)
    picture = view._picture
    assert picture is not None
    assert picture.classes is not None
    return dict(zip(picture.classes.names, class_colours(picture.classes), strict=True))


def test_that_a_person_zooms_in_twice_and_comes_back(qtbot: QtBot, window: MainWindow) -> None:
    trail, actions = window.work.trail, window.user_actions
    assert trail_of(window) == ["c-XIM 1"]
    assert not trail.zoom.isVisible()
    before = colours_seen(window)

    n_resp = choose_class(window, "Resp")
    chosen = actions.session.selection
    click(trail.zoom)
    settled(qtbot, window, 2)
    assert trail_of(window) == ["c-XIM 1", f"{n_resp} genes (c-XIM 2)"]
    assert colours_seen(window) == {"Resp": before["Resp"]}
    assert window.runs.cards["run-2"].descent == f"{n_resp} genes of c-XIM 1"

    actions.selecting.select(Selection.of(run_shown(window).matrix.item_ids[:7]))
    QTest.keyClick(window, Qt.Key.Key_D, CONTROL)
    settled(qtbot, window, 3)
    assert trail_of(window) == ["c-XIM 1", f"{n_resp} genes (c-XIM 2)", "7 genes (c-XIM 3)"]

    QTest.keyClick(window, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert actions.session.shown == "run-2"
    first = trail.steps[0]
    assert isinstance(first, QPushButton)
    click(first)
    wait_idle(qtbot, window)
    assert actions.session.shown == "run-1"
    assert len(actions.session.selection) == 7
    assert colours_seen(window) == before

    while actions.undoes and len(actions.session.runs) > 1:
        actions.undo()
    assert trail_of(window) == ["c-XIM 1"]
    assert actions.session.selection == chosen


def test_that_a_part_keeps_its_label_whatever_becomes_of_its_table(
    qtbot: QtBot, window: MainWindow
) -> None:
    choose_class(window, "Resp")
    click(window.work.trail.zoom)
    settled(qtbot, window, 2)
    run = run_shown(window)
    assert (default_class_label(run.matrix), run.old_label) == (None, "function")
    # The same table once more, as when it is read again.
    anew = replace(run, matrix=run.matrix.items(range(run.matrix.n_items)))
    window.user_actions.change_run(anew, "Read again")
    window.user_actions.draw()
    wait_idle(qtbot, window)
    assert set(colours_seen(window)) == {"Resp"}
    window.user_actions.derived_maps.train_further(anew, Further.STEPS, n_steps=200)
    settled(qtbot, window, 3)
    assert run_shown(window).old_label == "function"
    assert set(colours_seen(window)) == {"Resp"}


def test_that_another_size_is_a_menu_away(qtbot: QtBot, window: MainWindow) -> None:
    choose_class(window, "Proteas")
    trail = window.work.trail
    trail.sizes.aboutToShow.emit()
    texts = [action.text() for action in trail.sizes.actions()]
    coarser = next(text for text in texts if "Coarser" in text)
    pick(qtbot, trail.size_button, coarser)
    settled(qtbot, window, 2)
    model = run_shown(window).result.model
    assert isinstance(model, PrototypeMap)
    assert f"{model.grid.rows} × {model.grid.columns}" in coarser


def test_that_nodes_of_a_file_have_no_other_size(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    trail, actions = window.work.trail, window.user_actions
    choose_class(window, "Resp")
    assert trail.size_button.isEnabled()
    file = tmp_path / "nodes.csv"
    file.write_text("x,y\n" + "\n".join(f"{n % 5},{n // 5}" for n in range(30)))
    actions.set_params(actions.session.plan.params.replace(lattice="table", node_file=str(file)))
    train_one(qtbot, window)
    assert trail.zoom.isEnabled()
    assert not trail.size_button.isEnabled()
    assert trail.size_button.toolTip() == actions.derived_maps.why_no_size != ""
    click(trail.zoom)
    settled(qtbot, window, 3)
    model = run_shown(window).result.model
    assert isinstance(model, PrototypeMap)
    assert model.grid.n_nodes == 30


def test_that_the_button_says_why_it_cannot_be_pressed(window: MainWindow) -> None:
    trail = window.work.trail
    window.user_actions.selecting.select(Selection.of(run_shown(window).matrix.item_ids[:2]))
    assert not trail.zoom.isEnabled()
    assert trail.zoom.toolTip() == window.user_actions.derived_maps.why_not_zoom != ""
    window.user_actions.selecting.clear()
    assert trail.zoom.isHidden()
    assert trail.pin.isHidden()


def test_that_a_deleted_map_leaves_its_descendants(qtbot: QtBot, window: MainWindow) -> None:
    n_resp = choose_class(window, "Resp")
    click(window.work.trail.zoom)
    settled(qtbot, window, 2)
    window.user_actions.delete_run("run-1")
    wait_idle(qtbot, window)
    assert trail_of(window) == [f"{n_resp} genes (c-XIM 2)"]
    assert "deleted" in window.runs.cards["run-2"].descent
    window.user_actions.undo()
    assert trail_of(window)[0] == "c-XIM 1"


def test_that_maps_between_are_kept_behind_dots(qtbot: QtBot, window: MainWindow) -> None:
    for n_items in (60, 40, 30, 20, 10):
        window.user_actions.selecting.select(
            Selection.of(run_shown(window).matrix.item_ids[:n_items])
        )
        window.user_actions.derived_maps.zoom_in(shape=(4, 4))
        settled(qtbot, window, len(window.user_actions.session.runs) + 1)
    assert [text.split(" (")[0] for text in trail_of(window)] == [
        "c-XIM 1",
        "30 genes",
        "20 genes",
        "10 genes",
    ]


def test_that_a_run_is_trained_further_by_its_menu(qtbot: QtBot, window: MainWindow) -> None:
    pick(qtbot, window.runs.cards["run-1"].more, "Train further…")
    dialog = window.runs.further
    assert dialog is not None
    qtbot.waitUntil(dialog.isVisible)
    assert dialog.how is Further.STEPS
    assert not dialog.ways[Further.ITEMS].isEnabled()
    assert Further.RESUME not in dialog.ways
    assert dialog.length is not None
    write(dialog.length, "none")
    assert not dialog.go.isEnabled()
    write(dialog.length, "900")
    click(dialog.go)
    settled(qtbot, window, 2)
    assert run_shown(window).result.n_steps == 900
    assert trail_of(window) == ["c-XIM 1", "trained further (c-XIM 2)"]
    assert window.user_actions.undoes == "Train c-XIM 1 further"
    assert window.user_actions.phase is Phase.IDLE


def test_that_a_part_is_not_said_to_be_planned_otherwise(qtbot: QtBot, window: MainWindow) -> None:
    from ximstudio.session.plan_changes import changes

    choose_class(window, "Resp")
    click(window.work.trail.zoom)
    settled(qtbot, window, 2)
    session, shown = window.user_actions.session, window.user_actions.shown
    assert shown is not None
    assert session.data is not None
    assert changes(session.plan, session.data.matrix, shown) == ()
