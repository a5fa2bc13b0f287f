"""The job queue: which job comes when, and what the line at the bottom says of it."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QObject
from pytestqt.qtbot import QtBot

from tests.ui.hands import eventually
from ximstudio.jobs import Task
from ximstudio.kernels.parallel import check_here
from ximstudio.ui.actions.actions import Actions
from ximstudio.ui.app.status_bar import StatusLine
from ximstudio.ui.runtime.job_queue import AnyJob, Job, JobQueue
from ximstudio.ui.widgets.look.progress import ProgressBar


@pytest.fixture
def jobs(qtbot: QtBot) -> Iterator[JobQueue]:
    del qtbot
    made = JobQueue()
    yield made
    assert made.close()


def held(event: threading.Event, *, quiet: bool = False, deferred: bool = False) -> AnyJob:
    """A job that reports half of its work, and ends when the event is set or it is stopped."""

    def work(task: Task[float, None]) -> None:
        task.report(0.5)
        while not event.wait(0.001):
            task.check()

    return Job(label="Waiting", work=work, quiet=quiet, deferred=deferred)


def test_that_a_job_is_ended_wherever_it_computes_unless_it_keeps_what_it_has(
    qtbot: QtBot, jobs: JobQueue
) -> None:
    begun = threading.Event()
    kept: list[str] = []

    def compute(_: Task[float, str]) -> str:
        # As loops far below do, which know of no task.
        begun.set()
        while True:
            check_here()

    def keep(task: Task[float, str]) -> str:
        begun.set()
        while not task.is_stopped:
            check_here()
        check_here()
        return "what there is"

    for work in (compute, keep):
        begun.clear()
        job = Job(label="Computing", work=work, done=kept.append, returns_when_stopped=work is keep)
        jobs.start(job)
        eventually(qtbot, begun.is_set)
        jobs.stop()
        eventually(qtbot, lambda: jobs.idle)
    assert kept == ["what there is"]


def test_that_a_patient_job_lets_the_window_go_first(qtbot: QtBot, jobs: JobQueue) -> None:
    now = threading.Event()
    now.set()
    begun: list[AnyJob] = []
    jobs.began.connect(begun.append)
    patient, quiet = held(now, deferred=True), held(now, quiet=True)
    jobs.start(patient)
    jobs.start(quiet)
    assert begun == [quiet]
    assert jobs.waiting == (patient,)
    assert not jobs.idle
    eventually(qtbot, lambda: jobs.idle)
    assert begun == [quiet, patient]


def test_that_a_patient_job_that_is_dropped_is_never_begun(qtbot: QtBot, jobs: JobQueue) -> None:
    begun: list[AnyJob] = []
    jobs.began.connect(begun.append)
    patient = held(threading.Event(), deferred=True)
    jobs.start(patient)
    jobs.drop(patient)
    assert jobs.idle
    after = held(threading.Event(), deferred=True)
    jobs.start(after)
    eventually(qtbot, lambda: begun == [after])
    jobs.stop()
    eventually(qtbot, lambda: jobs.idle)


def test_that_a_queue_that_is_closed_begins_nothing(qtbot: QtBot) -> None:
    jobs = JobQueue()
    begun: list[AnyJob] = []
    jobs.began.connect(begun.append)
    jobs.start(held(threading.Event(), deferred=True))
    assert jobs.close()
    qtbot.wait(150)
    assert begun == []


def test_that_a_quiet_job_beside_it_does_not_hide_how_far_another_is(qtbot: QtBot) -> None:
    actions = Actions()
    jobs, line = actions.jobs, StatusLine(actions)
    qtbot.addWidget(line)
    over = threading.Event()
    jobs.start(held(over))
    eventually(qtbot, lambda: line.bar.maximum() > 0)
    told = line.now.toolTip(), line.bar.value(), line.bar.maximum()
    over_quiet = threading.Event()
    jobs.start(held(over_quiet, quiet=True))
    over_quiet.set()
    eventually(qtbot, lambda: len(jobs.running) == 1)
    assert (line.now.toolTip(), line.bar.value(), line.bar.maximum()) == told
    over.set()
    eventually(qtbot, lambda: jobs.idle)
    assert not line.bar.isVisibleTo(line)
    assert jobs.close()


def test_that_a_bar_is_not_painted_before_the_rest(qtbot: QtBot) -> None:
    bar = ProgressBar()
    qtbot.addWidget(bar)
    with qtbot.waitExposed(bar):
        bar.show()
    painted = _Paints(bar)
    bar.show_fraction(0.25)
    bar.show_unknown()
    bar.show_fraction(0.5)
    assert painted.count == 0
    eventually(qtbot, lambda: painted.count == 1)
    assert bar.value() == bar.maximum() / 2


class _Paints(QObject):
    def __init__(self, watched: QObject) -> None:
        super().__init__(watched)
        self.count = 0
        watched.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            self.count += 1
        return super().eventFilter(watched, event)
