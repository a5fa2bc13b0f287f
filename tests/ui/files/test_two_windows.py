"""Two windows on one session: neither loses what the other saved without being asked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.ui.hands import click, eventually
from tests.ui.windows import shown_window, take_ready, wait_idle, with_sample
from ximstudio.files.leftovers import machine
from ximstudio.session import Session
from ximstudio.store.files import read_session
from ximstudio.ui.app.window import MainWindow
from ximstudio.ui.files.questions import SaveQuestion
from ximstudio.ui.files.save_dialog import SaveDialog
from ximstudio.ui.runtime.settings import Settings


@pytest.fixture
def windows(qtbot: QtBot, dressed: None, tmp_path: Path) -> Iterator[list[MainWindow]]:
    """Two windows with the same session open: one map, saved as a.xims."""
    assert dressed is None
    settings = Settings(tmp_path / "settings.json")
    settings.change(folder=str(tmp_path))
    first = with_sample(qtbot, shown_window(qtbot, settings))
    take_ready(qtbot, first)
    dialog = first.keeping.save_as()
    assert dialog is not None
    dialog.name.setText("a")
    dialog.accept()
    eventually(qtbot, lambda: not first.keeping.unsaved)
    wait_idle(qtbot, first)
    second = shown_window(qtbot, Settings(tmp_path / "settings.json"))
    second.reopening.open(tmp_path / "a.xims")
    eventually(qtbot, lambda: second.keeping.path is not None)
    wait_idle(qtbot, second)
    yield [first, second]
    for window in (first, second):
        window.close()


def stored(tmp_path: Path) -> Session:
    return read_session(tmp_path / "a.xims").session


def save(qtbot: QtBot, window: MainWindow) -> None:
    window.save()
    wait_idle(qtbot, window)


def question(window: MainWindow) -> SaveQuestion:
    (found,) = (each for each in window.findChildren(SaveQuestion) if each.isVisible())
    return found


def with_both_changed(qtbot: QtBot, windows: list[MainWindow]) -> None:
    """One map more in each window; the second is the first to save."""
    first, second = windows
    for window in windows:
        take_ready(qtbot, window)
    take_ready(qtbot, second)
    save(qtbot, second)
    eventually(qtbot, lambda: not second.keeping.unsaved)
    eventually(qtbot, lambda: "session.overtaken" in [each.key for each in first.banner.problems])


def test_that_the_other_window_is_asked_and_can_save_elsewhere(
    qtbot: QtBot, windows: list[MainWindow], tmp_path: Path
) -> None:
    first, _ = windows
    with_both_changed(qtbot, windows)
    assert first.keeping.unsaved
    assert len(stored(tmp_path).runs) == 3

    save(qtbot, first)
    eventually(qtbot, lambda: any(e.isVisible() for e in first.findChildren(SaveQuestion)))
    assert len(stored(tmp_path).runs) == 3
    click(question(first).save)
    dialog = first.findChildren(SaveDialog)[-1]
    dialog.name.setText("b")
    dialog.accept()
    eventually(qtbot, lambda: not first.keeping.unsaved)
    assert len(stored(tmp_path).runs) == 3
    assert len(read_session(tmp_path / "b.xims").session.runs) == 2


def test_that_the_file_is_replaced_if_that_is_wanted(
    qtbot: QtBot, windows: list[MainWindow], tmp_path: Path
) -> None:
    first, second = windows
    with_both_changed(qtbot, windows)
    save(qtbot, first)
    eventually(qtbot, lambda: any(e.isVisible() for e in first.findChildren(SaveQuestion)))
    click(question(first).yes)
    eventually(qtbot, lambda: not first.keeping.unsaved)
    assert len(stored(tmp_path).runs) == 2
    eventually(qtbot, lambda: second.keeping.unsaved)


def test_that_a_window_with_nothing_new_still_says_that_its_maps_are_gone_from_the_file(
    qtbot: QtBot, windows: list[MainWindow], tmp_path: Path
) -> None:
    """The story that lost work: both save, and the first believes that all is saved."""
    first, second = windows
    take_ready(qtbot, first)
    take_ready(qtbot, first)
    save(qtbot, first)
    eventually(qtbot, lambda: not first.keeping.unsaved)
    eventually(qtbot, lambda: second.keeping.unsaved)
    save(qtbot, second)
    eventually(qtbot, lambda: any(e.isVisible() for e in second.findChildren(SaveQuestion)))
    click(question(second).yes)
    eventually(qtbot, lambda: first.keeping.unsaved)
    assert first.keeping.lost
    assert len(stored(tmp_path).runs) == 1


def test_that_saving_twice_in_one_window_asks_nothing(
    qtbot: QtBot, windows: list[MainWindow], tmp_path: Path
) -> None:
    first, _ = windows
    for n_runs in (2, 3):
        take_ready(qtbot, first)
        save(qtbot, first)
        eventually(qtbot, lambda: not first.keeping.unsaved)
        assert len(stored(tmp_path).runs) == n_runs
    assert not first.findChildren(SaveQuestion)


@pytest.mark.parametrize("answer", ["yes", "save", "no"])
def test_that_a_session_that_is_open_elsewhere_is_asked_about(
    qtbot: QtBot, windows: list[MainWindow], tmp_path: Path, answer: str
) -> None:
    _, second = windows
    take_ready(qtbot, second)
    # As a program on another machine would leave it: this process has one sign for all windows.
    assert machine() != "00000000"
    (tmp_path / ".a.xims.00000000-7-7.open").touch()
    before = second.user_actions.session
    second.reopening.open(tmp_path / "a.xims")
    eventually(qtbot, lambda: any(e.isVisible() for e in second.findChildren(SaveQuestion)))
    click(getattr(question(second), answer))
    if answer == "no":
        wait_idle(qtbot, second)
        assert second.user_actions.session is before
        return
    # The present session is asked about, too.
    eventually(qtbot, lambda: any(e.isVisible() for e in second.findChildren(SaveQuestion)))
    click(question(second).yes)
    eventually(qtbot, lambda: len(second.user_actions.session.runs) == 1)
    assert (second.keeping.path is None) == (answer == "save")
    assert second.keeping.unsaved == (answer == "save")


def test_that_a_window_leaves_no_sign_when_it_closes(
    windows: list[MainWindow], tmp_path: Path
) -> None:
    assert list(tmp_path.glob(".*.open"))
    for window in windows:
        window.keeping.release()
    assert not list(tmp_path.glob(".*.open"))
