"""Files of killed processes are removed by the next one, and no result is lost."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ximstudio.files.atomic import atomic_file
from ximstudio.files.atomic_folder import NewFolder
from ximstudio.files.leftovers import clear_leftovers, machine, replaced_name, unfinished_name
from ximstudio.load.run import read_record

FILE = """
from ximstudio.files.atomic import atomic_file
with atomic_file(place) as file:
    file.write(b"half")
    file.flush()
    die()
"""
FOLDER = """
from ximstudio.files.atomic_folder import NewFolder
with NewFolder(place, replace=True) as folder:
    (folder.path / "run.json").write_text("half")
    die()
"""
REPLACING = """
from ximstudio.files.atomic_folder import NewFolder
with NewFolder(place, replace=True) as folder:
    (folder.path / "run.json").write_text("new")
    move = Path.replace
    moved = []
    def replace(self, target):
        moved.append(target)
        return move(self, target) if len(moved) == 1 else die()
    Path.replace = replace
    folder.keep()
"""
KILLED = """
import os, signal, sys
from pathlib import Path
place = Path(sys.argv[1])
def die():
    os.kill(os.getpid(), signal.SIGKILL)
"""


def killed(code: str, place: Path) -> None:
    """Run code in another process that ends itself without being asked."""
    if os.name == "nt":
        pytest.skip("no process can be killed like this on Windows")
    found = subprocess.run(
        [sys.executable, "-c", KILLED + code, str(place)], check=False, capture_output=True
    )
    assert found.returncode == -9, found.stderr.decode()


def names(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


def test_that_the_half_of_a_file_goes_when_the_next_one_is_written(tmp_path: Path) -> None:
    killed(FILE, tmp_path / "a")
    assert len(names(tmp_path)) == 1
    with atomic_file(tmp_path / "b") as file:
        file.write(b"whole")
    assert names(tmp_path) == ["b"]


def test_that_the_half_of_a_folder_goes_when_the_next_one_is_made(tmp_path: Path) -> None:
    killed(FOLDER, tmp_path / "out")
    assert len(names(tmp_path)) == 1
    with NewFolder(tmp_path / "out") as folder:
        folder.keep()
    assert names(tmp_path) == ["out"]


def result(tmp_path: Path) -> Path:
    place = tmp_path / "out"
    place.mkdir()
    (place / "run.json").write_text('{"schema": 2, "kept": "old"}', encoding="utf-8")
    return place


def test_that_a_result_that_was_being_replaced_is_put_back(tmp_path: Path) -> None:
    place = result(tmp_path)
    killed(REPLACING, place)
    assert not place.exists()
    assert clear_leftovers(tmp_path) == (place,)
    assert names(tmp_path) == ["out"]
    assert "old" in (place / "run.json").read_text(encoding="utf-8")


def test_that_a_result_that_was_being_replaced_can_be_read_at_once(tmp_path: Path) -> None:
    place = result(tmp_path)
    killed(REPLACING, place)
    assert read_record(place)["kept"] == "old"
    assert names(tmp_path) == ["out"]


def test_that_a_new_result_stays_and_the_replaced_one_goes(tmp_path: Path) -> None:
    place = result(tmp_path)
    killed(REPLACING, place)
    result(tmp_path)
    assert clear_leftovers(tmp_path) == ()
    assert names(tmp_path) == ["out"]


def test_that_what_living_processes_and_other_machines_write_is_left_alone(
    tmp_path: Path,
) -> None:
    ours = [tmp_path / unfinished_name(), tmp_path / replaced_name()]
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    dead = tmp_path / f".ximstudio-{machine()}-{ended.pid}-1-ab.part"
    foreign = tmp_path / f".ximstudio-00000000-{ended.pid}-1-ab.part"
    others = [tmp_path / ".ximstudio-notes.part", tmp_path / f"{dead.name}.txt"]
    for each in (*ours, dead, foreign, *others):
        each.mkdir()
    clear_leftovers(tmp_path)
    assert set(tmp_path.iterdir()) == {*ours, foreign, *others}
