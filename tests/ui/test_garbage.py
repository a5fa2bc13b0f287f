"""Garbage is collected in the window's thread, never in the lane."""

import gc
import threading
from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from ximstudio.jobs import Task
from ximstudio.ui.desk import Desk, Job


class Noting:
    """A cycle that notes in which thread it is collected."""

    def __init__(self, threads: list[threading.Thread]) -> None:
        self.me = self
        self.threads = threads

    def __del__(self) -> None:
        self.threads.append(threading.current_thread())


@pytest.fixture
def desk(qtbot: QtBot) -> Iterator[Desk]:
    assert qtbot
    made = Desk()
    yield made
    made.close()


def test_that_what_is_thrown_away_while_the_lane_works_is_collected_here(
    qtbot: QtBot, desk: Desk
) -> None:
    threads: list[threading.Thread] = []
    enough = threading.Event()

    def work(task: Task[float, None]) -> None:
        while not enough.is_set():
            task.check()
            # Far more new objects than Python lets pass before it collects.
            _ = [[number] for number in range(20_000)]

    desk.start(Job(doing="Allocating", work=work, done=lambda _: None))
    for _ in range(50):
        Noting(threads)
    qtbot.waitUntil(lambda: len(threads) == 50, timeout=20_000)
    enough.set()
    qtbot.waitUntil(lambda: desk.idle)

    assert set(threads) == {threading.main_thread()}


def test_that_python_collects_again_when_the_last_desk_is_closed(qtbot: QtBot) -> None:
    assert qtbot
    gc.collect()
    before = gc.isenabled()
    first, second = Desk(), Desk()
    assert not gc.isenabled()

    first.close()
    assert not gc.isenabled()
    second.close()
    second.close()

    assert gc.isenabled() is before
