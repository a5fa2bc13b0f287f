"""Opening tables: clear ones at once, others by a dialog; pasted ones get files of their own."""

from __future__ import annotations

from pathlib import Path
from threading import Event

import pytest
from pytestqt.qtbot import QtBot

from tests.ui.hands import eventually
from tests.ui.windows import (
    PATIENCE,
    shown_window,
    table_file,
    take_ready,
    wait_idle,
    with_sample,
)
from ximstudio.load import attempt as import_reading
from ximstudio.load import read
from ximstudio.prepare.input import Input, Joining
from ximstudio.ui.app.window import MainWindow
from ximstudio.ui.dialogs.importing.dialog import ImportDialog
from ximstudio.ui.files.questions import SaveQuestion
from ximstudio.ui.runtime.settings import MOST_RECENT, Recent, Settings


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(tmp_path / "settings.json", pasted=tmp_path / "pasted")


def paste(qtbot: QtBot, window: MainWindow, text: str) -> Path:
    """Open copied cells; the file they are kept in."""
    before = window.user_actions.session.data
    window.opening.open_text(text)
    (dialog,) = window.findChildren(ImportDialog)
    eventually(qtbot, dialog.ok.isEnabled)
    dialog.ok.click()
    eventually(qtbot, lambda: window.user_actions.session.data is not before)
    wait_idle(qtbot, window)
    data = window.user_actions.session.data
    assert data is not None
    return Path(data.input.name)


def open_and_close(qtbot: QtBot, settings: Settings) -> None:
    window = shown_window(qtbot, settings)
    wait_idle(qtbot, window)
    window.close()


def test_that_a_pasted_table_stays_as_long_as_it_is_a_recent_one(
    qtbot: QtBot, settings: Settings, tmp_path: Path
) -> None:
    window = shown_window(qtbot, settings)
    path = paste(qtbot, window, table_file(tmp_path).read_text())
    window.close()
    assert path.parent == settings.pasted

    again = Settings(tmp_path / "settings.json", pasted=settings.pasted)
    open_and_close(qtbot, again)
    assert path.is_file()

    again.forget_file(str(path))
    assert path.is_file()
    open_and_close(qtbot, again)
    assert not path.exists()


def test_that_a_table_that_drops_off_the_list_is_there_until_the_next_start(
    qtbot: QtBot, settings: Settings, tmp_path: Path
) -> None:
    window = shown_window(qtbot, settings)
    path = paste(qtbot, window, table_file(tmp_path).read_text())
    for number in range(MOST_RECENT):
        settings.remember_file(Recent(name=str(tmp_path / f"{number}.csv")))
    window.user_actions.reread(Input(name=str(path)))
    wait_idle(qtbot, window)
    assert path.is_file()
    window.close()


def test_that_nothing_else_is_swept_away(qtbot: QtBot, settings: Settings) -> None:
    folder = settings.pasted
    assert folder is not None
    folder.mkdir()
    main, joined, other, stale = (
        folder / name for name in ("Pasted 1.txt", "Pasted 2.txt", "mine.txt", "Pasted 3.txt")
    )
    for path in (main, joined, other, stale):
        path.write_text("a")
    wanted = Input(name=str(main), joinings=(Joining(name=str(joined)),))
    settings.remember_file(Recent(name=str(main), input=wanted.as_values()))

    open_and_close(qtbot, settings)

    assert set(folder.iterdir()) == {main, joined, other}


def test_that_a_window_that_remembers_nothing_sweeps_nothing(qtbot: QtBot) -> None:
    window = shown_window(qtbot)
    assert window.settings.pasted is None
    assert window.jobs.idle
    window.close()


CLEAR = "gene,heat_1,heat_2,cold_1\n" + "".join(
    f"YAL{n:03d}W,{n}.5,{n * 7 % 11}.25,{n * 3 % 5}.75\n" for n in range(40)
)
"""A table that leaves nothing to check."""
UNCLEAR = "\n".join(line + ("," if n % 2 else "") for n, line in enumerate(CLEAR.splitlines()))
"""The same with a blank cell more in every other row."""


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    """A clear and an unclear table."""
    paths = {name: tmp_path / f"{name}.csv" for name in ("clear", "unclear")}
    paths["clear"].write_text(CLEAR, encoding="utf-8")
    paths["unclear"].write_text(UNCLEAR, encoding="utf-8")
    return paths


def test_that_a_clear_table_opens_without_a_question(
    qtbot: QtBot, settings: Settings, files: dict[str, Path]
) -> None:
    window = shown_window(qtbot, settings)
    window.opening.open_file(files["clear"])
    eventually(qtbot, lambda: window.user_actions.session.data is not None)
    wait_idle(qtbot, window)
    assert not ImportDialog._open
    eventually(qtbot, lambda: window.findChildren(ImportDialog) == [])
    window.close()


def test_that_an_unclear_table_is_shown_first(
    qtbot: QtBot, settings: Settings, files: dict[str, Path]
) -> None:
    window = shown_window(qtbot, settings)
    window.opening.open_file(files["unclear"])
    (dialog,) = window.findChildren(ImportDialog)
    eventually(qtbot, dialog.isVisible)
    eventually(qtbot, dialog.ok.isEnabled)
    assert window.user_actions.session.data is None
    dialog.reject()
    window.close()


def test_that_a_clear_table_is_shown_first_if_that_is_set_and_remembered(
    qtbot: QtBot, settings: Settings, files: dict[str, Path], tmp_path: Path
) -> None:
    window = shown_window(qtbot, settings)
    window.bar.reading.setChecked(True)
    window.close()
    again = Settings(tmp_path / "settings.json", pasted=settings.pasted)
    window = shown_window(qtbot, again)
    window.opening.open_file(files["clear"])
    (dialog,) = window.findChildren(ImportDialog)
    eventually(qtbot, dialog.ok.isEnabled)
    assert dialog.isVisible()
    dialog.reject()
    window.close()


def test_that_a_clear_table_takes_the_place_of_unsaved_work_only_after_a_question(
    qtbot: QtBot, settings: Settings, files: dict[str, Path]
) -> None:
    window = with_sample(qtbot, shown_window(qtbot, settings))
    take_ready(qtbot, window)
    before = window.user_actions.session.data
    window.opening.open_file(files["clear"])
    eventually(qtbot, lambda: bool(window.findChildren(SaveQuestion)))
    (question,) = window.findChildren(SaveQuestion)
    question.reject()
    wait_idle(qtbot, window)
    assert window.user_actions.session.data is before

    window.opening.open_file(files["clear"])
    eventually(qtbot, lambda: any(q.isVisible() for q in window.findChildren(SaveQuestion)))
    next(q for q in window.findChildren(SaveQuestion) if q.isVisible()).yes.click()
    eventually(qtbot, lambda: window.user_actions.session.data is not before)
    wait_idle(qtbot, window)
    window.close()


def test_that_reading_that_takes_long_is_seen(
    qtbot: QtBot, settings: Settings, files: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    may_end = Event()

    def slow(*arguments: object) -> object:
        may_end.wait(PATIENCE / 1000)
        return read(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(import_reading, "read", slow)
    window = shown_window(qtbot, settings)
    window.opening.open_file(files["clear"])
    (dialog,) = window.findChildren(ImportDialog)
    assert not dialog.isVisible()
    eventually(qtbot, dialog.isVisible)
    may_end.set()
    eventually(qtbot, lambda: window.user_actions.session.data is not None)
    assert not ImportDialog._open
    wait_idle(qtbot, window)
    window.close()
