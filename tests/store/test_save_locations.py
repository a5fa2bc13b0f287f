"""Save locations of sessions, through undo and redo, and the marks of open ones."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from tests.ui.windows import sample_data
from ximstudio.files.leftovers import is_alive, machine, this_process
from ximstudio.model.named_set import NamedSet
from ximstudio.model.problem import UserError
from ximstudio.session import Data, Session
from ximstudio.session.session import UndoHistory
from ximstudio.store.files import Stamp, read_session, write_session
from ximstudio.store.save_locations import STALE, SaveLocation, SaveLocations, SessionClaim, holders


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


@pytest.fixture
def other() -> Iterator[subprocess.Popen[bytes]]:
    """Another process, which lives until it is ended."""
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    yield process
    process.kill()
    process.communicate()


def sign(path: Path, pid: int, *, begun: int, where: str | None = None) -> Path:
    made = path.with_name(f".{path.name}.{where or machine()}-{pid}-{begun}.open")
    made.touch()
    return made


def test_that_a_living_program_holds_a_session_and_a_dead_one_does_not(
    tmp_path: Path, other: subprocess.Popen[bytes]
) -> None:
    path = tmp_path / "a.xims"
    begun = int(psutil.Process(other.pid).create_time())
    assert is_alive(other.pid, begun)
    left = sign(path, other.pid, begun=begun)
    assert holders(path) == (left,)
    assert holders(tmp_path / "b.xims") == ()
    other.kill()
    other.wait()
    assert holders(path) == ()
    assert not left.exists()


def test_that_a_number_that_another_process_has_by_now_does_not_count(tmp_path: Path) -> None:
    path = tmp_path / "a.xims"
    left = sign(path, os.getppid(), begun=1)
    assert holders(path) == ()
    assert not left.exists()


def test_that_programs_of_other_machines_count_for_a_day(tmp_path: Path) -> None:
    path = tmp_path / "a.xims"
    left = sign(path, 1, begun=1, where="0" * 8)
    assert holders(path) == (left,)
    assert holders(path, now=time.time() + STALE + 1) == ()


def test_that_a_claim_is_nobody_elses_and_goes_when_released(tmp_path: Path) -> None:
    claim = SessionClaim(tmp_path / "a.xims")
    claim.make()
    (made,) = tmp_path.iterdir()
    assert this_process() in made.name
    assert holders(tmp_path / "a.xims") == ()
    claim.release()
    claim.release()
    assert not made.exists()


def test_that_a_folder_that_cannot_be_written_to_has_no_claims(tmp_path: Path) -> None:
    SessionClaim(tmp_path / "none" / "a.xims").make()
    assert holders(tmp_path / "none" / "a.xims") == ()


def test_that_a_file_that_was_changed_elsewhere_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "a.xims"
    mine = write_session(path, Session(n_made=1))
    assert mine == Stamp.of(path) == read_session(path).stamp
    theirs = write_session(path, Session(n_made=2))
    with pytest.raises(UserError) as caught:
        write_session(path, Session(n_made=3), expected=mine)
    assert caught.value.keys == ("session.changed_elsewhere",)
    assert read_session(path).session.n_made == 2
    assert [each.name for each in tmp_path.iterdir()] == [path.name]
    write_session(path, Session(n_made=4), expected=theirs)
    assert read_session(path).session.n_made == 4


def test_that_a_file_that_is_changed_while_it_is_written_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "a.xims"
    mine = write_session(path, Session(n_made=1))

    def meanwhile(fraction: float) -> None:
        if fraction == 1.0:
            write_session(path, Session(n_made=2))

    with pytest.raises(UserError) as caught:
        write_session(path, Session(n_made=3), expected=mine, report=meanwhile)
    assert caught.value.keys == ("session.changed_elsewhere",)
    assert read_session(path).session.n_made == 2


def test_that_a_file_that_is_gone_is_written_again(tmp_path: Path) -> None:
    path = tmp_path / "a.xims"
    mine = write_session(path, Session(n_made=1))
    path.unlink()
    write_session(path, Session(n_made=2), expected=mine)
    assert read_session(path).session.n_made == 2


@pytest.mark.parametrize("values", [None, [], [1, 2], [1, 2, "3"], [1, 2, True], "123", {}, 5])
def test_that_what_is_no_stamp_is_none(values: object) -> None:
    assert Stamp.of_values(values) is None
    assert Stamp.of_values([1, 2, 3]) == Stamp(1, 2, 3)
