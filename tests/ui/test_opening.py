"""Tables that were pasted have files of their own, as long as somebody may want them again."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.ui.hands import eventually
from tests.ui.windows import shown_window, table_file, wait_idle
from ximstudio.prepare.input import Input, Joining
from ximstudio.ui.dialogs.import_dialog import ImportDialog
from ximstudio.ui.settings import MOST_RECENT, Recent, Settings
from ximstudio.ui.window import MainWindow


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(tmp_path / "settings.json", pasted=tmp_path / "pasted")


def paste(qtbot: QtBot, window: MainWindow, text: str) -> Path:
    """Open copied cells; the file they are kept in."""
    before = window.studio.session.data
    window.opening.open_text(text)
    (dialog,) = window.findChildren(ImportDialog)
    eventually(qtbot, dialog.ok.isEnabled)
    dialog.ok.click()
    eventually(qtbot, lambda: window.studio.session.data is not before)
    wait_idle(qtbot, window)
    data = window.studio.session.data
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
    window.studio.reread(Input(name=str(path)))
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
    assert window.desk.idle
    window.close()
