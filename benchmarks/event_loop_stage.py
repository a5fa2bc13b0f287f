"""The window that is watched in `benchmarks.event_loop`, and what it takes to watch it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QWidget

from benchmarks.ticks import Ticker, bystander, machine_seconds
from ximstudio.prepare.input import Input
from ximstudio.session import Data
from ximstudio.ui.app.process import WarmUp
from ximstudio.ui.app.window import MainWindow
from ximstudio.ui.widgets.look.theme import the_theme

Told: TypeAlias = dict[str, Any]
"""What a scene tells: gaps, bystander, others, platform; maybe frames, latencies, numbers."""

SIZE = 1280, 800


class Stage:
    """The window on the screen, as the program starts it, and a timer that watches it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.application = QApplication([])
        the_theme().dress(self.application)
        self.ticker = Ticker()
        self.window = MainWindow()
        self.window.resize(*SIZE)
        self.preparing = WarmUp(self.window)
        self.actions = self.window.user_actions
        self.store, self.jobs = self.window.store, self.window.jobs

    def warm_up(self) -> None:
        """Make ready what the program makes ready while a person looks at the first page."""
        over: list[bool] = []
        self.preparing.ready.connect(lambda: over.append(True))
        self.window.show()
        self.ticker.until(lambda: bool(over))
        self.idle()

    def idle(self) -> None:
        """Wait until nothing is computed."""
        self.ticker.until(lambda: self.jobs.idle)

    def open(self, name: str) -> Data:
        """Open a table without the dialog."""
        self.actions.open(Input(name=name if ":" in name else str(self.folder / name)))
        self.ticker.until(lambda: self.actions.session.data is not None)
        self.idle()
        data = self.actions.session.data
        assert data is not None
        return data

    def plan(self, **changes: Any) -> None:
        """Plan a training that is not over before it is watched."""
        params: Any = self.actions.session.plan.params
        self.actions.set_params(replace(params, **changes))

    def train(self) -> None:
        """Train, and wait for the first map."""
        self.window.train()
        self.ticker.until(lambda: self.actions.live is not None)

    def recorded(self, play: Callable[[], Told | None]) -> Told:
        """What is told of something that happens now."""
        with bystander() as others:
            # Until the other process ticks.
            self.ticker.rest(0.3)
            machine, own = machine_seconds()
            began = time.perf_counter()
            self.ticker.begin()
            told = play() or {}
            gaps = self.ticker.end()
            spent = time.perf_counter() - began
            machine_later, own_later = machine_seconds()
            foreign = max(machine_later - machine - (own_later - own), 0.0)
            return {
                "gaps": gaps.as_values(),
                "bystander": float(others().max(initial=0.0)),
                "others": foreign / spent,
                "platform": self.application.platformName(),
                **told,
            }

    def ended_after(self, press: Callable[[], object]) -> float:
        """Seconds from a click until the job under way has ended."""
        job = self.jobs.running[0]
        began = time.perf_counter()
        press()
        self.ticker.until(lambda: job not in self.jobs.running)
        return time.perf_counter() - began

    def drop_rest(self) -> None:
        """End all that is computed or waits, such as the measures of a map that was trained."""
        self.jobs.drop_all()
        self.idle()

    def close(self) -> None:
        """Close the window."""
        self.window.close()


class Painted(QObject):
    """Counts how often a widget is painted."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.count = 0
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802  (Qt's name)
        if event.type() == QEvent.Type.Paint:
            self.count += 1
        return super().eventFilter(watched, event)
