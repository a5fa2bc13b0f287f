"""The window: toolbar, keys, status, and what is remembered."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from tests.ui.windows import (
    LONG,
    PATIENCE,
    begin_long_training,
    is_running,
    plan_quick,
    shown_window,
    table_file,
    train_one,
    wait_idle,
    with_sample,
)
from ximstudio.jobs import Task
from ximstudio.load.format import every_format
from ximstudio.prepare.input import Input
from ximstudio.ui.actions.trainer import Phase
from ximstudio.ui.app.window import MainWindow
from ximstudio.ui.dialogs.help import help_about
from ximstudio.ui.dialogs.importing.dialog import ImportDialog
from ximstudio.ui.files.opening import name_filters
from ximstudio.ui.runtime.job_queue import Job
from ximstudio.ui.runtime.settings import Recent, Settings
from ximstudio.ui.views import VIEWS
from ximstudio.ui.widgets.look.theme import Scheme, the_theme
from ximstudio.ui.widgets.question import Question
from ximstudio.ui.widgets.shortcuts import all_keys

CHECKOUT = Path(__file__).parents[3]
CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[MainWindow]:
    shown = shown_window(qtbot)
    yield shown
    shown.close()


def able(window: MainWindow) -> tuple[bool, bool, bool]:
    """Which of train, pause and stop can be pressed."""
    bar = window.bar
    return bar.train.isEnabled(), bar.pause.isEnabled(), bar.stop.isEnabled()


# Toolbar and keys


def test_that_the_buttons_follow_training(qtbot: QtBot, window: MainWindow) -> None:
    assert able(window) == (False, False, False)
    with_sample(qtbot, window)
    assert able(window) == (True, False, False)

    begin_long_training(qtbot, window)
    assert able(window) == (False, True, True)
    window.bar.pause.click()
    qtbot.waitUntil(lambda: window.user_actions.phase is Phase.PAUSED, timeout=PATIENCE)
    assert able(window) == (True, False, True)
    step = window.user_actions.live.step if window.user_actions.live else 0
    window.bar.train.click()
    qtbot.waitUntil(lambda: is_running(window), timeout=PATIENCE)
    window.bar.stop.click()
    wait_idle(qtbot, window)

    assert able(window) == (True, False, False)
    (run,) = window.user_actions.session.runs
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

    assert len(window.user_actions.session.runs) == 1


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

    assert len(every) == len(every_format()) + 4
    assert "*.xims" in every[0]
    assert "*.xims" in every[1]
    assert "*.svg" in every[0]
    assert "*.svg" in every[2]
    for one in every_format():
        assert all(f"*{suffix}" in every[0] for suffix in one.suffixes)


def test_that_examples_are_in_the_menu(qtbot: QtBot, window: MainWindow) -> None:
    # "Samples" would stand beside the samples of the table.
    assert window.bar.examples.text() == "Examples"
    (action,) = window.bar.examples.menu().actions()
    action.trigger()
    wait_idle(qtbot, window)

    assert window.user_actions.session.data is not None


# Opening another table


def test_that_nothing_of_the_last_table_is_left_in_any_view(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    with_sample(qtbot, window)
    train_one(qtbot, window)
    window.views.split.button("4").click()
    tabs = window.views.panes[0].tabs
    for number in range(tabs.count()):
        tabs.setCurrentIndex(number)
        wait_idle(qtbot, window)
    window.views.split.button("1").click()
    wait_idle(qtbot, window)
    views = [view for pane in window.views.panes for view in pane.built]
    assert not any(view.is_blank for view in views)

    before = window.user_actions.session.data
    window.user_actions.open(Input(name=str(table_file(tmp_path))))
    qtbot.waitUntil(lambda: window.user_actions.session.data is not before, timeout=PATIENCE)

    # Also those that nobody sees just now.
    assert len(views) > len(VIEWS)
    assert all(view.is_blank for view in views)
    wait_idle(qtbot, window)


def test_that_maps_are_not_lost_without_a_question(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    with_sample(qtbot, window)
    train_one(qtbot, window)
    before = window.user_actions.session

    window.opening.open_sample("yeast")
    assert window.findChildren(Question) == []
    qtbot.waitUntil(lambda: window.findChildren(Question) != [], timeout=PATIENCE)
    window.findChildren(Question)[-1].no.click()
    wait_idle(qtbot, window)
    assert window.user_actions.session is before

    dialog = dialog_for(qtbot, window, table_file(tmp_path))
    dialog.ok.click()
    dialog.findChildren(Question)[-1].no.click()
    assert dialog.isVisible()
    assert window.user_actions.session is before
    dialog.ok.click()
    dialog.findChildren(Question)[-1].yes.click()
    qtbot.waitUntil(lambda: window.user_actions.session.runs == (), timeout=PATIENCE)
    wait_idle(qtbot, window)


def test_that_what_cannot_be_read_is_no_question(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    with_sample(qtbot, window)
    train_one(qtbot, window)
    picture = tmp_path / "picture.csv"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)))
    refused: list[object] = []
    window.jobs.refused.connect(refused.append)

    dialog = dialog_for(qtbot, window, picture)
    assert not dialog.ok.isVisible()
    dialog.reject()
    window.opening.open_recent(Recent(name=str(tmp_path / "gone.csv")))
    wait_idle(qtbot, window)

    assert window.findChildren(Question) == []
    assert len(refused) == 1
    assert len(window.user_actions.session.runs) == 1


def test_that_training_begun_meanwhile_ends_before_another_table_is_taken(
    qtbot: QtBot, window: MainWindow
) -> None:
    with_sample(qtbot, window)
    train_one(qtbot, window)
    first = window.user_actions.session.data
    window.opening.open_sample("yeast")
    begin_long_training(qtbot, window)

    qtbot.waitUntil(lambda: window.findChildren(Question) != [], timeout=PATIENCE)
    window.findChildren(Question)[-1].yes.click()
    qtbot.waitUntil(lambda: window.user_actions.session.data is not first, timeout=PATIENCE)
    wait_idle(qtbot, window)

    assert window.user_actions.phase is Phase.IDLE
    assert window.user_actions.session.runs == ()


def dialog_for(qtbot: QtBot, window: MainWindow, path: Path) -> ImportDialog:
    """The dialog that opens a file, when it has read it."""
    window.bar.reading.setChecked(True)
    window.opening.open_file(path)
    dialog = window.findChildren(ImportDialog)[-1]
    qtbot.waitUntil(
        lambda: dialog.attempt is not None and not dialog._reading.busy, timeout=PATIENCE
    )
    return dialog


def test_that_opening_during_training_ends_it(qtbot: QtBot, window: MainWindow) -> None:
    with_sample(qtbot, window)
    first = window.user_actions.session.data
    begin_long_training(qtbot, window)

    window.opening.open_sample("yeast")
    (question,) = window.findChildren(Question)
    assert is_running(window)
    question.yes.click()
    qtbot.waitUntil(lambda: window.user_actions.session.data is not first, timeout=PATIENCE)
    wait_idle(qtbot, window)

    assert window.user_actions.phase is Phase.IDLE
    assert window.user_actions.session.runs == ()
    assert window.user_actions.shown is None


# Status


@pytest.mark.parametrize("what", ["Take arcsinh(x / 100)", r"Read C:\data", "<b>&amp;"])
def test_that_the_status_tells_what_was_done_as_it_is(
    qtbot: QtBot, window: MainWindow, what: str
) -> None:
    window.store.commit(window.user_actions.session, what)

    assert window.status.last.full.endswith(what)
    qtbot.waitUntil(lambda: window.status.last.text() == window.status.last.full)


def test_that_the_status_shows_a_job_and_can_cancel_it(qtbot: QtBot, window: MainWindow) -> None:
    status = window.status
    outcome: list[str] = []
    wait = threading.Event()

    def work(task: Task[float, None]) -> None:
        while True:
            task.report(0.25)
            wait.wait(0.002)

    assert not status.bar.isVisible()
    window.jobs.start(Job(label="Counting", work=work, failed=lambda: outcome.append("stopped")))
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
    window.jobs.start(Job(label="Drawing", work=lambda _: wait.wait(10), quiet=True))

    assert not window.jobs.idle
    assert not window.status.bar.isVisible()
    wait.set()
    wait_idle(qtbot, window)


# Settings


def test_that_the_window_comes_back_as_it_was(qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    before = shown_window(qtbot, Settings(path))
    before.resize(900, 640)
    before.pages.setCurrentWidget(before.work)
    before.work.across.setSizes([480, 420])
    before.runs.show_folded(True)
    before.bar.schemes[Scheme.DARK].trigger()
    sizes = before.work.across.sizes()
    before.close()

    after = shown_window(qtbot, Settings(path))
    after.pages.setCurrentWidget(after.work)

    assert (after.width(), after.height()) == (900, 640)
    assert after.work.across.sizes() == sizes
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


def test_that_help_is_about_the_thing_in_focus(qtbot: QtBot, window: MainWindow) -> None:
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.bar.open.setFocus()

    QTest.keyClick(window, Qt.Key.Key_F1)

    page = window.help.page.toPlainText()
    assert window.help.isVisible()
    assert window.bar.open.toolTip() in page
    assert all(key.does in page for key in all_keys())


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


# The command that opens it


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
