"""The window is seen before anything heavy is loaded, and the rest is made ready behind it."""

import gc
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.ui.windows import PATIENCE, shown_window, wait_idle
from ximstudio.ui.app.process import WarmUp
from ximstudio.ui.app.window import MainWindow
from ximstudio.ui.runtime.settings import Settings

CHECKOUT = Path(__file__).parents[3]
HEAVY = {
    *("pandas", "numba", "llvmlite", "scipy", "sklearn", "matplotlib", "openTSNE"),
    *("h5py", "pyarrow", "pyqtgraph", "umap", "pynndescent"),
}

UNTIL_SEEN = """
import sys
import ximstudio.ui.app.process as app
from PySide6.QtCore import QEvent, QTimer

class Window(app.MainWindow):
    def event(self, event):
        if event.type() is QEvent.Type.Paint:
            QTimer.singleShot(0, self.seen)
        return super().event(event)

    def seen(self):
        print(*sys.modules)
        self.close()

app.MainWindow = Window
from ximstudio.cli import main
sys.exit(main([]))
"""


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[MainWindow]:
    """A window that is built but not shown yet."""
    made = MainWindow()
    qtbot.addWidget(made)
    yield made
    made.close()
    # What the window froze may be garbage by now; libraries and tests are not.
    gc.unfreeze()
    gc.collect()
    gc.freeze()


def is_built(window: MainWindow) -> bool:
    """Whether the page behind the first one is there."""
    return window.page.is_built


def test_that_nothing_heavy_is_loaded_when_the_window_is_seen(tmp_path: Path) -> None:
    settings = {
        "QT_QPA_PLATFORM": "offscreen",
        "XDG_CONFIG_HOME": str(tmp_path),
        "PYTHONPATH": str(CHECKOUT),
    }

    done = subprocess.run(
        [sys.executable, "-c", UNTIL_SEEN],
        env=os.environ | settings,
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )

    loaded = set(done.stdout.split())
    assert {"PySide6.QtWidgets", "ximstudio.ui.app.welcome", "ximstudio.train"} <= loaded
    assert not HEAVY & loaded


def test_that_the_page_behind_the_first_is_built_when_somebody_needs_it(
    window: MainWindow,
) -> None:
    assert not is_built(window)

    assert window.steps.panels

    assert is_built(window)
    assert window.pages.currentWidget() is window.welcome
    assert not window.page.build()


def test_that_all_is_made_ready_once_the_window_is_seen(qtbot: QtBot, window: MainWindow) -> None:
    warm_up = WarmUp(window)
    assert not is_built(window)

    with qtbot.waitSignal(warm_up.ready, timeout=PATIENCE):
        window.show()

    assert is_built(window)
    assert window.jobs.idle
    assert not warm_up._timer.isActive()
    assert "numba" in sys.modules


def test_that_a_table_can_be_opened_before_all_is_ready(qtbot: QtBot, window: MainWindow) -> None:
    warm_up = WarmUp(window)
    with qtbot.waitSignal(warm_up.ready, timeout=PATIENCE):
        window.show()
        window.opening.open_sample("yeast")
        qtbot.waitUntil(lambda: window.user_actions.session.data is not None, timeout=PATIENCE)
        assert window.pages.currentWidget() is window.page
        assert is_built(window)
    wait_idle(qtbot, window)

    assert all(panel.ready for panel in window.steps.panels[:3])


def test_that_work_that_is_stopped_does_not_keep_the_rest_from_being_made_ready(
    qtbot: QtBot, window: MainWindow
) -> None:
    warm_up = WarmUp(window)
    window.jobs.began.connect(lambda _: window.jobs.stop())

    with qtbot.waitSignal(warm_up.ready, timeout=PATIENCE):
        window.show()

    assert is_built(window)


def test_that_a_window_closed_at_once_leaves_nothing_behind(
    qtbot: QtBot, window: MainWindow
) -> None:
    before = threading.active_count()
    warm_up = WarmUp(window)
    with qtbot.waitSignal(window.jobs.began, timeout=PATIENCE):
        window.show()

    window.close()

    qtbot.waitUntil(lambda: threading.active_count() <= before, timeout=PATIENCE)
    assert not warm_up._timer.isActive()


def test_that_the_width_of_the_steps_is_kept_although_they_were_never_seen(
    qtbot: QtBot, tmp_path: Path
) -> None:
    settings = Settings(tmp_path / "settings.json")
    first = shown_window(qtbot, settings)
    first.steps.setMinimumWidth(0)
    first.page.across.setSizes([500, 700])
    first.close()
    kept = settings.now.layout["across"]

    shown_window(qtbot, settings).close()

    assert settings.now.layout["across"] == kept
