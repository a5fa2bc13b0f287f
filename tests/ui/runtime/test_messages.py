"""Messages: refused problems on top of the window, unexpected errors in a dialog."""

import threading

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from tests.ui.windows import shown_window, wait_idle
from ximstudio.jobs import Task
from ximstudio.model.problem import Problem, Severity, UserError
from ximstudio.prepare.input import Input
from ximstudio.ui.runtime.job_queue import Job
from ximstudio.ui.runtime.messages import MOST_KEPT, ErrorDialog, ProblemBanner, Watch
from ximstudio.ui.widgets.look.controls import Tone


def problem(number: int, severity: Severity = Severity.ERROR) -> Problem:
    return Problem(
        key=f"test.{number}",
        what=f"What {number} <b>&</b>",
        where=f"Where {number}",
        way_out=f"Out {number}",
        severity=severity,
    )


def clipboard() -> str:
    return QGuiApplication.clipboard().text()


def test_that_a_file_that_is_not_there_is_refused_on_top_of_the_window(qtbot: QtBot) -> None:
    window = shown_window(qtbot)
    assert not window.banner.isVisible()

    window.user_actions.open(Input(name="/nowhere/counts.csv"))
    wait_idle(qtbot, window)

    assert window.banner.isVisible()
    assert window.banner.tone is Tone.DANGER
    assert len(window.banner.problems) == 1
    assert window.user_actions.session.data is None


def test_that_a_dismissed_banner_takes_no_room_and_can_be_had_back(qtbot: QtBot) -> None:
    window = shown_window(qtbot)
    top = window.pages.y()
    window.jobs.refused.emit((problem(1),))
    qtbot.waitUntil(lambda: window.pages.y() > top)

    window.banner.findChildren(QPushButton)  # built
    window.banner._dismiss()
    qtbot.waitUntil(lambda: window.pages.y() == top)
    window.status.again.click()

    assert window.banner.isVisible()
    assert window.banner.problems == (problem(1),)


def test_that_all_problems_are_copied_even_those_that_are_not_listed(qtbot: QtBot) -> None:
    banner = ProblemBanner()
    qtbot.addWidget(banner)
    problems = tuple(problem(number) for number in range(9))

    banner.show_problems(problems)
    (copy,) = banner.findChildren(QPushButton)
    copy.click()

    assert "Where 0" in banner.text
    assert "Where 8" not in banner.text
    assert all(text in clipboard() for text in ("test.0", "Where 8", "Out 8", "test.8"))


def test_that_signs_of_html_are_shown_as_they_are(qtbot: QtBot) -> None:
    banner = ProblemBanner()
    qtbot.addWidget(banner)

    banner.show_problems((problem(1), problem(2)))
    assert "&lt;b&gt;&amp;&lt;/b&gt;" in banner.text
    banner.show_problems((problem(1),))
    assert "&lt;b&gt;&amp;&lt;/b&gt;" in banner.title


@pytest.mark.parametrize(
    ("severity", "tone"),
    [
        (Severity.ERROR, Tone.DANGER),
        (Severity.WARNING, Tone.WARNING),
        (Severity.NOTE, Tone.NOTE),
    ],
)
def test_that_the_worst_problem_gives_the_tone(
    qtbot: QtBot, severity: Severity, tone: Tone
) -> None:
    banner = ProblemBanner()
    qtbot.addWidget(banner)

    banner.show_problems((problem(1, Severity.NOTE), problem(2, severity)))

    assert banner.tone is tone


def test_that_an_exception_in_the_lane_reaches_the_dialog_and_work_goes_on(qtbot: QtBot) -> None:
    window = shown_window(qtbot)
    watch = Watch()
    watch.happened.connect(window.show_unexpected)

    def fail(task: Task[float, None]) -> None:
        task.check()
        raise ZeroDivisionError("in the lane")

    watch.begin()
    try:
        window.jobs.start(Job(label="Failing", work=fail))
        qtbot.waitUntil(window.errors.isVisible)
    finally:
        watch.end()
    done: list[int] = []
    window.jobs.start(Job(label="Going on", work=lambda _: 1, done=done.append))
    wait_idle(qtbot, window)

    assert "ZeroDivisionError: in the lane" in window.errors.details
    assert done == [1]


def test_that_exceptions_of_slots_and_of_other_threads_are_seen(qtbot: QtBot) -> None:
    watch = Watch()
    seen: list[BaseException] = []
    watch.happened.connect(seen.append)
    clicked = QPushButton()
    qtbot.addWidget(clicked)

    def fail() -> None:
        raise LookupError

    clicked.clicked.connect(fail)
    watch.begin()
    try:
        clicked.click()
        thread = threading.Thread(target=fail)
        thread.start()
        thread.join()
        qtbot.waitUntil(lambda: len(seen) == 2)
    finally:
        watch.end()

    assert [type(error) for error in seen] == [LookupError, LookupError]
    assert all(error.__traceback__ is not None for error in seen)


def test_that_watching_ends_as_it_began() -> None:
    import sys

    before = sys.excepthook, threading.excepthook
    watch = Watch()
    watch.begin()
    watch.begin()
    assert sys.excepthook != before[0]
    watch.end()

    assert (sys.excepthook, threading.excepthook) == before


def test_that_a_refusal_that_nobody_caught_is_shown_as_a_refusal(qtbot: QtBot) -> None:
    window = shown_window(qtbot)

    window.show_unexpected(UserError.of([problem(1)]))

    assert window.banner.problems == (problem(1),)
    assert not window.errors.isVisible()


def test_that_an_error_that_repeats_is_told_once(qtbot: QtBot) -> None:
    dialog = ErrorDialog()
    qtbot.addWidget(dialog)

    for number in range(3 * MOST_KEPT):
        dialog.show_error(ValueError("same" if number % 2 else f"other {number}"))

    assert len(dialog.errors) == MOST_KEPT
    assert dialog.details.count("ValueError: same") == 1
    (copy,) = (each for each in dialog.findChildren(QPushButton) if each is dialog._copy)
    copy.click()
    assert clipboard() == dialog.details
