"""Opening a session: everything is there again, and what is in its way is said."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent, QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.store.alike import assert_alike
from tests.ui.hands import click, eventually
from tests.ui.windows import (
    plan_quick,
    shown_window,
    table_file,
    take_ready,
    train_one,
    wait_idle,
    with_sample,
)
from ximstudio.model.named_set import NamedSet
from ximstudio.model.selection import Selection
from ximstudio.prepare.input import Input
from ximstudio.session import Session
from ximstudio.session.session import same_work
from ximstudio.session.shown import Pictures
from ximstudio.store.files import read_session, write_session
from ximstudio.ui.actions.trainer import Phase
from ximstudio.ui.app.window import MainWindow
from ximstudio.ui.files.questions import DropQuestion, SaveQuestion
from ximstudio.ui.files.save_dialog import SaveDialog
from ximstudio.ui.runtime.settings import Settings

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(tmp_path / "settings.json")


@pytest.fixture
def window(qtbot: QtBot, dressed: None, settings: Settings) -> Iterator[MainWindow]:
    assert dressed is None
    shown = shown_window(qtbot, settings)
    yield shown
    shown.close()


def worked_on(qtbot: QtBot, window: MainWindow) -> Session:
    """Two maps, compared; a selection, a set, and views arranged."""
    with_sample(qtbot, window)
    take_ready(qtbot, window)
    window.user_actions.set_seed(1)
    take_ready(qtbot, window)
    runs = window.user_actions.session.runs
    window.user_actions.comparison.show([run.key for run in runs], "Compare")
    ids = runs[0].matrix.item_ids
    chosen = NamedSet.of("some", ids[:7])
    window.store.update("Save set", sets=(chosen,))
    window.store.commit(window.user_actions.session.with_selection(Selection.of(ids[:7])), "Choose")
    window.views.show_panes("4")
    window.views.panes[0].show_view("positions")
    window.views.panes[3].show_view("compare")
    wait_idle(qtbot, window)
    return window.user_actions.session


def settled(qtbot: QtBot, window: MainWindow) -> None:
    """Until all that is seen is drawn."""
    wait_idle(qtbot, window)
    eventually(qtbot, lambda: window.views.is_drawn)
    wait_idle(qtbot, window)


def save(qtbot: QtBot, window: MainWindow, path: Path, *, embed: bool = True) -> Path:
    window.settings.change(folder=str(path.parent))
    dialog = window.keeping.save_as()
    assert dialog is not None
    dialog.name.setText(path.name)
    (dialog.within if embed else dialog.beside).setChecked(True)
    dialog.accept()
    eventually(qtbot, lambda: window.keeping.path == path)
    wait_idle(qtbot, window)
    return path


def open_it(qtbot: QtBot, window: MainWindow, path: Path) -> None:
    before = window.user_actions.session
    window.opening.open_file(path)
    eventually(qtbot, lambda: window.user_actions.session is not before)
    assert window.keeping.path == path


def views_of(window: MainWindow) -> list[bytes]:
    made = []
    for pane in window.views.panes:
        image = pane.view.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
        made.append(bytes(image.constBits()))
    return made


def refused_keys(window: MainWindow) -> list[str]:
    return [problem.key for problem in window.banner.problems]


def drop(window: MainWindow, path: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    action = Qt.DropAction.CopyAction
    plain = Qt.KeyboardModifier.NoModifier
    window.dropEvent(QDropEvent(QPointF(50, 50), action, data, LEFT, plain))


# Everything comes back


def blank(window: MainWindow) -> list[bool]:
    return [pane.view.is_blank for pane in window.views.panes]


def test_that_views_of_a_session_are_drawn_one_by_one_and_none_is_lost(
    qtbot: QtBot, window: MainWindow
) -> None:
    worked_on(qtbot, window)
    made: list[Pictures] = []
    window.user_actions.drawn.connect(made.append)
    window.user_actions.draw()
    wait_idle(qtbot, window)
    views, pictures = window.views, made[-1]
    assert len(pictures) == 4
    views.draw({})
    assert blank(window) == [True] * 4
    window.user_actions.drawn.disconnect()

    views.draw(pictures)
    assert blank(window) == [True] * 4
    assert not views.is_drawn
    # A newer one of one pane takes nothing from the others.
    first = next(iter(pictures))
    views.draw({first: pictures[first]})
    eventually(qtbot, lambda: views.is_drawn)
    assert blank(window) == [False] * 4

    views.draw(pictures)
    views.draw({})
    for _ in pictures:
        QApplication.processEvents()
    assert blank(window) == [True] * 4


def test_that_nothing_of_another_table_is_seen_while_a_session_comes(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    worked_on(qtbot, window)
    path = save(qtbot, window, tmp_path / "work.xims")
    window.user_actions.open(Input(name=str(table_file(tmp_path))))
    eventually(qtbot, lambda: not window.user_actions.session.runs)
    wait_idle(qtbot, window)
    plan_quick(window, n_steps=200)
    train_one(qtbot, window)
    assert blank(window) == [False] * 4
    found: list[list[bool]] = []
    window.store.changed.connect(lambda _: found.append(blank(window)))

    window.opening.open_file(path)
    eventually(qtbot, lambda: bool(window.findChildren(SaveQuestion)))
    (question,) = window.findChildren(SaveQuestion)
    question.yes.click()
    eventually(qtbot, lambda: window.keeping.path == path)

    assert found[-1] == [True] * 4
    settled(qtbot, window)
    assert blank(window) == [False] * 4
    assert set(window.runs.cards) == {run.key for run in window.user_actions.session.runs}


def test_that_views_nobody_saw_are_set_when_they_are_seen(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    worked_on(qtbot, window)
    view = window.views.panes[0]
    view.show_view("features")
    window.views.show_panes("1")
    settled(qtbot, window)
    state = window.views.state
    path = save(qtbot, window, tmp_path / "work.xims")
    assert window.close()
    other = shown_window(qtbot)
    open_it(qtbot, other, path)
    settled(qtbot, other)

    # What is seen was built, and what every pane begins with; all are kept as they were set.
    built = [{view.kind.key for view in pane.built} for pane in other.views.panes]
    assert built == [{"map", "features"}, set(), set(), set()]
    assert other.views.state == state
    other.views.show_panes("4")
    settled(qtbot, other)
    assert [pane.view.kind.key for pane in other.views.panes] == [
        pane["view"] for pane in state["panes"]
    ]
    assert other.views.state["panes"] == state["panes"]
    other.close()


def test_that_a_session_comes_back_as_it_was_left(
    qtbot: QtBot, window: MainWindow, settings: Settings, tmp_path: Path
) -> None:
    before = worked_on(qtbot, window)
    settled(qtbot, window)
    state, seen = window.views.state, views_of(window)
    path = save(qtbot, window, tmp_path / "work.xims")
    assert window.close()

    other = shown_window(qtbot, settings)
    # A screen of the tests is smaller than the window, and cuts what is remembered.
    other.resize(window.size())
    row = next(row for row in other.welcome.recent_rows if row.recent.session)
    click(row)
    eventually(qtbot, lambda: other.keeping.path == path)
    assert other.user_actions.phase is Phase.IDLE
    settled(qtbot, other)

    assert_alike(before, other.user_actions.session)
    assert other.views.state == state
    assert views_of(other) == seen
    assert not other.isWindowModified()
    assert other.user_actions.undoes == ""
    assert all(run.evidence is not None for run in other.user_actions.session.runs)

    key = other.user_actions.session.runs[0].key
    other.user_actions.delete_run(key)
    assert other.isWindowModified()
    other.user_actions.undo()
    wait_idle(qtbot, other)
    assert not other.isWindowModified()
    assert_alike(before, other.user_actions.session)
    other.close()


def test_that_the_next_map_is_the_one_that_would_have_come(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    with_sample(qtbot, window)
    take_ready(qtbot, window)
    path = save(qtbot, window, tmp_path / "a.xims")
    open_it(qtbot, window, path)
    wait_idle(qtbot, window)

    plan_quick(window, n_steps=500)
    window.train()
    eventually(qtbot, lambda: len(window.user_actions.session.runs) == 2)
    wait_idle(qtbot, window)
    assert [run.key for run in window.user_actions.session.runs] == ["run-1", "run-2"]
    assert all(run.measures for run in window.user_actions.session.runs)


def test_that_training_does_not_wait_for_what_opened_maps_were_measured_by(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    with_sample(qtbot, window)
    for seed in range(3):
        window.user_actions.set_seed(seed)
        take_ready(qtbot, window)
    before = [run.measures for run in window.user_actions.session.runs]
    open_it(qtbot, window, save(qtbot, window, tmp_path / "a.xims"))
    assert len(window.user_actions.measuring) == 3
    plan_quick(window, n_steps=500)
    window.train()
    assert not any(slot.waiting for slot in window.user_actions.measuring.values())

    eventually(qtbot, lambda: len(window.user_actions.session.runs) == 4)
    wait_idle(qtbot, window)
    runs = window.user_actions.session.runs
    assert all(run.evidence is not None for run in runs)
    assert [run.measures for run in runs[:3]] == before


def test_that_a_session_is_dropped_on_maps_without_being_taken_for_a_table(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    with_sample(qtbot, window)
    take_ready(qtbot, window)
    path = save(qtbot, window, tmp_path / "a.xims")
    take_ready(qtbot, window)

    drop(window, path)
    eventually(qtbot, lambda: bool(window.findChildren(SaveQuestion)))
    assert window.findChildren(DropQuestion) == []
    click(window.findChildren(SaveQuestion)[-1].yes)
    eventually(qtbot, lambda: len(window.user_actions.session.runs) == 1)
    wait_idle(qtbot, window)
    assert window.keeping.path == path


def test_that_a_session_named_at_the_start_opens(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    with_sample(qtbot, window)
    take_ready(qtbot, window)
    path = save(qtbot, window, tmp_path / "a.xims")
    other = shown_window(qtbot)
    other.opening.open_named(str(path))
    eventually(qtbot, lambda: other.keeping.path == path)
    wait_idle(qtbot, other)
    assert len(other.user_actions.session.runs) == 1
    other.close()


# What stands in the way


@pytest.mark.parametrize(
    ("content", "key"),
    [(b"no session at all", "session.not_ours"), (b"", "session.not_ours")],
)
def test_that_what_is_no_session_is_refused_and_nothing_changes(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, content: bytes, key: str
) -> None:
    with_sample(qtbot, window)
    take_ready(qtbot, window)
    before = window.user_actions.session
    path = tmp_path / "bad.xims"
    path.write_bytes(content)
    drop(window, path)
    eventually(qtbot, lambda: refused_keys(window) == [key])
    assert window.user_actions.session is before
    assert window.keeping.path is None


def test_that_a_damaged_session_is_refused_and_nothing_changes(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    with_sample(qtbot, window)
    take_ready(qtbot, window)
    path = save(qtbot, window, tmp_path / "a.xims")
    before = window.user_actions.session
    broken = tmp_path / "broken.xims"
    whole = path.read_bytes()
    broken.write_bytes(whole[: len(whole) // 2])
    window.opening.open_file(broken)
    eventually(qtbot, lambda: bool(refused_keys(window)))
    assert refused_keys(window)[0].startswith("session.")
    assert same_work(window.user_actions.session, before)
    assert window.keeping.path == path


# A table that is not in the file


@pytest.fixture
def referring(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> tuple[Path, Path]:
    """A session that reads its table, and the table."""
    table = table_file(tmp_path)
    window.user_actions.open(Input(name=str(table)))
    wait_idle(qtbot, window)
    plan_quick(window, n_steps=400)
    window.train()
    eventually(qtbot, lambda: len(window.user_actions.session.runs) == 1)
    wait_idle(qtbot, window)
    return save(qtbot, window, tmp_path / "a.xims", embed=False), table


def asks(window: MainWindow) -> bool:
    return window.reopening.question is not None


def is_unsaved(window: MainWindow) -> bool:
    return window.keeping.unsaved


def missing(qtbot: QtBot, window: MainWindow, path: Path) -> None:
    window.opening.open_file(path)
    eventually(qtbot, lambda: window.reopening.question is not None)


def test_that_a_table_beside_the_session_is_read_again_without_a_question(
    qtbot: QtBot, window: MainWindow, referring: tuple[Path, Path]
) -> None:
    before = window.user_actions.session
    open_it(qtbot, window, referring[0])
    eventually(qtbot, lambda: window.user_actions.session.data is not before.data)
    wait_idle(qtbot, window)
    data = window.user_actions.session.data
    assert data is not None
    assert data.matrix is window.user_actions.session.runs[0].matrix
    assert not window.keeping.unsaved
    values = window.keeping.values()
    assert values["embed"] is False


def test_that_a_moved_table_is_asked_for_and_found(
    qtbot: QtBot, window: MainWindow, referring: tuple[Path, Path], tmp_path: Path
) -> None:
    path, table = referring
    elsewhere = tmp_path / "moved"
    elsewhere.mkdir()
    found = table.rename(elsewhere / "other name.csv")
    wrong = table_file(elsewhere, "wrong.csv")
    wrong.write_text(wrong.read_text() + "\n")
    before = window.user_actions.session

    missing(qtbot, window, path)
    question = window.reopening.question
    assert question is not None
    assert not question.wrong.isVisible()
    question._take(str(wrong))
    eventually(qtbot, lambda: window.reopening.question not in (None, question))
    again = window.reopening.question
    assert again is not None
    assert again.wrong.isVisible()
    assert window.user_actions.session is before

    again._take(str(found))
    eventually(qtbot, lambda: window.user_actions.session is not before)
    wait_idle(qtbot, window)
    data = window.user_actions.session.data
    assert data is not None
    assert Path(data.input.name) == found
    assert len(window.user_actions.session.runs) == 1

    # Saved, it leads there without a question.
    assert is_unsaved(window)
    window.save()
    eventually(qtbot, lambda: not is_unsaved(window))
    wait_idle(qtbot, window)
    before = window.user_actions.session
    open_it(qtbot, window, path)
    eventually(qtbot, lambda: window.user_actions.session.data is not before.data)
    assert not asks(window)
    assert not is_unsaved(window)
    wait_idle(qtbot, window)


def test_that_a_session_opens_without_its_table(
    qtbot: QtBot, window: MainWindow, referring: tuple[Path, Path]
) -> None:
    path, table = referring
    table.unlink()
    missing(qtbot, window, path)
    question = window.reopening.question
    assert question is not None
    click(question.go_without)
    eventually(qtbot, lambda: window.user_actions.session.data is None)
    wait_idle(qtbot, window)

    assert window.pages.currentWidget() is window.page
    assert len(window.user_actions.session.runs) == 1
    assert not window.views.panes[0].view.is_blank
    assert not window.bar.train.isEnabled()
    assert window.windowTitle().startswith("a.xims")


def test_that_saving_without_the_table_does_not_lose_where_it_is(
    qtbot: QtBot, window: MainWindow, referring: tuple[Path, Path]
) -> None:
    path, table = referring
    table.unlink()
    before = path.read_bytes()
    missing(qtbot, window, path)
    question = window.reopening.question
    assert question is not None
    click(question.go_without)
    eventually(qtbot, lambda: window.user_actions.session.data is None)
    window.user_actions.set_seed(9)
    wait_idle(qtbot, window)

    window.save()
    dialog = window.findChildren(SaveDialog)[-1]
    other = dialog.path
    assert other.parent == path.parent
    assert other != path
    dialog.accept()
    eventually(qtbot, lambda: not window.keeping.unsaved)

    assert path.read_bytes() == before
    assert window.keeping.path == other
    window.user_actions.set_seed(10)
    window.save()
    eventually(qtbot, lambda: not window.keeping.unsaved)


def test_that_a_question_that_is_left_changes_nothing(
    qtbot: QtBot, window: MainWindow, referring: tuple[Path, Path]
) -> None:
    path, table = referring
    table.unlink()
    before = window.user_actions.session
    missing(qtbot, window, path)
    question = window.reopening.question
    assert question is not None
    click(question.cancel)
    wait_idle(qtbot, window)
    assert window.user_actions.session is before
    assert window.reopening.question is None


def test_that_a_session_is_saved_onto_itself_while_it_is_open(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    with_sample(qtbot, window)
    take_ready(qtbot, window)
    path = save(qtbot, window, tmp_path / "a.xims")
    open_it(qtbot, window, path)
    wait_idle(qtbot, window)
    opened = window.user_actions.session
    window.save()
    wait_idle(qtbot, window)
    assert refused_keys(window) == []
    assert_alike(opened, read_session(path).session)
    write_session(tmp_path / "b.xims", opened)
