"""The window: toolbar, keys, status, what is remembered, and how it ends."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from tests.ui.windows import (
    PATIENCE,
    is_running,
    plan_quick,
    shown_window,
    table_file,
    train_one,
    wait_idle,
    with_sample,
)
from ximstudio.jobs import Task
from ximstudio.load.formats import FORMATS
from ximstudio.ui.desk import Job
from ximstudio.ui.help import help_about
from ximstudio.ui.keys import KEYS
from ximstudio.ui.look.theme import Scheme, the_theme
from ximstudio.ui.opening import name_filters
from ximstudio.ui.question import Question
from ximstudio.ui.settings import Settings
from ximstudio.ui.status import time_left
from ximstudio.ui.studio import Phase
from ximstudio.ui.window import MainWindow

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)
CHECKOUT = Path(__file__).parent.parent.parent
CONTROL = Qt.KeyboardModifier.ControlModifier
LONG = 50_000_000
"""Steps that no test waits for."""


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[MainWindow]:
    shown = shown_window(qtbot)
    yield shown
    shown.close()


def able(window: MainWindow) -> tuple[bool, bool, bool]:
    """Which of train, pause and stop can be pressed."""
    bar = window.bar
    return bar.train.isEnabled(), bar.pause.isEnabled(), bar.stop.isEnabled()


def lanes() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "compute lane"]


def begin_long_training(qtbot: QtBot, window: MainWindow) -> None:
    plan_quick(window, n_steps=LONG)
    window.train()
    qtbot.waitUntil(lambda: is_running(window), timeout=PATIENCE)


# Toolbar and keys


def test_that_the_buttons_follow_training(qtbot: QtBot, window: MainWindow) -> None:
    assert able(window) == (False, False, False)
    with_sample(qtbot, window)
    assert able(window) == (True, False, False)

    begin_long_training(qtbot, window)
    assert able(window) == (False, True, True)
    window.bar.pause.click()
    qtbot.waitUntil(lambda: window.studio.phase is Phase.PAUSED, timeout=PATIENCE)
    assert able(window) == (True, False, True)
    step = window.studio.live.step if window.studio.live else 0
    window.bar.train.click()
    qtbot.waitUntil(lambda: is_running(window), timeout=PATIENCE)
    window.bar.stop.click()
    wait_idle(qtbot, window)

    assert able(window) == (True, False, False)
    (run,) = window.studio.session.runs
    assert step <= run.result.step < LONG


def test_that_keys_train_and_stop(qtbot: QtBot, window: MainWindow) -> None:
    with_sample(qtbot, window)
    plan_quick(window, n_steps=LONG)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)

    QTest.keyClick(window, Qt.Key.Key_R, CONTROL)
    qtbot.waitUntil(lambda: is_running(window), timeout=PATIENCE)
    QTest.keyClick(window, Qt.Key.Key_Escape)
    wait_idle(qtbot, window)

    assert len(window.studio.session.runs) == 1


def test_that_keys_switch_views(qtbot: QtBot, window: MainWindow) -> None:
    with_sample(qtbot, window)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)

    for number, key in enumerate((Qt.Key.Key_3, Qt.Key.Key_2, Qt.Key.Key_1)):
        QTest.keyClick(window, key, CONTROL)
        assert window.views.panes[0].tabs.currentIndex() == 2 - number
    wait_idle(qtbot, window)


def test_that_open_asks_for_a_file(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    window.settings.change(folder=str(tmp_path))

    window.bar.open.click()
    qtbot.waitUntil(lambda: bool(window.findChildren(QFileDialog)))

    (dialog,) = window.findChildren(QFileDialog)
    assert Path(dialog.directory().path()) == tmp_path
    dialog.reject()


def test_that_every_format_can_be_chosen_in_the_file_dialog() -> None:
    every = name_filters()

    assert len(every) == len(FORMATS) + 2
    for one in FORMATS:
        assert all(f"*{suffix}" in every[0] for suffix in one.suffixes)


def test_that_samples_are_in_the_menu(qtbot: QtBot, window: MainWindow) -> None:
    (action,) = window.bar.samples.menu().actions()
    action.trigger()
    wait_idle(qtbot, window)

    assert window.studio.session.data is not None


# Opening another table


def test_that_maps_are_not_lost_without_a_question(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    with_sample(qtbot, window)
    train_one(qtbot, window)
    before = window.studio.session

    window.opening.open_sample("yeast")
    (question,) = window.findChildren(Question)
    question.no.click()
    wait_idle(qtbot, window)
    assert window.studio.session is before

    window.opening.open_file(table_file(tmp_path))
    window.findChildren(Question)[-1].yes.click()
    qtbot.waitUntil(lambda: len(window.findChildren(QDialog)) > 3, timeout=PATIENCE)
    assert window.studio.session.runs == before.runs


def test_that_opening_during_training_ends_it(qtbot: QtBot, window: MainWindow) -> None:
    with_sample(qtbot, window)
    first = window.studio.session.data
    begin_long_training(qtbot, window)

    window.opening.open_sample("yeast")
    (question,) = window.findChildren(Question)
    assert is_running(window)
    question.yes.click()
    qtbot.waitUntil(lambda: window.studio.session.data is not first, timeout=PATIENCE)
    wait_idle(qtbot, window)

    assert window.studio.phase is Phase.IDLE
    assert window.studio.session.runs == ()
    assert window.studio.shown is None


# Status


def test_that_the_status_shows_a_job_and_can_cancel_it(qtbot: QtBot, window: MainWindow) -> None:
    status = window.status
    outcome: list[str] = []
    wait = threading.Event()

    def work(task: Task[float, None]) -> None:
        while True:
            task.report(0.25)
            wait.wait(0.002)

    assert not status.bar.isVisible()
    window.desk.start(Job(doing="Counting", work=work, failed=lambda: outcome.append("stopped")))
    qtbot.waitUntil(lambda: status.bar.maximum() > 0 and status.bar.value() > 0)
    assert status.bar.isVisible()
    assert status.bar.value() / status.bar.maximum() == 0.25
    status.cancel.click()
    wait_idle(qtbot, window)

    assert outcome == ["stopped"]
    assert not status.bar.isVisible()
    assert not status.cancel.isVisible()


def test_that_quiet_jobs_are_not_shown(qtbot: QtBot, window: MainWindow) -> None:
    wait = threading.Event()
    window.desk.start(Job(doing="Drawing", work=lambda _: wait.wait(10), quiet=True))

    assert window.desk.job is not None
    assert not window.status.bar.isVisible()
    wait.set()
    wait_idle(qtbot, window)


@pytest.mark.parametrize(
    ("seconds", "fraction", "told"),
    [(0.1, 0.5, ""), (1.0, 0.01, ""), (10.0, 0.5, "10 s"), (600.0, 0.5, "10 min"), (9, 1.0, "")],
)
def test_that_the_time_left_is_told_once_it_is_known(
    seconds: float, fraction: float, told: str
) -> None:
    words = "".join(time_left(seconds, fraction))

    assert (told in words) if told else words == ""


# Settings


def test_that_the_window_comes_back_as_it_was(qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    before = shown_window(qtbot, Settings(path))
    before.resize(900, 640)
    before.pages.setCurrentIndex(1)
    before.across.setSizes([480, 420])
    before.runs.show_folded(True)
    before.bar.schemes[Scheme.DARK].trigger()
    sizes = before.across.sizes()
    before.close()

    after = shown_window(qtbot, Settings(path))
    after.pages.setCurrentIndex(1)

    assert (after.width(), after.height()) == (900, 640)
    assert after.across.sizes() == sizes
    assert after.runs.is_folded
    assert the_theme().scheme is Scheme.DARK
    assert after.bar.schemes[Scheme.DARK].isChecked()
    after.close()
    the_theme().choose(Scheme.LIGHT)


def test_that_a_window_without_settings_leaves_the_theme_alone(qtbot: QtBot) -> None:
    the_theme().choose(Scheme.DARK)
    shown_window(qtbot).close()

    assert the_theme().scheme is Scheme.DARK
    the_theme().choose(Scheme.LIGHT)


# Help


@pytest.mark.qt_log_ignore("propagateSizeHints", "does not support raise", extend=True)
def test_that_help_is_about_the_thing_in_focus(qtbot: QtBot, window: MainWindow) -> None:
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.bar.open.setFocus()

    QTest.keyClick(window, Qt.Key.Key_F1)

    page = window.help.page.toPlainText()
    assert window.help.isVisible()
    assert window.bar.open.toolTip() in page
    assert all(key.does in page for key in KEYS)


def test_that_a_thing_without_help_speaks_through_what_it_lies_in(qtbot: QtBot) -> None:
    outer = QWidget()
    qtbot.addWidget(outer)
    inner = QWidget(outer)
    outer.setToolTip("tip")
    assert help_about(inner) == "tip"
    outer.setWhatsThis("more")
    assert help_about(inner) == "more"
    assert help_about(None) == ""


def test_that_every_part_of_the_window_has_help(window: MainWindow) -> None:
    parts = [*window.steps.panels, *window.views.panes[0].views, window.runs, window.welcome]

    assert all(help_about(part) for part in parts)


# The end


def test_that_closing_during_training_ends_all_work(qtbot: QtBot) -> None:
    before = len(lanes())
    window = with_sample(qtbot, shown_window(qtbot))
    begin_long_training(qtbot, window)
    timers = [timer for timer in (window.desk._timer,) if timer.isActive()]
    assert len(timers) == 1
    assert len(lanes()) == before + 1

    assert window.close()

    assert len(lanes()) == before
    assert not timers[0].isActive()
    # Whatever still wants something computed is not heard, and does no harm.
    window.studio.draw()
    the_theme().choose(Scheme.DARK)
    the_theme().choose(Scheme.LIGHT)


def run_python(code: str, tmp_path: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {
        **os.environ,
        "QT_QPA_PLATFORM": "offscreen",
        "XDG_CONFIG_HOME": str(tmp_path),
        "PYTHONPATH": str(CHECKOUT),
        **variables,
    }
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


WHOLE_PROGRAM = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from ximstudio.cli import main
from ximstudio.ui.studio import Phase

def window():
    return next(w for w in QApplication.topLevelWidgets() if hasattr(w, "studio"))

def look():
    if not QApplication.topLevelWidgets():
        QTimer.singleShot(20, look)
    elif window().studio.session.data is not None and window().studio.phase is Phase.IDLE:
        window().train()
        QTimer.singleShot(20, look)
    elif window().studio.live is not None:
        {ending}
    else:
        QTimer.singleShot(20, look)

import ximstudio.ui.app as app
class Application(app.QApplication):
    def exec(self):
        QTimer.singleShot(20, look)
        return super().exec()
app.QApplication = Application
sys.exit(main(["open", "sample:yeast"]))
"""


@pytest.mark.parametrize(
    "ending", ["window().close()", "import os, signal; os.kill(os.getpid(), signal.SIGTERM)"]
)
def test_that_the_whole_program_ends_quietly_in_the_middle_of_training(
    tmp_path: Path, ending: str
) -> None:
    done = run_python(WHOLE_PROGRAM.format(ending=ending), tmp_path)

    noise = [
        line
        for line in done.stderr.splitlines()
        # The off-screen platform says so of every window that is shown.
        if line.strip() and "propagateSizeHints" not in line
    ]
    assert (done.returncode, noise, done.stdout) == (0, [], "")
    assert (tmp_path / "ximstudio" / "settings.json").is_file()


# The command that opens it


def test_that_without_qt_the_command_says_what_to_install(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "for name in ('PySide6', 'pyqtgraph'):\n"
        "    sys.modules[name] = None\n"
        "from ximstudio.cli import main\n"
        "sys.exit(main([]))"
    )

    done = run_python(code, tmp_path)

    assert done.returncode == 2
    assert "pip install 'ximstudio[gui]'" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Only Linux has no screen.")
def test_that_without_a_screen_the_command_says_so(tmp_path: Path) -> None:
    blank = {"QT_QPA_PLATFORM": "", "DISPLAY": "", "WAYLAND_DISPLAY": ""}

    done = run_python(
        "from ximstudio.cli import main; raise SystemExit(main([]))", tmp_path, **blank
    )

    assert done.returncode == 2
    assert "DISPLAY" in done.stderr
    assert "Traceback" not in done.stderr
