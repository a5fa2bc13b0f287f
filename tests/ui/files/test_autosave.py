"""Autosave of a window: when it starts and stops, and recovery after a crash."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.ui.hands import click, eventually
from tests.ui.windows import sample_data, shown_window, take_ready, wait_idle, with_sample
from ximstudio.session import Session
from ximstudio.store.autosave import Autosave, RecoverableSession, recoverable
from ximstudio.ui.app.process import QuitGuard
from ximstudio.ui.app.window import MainWindow
from ximstudio.ui.files import autosave as autosaving
from ximstudio.ui.files.questions import SaveQuestion
from ximstudio.ui.files.recovery import MOST_SHOWN, RecoveryOffer, ago, words_for
from ximstudio.ui.runtime.settings import Settings

DEAD = "-999999999-1-"
"""A process that there is not."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "recovery"


@pytest.fixture
def window(
    qtbot: QtBot, dressed: None, tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[MainWindow]:
    """A window that looks when it is told to, and then writes at once."""
    assert dressed is None
    monkeypatch.setattr(autosaving, "LOOK_MILLISECONDS", 10_000_000)
    monkeypatch.setattr(autosaving, "EVERY", 0.0)
    settings = Settings(tmp_path / "settings.json", recovery=folder)
    settings.change(folder=str(tmp_path))
    shown = shown_window(qtbot, settings)
    yield shown
    shown.close()


def kept(folder: Path) -> list[Path]:
    """Sessions that are kept now."""
    return sorted(folder.glob("*/session.json"))


def look(qtbot: QtBot, window: MainWindow) -> None:
    window.autosaving.look()
    wait_idle(qtbot, window)


def leave(folder: Path, session: Session, *, saved_as: Path | None = None) -> Path:
    """What a program left that was ended."""
    autosave = Autosave(folder)
    autosave.write(session, views={}, saved_as=saved_as)
    head, _, begun, token = autosave.folder.name.split("-")
    assert begun
    return autosave.folder.rename(folder / f"{head}{DEAD}{token}")


def test_that_what_is_unsaved_is_kept_and_removed_on_a_clean_exit(
    qtbot: QtBot, window: MainWindow, folder: Path
) -> None:
    window.user_actions.use_table(sample_data())
    wait_idle(qtbot, window)
    look(qtbot, window)
    assert kept(folder) == []

    with_sample(qtbot, window)
    look(qtbot, window)
    (path,) = kept(folder)
    before = path.read_bytes()

    take_ready(qtbot, window)
    look(qtbot, window)
    assert path.read_bytes() != before

    before = path.read_bytes()
    look(qtbot, window)
    assert path.read_bytes() == before

    window.close()
    assert list(folder.iterdir()) == []


def test_that_what_is_saved_is_not_kept_twice(
    qtbot: QtBot, window: MainWindow, folder: Path
) -> None:
    with_sample(qtbot, window)
    take_ready(qtbot, window)
    look(qtbot, window)
    assert len(kept(folder)) == 1
    dialog = window.keeping.save_as()
    assert dialog is not None
    dialog.accept()
    eventually(qtbot, lambda: window.keeping.path is not None)
    wait_idle(qtbot, window)
    assert kept(folder) == []
    look(qtbot, window)
    assert kept(folder) == []

    window.user_actions.set_seed(5)
    look(qtbot, window)
    assert len(kept(folder)) == 1
    window.user_actions.undo()
    look(qtbot, window)
    assert kept(folder) == []


def test_that_what_is_done_while_it_is_saved_is_kept(
    qtbot: QtBot, window: MainWindow, folder: Path
) -> None:
    with_sample(qtbot, window)
    take_ready(qtbot, window)
    look(qtbot, window)
    dialog = window.keeping.save_as()
    assert dialog is not None
    dialog.accept()
    assert window.jobs.file is not None
    window.user_actions.set_seed(5)
    eventually(qtbot, lambda: window.keeping.path is not None)
    wait_idle(qtbot, window)
    assert window.keeping.unsaved

    look(qtbot, window)

    assert len(kept(folder)) == 1


def test_that_a_disk_that_is_full_is_told_of_once(
    qtbot: QtBot, window: MainWindow, folder: Path
) -> None:
    folder.write_text("in the way")
    told: list[str] = []
    window.jobs.refused.connect(lambda problems: told.extend(each.key for each in problems))
    with_sample(qtbot, window)
    take_ready(qtbot, window)
    look(qtbot, window)
    look(qtbot, window)
    assert told == ["session.not_kept"]


def test_that_a_window_without_a_folder_keeps_nothing(qtbot: QtBot, tmp_path: Path) -> None:
    window = with_sample(qtbot, shown_window(qtbot, Settings(tmp_path / "settings.json")))
    take_ready(qtbot, window)
    look(qtbot, window)
    assert {path.name for path in tmp_path.iterdir()} <= {"settings.json"}
    window.close()


def test_that_several_that_were_left_are_recovered_or_discarded_one_by_one(
    qtbot: QtBot, window: MainWindow, folder: Path
) -> None:
    with_sample(qtbot, window)
    take_ready(qtbot, window)
    one = window.user_actions.session
    places = {leave(folder, one), leave(folder, one), leave(folder, one)}
    window.recovering.look()
    eventually(qtbot, lambda: len(window.offer.rows) == 3)
    assert {row.left.folder for row in window.offer.rows} == places

    gone = window.offer.rows[0].left.folder
    click(window.offer.rows[0].discard)
    wait_idle(qtbot, window)
    assert not gone.exists()
    assert len(window.offer.rows) == 2

    before = window.user_actions.session
    taken = window.offer.rows[0].left.folder
    click(window.offer.rows[0].recover)
    eventually(qtbot, lambda: bool(window.findChildren(SaveQuestion)))
    click(window.findChildren(SaveQuestion)[-1].no)
    wait_idle(qtbot, window)
    assert window.user_actions.session is before
    assert taken.exists()
    assert len(window.offer.rows) == 2

    click(window.offer.rows[0].recover)
    eventually(qtbot, lambda: any(each.isVisible() for each in window.findChildren(SaveQuestion)))
    click(window.findChildren(SaveQuestion)[-1].yes)
    eventually(qtbot, lambda: window.user_actions.session is not before)
    wait_idle(qtbot, window)
    assert len(window.user_actions.session.runs) == 1
    assert window.keeping.unsaved
    # It went when this window had kept it itself.
    assert not taken.exists()
    assert len(kept(folder)) == 2


def test_that_nobody_being_asked_keeps_it_for_the_next_start(
    qtbot: QtBot, window: MainWindow, folder: Path
) -> None:
    with_sample(qtbot, window)
    take_ready(qtbot, window)
    look(qtbot, window)
    QuitGuard(window).unasked()
    assert not window.isVisible()
    assert len(kept(folder)) == 1


def test_that_not_saving_is_taken_at_its_word(
    qtbot: QtBot, window: MainWindow, folder: Path
) -> None:
    leaving = QuitGuard(window)
    with_sample(qtbot, window)
    take_ready(qtbot, window)
    look(qtbot, window)
    window.close()
    assert leaving.question is not None
    click(leaving.question.yes)
    assert not window.isVisible()
    assert recoverable(folder) == ()
    assert kept(folder) == []


def test_that_what_cannot_be_recovered_is_told_and_stays(
    qtbot: QtBot, window: MainWindow, folder: Path
) -> None:
    with_sample(qtbot, window)
    place = leave(folder, window.user_actions.session)
    (place / "session.json").write_text("{")
    window.recovering.look()
    eventually(qtbot, lambda: len(window.offer.rows) == 1)
    click(window.offer.rows[0].recover)
    eventually(qtbot, lambda: bool(window.banner.problems))
    assert window.banner.problems[0].key.startswith("session.")
    assert place.exists()
    assert window.offer.isVisible()


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (3, "a moment ago"),
        (125, "2 minutes ago"),
        (3700, "1 hour ago"),
        (200_000, "2 days ago"),
    ],
)
def test_that_time_is_told_roughly(seconds: float, words: str) -> None:
    assert ago(seconds) == words


def test_that_an_offer_says_what_and_when(qtbot: QtBot, tmp_path: Path) -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    left = RecoverableSession(
        folder=tmp_path, at=now - timedelta(minutes=2), name="/a/yeast.csv", n_runs=3
    )
    assert words_for(left, now) == "3 maps of yeast.csv, 2 minutes ago"
    offer = RecoveryOffer()
    qtbot.addWidget(offer)
    offer.show_left([left] * (MOST_SHOWN + 2), now)
    assert len(offer.rows) == MOST_SHOWN
    offer.show_left([])
    assert offer.isHidden()
