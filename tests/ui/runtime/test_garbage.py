"""Garbage is collected in the window's thread, never in the lane."""

import gc
import sys
import threading
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from ximstudio.jobs import Task
from ximstudio.ui.runtime import garbage
from ximstudio.ui.runtime.garbage import Garbage
from ximstudio.ui.runtime.job_queue import SWITCH_SECONDS, Job, JobQueue


class Noting:
    """A cycle that notes in which thread it is collected."""

    def __init__(self, threads: list[threading.Thread]) -> None:
        self.me = self
        self.threads = threads

    def __del__(self) -> None:
        self.threads.append(threading.current_thread())


@pytest.fixture
def jobs(qtbot: QtBot) -> Iterator[JobQueue]:
    assert qtbot
    made = JobQueue()
    yield made
    made.close()


def test_that_what_is_thrown_away_while_the_lane_works_is_collected_here(
    qtbot: QtBot, jobs: JobQueue
) -> None:
    threads: list[threading.Thread] = []
    enough = threading.Event()

    def work(task: Task[float, None]) -> None:
        while not enough.is_set():
            task.check()
            # Far more new objects than Python lets pass before it collects.
            _ = [[number] for number in range(20_000)]

    jobs.start(Job(label="Allocating", work=work, done=lambda _: None))
    for _ in range(50):
        Noting(threads)
    qtbot.waitUntil(lambda: len(threads) == 50, timeout=20_000)
    enough.set()
    qtbot.waitUntil(lambda: jobs.idle)

    assert set(threads) == {threading.main_thread()}


def test_that_python_collects_again_when_the_last_desk_is_closed(qtbot: QtBot) -> None:
    assert qtbot
    gc.collect()
    before = gc.isenabled()
    first, second = JobQueue(), JobQueue()
    assert not gc.isenabled()

    first.close()
    assert not gc.isenabled()
    second.close()
    second.close()

    assert gc.isenabled() is before


@pytest.fixture
def parent(qtbot: QtBot) -> QObject:
    """No job queue: it has a timer of its own that collects, and could ring during the test."""
    assert qtbot
    return QObject()


@pytest.fixture
def looked_at(monkeypatch: pytest.MonkeyPatch) -> list[int | str]:
    """Generations that are collected, and "frozen" where all is left alone for good."""
    found: list[int | str] = []
    collect = gc.collect

    def collected(generation: int = 2) -> int:
        found.append(generation)
        return collect(generation)

    monkeypatch.setattr(gc, "collect", collected)
    monkeypatch.setattr(gc, "freeze", lambda: found.append("frozen"))
    # Nothing that the test itself makes is due by accident.
    monkeypatch.setattr(gc, "get_threshold", lambda: (1, 1, 1))
    return found


@pytest.mark.parametrize(
    ("busy", "counts", "expected"),
    [
        (False, (9, 9, 9), [2]),
        (False, (9, 9, 0), [1]),
        (False, (0, 0, 0), []),
        (True, (9, 9, 9), [0]),
        (True, (0, 0, 0), []),
    ],
)
def test_that_only_the_youngest_are_looked_at_while_something_is_computed(
    parent: QObject,
    looked_at: list[int | str],
    monkeypatch: pytest.MonkeyPatch,
    busy: bool,
    counts: tuple[int, int, int],
    expected: list[int],
) -> None:
    made = Garbage(parent, busy=lambda: busy)
    monkeypatch.setattr(gc, "get_count", lambda: counts)
    made.collect()
    made.end()
    assert looked_at == expected


def test_that_what_is_loaded_or_compiled_is_looked_at_once_and_left_alone(
    parent: QObject, looked_at: list[int | str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(garbage, "MANY", 100)
    made = Garbage(parent, busy=lambda: True)
    collected = 10
    monkeypatch.setattr(gc, "collect", lambda _: collected)
    monkeypatch.setattr(gc, "get_count", lambda: (60, 0, 0))
    for _ in range(2):
        made.collect()
    assert looked_at == []
    made.collect()
    made.end()
    assert looked_at == ["frozen"]


def test_that_the_window_need_not_wait_long_for_the_interpreter(jobs: JobQueue) -> None:
    assert jobs.idle
    assert sys.getswitchinterval() == pytest.approx(SWITCH_SECONDS)
