"""Doing much without keeping anybody waiting."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import shiboken6
from PySide6.QtCore import QObject, QTimer
from pytestqt.qtbot import QtBot

from ximstudio.ui.widgets.slices import EventLoopSlices


def test_that_others_have_their_turn_in_between(qtbot: QtBot) -> None:
    parent = QObject()
    one, other = EventLoopSlices(parent), EventLoopSlices(parent)
    made: list[str] = []
    one.schedule(*(lambda: made.append("a") for _ in range(3)))
    other.schedule(*(lambda: made.append("b") for _ in range(3)))
    assert not made
    qtbot.waitUntil(lambda: one.idle and other.idle)
    assert "".join(made) == "ababab"


def test_that_what_is_out_of_date_is_not_done(qtbot: QtBot) -> None:
    parent = QObject()
    slices = EventLoopSlices(parent)
    made: list[str] = []

    def change() -> None:
        made.append("first")
        slices.schedule(lambda: made.append("new"))

    slices.schedule(change, lambda: made.append("old"))
    qtbot.waitUntil(lambda: slices.idle)
    assert made == ["first", "new"]


def test_that_nothing_is_done_once_nothing_is_wanted(qtbot: QtBot) -> None:
    parent = QObject()
    slices, other = EventLoopSlices(parent), EventLoopSlices(parent)
    made: list[str] = []
    slices.schedule(lambda: made.append("old"))
    slices.cancel()
    assert slices.idle
    other.schedule(*(lambda: made.append("other") for _ in range(3)))
    qtbot.waitUntil(lambda: other.idle)
    assert made == ["other"] * 3


def test_that_the_last_call_may_end_its_owner(qtbot: QtBot) -> None:
    owner = [QObject()]
    slices = EventLoopSlices(owner[0])
    slices.schedule(owner.clear)
    qtbot.waitUntil(lambda: not owner)


def test_that_one_call_is_made_in_a_turn_whoever_it_belongs_to(qtbot: QtBot) -> None:
    parent = QObject()
    several = [EventLoopSlices(parent) for _ in range(3)]
    made: list[str] = []
    seen: list[int] = []
    # A timer of somebody else has its turn in every one of the event loop's.
    timer = QTimer(parent)
    timer.timeout.connect(lambda: seen.append(len(made)))
    timer.start(0)
    for slices in several:
        slices.schedule(lambda: made.append("call"), lambda: made.append("call"))
    qtbot.waitUntil(lambda: all(slices.idle for slices in several))
    timer.stop()
    assert len(made) == 6
    assert max(after - before for before, after in pairwise([0, *seen])) <= 1


def test_that_nobody_is_called_who_is_gone(qtbot: QtBot) -> None:
    gone, stays = QObject(), QObject()
    made: list[str] = []
    EventLoopSlices(gone).schedule(lambda: made.append("gone"))
    slices = EventLoopSlices(stays)
    slices.schedule(lambda: made.append("stays"))
    shiboken6.delete(gone)
    qtbot.waitUntil(lambda: slices.idle)
    assert made == ["stays"]


def test_that_what_goes_wrong_stops_nobody(qtbot: QtBot) -> None:
    parent = QObject()
    slices = EventLoopSlices(parent)
    made: list[str] = []

    def fail() -> None:
        raise ValueError

    with qtbot.captureExceptions() as caught:
        slices.schedule(fail, lambda: made.append("next"))
        qtbot.waitUntil(lambda: slices.idle)
    assert [kind for kind, _, _ in caught] == [ValueError]
    assert made == ["next"]


def test_that_pieces_are_taken_one_after_the_other(qtbot: QtBot) -> None:
    parent = QObject()
    one, other = EventLoopSlices(parent), EventLoopSlices(parent)
    made: list[str] = []

    def pieces() -> Iterator[None]:
        for name in "xyz":
            made.append(name)
            yield

    one.run_through(pieces(), lambda: made.append("over"))
    other.schedule(*(lambda: made.append("-") for _ in range(2)))
    qtbot.waitUntil(lambda: one.idle and other.idle)
    assert made == ["x", "-", "y", "-", "z", "over"]
