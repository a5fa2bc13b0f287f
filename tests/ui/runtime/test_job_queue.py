"""The desk: which job comes when, and what the line at the bottom says of it."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QObject
from pytestqt.qtbot import QtBot

from tests.ui.hands import eventually
from ximstudio.jobs import Task
from ximstudio.kernels.parallel import check_here
from ximstudio.ui.desk import Desk, Job
from ximstudio.ui.look.progress import ProgressBar
from ximstudio.ui.status import StatusLine
from ximstudio.ui.studio import Studio


@pytest.fixture
def desk(qtbot: QtBot) -> Iterator[Desk]:
    del qtbot
    made = Desk()
    yield made
    assert made.close()


def held(event: threading.Event, *, quiet: bool = False, patient: bool = False) -> Job:
    """A job that reports half of its work, and ends when the event is set or it is stopped."""

    def work(task: Task[float, None]) -> None:
        task.report(0.5)
        while not event.wait(0.001):
            task.check()

    return Job(doing="Waiting", work=work, quiet=quiet, patient=patient)


def test_that_a_job_is_ended_wherever_it_computes_unless_it_keeps_what_it_has(
    qtbot: QtBot, desk: Desk
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
        job = Job(doing="Computing", work=work, done=kept.append, keeps=work is keep)
        desk.start(job)
        eventually(qtbot, begun.is_set)
        desk.stop()
        eventually(qtbot, lambda: desk.idle)
    assert kept == ["what there is"]


def test_that_a_patient_job_lets_the_window_go_first(qtbot: QtBot, desk: Desk) -> None:
    now = threading.Event()
    now.set()
    begun: list[Job] = []
    desk.began.connect(begun.append)
    patient, quiet = held(now, patient=True), held(now, quiet=True)
    desk.start(patient)
    desk.start(quiet)
    assert begun == [quiet]
    assert desk.waiting == (patient,)
    assert not desk.idle
    eventually(qtbot, lambda: desk.idle)
    assert begun == [quiet, patient]


def test_that_a_patient_job_that_is_dropped_is_never_begun(qtbot: QtBot, desk: Desk) -> None:
    begun: list[Job] = []
    desk.began.connect(begun.append)
    patient = held(threading.Event(), patient=True)
    desk.start(patient)
    desk.drop(patient)
    assert desk.idle
    after = held(threading.Event(), patient=True)
    desk.start(after)
    eventually(qtbot, lambda: begun == [after])
    desk.stop()
    eventually(qtbot, lambda: desk.idle)


def test_that_a_desk_that_is_closed_begins_nothing(qtbot: QtBot) -> None:
    desk = Desk()
    begun: list[Job] = []
    desk.began.connect(begun.append)
    desk.start(held(threading.Event(), patient=True))
    assert desk.close()
    qtbot.wait(150)
    assert begun == []


def test_that_a_quiet_job_beside_it_does_not_hide_how_far_another_is(
    qtbot: QtBot, desk: Desk
) -> None:
    line = StatusLine(Studio(desk))
    qtbot.addWidget(line)
    over = threading.Event()
    desk.start(held(over))
    eventually(qtbot, lambda: line.bar.maximum() > 0)
    told = line.now.toolTip(), line.bar.value(), line.bar.maximum()
    over_quiet = threading.Event()
    desk.start(held(over_quiet, quiet=True))
    over_quiet.set()
    eventually(qtbot, lambda: len(desk.jobs) == 1)
    assert (line.now.toolTip(), line.bar.value(), line.bar.maximum()) == told
    over.set()
    eventually(qtbot, lambda: desk.idle)
    assert not line.bar.isVisibleTo(line)


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
