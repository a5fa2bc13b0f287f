"""Saving from the window: what counts as unsaved, where it goes, and what is asked before."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.ui.hands import CONTROL, click, eventually, take_keyboard, write
from tests.ui.windows import (
    begin_long_training,
    sample_data,
    shown_window,
    take_ready,
    turned_data,
    wait_idle,
    with_sample,
)
from ximstudio.files.leftovers import UNFINISHED
from ximstudio.model.named_set import NamedSet
from ximstudio.model.selection import Selection
from ximstudio.session import Session
from ximstudio.session.session import same_work
from ximstudio.store import archive, files
from ximstudio.store.files import read_session, write_session
from ximstudio.ui.actions.trainer import Phase
from ximstudio.ui.app.process import QuitGuard
from ximstudio.ui.app.window import MainWindow
from ximstudio.ui.dialogs.importing.dialog import ImportDialog
from ximstudio.ui.dialogs.importing.join_dialog import JoinDialog
from ximstudio.ui.files.questions import SaveQuestion
from ximstudio.ui.files.save_dialog import SaveDialog
from ximstudio.ui.runtime.settings import Settings
from ximstudio.ui.widgets.question import Question

SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def window(qtbot: QtBot, dressed: None, tmp_path: Path) -> Iterator[MainWindow]:
    """A window with a map of the sample, which is saved nowhere."""
    assert dressed is None
    settings = Settings(tmp_path / "settings.json")
    settings.change(folder=str(tmp_path))
    shown = with_sample(qtbot, shown_window(qtbot, settings))
    take_ready(qtbot, shown)
    shown.activateWindow()
    qtbot.waitUntil(shown.isActiveWindow)
    yield shown
    shown.close()


def save_dialog(window: MainWindow) -> SaveDialog:
    return window.findChildren(SaveDialog)[-1]


def saved(qtbot: QtBot, window: MainWindow, path: Path, *, embed: bool = True) -> Path:
    """The session saved as this file, by keyboard and mouse."""
    QTest.keyClick(window, Qt.Key.Key_S, CONTROL | SHIFT)
    dialog = save_dialog(window)
    qtbot.waitUntil(dialog.isVisible)
    write(dialog.name, path.name)
    click(dialog.within if embed else dialog.beside)
    click(dialog.save)
    eventually(qtbot, lambda: window.keeping.path == path and not window.keeping.unsaved)
    wait_idle(qtbot, window)
    return path


def is_starred(window: MainWindow) -> bool:
    """Whether the title says that something is unsaved."""
    assert window.isWindowModified() == window.keeping.unsaved
    return window.isWindowModified()


def has_file(window: MainWindow) -> bool:
    return window.keeping.path is not None


def refused_keys(window: MainWindow) -> list[str]:
    return [problem.key for problem in window.banner.problems]


# What is unsaved


def test_that_a_table_alone_is_not_unsaved_and_a_map_is(qtbot: QtBot, tmp_path: Path) -> None:
    window = shown_window(qtbot, Settings(tmp_path / "settings.json"))
    assert not window.bar.save.isEnabled()
    with_sample(qtbot, window)
    assert window.bar.save.isEnabled()
    assert not is_starred(window)

    take_ready(qtbot, window)
    assert is_starred(window)

    window.user_actions.undo()
    assert not is_starred(window)
    window.close()


def test_that_looking_is_no_change_and_choosing_is(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    take_ready(qtbot, window)
    saved(qtbot, window, tmp_path / "a.xims")

    window.user_actions.show_run(window.user_actions.session.runs[0].key)
    window.views.pane.show_view("positions")
    wait_idle(qtbot, window)
    assert not window.isWindowModified()

    ids = window.user_actions.session.runs[0].matrix.item_ids
    window.store.commit(window.user_actions.session.with_selection(Selection.of(ids[:3])), "Choose")
    assert window.isWindowModified()
    window.user_actions.undo()
    assert not window.isWindowModified()


def test_that_measures_that_come_in_later_are_no_change(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    (run,) = window.user_actions.session.runs
    bare = replace(run, measures={}, evidence=None)
    window.store.amend(lambda session: session.with_changed(bare), "Forget")
    saved(qtbot, window, tmp_path / "a.xims")

    window.user_actions.measure(bare)
    eventually(qtbot, lambda: bool(window.user_actions.session.runs[0].measures))

    assert not window.keeping.unsaved


def test_that_a_step_back_to_another_table_leads_to_its_own_file(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    path = saved(qtbot, window, tmp_path / "first.xims")
    other = replace(sample_data(), labelled=replace(sample_data().labelled))
    window.user_actions.use_table(other)
    wait_idle(qtbot, window)
    assert not has_file(window)
    assert not window.keeping.unsaved

    window.user_actions.undo()
    wait_idle(qtbot, window)
    assert window.keeping.path == path
    assert not window.keeping.unsaved

    window.user_actions.redo()
    wait_idle(qtbot, window)
    assert not has_file(window)


def test_that_a_table_that_is_read_again_stays_in_its_file(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    path = saved(qtbot, window, tmp_path / "first.xims")
    data = window.user_actions.session.data
    assert data is not None
    window.user_actions.reread(data.input)
    wait_idle(qtbot, window)
    assert window.user_actions.session.data is not data
    assert window.keeping.path == path
    assert window.keeping.unsaved


# Saving


def test_that_the_key_saves_and_the_title_says_so(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    assert "[*]" in window.windowTitle()
    assert window.isWindowModified()
    QTest.keyClick(window, Qt.Key.Key_S, CONTROL)
    dialog = save_dialog(window)
    qtbot.waitUntil(dialog.isVisible)
    assert dialog.path.parent == tmp_path
    assert dialog.path.suffix == ".xims"
    assert dialog.within.isChecked()
    write(dialog.name, "my maps")
    click(dialog.save)
    path = tmp_path / "my maps.xims"
    eventually(qtbot, lambda: window.keeping.path == path)

    assert window.windowTitle().startswith("my maps.xims[*]")
    assert not window.isWindowModified()
    (recent,) = [each for each in window.settings.now.recent if each.session]
    assert Path(recent.name) == path

    take_ready(qtbot, window)
    assert window.isWindowModified()
    take_keyboard(qtbot, window)
    QTest.keyClick(window, Qt.Key.Key_S, CONTROL)
    eventually(qtbot, lambda: not window.isWindowModified())
    assert len(read_session(path).session.runs) == 2
    assert window.findChildren(SaveDialog) == []


def test_that_a_name_with_a_folder_is_not_taken_and_one_that_is_there_is_told(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    (tmp_path / "there.xims").write_text("old")
    window.save_as()
    dialog = save_dialog(window)
    qtbot.waitUntil(dialog.isVisible)
    for name, able, noted in (
        ("a/b", False, True),
        ("", False, False),
        ("there", True, True),
        ("free", True, False),
    ):
        write(dialog.name, name)
        if not name:
            dialog.name.clear()
        assert (dialog.save.isEnabled(), dialog.note.isVisible()) == (able, noted)
    dialog.reject()
    assert (tmp_path / "there.xims").read_text() == "old"


def test_that_a_cancelled_save_leaves_the_old_file(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = saved(qtbot, window, tmp_path / "a.xims")
    before = path.read_bytes()
    take_ready(qtbot, window)
    cancelled, write = Event(), archive.write_archive

    def write_late(*arguments: Any) -> None:
        cancelled.wait()
        write(*arguments)

    monkeypatch.setattr(files, "write_archive", write_late)
    window.save()
    job = window.jobs.file
    assert job is not None
    window.status.stop()
    cancelled.set()
    wait_idle(qtbot, window)

    assert path.read_bytes() == before
    assert window.keeping.unsaved
    assert [each.name for each in tmp_path.iterdir() if each.name.endswith(UNFINISHED)] == []


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write")
def test_that_a_folder_that_cannot_be_written_to_is_refused(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    folder = tmp_path / "locked"
    folder.mkdir(mode=0o500)
    window.settings.change(folder=str(folder))
    window.save_as()
    click(save_dialog(window).save)
    eventually(qtbot, lambda: "session.unwritable" in refused_keys(window))
    assert not has_file(window)


def test_that_what_cannot_be_written_is_refused_and_stays_unsaved(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    window.save_as()
    dialog = save_dialog(window)
    write(dialog.name, "x")
    (tmp_path / "x.xims").mkdir()
    click(dialog.save)
    eventually(qtbot, lambda: "session.unwritable" in refused_keys(window))
    assert not has_file(window)
    assert window.keeping.unsaved


def test_that_training_goes_on_while_it_is_saved_as_it_stands(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    begin_long_training(qtbot, window)
    window.save_as()
    dialog = save_dialog(window)
    write(dialog.name, "live")
    click(dialog.save)
    path = tmp_path / "live.xims"
    eventually(qtbot, path.exists)
    eventually(qtbot, lambda: window.keeping.path == path)

    assert window.user_actions.phase is Phase.RUNNING
    assert window.isWindowModified()
    stored = read_session(path).session
    assert len(stored.runs) == 2
    assert window.settings.now.recent[0].size == "2 maps"
    assert 0 < stored.runs[-1].result.step < stored.runs[-1].result.n_steps
    assert stored.runs[-1].result.resume is not None
    assert len(window.user_actions.session.runs) == 1


# Before something is lost


def question_of(window: MainWindow) -> SaveQuestion:
    return window.findChildren(SaveQuestion)[-1]


def test_that_leaving_can_save_first(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    leaving = QuitGuard(window)
    assert not window.close()
    click(question_of(window).save)
    dialog = save_dialog(window)
    qtbot.waitUntil(dialog.isVisible)
    write(dialog.name, "last")
    click(dialog.save)
    eventually(qtbot, lambda: not window.isVisible())
    assert leaving.question is None
    assert len(read_session(tmp_path / "last.xims").session.runs) == 1


def test_that_what_is_done_while_it_is_saved_on_leaving_is_asked_about(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    leaving = QuitGuard(window)
    saved(qtbot, window, tmp_path / "a.xims")
    window.user_actions.set_seed(3)
    assert not window.close()
    click(question_of(window).save)
    assert window.keeping.is_saving
    window.user_actions.set_seed(4)
    wait_idle(qtbot, window)

    assert window.isVisible()
    assert question_of(window).isVisible()
    leaving.now()


def test_that_closing_waits_for_a_copy_that_is_being_saved(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    leaving = QuitGuard(window)
    saved(qtbot, window, tmp_path / "a.xims")
    may_end = Event()

    def slow(path: Path, session: Session, **options: Any) -> None:
        while not may_end.is_set():
            options["report"](0.0)
        write_session(path, session, **options)

    monkeypatch.setattr(files, "write_session", slow)
    dialog = window.keeping.save_as()
    assert dialog is not None
    dialog.name.setText("copy")
    dialog.accept()
    assert not window.keeping.unsaved

    window.close()
    may_end.set()
    eventually(qtbot, lambda: not window.isVisible())

    assert leaving.question is None
    assert len(read_session(tmp_path / "copy.xims").session.runs) == 1


def test_that_the_window_stays_if_what_closing_waits_for_cannot_be_saved(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    leaving = QuitGuard(window)
    saved(qtbot, window, tmp_path / "a.xims")
    (tmp_path / "x.xims").mkdir()
    dialog = window.keeping.save_as()
    assert dialog is not None
    dialog.name.setText("x")
    dialog.accept()
    window.close()
    eventually(qtbot, lambda: "session.unwritable" in refused_keys(window))
    wait_idle(qtbot, window)

    assert window.isVisible()
    leaving.now()


def test_that_a_save_that_is_cancelled_on_leaving_keeps_the_window(
    qtbot: QtBot, window: MainWindow
) -> None:
    leaving = QuitGuard(window)
    assert not window.close()
    click(question_of(window).save)
    click(save_dialog(window).cancel)
    wait_idle(qtbot, window)
    assert window.isVisible()
    assert window.keeping.unsaved
    leaving.now()


def test_that_a_saved_session_closes_at_once(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    leaving = QuitGuard(window)
    saved(qtbot, window, tmp_path / "a.xims")
    assert window.close()
    assert leaving.question is None


def test_that_another_table_waits_for_the_answer(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    saved(qtbot, window, tmp_path / "a.xims")
    take_ready(qtbot, window)
    before = window.user_actions.session
    window.opening.open_sample("yeast")
    eventually(qtbot, lambda: bool(window.findChildren(SaveQuestion)))
    click(question_of(window).no)
    assert same_work(window.user_actions.session, before)

    window.opening.open_sample("yeast")
    eventually(qtbot, lambda: any(each.isVisible() for each in window.findChildren(SaveQuestion)))
    click(question_of(window).save)
    eventually(qtbot, lambda: window.user_actions.session.runs == ())
    assert len(read_session(tmp_path / "a.xims").session.runs) == 2
    assert not has_file(window)


def test_that_work_under_way_is_named_before_another_table_ends_it(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    saved(qtbot, window, tmp_path / "a.xims")
    (run,) = window.user_actions.session.runs
    stability = window.user_actions.stability
    stability.begin(run, runs=500, share=1.0)
    assert not window.keeping.unsaved
    assert run.name in window.keeping.lost

    done: list[str] = []
    asked = window.keeping.unless_lost(window, lambda: done.append("opened"))
    assert isinstance(asked, Question)
    assert not isinstance(asked, SaveQuestion)
    click(asked.no)
    assert stability.busy
    window.store.update("Change", sets=(NamedSet.of("s", ("YAL001C",)),))
    both = window.keeping.unless_lost(window, lambda: done.append("opened"))
    assert isinstance(both, SaveQuestion)
    assert run.name in window.keeping.lost
    click(both.yes)
    assert done == ["opened"]
    stability.stop()
    wait_idle(qtbot, window)


@pytest.mark.parametrize(
    ("part", "flag"),
    [("parameter_sweep", "busy"), ("comparison", "busy"), ("comparison", "is_repeating")],
)
def test_that_every_series_is_asked_about(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch, part: str, flag: str
) -> None:
    actions = window.user_actions
    found = [len(actions.under_way)]
    monkeypatch.setattr(type(getattr(actions, part)), flag, True)
    found.append(len(actions.under_way))
    assert found == [0, 1]
    assert window.keeping.loses


def test_that_measures_are_asked_about_unless_they_are_known(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    actions = window.user_actions
    (run,) = actions.session.runs
    monkeypatch.setitem(actions._measuring.slots, run.key, SimpleNamespace(waits_for=""))
    found = [actions.under_way]
    actions.change_run(replace(run, measures={}), "Forget measures")
    found.append(actions.under_way)
    assert found == [(), (f"measuring {run.name}",)]


# What goes on after a question


@pytest.fixture
def slow_saving(monkeypatch: pytest.MonkeyPatch) -> Iterator[Event]:
    """Saving that ends only when this is set."""
    may_end = Event()

    def slow(path: Path, session: Session, **options: Any) -> Any:
        while not may_end.is_set():
            options["report"](0.0)
        return write_session(path, session, **options)

    monkeypatch.setattr(files, "write_session", slow)
    yield may_end
    may_end.set()


def asked_import(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> ImportDialog:
    """The import dialog of another table, with the question what becomes of unsaved work."""
    table = tmp_path / "other.csv"
    table.write_text("id,a,b\n" + "".join(f"g{n},{n},{n * n}\n" for n in range(9)), "utf-8")
    window.bar.reading.setChecked(True)
    window.opening.open_file(table)
    (dialog,) = window.findChildren(ImportDialog)
    eventually(qtbot, dialog.ok.isEnabled)
    click(dialog.ok)
    eventually(qtbot, lambda: any(each.isVisible() for each in dialog.findChildren(SaveQuestion)))
    return dialog


def answer_save(dialog: ImportDialog) -> None:
    (question,) = dialog.findChildren(SaveQuestion)
    click(question.save)


def test_that_an_import_that_is_cancelled_while_work_is_saved_does_not_happen(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, slow_saving: Event
) -> None:
    slow_saving.set()
    saved(qtbot, window, tmp_path / "a.xims")
    take_ready(qtbot, window)
    slow_saving.clear()
    before = window.user_actions.session.data
    dialog = asked_import(qtbot, window, tmp_path)
    answer_save(dialog)
    eventually(qtbot, lambda: window.keeping.is_saving)

    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    slow_saving.set()
    eventually(qtbot, lambda: not window.keeping.is_saving)
    wait_idle(qtbot, window)

    assert window.user_actions.session.data is before
    assert not window.keeping.unsaved
    assert len(read_session(tmp_path / "a.xims").session.runs) == 2


def test_that_an_import_goes_on_once_work_is_saved(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    saved(qtbot, window, tmp_path / "a.xims")
    take_ready(qtbot, window)
    answer_save(asked_import(qtbot, window, tmp_path))
    eventually(qtbot, lambda: window.user_actions.session.runs == ())
    data = window.user_actions.session.data
    assert data is not None
    assert Path(data.input.name).name == "other.csv"


def test_that_of_two_things_that_wait_for_a_save_the_newer_goes_on(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, slow_saving: Event
) -> None:
    slow_saving.set()
    saved(qtbot, window, tmp_path / "a.xims")
    take_ready(qtbot, window)
    slow_saving.clear()
    done: list[str] = []
    first = window.keeping.unless_lost(window, lambda: done.append("first"))
    assert isinstance(first, SaveQuestion)
    click(first.save)
    second = window.keeping.unless_lost(window, lambda: done.append("second"))
    assert second is not None
    click(second.yes)
    slow_saving.set()
    eventually(qtbot, lambda: not window.keeping.is_saving)
    wait_idle(qtbot, window)
    assert done == ["second"]


def test_that_a_dialog_about_a_table_goes_with_the_table(
    window: MainWindow, tmp_path: Path
) -> None:
    labels = tmp_path / "labels.csv"
    labels.write_text("id,kind\nYGR270W,a\nYIL075C,b\n", encoding="utf-8")
    dialogs = [
        JoinDialog(window.user_actions, labels, parent=window),
        ImportDialog.again(window.user_actions),
    ]
    for dialog in dialogs:
        assert dialog is not None
        dialog.open()
    window.user_actions.use_table(turned_data())
    assert not JoinDialog._open
    assert not ImportDialog._open
