"""A real process is killed at work: what was saved is whole, and what was kept comes back."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.ui.hands import click, eventually
from tests.ui.windows import shown_window, wait_idle
from ximstudio.session.preferences_file import SETTINGS_FOLDER
from ximstudio.store.files import read_session
from ximstudio.ui.runtime.settings import Settings

ROOT = Path(__file__).parents[3]
PATIENCE = 300
"""Seconds that the program may take to start, train and save."""
KILLS = 2
MOST_LINES = 12
"""That are waited for at the most before it is killed."""


class Program:
    """The program in a process of its own, and what it says."""

    def __init__(self, folder: Path) -> None:
        self.settings = folder / "settings"
        self.lines: list[list[str]] = []
        self._heard = threading.Condition()
        surroundings = {
            **os.environ,
            SETTINGS_FOLDER: str(self.settings),
            "QT_QPA_PLATFORM": "offscreen",
            "PYTHONPATH": str(ROOT),
        }
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.ui.crashing", str(folder)],
            cwd=ROOT,
            env=surroundings,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            with self._heard:
                self.lines.append(line.split())
                self._heard.notify_all()

    def wait_for(self, n_kept: int) -> None:
        """Until so many were kept after it was saved."""
        with self._heard:
            assert self._heard.wait_for(lambda: len(self.kept_since) >= n_kept, PATIENCE)

    @property
    def kept_since(self) -> list[tuple[int, int]]:
        """How many maps, and the step of the last, of all that was kept since it was saved."""
        words = [line[0] for line in self.lines]
        since = self.lines[words.index("saved") :] if "saved" in words else []
        return [(int(line[1]), int(line[2])) for line in since if line[0] == "kept"]

    def kill(self) -> None:
        """End it without a word."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self._reader.join()
        assert self.process.stdout is not None
        self.process.stdout.close()


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Program]:
    made = Program(tmp_path)
    yield made
    if made.process.poll() is None:
        made.kill()


def settings_of(program: Program) -> Settings:
    folder = program.settings
    return Settings(folder / "settings.json", recovery=folder / "recovery")


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal")
@pytest.mark.parametrize("number", range(KILLS))
def test_that_a_killed_program_is_recovered_from(
    qtbot: QtBot, dressed: None, program: Program, tmp_path: Path, number: int
) -> None:
    assert dressed is None
    chance = random.Random(number)
    program.wait_for(chance.randrange(1, MOST_LINES))
    # While it still runs, nobody is offered what it keeps.
    beside = shown_window(qtbot, settings_of(program))
    beside.recovering.look()
    wait_idle(qtbot, beside)
    assert beside.offer.rows == []
    beside.close()
    # At any moment: also in the middle of writing.
    threading.Event().wait(chance.random() * 0.2)
    program.kill()
    n_maps, step = program.kept_since[-1]

    stored = read_session(tmp_path / "saved.xims").session
    assert len(stored.runs) == 1
    assert stored.runs[0].result.finished

    window = shown_window(qtbot, settings_of(program))
    window.recovering.look()
    eventually(qtbot, lambda: len(window.offer.rows) == 1)
    (row,) = window.offer.rows
    assert row.left.n_runs == n_maps
    assert row.left.saved_as == tmp_path / "saved.xims"
    click(row.recover)
    eventually(qtbot, lambda: bool(window.user_actions.session.runs))
    wait_idle(qtbot, window)

    runs = window.user_actions.session.runs
    assert len(runs) == n_maps
    # What was written when it was killed may have been complete already.
    assert runs[-1].result.step >= step
    assert window.keeping.path == tmp_path / "saved.xims"
    assert window.isWindowModified()
    assert not window.offer.isVisible()
    window.close()


@pytest.mark.skipif(sys.platform == "win32", reason="no such signal")
def test_that_a_program_that_is_asked_to_end_leaves_what_is_unsaved(
    qtbot: QtBot, program: Program
) -> None:
    program.wait_for(1)
    program.process.send_signal(signal.SIGTERM)
    program.process.wait(PATIENCE)
    program.kill()
    window = shown_window(qtbot, settings_of(program))
    window.recovering.look()
    eventually(qtbot, lambda: len(window.offer.rows) == 1)
    window.close()
