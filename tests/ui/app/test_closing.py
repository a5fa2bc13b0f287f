"""The end: whatever goes on when the window is closed, nothing is left of it."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import shiboken6
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.ui.hands import eventually
from tests.ui.maps_to_show import run_of
from tests.ui.windows import (
    PATIENCE,
    begin_long_training,
    plan_quick,
    sample_data,
    shown_window,
    table_file,
    with_sample,
)
from ximstudio.load.text.digits import wait_for_kernel
from ximstudio.prepare.input import Input
from ximstudio.session import Session
from ximstudio.store.files import write_session
from ximstudio.ui.actions.trainer import Phase
from ximstudio.ui.app.window import MainWindow
from ximstudio.ui.dialogs.importing.dialog import ImportDialog
from ximstudio.ui.widgets.look.theme import Scheme, the_theme
from ximstudio.ui.widgets.question import Question

CHECKOUT = Path(__file__).parents[3]


@pytest.fixture(autouse=True, scope="module")
def _kernel() -> None:
    """Load what reads digits, once in a process and in a thread of its own, before it counts."""
    wait_for_kernel(lambda: None)


def large_file(folder: Path) -> Path:
    """A table that takes a while to read."""
    values = np.random.default_rng(0).integers(0, 999, size=(4000, 200))
    head = ",".join(["gene", *(f"sample_{number}" for number in range(200))])
    lines = [
        f"YAL{number:04d}W,{','.join(map(str, row))}" for number, row in enumerate(values.tolist())
    ]
    path = folder / "large.csv"
    path.write_text("\n".join([head, *lines]), encoding="utf-8")
    return path


def active_timers() -> list[QTimer]:
    """All timers that anybody has started here, and nobody stopped."""
    timers = (each for each in gc.get_objects() if isinstance(each, QTimer))
    return [timer for timer in timers if shiboken6.isValid(timer) and timer.isActive()]


# What may go on


def beginning(qtbot: QtBot, window: MainWindow, what: str) -> AbstractContextManager[object]:
    """Wait until a job of this kind begins."""
    return qtbot.waitSignal(
        window.jobs.began,
        timeout=PATIENCE,
        check_params_cb=lambda job: job.label.startswith(what),
    )


def nothing(qtbot: QtBot, window: MainWindow, folder: Path) -> None:
    del qtbot, window, folder


def training(qtbot: QtBot, window: MainWindow, folder: Path) -> None:
    del folder
    begin_long_training(qtbot, with_sample(qtbot, window))


def a_training_that_has_not_reported(qtbot: QtBot, window: MainWindow, folder: Path) -> None:
    del folder
    with_sample(qtbot, window)
    window.train()


def a_pause(qtbot: QtBot, window: MainWindow, folder: Path) -> None:
    training(qtbot, window, folder)
    window.user_actions.pause()
    eventually(qtbot, lambda: window.user_actions.phase is Phase.PAUSED)


def reading(qtbot: QtBot, window: MainWindow, folder: Path) -> None:
    with beginning(qtbot, window, "Reading"):
        window.user_actions.open(Input(name=str(large_file(folder))))


def preparing(qtbot: QtBot, window: MainWindow, folder: Path) -> None:
    del folder
    with_sample(qtbot, window)
    window.user_actions.set_recipe(window.user_actions.recipe, "Change nothing")


def measuring(qtbot: QtBot, window: MainWindow, folder: Path) -> None:
    del folder
    with_sample(qtbot, window)
    plan_quick(window, n_steps=200)
    with beginning(qtbot, window, "Measuring"):
        window.train()


def the_import_dialog_at_work(qtbot: QtBot, window: MainWindow, folder: Path) -> None:
    with beginning(qtbot, window, "Reading"):
        window.bar.reading.setChecked(True)
        window.opening.open_file(large_file(folder))


def the_import_dialog_with_an_answer(qtbot: QtBot, window: MainWindow, folder: Path) -> None:
    """It waits a moment before it reads anew."""
    window.bar.reading.setChecked(True)
    window.opening.open_file(table_file(folder))
    (dialog,) = window.findChildren(ImportDialog)
    eventually(qtbot, dialog.ok.isEnabled)
    dialog.form.answered.emit("decimal", ",")


def a_question(qtbot: QtBot, window: MainWindow, folder: Path) -> None:
    training(qtbot, window, folder)
    window.opening.open_sample("yeast")
    assert window.findChildren(Question)


def present_threads() -> set[threading.Thread]:
    """All threads there are, once a look at a map that is no longer wanted has ended by itself."""
    for thread in threading.enumerate():
        if thread.name.startswith("looker"):
            thread.join(10.0)
    return set(threading.enumerate())


@pytest.mark.parametrize(
    "begin",
    [
        nothing,
        training,
        a_training_that_has_not_reported,
        a_pause,
        reading,
        preparing,
        measuring,
        the_import_dialog_at_work,
        the_import_dialog_with_an_answer,
        a_question,
    ],
    ids=lambda begin: begin.__name__,
)
def test_that_closing_leaves_no_thread_timer_or_dialog(
    qtbot: QtBot, tmp_path: Path, begin: Callable[[QtBot, MainWindow, Path], None]
) -> None:
    threads, timers = set(threading.enumerate()), set(active_timers())
    window = shown_window(qtbot)
    begin(qtbot, window, tmp_path)
    assert set(threading.enumerate()) > threads

    assert window.close()

    assert present_threads() == threads
    assert set(active_timers()) <= timers
    assert [each for each in QApplication.topLevelWidgets() if each.isVisible()] == []
    assert not ImportDialog._open


def test_that_a_closed_window_can_be_asked_for_anything(qtbot: QtBot, tmp_path: Path) -> None:
    threads = set(threading.enumerate())
    window = shown_window(qtbot)
    training(qtbot, window, tmp_path)
    window.close()

    # Whatever still wants something computed is not heard, and does no harm.
    window.user_actions.draw()
    window.user_actions.train()
    the_theme().choose(Scheme.DARK)
    the_theme().choose(Scheme.LIGHT)

    assert present_threads() == threads


# The whole program

PROGRAM = """
import os, signal, sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from ximstudio.cli import main
from ximstudio.ui.actions.trainer import Phase

def window():
    return next((w for w in QApplication.topLevelWidgets() if hasattr(w, "user_actions")), None)

def dialog():
    return next((w for w in QApplication.topLevelWidgets() if hasattr(w, "questions")), None)

def question():
    return next(w for w in QApplication.topLevelWidgets() if hasattr(w, "yes"))

def is_shown():
    return window() is not None and window().isVisible()

def is_asked():
    return dialog() is not None

def is_trained():
    if dialog() is not None and dialog().ok.isEnabled():
        dialog().ok.click()
    elif window() is not None and window().user_actions.session.data is not None:
        if window().user_actions.phase is Phase.IDLE:
            window().train()
        return window().user_actions.live is not None
    return False

def look():
    if {when}():
        {ending}
    else:
        QTimer.singleShot(5, look)

import ximstudio.ui.app.process as app
class Application(app.QApplication):
    def exec(self):
        QTimer.singleShot(0, look)
        return super().exec()
app.QApplication = Application
sys.exit(main(["open", sys.argv[1]]))
"""


def quiet_run(code: str, *arguments: str, folder: Path) -> tuple[int, str, list[str]]:
    """Exit code, what was printed, and complaints, of a Python that takes warnings for errors."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code, *arguments],
        env={
            **os.environ,
            "QT_QPA_PLATFORM": "offscreen",
            "XIMSTUDIO_SETTINGS": "",
            "XDG_CONFIG_HOME": str(folder),
            "XDG_DATA_HOME": str(folder),
            "PYTHONPATH": str(CHECKOUT),
        },
        capture_output=True,
        text=True,
        check=False,
        timeout=200,
    )
    # The off-screen platform says so of every window that is shown.
    noise = [line for line in done.stderr.splitlines() if "This plugin does not" not in line]
    return done.returncode, done.stdout, noise


@pytest.mark.parametrize(
    ("when", "ending"),
    [
        ("is_shown", "window().close()"),
        ("is_asked", "os.kill(os.getpid(), signal.SIGINT)"),
        ("is_trained", "window().close(); question().yes.click()"),
        ("is_trained", "os.kill(os.getpid(), signal.SIGTERM)"),
    ],
)
def test_that_the_whole_program_ends_quietly(tmp_path: Path, when: str, ending: str) -> None:
    code = PROGRAM.format(when=when, ending=ending)

    assert quiet_run(code, str(table_file(tmp_path)), folder=tmp_path) == (0, "", [])
    assert (tmp_path / "ximstudio" / "settings.json").is_file()


# The window in somebody's own script, which leaves as scripts do: without tidying up

SCRIPT = """
import sys, time
from pathlib import Path
from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication
from ximstudio.ui.widgets.look.theme import the_theme
from ximstudio.ui.app.window import MainWindow

class Watch(QObject):
    def eventFilter(self, watched, event):
        times.append(time.thread_time())
        return False

def look():
    if window.user_actions.session.data is None:
        QTimer.singleShot(5, look)
        return
    window.exporter.show()
    QTimer.singleShot(100, leave)

def leave():
    {ending}

application = QApplication([])
the_theme().dress(application)
times = []
watch, timer = Watch(), QTimer()
application.installEventFilter(watch)
timer.timeout.connect(lambda: times.append(time.thread_time()))
timer.start(4)
window = MainWindow()
window.show()
window.opening.open_file(Path(sys.argv[1]))
look()
application.exec()
assert times
"""
ENDINGS = ("window.close(); application.quit()", "application.quit()", "sys.exit(0)")


@pytest.fixture(scope="module")
def stored_session(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A session with two maps that are compared."""
    session = Session(data=sample_data())
    for number in (1, 2):
        session = session.with_run(replace(run_of("som"), key=f"run-{number}"))
    path = tmp_path_factory.mktemp("sessions") / "work.xims"
    write_session(path, replace(session, compared=("run-1", "run-2")))
    return path


@pytest.mark.parametrize("ending", ENDINGS)
def test_that_a_script_with_the_window_ends_quietly(
    tmp_path: Path, stored_session: Path, ending: str
) -> None:
    code = SCRIPT.format(ending=ending)
    for _ in range(3):
        assert quiet_run(code, str(stored_session), folder=tmp_path) == (0, "", [])
