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
