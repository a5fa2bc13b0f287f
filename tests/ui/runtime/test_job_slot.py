"""JobSlot: one background job of a kind, of which only the newest counts."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
import shiboken6
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from tests.ui.hands import eventually
from ximstudio.jobs import Task
from ximstudio.model.problem import Problem, UserError
from ximstudio.ui.runtime.job_queue import Job, JobQueue
from ximstudio.ui.runtime.job_slot import JobSlot


@pytest.fixture
def jobs(qtbot: QtBot) -> Iterator[JobQueue]:
    del qtbot
    made = JobQueue()
    yield made
    assert made.close()


@pytest.fixture
def owner() -> QObject:
    return QObject()


@pytest.fixture
def slot(jobs: JobQueue, owner: QObject) -> JobSlot:
    return JobSlot(jobs, owner)


class Heard:
    """Jobs that wait for `end`, and what their callbacks were called with."""

    def __init__(self) -> None:
        self.end = threading.Event()
        self.begun: list[str] = []
        self.calls: list[str] = []

    def job(self, name: str, *, deaf: bool = False) -> Job[float, str]:
        """A job that reports 0.5, and returns its name; if `deaf`, it cannot be stopped."""

        def work(task: Task[float, str]) -> str:
            self.begun.append(name)
            task.report(0.5)
            while not self.end.wait(0.001):
                if not deaf:
                    task.check()
            return name

        return Job(
            label=f"Doing {name}",
            work=work,
            done=lambda outcome: self.calls.append(f"done {outcome}"),
            reported=lambda news: self.calls.append(f"reported {news} {name}"),
            failed=lambda: self.calls.append(f"failed {name}"),
            returns_when_stopped=deaf,
        )


def refusing(calls: list[str]) -> Job[float, None]:
    def work(_: Task[float, None]) -> None:
        raise UserError(key="wrong", what="", where="", way_out="")

    def refused(problems: tuple[Problem, ...]) -> None:
        calls.append(f"refused {problems[0].key}")

    return Job(label="", work=work, refused=refused, failed=lambda: calls.append("failed"))


def test_that_a_job_progresses_and_delivers_its_result(
    qtbot: QtBot, jobs: JobQueue, slot: JobSlot
) -> None:
    heard, seen = Heard(), list[tuple[bool, float]]()
    slot.changed.connect(lambda: seen.append((slot.busy, slot.fraction)))
    slot.start(heard.job("a"))
    eventually(qtbot, lambda: slot.fraction == 0.5)
    heard.end.set()
    eventually(qtbot, lambda: jobs.idle)
    assert heard.calls == ["reported 0.5 a", "done a"]
    assert not slot.busy
    assert seen[0] == (True, 0.0)
    assert (True, 0.5) in seen
    assert not seen[-1][0]


def test_that_the_newest_job_wins(qtbot: QtBot, jobs: JobQueue, slot: JobSlot) -> None:
    heard = Heard()
    slot.start(heard.job("a"))
    eventually(qtbot, lambda: slot.fraction == 0.5)
    slot.start(heard.job("b"))
    slot.start(heard.job("c"))
    assert slot.fraction == 0.0
    eventually(qtbot, lambda: slot.fraction == 0.5)
    heard.end.set()
    eventually(qtbot, lambda: jobs.idle)
    assert heard.begun == ["a", "c"]
    assert heard.calls == ["reported 0.5 a", "reported 0.5 c", "done c"]


@pytest.mark.parametrize("delivers_replaced", [False, True])
def test_that_a_replaced_job_that_ended_is_delivered_only_if_asked_for(
    delivers_replaced: bool, qtbot: QtBot, jobs: JobQueue, owner: QObject
) -> None:
    slot, heard = JobSlot(jobs, owner, delivers_replaced=delivers_replaced), Heard()
    slot.start(heard.job("a", deaf=True))
    eventually(qtbot, lambda: slot.fraction == 0.5)
    slot.start(heard.job("b"))
    heard.end.set()
    eventually(qtbot, lambda: jobs.idle)
    assert ("done a" in heard.calls) is delivers_replaced
    assert heard.calls[-1] == "done b"


def test_that_nothing_is_delivered_after_stop(qtbot: QtBot, jobs: JobQueue, slot: JobSlot) -> None:
    heard, changes = Heard(), list[bool]()
    slot.start(heard.job("a", deaf=True))
    eventually(qtbot, lambda: slot.fraction == 0.5)
    slot.changed.connect(lambda: changes.append(slot.busy))
    slot.stop()
    slot.stop()
    assert changes == [False]
    heard.end.set()
    eventually(qtbot, lambda: jobs.idle)
    assert heard.calls == ["reported 0.5 a"]


def test_that_a_refusal_goes_to_the_job_or_to_the_queue(
    qtbot: QtBot, jobs: JobQueue, slot: JobSlot
) -> None:
    calls: list[str] = []
    jobs.refused.connect(lambda problems: calls.append(f"queue {problems[0].key}"))
    own = refusing(calls)
    slot.start(own)
    eventually(qtbot, lambda: jobs.idle)
    assert calls == ["failed", "refused wrong"]
    assert not slot.busy
    slot.start(Job(label="", work=own.work))
    eventually(qtbot, lambda: jobs.idle)
    assert calls[2:] == ["queue wrong"]


def test_that_the_refusal_of_a_replaced_job_is_not_shown(
    qtbot: QtBot, jobs: JobQueue, slot: JobSlot
) -> None:
    calls: list[str] = []
    jobs.refused.connect(lambda _: calls.append("queue"))
    slot.start(refusing(calls))
    slot.stop()
    eventually(qtbot, lambda: jobs.idle)
    assert calls == []


def test_that_a_job_starts_after_its_delay_unless_it_is_replaced(
    qtbot: QtBot, jobs: JobQueue, slot: JobSlot
) -> None:
    heard = Heard()
    heard.end.set()
    slot.start(heard.job("a"), delay=1)
    assert slot.busy
    assert slot.waiting
    assert jobs.idle
    slot.start(heard.job("b"), delay=1)
    eventually(qtbot, lambda: not slot.busy)
    assert heard.begun == ["b"]
    slot.start(heard.job("c"), delay=1)
    slot.stop()
    slot.start(heard.job("d"), delay=1)
    slot.start(heard.job("e"))
    eventually(qtbot, lambda: not slot.busy)
    # Long enough for all delays to end.
    slot.start(heard.job("f"), delay=5)
    eventually(qtbot, lambda: not slot.busy)
    assert heard.begun == ["b", "e", "f"]


def test_that_a_slot_says_what_its_job_waits_for(
    qtbot: QtBot, jobs: JobQueue, owner: QObject
) -> None:
    heard = Heard()
    first, second = JobSlot(jobs, owner), JobSlot(jobs, owner)
    first.start(heard.job("a"))
    second.start(heard.job("b"))
    assert (first.waits_for, second.waits_for) == ("", "Doing a")
    assert (first.waiting, second.waiting) == (False, True)
    heard.end.set()
    eventually(qtbot, lambda: jobs.idle)
    assert second.waits_for == ""


def test_that_nothing_is_delivered_after_the_owner_is_gone(
    qtbot: QtBot, jobs: JobQueue, slot: JobSlot, owner: QObject
) -> None:
    heard = Heard()
    slot.start(heard.job("a"))
    eventually(qtbot, lambda: slot.fraction == 0.5)
    waiting = JobSlot(jobs, owner)
    waiting.start(heard.job("b"))
    shiboken6.delete(owner)
    # Both are dropped: the first would go on otherwise until it is told to end.
    eventually(qtbot, lambda: jobs.idle)
    assert heard.begun == ["a"]
    assert heard.calls == ["reported 0.5 a"]
