"""Save locations of sessions: by the table as read, through undo and redo."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tests.ui.windows import sample_data
from ximstudio.model.named_set import NamedSet
from ximstudio.session import Data, Session
from ximstudio.session.history import UndoHistory
from ximstudio.store.save_locations import SaveLocation, SaveLocations


def another_table() -> Data:
    return replace(sample_data(), labelled=replace(sample_data().labelled))


def test_that_every_table_that_is_opened_has_a_home_of_its_own() -> None:
    first, second = another_table(), another_table()
    homes, history = SaveLocations(), UndoHistory()
    homes.begin()
    history = history.committed(Session(data=first), "Open")
    homes.follow(history)
    homes.change(homes.number, SaveLocation(path=Path("a.xims"), saved=history.present))
    homes.begin()
    history = history.committed(Session(data=second), "Open")
    found = []
    for state in (history, history.undone(), history):
        homes.follow(state)
        found.append(homes.present.path)
    assert found == [None, Path("a.xims"), None]


def test_that_homes_nothing_leads_back_to_are_forgotten() -> None:
    homes = SaveLocations()
    homes.begin()
    homes.follow(UndoHistory(present=Session(data=another_table())))
    gone = homes.number
    homes.change(gone, SaveLocation(path=Path("a.xims")))
    homes.begin()
    homes.follow(UndoHistory(present=Session(data=another_table())))
    homes.change(gone, SaveLocation(path=Path("b.xims")))
    assert homes.number != gone
    assert homes.present.path is None


def test_that_only_work_is_worth_a_question_but_every_change_is_kept() -> None:
    begun = Session(data=sample_data())
    home = SaveLocation(begun=begun)
    planned = replace(begun, plan=replace(begun.plan, seed=5))
    with_set = replace(begun, sets=(NamedSet.of("a", ["b"]),))
    assert (home.lacks(begun), home.differs(begun)) == (False, False)
    assert (home.lacks(planned), home.differs(planned)) == (False, True)
    assert (home.lacks(with_set), home.differs(with_set)) == (True, True)

    saved = replace(home, saved=planned)
    assert saved.lacks(begun)
    assert not saved.lacks(planned)
    assert not saved.lacks(replace(planned, shown="run-1"))
