"""Autosave: however the program ends, the last autosave exists and is complete."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.store.alike import assert_alike
from tests.store.sessions import data, full, run
from ximstudio.model.problem import UserError
from ximstudio.session import Session
from ximstudio.session.preferences_file import SETTINGS_FOLDER
from ximstudio.store import read_session, write_session
from ximstudio.store.autosave import (
    ABOUT,
    Autosave,
    RecoverableSession,
    discard,
    recover,
    recoverable,
    recovery_folder,
)


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def dead() -> int:
    """The number of a process that has ended."""
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    return ended.pid


def orphaned(keeping: Autosave, pid: int) -> None:
    """Have it look as if the process had been another one, which is gone."""
    parts = keeping.folder.name.split("-")
    keeping.folder.rename(keeping.folder.with_name("-".join([parts[0], str(pid), *parts[2:]])))


def test_that_it_writes_when_something_changed_and_it_is_time(tmp_path: Path, clock: Clock) -> None:
    keeping = Autosave(tmp_path, every=15.0, clock=clock)
    session = Session(runs=(run("pca"),))
    assert not keeping.due(Session())
    assert keeping.due(session)
    keeping.write(session)
    assert not keeping.due(session)
    other = replace(session, shown="x")
    assert not keeping.due(other)
    clock.now += 15.0
    assert keeping.due(other)
    assert not keeping.due(session)
    keeping.settle(other)
    assert not keeping.due(other)
    assert keeping.due(session)


def test_that_what_was_left_is_found_and_is_the_same(tmp_path: Path, dead: int) -> None:
    keeping = Autosave(tmp_path)
    keeping.write(full(), views={"zoom": 2}, saved_as=Path("/home/me/genes.xims"))
    assert not recoverable(tmp_path)
    orphaned(keeping, dead)
    (left,) = recoverable(tmp_path)
    assert (left.name, left.n_runs) == ("genes.csv", len(full().runs))
    assert left.saved_as == Path("/home/me/genes.xims")
    stored = recover(left)
    assert_alike(full(), stored.session)
    assert stored.views == {"zoom": 2}
    discard(left)
    assert not recoverable(tmp_path)
    assert not list(tmp_path.iterdir())


def test_that_only_what_is_new_is_written(tmp_path: Path, clock: Clock) -> None:
    keeping = Autosave(tmp_path, clock=clock)
    first = Session(data=data(), runs=(run("som"),))
    keeping.write(first)
    parts = {path: path.stat().st_ino for path in keeping.folder.glob("*/*")}
    second = replace(first, runs=(*first.runs, run("xom")), shown="run xom")
    keeping.write(second)
    now = {path: path.stat().st_ino for path in keeping.folder.glob("*/*")}
    assert parts.items() <= now.items()
    assert len(now) > len(parts)
    keeping.write(replace(second, data=None, runs=(run("relational"),)))
    left = set(keeping.folder.glob("*/*"))
    assert not left & set(parts)
    keeping.write(first)
    assert len(list(keeping.folder.glob("*/*"))) == len(parts)


def test_that_what_is_left_behind_is_not_held(tmp_path: Path) -> None:
    import gc
    import weakref

    keeping = Autosave(tmp_path)
    matrix = run("som").matrix.items(range(20))
    values = weakref.ref(matrix.values)
    session = Session(runs=(replace(run("som"), matrix=matrix),))
    keeping.write(session)
    del session, matrix
    gc.collect()
    assert values() is None


def test_that_another_array_in_the_same_memory_is_written(tmp_path: Path, dead: int) -> None:
    """Numbers and memory of arrays that are gone are given to others."""
    keeping = Autosave(tmp_path)
    som = run("som")
    for number in range(20):
        positions = np.full(som.result.positions.shape, float(number))
        positions.flags.writeable = False
        made = replace(som.result, positions=positions)
        keeping.write(Session(runs=(replace(som, result=made),)))
        del made, positions
    orphaned(keeping, dead)
    (left,) = recoverable(tmp_path)
    (again,) = recover(left).session.runs
    assert (again.result.positions == 19.0).all()


def test_that_what_was_saved_is_not_offered(tmp_path: Path, dead: int) -> None:
    keeping = Autosave(tmp_path)
    session = Session(data=data())
    keeping.write(session)
    keeping.settle(session)
    orphaned(keeping, dead)
    assert not recoverable(tmp_path)
    # Nothing is left of it, either.
    assert not list(tmp_path.iterdir())


def test_that_an_orderly_end_leaves_nothing(tmp_path: Path) -> None:
    keeping = Autosave(tmp_path)
    keeping.write(Session(data=data()))
    keeping.close()
    assert not list(tmp_path.iterdir())


def test_that_sessions_of_other_machines_and_other_things_are_left_alone(
    tmp_path: Path, dead: int
) -> None:
    keeping = Autosave(tmp_path)
    keeping.write(Session(data=data()))
    name = keeping.folder.name.split("-", 1)[1]
    keeping.folder.rename(tmp_path / f"00000000-{name}".replace(str(os.getpid()), str(dead)))
    (tmp_path / "notes").mkdir()
    assert not recoverable(tmp_path)
    assert len(list(tmp_path.iterdir())) == 2


def test_that_a_keeping_that_is_ended_leaves_the_one_before(tmp_path: Path, dead: int) -> None:
    class EnoughError(Exception):
        pass

    def stop(fraction: float) -> None:
        if fraction > 0.5:
            raise EnoughError

    keeping = Autosave(tmp_path)
    first = Session(data=data(), runs=(run("som"),))
    keeping.write(first)
    with pytest.raises(EnoughError):
        keeping.write(full(), report=stop)
    copy = first
    orphaned(keeping, dead)
    (left,) = recoverable(tmp_path)
    assert_alike(copy, recover(left).session)
    # And the next one is whole, whatever the ended one left.
    left.folder.rename(keeping.folder)
    keeping.write(full())
    orphaned(keeping, dead)
    assert_alike(full(), recover(recoverable(tmp_path)[0]).session)


def test_that_one_that_cannot_be_looked_at_hides_no_other(
    tmp_path: Path, dead: int, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(2):
        keeping = Autosave(tmp_path)
        keeping.write(Session(data=data()))
        orphaned(keeping, dead)
    shut, open_ = sorted(tmp_path.iterdir())
    is_file = Path.is_file

    def refused(path: Path) -> bool:
        if path.parent == shut:
            raise PermissionError(path)
        return is_file(path)

    monkeypatch.setattr(Path, "is_file", refused)
    (left,) = recoverable(tmp_path)
    assert left.folder == open_
    assert shut.is_dir()
    assert str(shut) in caplog.text


def test_that_what_is_damaged_is_refused(tmp_path: Path, dead: int) -> None:
    keeping = Autosave(tmp_path)
    keeping.write(Session(data=data(), runs=(run("som"),)))
    orphaned(keeping, dead)
    (left,) = recoverable(tmp_path)
    whole = {path: path.read_bytes() for path in left.folder.rglob("*") if path.is_file()}
    for path, content in whole.items():
        if path.name == ABOUT:
            continue
        path.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
        with pytest.raises(UserError) as caught:
            recover(left)
        assert caught.value.keys == ("session.damaged",)
        path.unlink()
        with pytest.raises(UserError) as caught:
            recover(left)
        assert caught.value.keys in {("session.damaged",), ("session.unreadable",)}
        path.write_bytes(content)
    (left.folder / ABOUT).write_text("{")
    (again,) = recoverable(tmp_path)
    assert again.folder == left.folder
    assert recover(again).session.runs


def test_that_a_folder_that_cannot_be_written_is_told(tmp_path: Path, clock: Clock) -> None:
    (tmp_path / "file").write_text("")
    keeping = Autosave(tmp_path / "file", clock=clock)
    with pytest.raises(UserError) as caught:
        keeping.write(Session(data=data()))
    assert caught.value.keys == ("session.not_kept",)
    # Not tried again at once.
    assert not keeping.due(Session(data=data()))


def test_that_all_is_kept_where_settings_are_if_those_were_moved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SETTINGS_FOLDER, str(tmp_path))
    assert recovery_folder() == tmp_path / "recovery"
    assert Autosave().folder.parent == tmp_path / "recovery"
    assert recoverable() == ()


# Killed at any moment

NURSERY = """
import os
import sys
from dataclasses import replace
from pathlib import Path
import numpy as np
from ximstudio.model.named_set import NamedSet
from ximstudio.session import Session
from ximstudio.store import read_session, write_session
from ximstudio.store.autosave import Autosave

folder = Path(sys.argv[1])
first = read_session(folder / "first.xims").session
names = [f"member {each}" for each in range(20_000)]

def tell(what, number):
    # At once: two processes write to the same pipe, and one of them may be killed meanwhile.
    os.write(1, f"{what} {number}\\n".encode())

def work(number):
    keeping = Autosave(folder / "recovery", every=0.0)
    while True:
        number += 1
        # Also arrays that are new each time, and take a while to be written.
        positions = np.full(first.runs[0].result.positions.shape, float(number))
        run = replace(first.runs[0], result=replace(first.runs[0].result, positions=positions))
        sets = (NamedSet.of(str(number), names),)
        session = replace(first, n_made=number, runs=(run,), sets=sets)
        tell("begin", number)
        keeping.write(session)
        tell("kept", number)
        if number % 3 == 0:
            write_session(folder / "saved.xims", session)
            tell("saved", number)

# A process of its own for every time, which need not import all of it anew.
for line in sys.stdin:
    child = os.fork()
    if not child:
        work(int(line))
    tell("child", child)
    os.waitpid(child, 0)
    tell("over", 0)
"""

KILLS = 30


def assert_whole(session: Session) -> int:
    """The number of a session, which stands in all places that it should."""
    (made,) = session.runs
    assert (made.result.positions == float(session.n_made)).all()
    assert [each.name for each in session.sets] == [str(session.n_made)]
    assert len(session.sets[0]) == 20_000
    return session.n_made


@pytest.fixture
def worked(tmp_path: Path) -> Path:
    write_session(tmp_path / "first.xims", Session(data=data(), runs=(run("som"),)))
    return tmp_path


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are begun otherwise")
def test_that_a_killed_process_loses_nothing_that_was_kept(worked: Path) -> None:
    chance = random.Random(5)
    saved = 0
    with subprocess.Popen(
        [sys.executable, "-c", NURSERY, str(worked)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    ) as nursery:
        for attempt in range(KILLS):
            saved += _check(worked, _killed(nursery, 1000 * attempt, chance))
        assert nursery.stdin is not None
        nursery.stdin.close()
    # Else nothing was tried.
    assert saved > KILLS // 2


def _killed(nursery: subprocess.Popen[str], number: int, chance: random.Random) -> dict[str, int]:
    """Begin a process, kill it at some moment; the last number of each kind that it told."""
    assert nursery.stdin is not None
    assert nursery.stdout is not None
    nursery.stdin.write(f"{number}\n")
    nursery.stdin.flush()
    told: dict[str, int] = {}
    lines = chance.randrange(1, 12)
    while "over" not in told:
        what, told_number = nursery.stdout.readline().split()
        told[what] = int(told_number)
        lines -= 1
        if "child" in told and lines <= 0:
            # Any moment of what it does next: it goes on while this counts.
            for _ in range(chance.randrange(200_000)):
                pass
            os.kill(told["child"], signal.SIGKILL)
            lines = sys.maxsize
    return told


def _check(folder: Path, told: dict[str, int]) -> bool:
    """Both files are whole, and no older than what the process told of."""
    saved = (folder / "saved.xims").exists()
    if saved:
        number = assert_whole(read_session(folder / "saved.xims").session)
        assert number >= told.get("saved", 0)
    else:
        assert "saved" not in told
    left: tuple[RecoverableSession, ...] = recoverable(folder / "recovery")
    assert len(left) <= 1
    if left:
        number = assert_whole(recover(left[0]).session)
        assert told.get("kept", 0) <= number <= told["begin"]
        discard(left[0])
    else:
        assert "kept" not in told
    assert len([each for each in folder.iterdir() if each.name.endswith(".part")]) <= 1
    return saved
