"""Doing much without keeping anybody waiting."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import shiboken6
from PySide6.QtCore import QObject, QTimer
from pytestqt.qtbot import QtBot

from ximstudio.ui.turns import Turns


def test_that_others_have_their_turn_in_between(qtbot: QtBot) -> None:
    parent = QObject()
    one, other = Turns(parent), Turns(parent)
    made: list[str] = []
    one.take(*(lambda: made.append("a") for _ in range(3)))
    other.take(*(lambda: made.append("b") for _ in range(3)))
    assert not made
    qtbot.waitUntil(lambda: one.over and other.over)
    assert "".join(made) == "ababab"


def test_that_what_is_out_of_date_is_not_done(qtbot: QtBot) -> None:
    parent = QObject()
    turns = Turns(parent)
    made: list[str] = []

    def change() -> None:
        made.append("first")
        turns.take(lambda: made.append("new"))

    turns.take(change, lambda: made.append("old"))
    qtbot.waitUntil(lambda: turns.over)
    assert made == ["first", "new"]


def test_that_nothing_is_done_once_nothing_is_wanted(qtbot: QtBot) -> None:
    parent = QObject()
    turns, other = Turns(parent), Turns(parent)
    made: list[str] = []
    turns.take(lambda: made.append("old"))
    turns.take()
    assert turns.over
    other.take(*(lambda: made.append("other") for _ in range(3)))
    qtbot.waitUntil(lambda: other.over)
    assert made == ["other"] * 3


def test_that_the_last_call_may_end_its_owner(qtbot: QtBot) -> None:
    owner = [QObject()]
    turns = Turns(owner[0])
    turns.take(owner.clear)
    qtbot.waitUntil(lambda: not owner)


def test_that_one_call_is_made_in_a_turn_whoever_it_belongs_to(qtbot: QtBot) -> None:
    parent = QObject()
    several = [Turns(parent) for _ in range(3)]
    made: list[str] = []
    seen: list[int] = []
    # A timer of somebody else has its turn in every one of the event loop's.
    timer = QTimer(parent)
    timer.timeout.connect(lambda: seen.append(len(made)))
    timer.start(0)
    for turns in several:
        turns.take(lambda: made.append("call"), lambda: made.append("call"))
    qtbot.waitUntil(lambda: all(turns.over for turns in several))
    timer.stop()
    assert len(made) == 6
    assert max(after - before for before, after in pairwise([0, *seen])) <= 1


def test_that_nobody_is_called_who_is_gone(qtbot: QtBot) -> None:
    gone, stays = QObject(), QObject()
    made: list[str] = []
    Turns(gone).take(lambda: made.append("gone"))
    turns = Turns(stays)
    turns.take(lambda: made.append("stays"))
    shiboken6.delete(gone)
    qtbot.waitUntil(lambda: turns.over)
    assert made == ["stays"]


def test_that_what_goes_wrong_stops_nobody(qtbot: QtBot) -> None:
    parent = QObject()
    turns = Turns(parent)
    made: list[str] = []

    def fail() -> None:
        raise ValueError

    with qtbot.captureExceptions() as caught:
        turns.take(fail, lambda: made.append("next"))
        qtbot.waitUntil(lambda: turns.over)
    assert [kind for kind, _, _ in caught] == [ValueError]
    assert made == ["next"]


def test_that_pieces_are_taken_one_after_the_other(qtbot: QtBot) -> None:
    parent = QObject()
    one, other = Turns(parent), Turns(parent)
    made: list[str] = []

    def pieces() -> Iterator[None]:
        for name in "xyz":
            made.append(name)
            yield

    one.go_through(pieces(), lambda: made.append("over"))
    other.take(*(lambda: made.append("-") for _ in range(2)))
    qtbot.waitUntil(lambda: one.over and other.over)
    assert made == ["x", "-", "y", "-", "z", "over"]
