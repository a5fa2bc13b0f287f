"""Time that a window's thread does not answer: gaps between the ticks of a timer.

On a shared machine a gap says little by itself. Linux tells how long a thread was ready to run and
found no core, so that every gap is told with and without that time; and how long it computed, which
leaves out waiting for another thread's lock, too. A second process that does nothing but tick shows
what the machine does to anybody.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from PySide6.QtCore import QEventLoop, QObject, Qt, QTimer

from ximstudio.model.arrays import Floats

EVERY_MILLISECONDS = 4
LONG_SECONDS = 0.05
"""Gaps from here on are worth a look at what the threads are doing."""
PATIENCE_SECONDS = 90.0


@dataclass(frozen=True, kw_only=True, eq=False)
class Gaps:
    """Seconds between two ticks, and of each those waited for a core, and those computed."""

    seconds: Floats
    waited: Floats
    busy: Floats

    @property
    def own(self) -> Floats:
        """Gaps without the time in which others had the cores."""
        return np.maximum(self.seconds - self.waited, 0.0)

    def as_values(self) -> dict[str, list[float]]:
        """For another process."""
        return {
            "seconds": np.round(self.seconds, 5).tolist(),
            "waited": np.round(self.waited, 5).tolist(),
            "busy": np.round(self.busy, 5).tolist(),
        }

    @classmethod
    def of_values(cls, values: dict[str, list[float]]) -> Self:
        """From another process."""
        return cls(**{name: np.array(each) for name, each in values.items()})


class Ticker(QObject):
    """A timer in the window's thread that notes when it is called."""

    def __init__(self) -> None:
        super().__init__()
        self._recording = False
        self._ticks: list[tuple[float, float, float]] = []
        self._wanted: Callable[[], bool] | None = None
        self._loop = QEventLoop(self)
        self._waiting = Waiting()
        self.latest = time.perf_counter()
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(EVERY_MILLISECONDS)
        self._timer.timeout.connect(self._tick)
        self._timer.start()

    def begin(self) -> None:
        """Record from now on."""
        self._ticks = [self._now()]
        self._recording = True

    def end(self) -> Gaps:
        """What was recorded since `begin`; the time since the last tick counts."""
        self._ticks.append(self._now())
        self._recording = False
        ticks = np.array(self._ticks)
        seconds, waited, busy = np.diff(ticks, axis=0).T
        return Gaps(seconds=seconds, waited=np.minimum(waited, seconds), busy=busy)

    def _now(self) -> tuple[float, float, float]:
        return time.perf_counter(), self._waiting.seconds(), time.thread_time()

    def until(self, wanted: Callable[[], bool], seconds: float = PATIENCE_SECONDS) -> None:
        """Let the window live until something holds."""
        limit = time.perf_counter() + seconds
        self._wanted = lambda: wanted() or time.perf_counter() > limit
        self._loop.exec()
        if time.perf_counter() > limit:
            raise TimeoutError(f"waited for {seconds:g} s")

    def rest(self, seconds: float) -> None:
        """Let the window live for some time."""
        end = time.perf_counter() + seconds
        self.until(lambda: time.perf_counter() >= end)

    def _tick(self) -> None:
        self.latest = time.perf_counter()
        if self._recording:
            self._ticks.append(self._now())
        if self._wanted is not None and self._wanted():
            self._wanted = None
            self._loop.quit()


class Waiting:
    """How long this thread has been ready to run without a core; 0 where no one tells."""

    def __init__(self) -> None:
        try:
            self._file = os.open("/proc/thread-self/schedstat", os.O_RDONLY)
        except OSError:
            self._file = -1

    def seconds(self) -> float:
        if self._file < 0:
            return 0.0
        return int(os.pread(self._file, 96, 0).split()[1]) * 1e-9


@contextmanager
def stacks_told(ticker: Ticker) -> Iterator[None]:
    """Print what all threads are doing whenever the window does not answer for long."""
    over = threading.Event()
    main = threading.get_ident()

    def watch() -> None:
        told, since = 0.0, 0.0
        while not over.wait(0.01):
            if ticker.latest != since:
                told, since = 0.0, ticker.latest
            silent = time.perf_counter() - since
            # At first, and then ever less often.
            if silent < max(LONG_SECONDS, 1.7 * told):
                continue
            told = silent
            frames = sys._current_frames()
            print(f"\n=== silent for {silent * 1e3:.0f} ms", file=sys.stderr)
            for ident, frame in frames.items():
                if ident == threading.get_ident():
                    continue
                name = "window" if ident == main else f"thread {ident}"
                lines = "".join(traceback.format_stack(frame)[-14:])
                print(f"--- {name}\n{lines}", file=sys.stderr)

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


@contextmanager
def bystander() -> Iterator[Callable[[], Floats]]:
    """A process that only ticks, with a call that ends it and gives its gaps, in seconds."""
    process = subprocess.Popen(
        [sys.executable, "-c", _BYSTANDER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )

    def gaps() -> Floats:
        told, _ = process.communicate("\n")
        return np.array(json.loads(told))

    try:
        yield gaps
    finally:
        process.kill()
        process.wait()


_BYSTANDER = f"""
import json, select, sys, time
gaps, before = [], time.perf_counter()
while not select.select([sys.stdin], [], [], {EVERY_MILLISECONDS / 1000})[0]:
    now = time.perf_counter()
    gaps.append(round(now - before, 5))
    before = now
print(json.dumps(gaps))
"""


def machine_seconds() -> tuple[float, float]:
    """Processor time of the whole machine and of this process, in seconds; 0 where unknown."""
    own = time.process_time()
    try:
        with open("/proc/stat") as file:  # noqa: PTH123
            fields: list[Any] = file.readline().split()[1:9]
    except OSError:
        return 0.0, own
    user, nice, system, _, _, irq, soft, steal = (int(each) for each in fields)
    ticks = os.sysconf("SC_CLK_TCK")
    return (user + nice + system + irq + soft + steal) / ticks, own
