"""The window, from the command until it is visible | an empty window with the same libraries.

Every run is a fresh process with warm caches, on the screen there is or on a private one. The
empty window is what anybody's window costs at the least who draws with pyqtgraph: Python, Qt, numpy
and pyqtgraph imported, a `QMainWindow` painted. "Seen" is the end of the first paint, counted from
before the process is started; the limit is for that. Linux tells how long the process was ready to
run and found no core, so that it is also shown without that time, which a quiet machine would not
take. What is made ready behind the first page comes after, with the gaps of the event loop
meanwhile.
"""

from __future__ import annotations

import json
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.processes import Processes, fresh_processes

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

ROUNDS = 9
LIMIT = 1.5
"""Seconds until the window is seen."""
SEEN, ALONE = "seen", "seen, without waiting for a core"
READY, GAP = "all behind the first page is ready", "longest gap until then"


class Stopwatch:
    """Seconds of stages that follow each other, from the moment the process was started."""

    def __init__(self, started: float) -> None:
        self.seconds: dict[str, float] = {}
        self._started = self._since = started

    def end(self, stage: str) -> None:
        """A stage ends now, and the next begins."""
        now = time.time()
        self.seconds[stage] = now - self._since
        self._since = now

    def total(self, name: str) -> float:
        """All until now."""
        self.seconds[name] = time.time() - self._started
        return self.seconds[name]

    def seen(self) -> None:
        """A person sees the window."""
        self.seconds[ALONE] = self.total(SEEN) - waited()


def waited() -> float:
    """Seconds that this process was ready to run without a core; 0 where no one tells."""
    told = Path("/proc/self/schedstat")
    return int(told.read_text().split()[1]) * 1e-9 if told.exists() else 0.0


def when_painted(window: QWidget, then: Callable[[], None]) -> None:
    """Call something once the window has been painted."""
    from PySide6.QtCore import QEvent, QObject, QTimer

    class Watch(QObject):
        def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
            if event.type() is QEvent.Type.Paint:
                watched.removeEventFilter(self)
                QTimer.singleShot(0, then)
            return False

    window.installEventFilter(Watch(window))


def real_window(watch: Stopwatch) -> None:
    """The command itself, with a watch on it; it ends when all is ready."""
    watch.end("Python itself")
    import PySide6.QtWidgets

    watch.end("import of Qt")
    import gc

    # As the command does after that.
    gc.disable()
    import numpy as np

    watch.end("import of numpy")
    from ximstudio.cli import main
    from ximstudio.ui.app import process as app
    from ximstudio.ui.app import window

    watch.end("import of ours")

    gaps: list[float] = []

    class Window(window.MainWindow):
        def __init__(self, *arguments: Any) -> None:
            watch.end("application and theme")
            super().__init__(*arguments)
            watch.end("building the first page")
            when_painted(self, self._seen)

        def _seen(self) -> None:
            watch.end("showing and painting it")
            watch.seen()
            before = time.perf_counter()

            def tick() -> None:
                nonlocal before
                gaps.append(time.perf_counter() - before)
                before += gaps[-1]

            self.timer = PySide6.QtCore.QTimer(self)
            self.timer.timeout.connect(tick)
            self.timer.start()

    class WarmUp(app.WarmUp):
        def __init__(self, behind: window.MainWindow) -> None:
            super().__init__(behind)
            self.ready.connect(self._end)

        def _end(self) -> None:
            watch.total(READY)
            watch.seconds[GAP] = float(np.max(gaps))
            self._window.close()

    vars(app).update(MainWindow=Window, WarmUp=WarmUp)
    assert main([]) == 0


def empty_window(watch: Stopwatch) -> None:
    """The least that a window with these libraries takes."""
    import numpy  # noqa: F401
    import pyqtgraph  # noqa: F401
    from PySide6.QtWidgets import QApplication, QMainWindow

    application = QApplication([])
    window = QMainWindow()
    window.resize(1280, 800)

    def seen() -> None:
        watch.seen()
        window.close()

    when_painted(window, seen)
    window.show()
    application.exec()


WINDOWS = {"ximstudio": real_window, "empty window": empty_window}


def measured(
    processes: Processes, settings: Mapping[str, str]
) -> dict[str, dict[str, list[float]]]:
    """Window → stage → seconds per round."""
    seconds: dict[str, dict[str, list[float]]] = {name: defaultdict(list) for name in WINDOWS}
    # One more: the first run writes bytecode and may compile.
    for number in range(ROUNDS + 1):
        for name, stages in seconds.items():
            arguments = ("-m", "benchmarks.starting", name, str(time.time()))
            output = processes.run(*arguments, **settings).stdout
            if number > 0:
                for stage, spent in json.loads(output.splitlines()[-1]).items():
                    stages[stage].append(spent)
    return seconds


def main() -> None:
    """Print the tables."""
    import numpy as np

    from benchmarks.screens import screen
    from benchmarks.timing import Row, Timed, duration, show, show_table

    with fresh_processes() as processes, screen() as settings:
        own = {"XDG_CONFIG_HOME": str(processes.folder / "settings")}
        seconds = measured(processes, {**settings, **own})

    def row(name: str, spent: Sequence[float]) -> tuple[str, ...]:
        median = float(np.median(spent))
        target, verdict = "", ""
        if name in {SEEN, ALONE}:
            target, verdict = f"≤ {LIMIT:g} s", "holds" if median <= LIMIT else "MISSED"
        span = f"{duration(min(spent))}–{duration(max(spent))}"
        return name, duration(median), span, target, verdict

    show_table(
        "From the command to the window",
        ("what", "median", "range", "target", ""),
        [row(stage, spent) for stage, spent in seconds["ximstudio"].items()],
    )
    rows = []
    for work in (SEEN, ALONE):
        ours, theirs = (
            Timed(name=name, seconds=np.array(stages[work])) for name, stages in seconds.items()
        )
        rows.append(Row(work=work, ours=ours, theirs=theirs))
    show("The window against an empty one", rows)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        stopwatch = Stopwatch(float(sys.argv[2]))
        WINDOWS[sys.argv[1]](stopwatch)
        print(json.dumps(stopwatch.seconds))
    else:
        main()
