"""The compute lane: one thread, newest news only, stop."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from ximstudio.jobs import Lane, Stopped, Task


@pytest.fixture
def lane() -> Iterator[Lane]:
    lane = Lane()
    yield lane
    assert lane.close(10.0)


def test_that_the_outcome_is_what_the_work_returned(lane: Lane) -> None:
    task: Task[None, int] = lane.start(lambda task: 42)  # noqa: ARG005
    assert task.outcome() == 42


def test_that_all_work_is_done_in_one_other_thread(lane: Lane) -> None:
    tasks: list[Task[None, int]] = [
        lane.start(lambda task: threading.get_ident())  # noqa: ARG005
        for _ in range(3)
    ]
    threads = {task.outcome() for task in tasks}
    assert len(threads) == 1
    assert threads != {threading.get_ident()}


def test_that_only_the_newest_news_is_kept_and_given_once(lane: Lane) -> None:
    def work(task: Task[int, None]) -> None:
        for number in range(5):
            task.report(number)

    task: Task[int, None] = lane.start(work)
    task.outcome()
    assert task.newest() == 4
    assert task.newest() is None


def test_that_a_stopped_task_ends_at_its_next_report(lane: Lane) -> None:
    stopped = threading.Event()
    reported: list[int] = []

    def work(task: Task[int, None]) -> None:
        for number in range(1_000_000):
            task.report(number)
            reported.append(number)
            stopped.wait()

    task: Task[int, None] = lane.start(work)
    task.stop()
    stopped.set()
    with pytest.raises(Stopped):
        task.outcome()
    assert len(reported) <= 1


def test_that_a_task_stopped_while_it_waits_is_never_begun(lane: Lane) -> None:
    release = threading.Event()
    begun: list[str] = []
    before: Task[None, bool] = lane.start(lambda task: release.wait(60))  # noqa: ARG005
    waiting: Task[None, None] = lane.start(lambda task: begun.append("waiting"))  # noqa: ARG005
    waiting.stop()
    release.set()
    assert before.outcome()
    with pytest.raises(Stopped):
        waiting.outcome()
    assert begun == []


def test_that_an_error_reaches_whoever_asks_and_the_lane_goes_on(lane: Lane) -> None:
    def fail(task: Task[None, None]) -> None:  # noqa: ARG001
        raise KeyError("lost")

    failed: Task[None, None] = lane.start(fail)
    after: Task[None, str] = lane.start(lambda task: "alive")  # noqa: ARG005
    with pytest.raises(KeyError):
        failed.outcome()
    assert after.outcome() == "alive"


def test_that_a_closed_lane_takes_no_work() -> None:
    lane = Lane()
    assert lane.close(10.0)
    with pytest.raises(RuntimeError):
        lane.start(lambda task: None)  # noqa: ARG005
