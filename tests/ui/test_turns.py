"""Doing much without keeping anybody waiting."""

from __future__ import annotations

from PySide6.QtCore import QObject
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
