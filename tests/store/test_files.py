"""Save, open, and have the same session: embedded or referred to, whatever happens meanwhile."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from tests.store.alike import assert_alike
from tests.store.sessions import Drawn, data, full, matrix, result, run, sessions
from ximstudio.model.matrix import Matrix
from ximstudio.model.problem import UserError
from ximstudio.model.result import ItemMap
from ximstudio.prepare.input import Input
from ximstudio.prepare.recipe import Recipe, planned
from ximstudio.session import Run, Session, open_data
from ximstudio.store import find_moved, read_session, write_session
from ximstudio.store.references import files_of, found_again
from ximstudio.train import checkpoints, method_named, train


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("sessions")


@settings(max_examples=40)
@given(drawn=sessions())
def test_that_any_session_is_the_same_after_it_was_saved_and_opened(
    folder: Path, drawn: Drawn
) -> None:
    session, path = drawn.session, folder / "any.xims"
    write_session(path, session, views={"panes": [1, "two", None]})
    stored = read_session(path)
    assert_alike(session, stored.session)
    assert stored.views == {"panes": [1, "two", None]}
    assert not stored.missing


def test_that_a_session_with_everything_is_the_same_again(tmp_path: Path) -> None:
    session = full()
    write_session(tmp_path / "full.xims", session)
    again = read_session(tmp_path / "full.xims").session
    assert_alike(session, again)
    write_session(tmp_path / "again.xims", again)
    assert (tmp_path / "again.xims").read_bytes() == (tmp_path / "full.xims").read_bytes()


def test_that_what_was_one_in_memory_is_one_again(tmp_path: Path) -> None:
    write_session(tmp_path / "full.xims", full())
    again = read_session(tmp_path / "full.xims").session
    assert again.data is not None
    assert again.data.opened is not None
    by_key = {each.key: each for each in again.runs}
    som, xom = by_key["run som"], by_key["run xom"]
    assert som.matrix is again.data.matrix is xom.matrix
    assert som.frozen is again.data.opened.prepared.frozen
    assert isinstance(xom.result.model, ItemMap)
    assert xom.result.model.items is xom.matrix
    assert som.result.item_ids is som.matrix.item_ids
    assert by_key["part"].matrix is not som.matrix
    assert again.judged is not None
    assert again.judged.number_of(som) == 0
    assert again.data.opened.labelled is again.data.labelled
    assert again.data.labelled.table is again.data.labelled.reading.table
    # As read, and as prepared and trained on: two arrays, not three.
    assert len(again.data.memory) == 2
    assert all(each.evidence is None for each in again.runs)


def test_that_a_table_without_steps_is_in_the_file_and_in_memory_once(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    text = "\n".join(
        ["gene\t" + "\t".join(f"s{number}" for number in range(40))]
        + [f"g{row}\t" + "\t".join(map(str, rng.normal(size=40))) for row in range(500)]
    )
    (tmp_path / "table.tsv").write_text(text)
    session = Session(data=open_data(Input(name=str(tmp_path / "table.tsv"))))
    write_session(tmp_path / "once.xims", session)
    assert 160_000 < (tmp_path / "once.xims").stat().st_size < 200_000
    again = read_session(tmp_path / "once.xims").session.data
    assert again is not None
    assert again.matrix is not None
    assert np.shares_memory(again.matrix.values, again.labelled.table.dense)


@pytest.mark.parametrize("key", ["c-xim", "xom", "t-sne"])
def test_that_a_stopped_run_is_continued_with_the_same_bits(tmp_path: Path, key: str) -> None:
    method = method_named(key)
    steps = {"n_steps": 120} if "n_steps" in method.params.specs() else {}
    sizes = {"shape": (3, 4)} if "shape" in method.params.specs() else {}
    params = method.params.from_values({**steps, **sizes})
    first = next(iter(checkpoints(matrix(), method, params, chunk=40))).result()
    assert not first.finished
    stopped = Run(key="1", name="1", result=first, matrix=matrix(), input=data().input)
    write_session(tmp_path / "stopped.xims", Session(data=data(), runs=(stopped,)))
    (again,) = read_session(tmp_path / "stopped.xims").session.runs
    whole = train(matrix(), method, params)
    assert train(again.matrix, method, params, resume=again.result.resume).hash == whole.hash


def test_that_opening_trains_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_session(tmp_path / "full.xims", full())
    # Without jobs nothing can be trained.
    monkeypatch.setattr("ximstudio.train.TrainingJob", None)
    with pytest.raises(TypeError):
        train(matrix(), method_named("pca"))
    hashes = [each.result.hash for each in read_session(tmp_path / "full.xims").session.runs]
    assert hashes == [each.result.hash for each in full().runs]


# Files that are referred to


@pytest.fixture
def referring(tmp_path: Path) -> tuple[Path, Path, Session]:
    """A table in a folder, a session beside it that refers to it, and the session."""
    table = tmp_path / "home" / "table.csv"
    table.parent.mkdir()
    rows = [f"g{row},{row % 2},{row},{row * row % 7},{row % 5}" for row in range(30)]
    table.write_text("\n".join(["gene,kind,a,b,c", *rows]))
    opened = open_data(Input(name=str(table), recipe=Recipe.of(planned("centre"))))
    assert opened.matrix is not None
    method = method_named("som")
    made = train(opened.matrix, method, method.params.from_values({"shape": (3, 3), "n_steps": 50}))
    other = opened.matrix.items(range(10))
    runs = (
        Run(key="1", name="1", result=made, matrix=opened.matrix, input=opened.input),
        Run(
            key="2",
            name="2",
            result=train(other, method_named("pca")),
            matrix=other,
            input=opened.input,
        ),
    )
    session = Session(data=opened, runs=runs, shown="1")
    path = tmp_path / "home" / "session.xims"
    write_session(path, session, embed=False)
    return table, path, session


def test_that_a_table_that_is_referred_to_is_read_again(
    referring: tuple[Path, Path, Session],
) -> None:
    _, path, session = referring
    stored = read_session(path)
    assert not stored.missing
    assert_alike(session, stored.session)
    assert stored.session.data is not None
    assert stored.session.runs[0].matrix is stored.session.data.matrix


def test_that_session_and_table_may_move_together(
    referring: tuple[Path, Path, Session], tmp_path: Path
) -> None:
    table, path, _ = referring
    shutil.move(path.parent, tmp_path / "elsewhere")
    stored = read_session(tmp_path / "elsewhere" / path.name)
    assert not stored.missing
    assert stored.session.data is not None
    assert stored.session.data.input.name == str(tmp_path / "elsewhere" / table.name)
    assert {each.input.name for each in stored.session.runs} == {stored.session.data.input.name}


def test_that_maps_open_without_the_table_and_a_moved_table_is_found(
    referring: tuple[Path, Path, Session], tmp_path: Path
) -> None:
    table, path, session = referring
    new = tmp_path / "moved.csv"
    table.rename(new)
    stored = read_session(path)
    (missing,) = stored.missing
    assert missing.file.name == str(table)
    assert not missing.changed
    assert stored.session.data is None
    assert_alike(session.runs, stored.session.runs)
    found = find_moved(stored, {missing.file.name: new})
    assert not found.missing
    assert found.session.data is not None
    assert found.session.data.input.name == str(new)
    assert found.session.runs[0].matrix is found.session.data.matrix
    assert_alike(read_session(path, moved={str(table): new}).session, found.session)


@pytest.mark.parametrize(
    "change", [lambda text: text + "\n", lambda text: text.replace("g7", "g_")]
)
def test_that_another_file_is_not_taken_for_the_one_that_was_saved(
    referring: tuple[Path, Path, Session], change: Callable[[str], str], tmp_path: Path
) -> None:
    table, path, _ = referring
    table.write_text(change(table.read_text()))
    stored = read_session(path)
    assert [each.changed for each in stored.missing] == [True]
    with pytest.raises(UserError) as caught:
        find_moved(stored, {str(table): table})
    assert caught.value.keys == ("session.other_file",)
    with pytest.raises(UserError) as caught:
        find_moved(stored, {str(table): tmp_path / "nowhere"})
    assert caught.value.keys == ("session.no_file",)


def test_that_a_table_that_is_gone_cannot_be_referred_to(
    referring: tuple[Path, Path, Session],
) -> None:
    table, path, session = referring
    before = path.read_bytes()
    table.unlink()
    with pytest.raises(UserError) as caught:
        write_session(path, session, embed=False)
    assert caught.value.keys == ("session.reference",)
    assert path.read_bytes() == before


def test_that_a_sample_is_referred_to_by_its_name(tmp_path: Path) -> None:
    session = Session(data=open_data(Input(name="sample:yeast")))
    write_session(tmp_path / "sample.xims", session, embed=False)
    again = read_session(tmp_path / "sample.xims").session.data
    assert again is not None
    assert again.input.name == "sample:yeast"


# Whole or not at all


class EnoughError(Exception):
    """Raised by a report."""


@pytest.mark.parametrize("limit", [0.0, 0.4, 1.0])
def test_that_a_saving_that_is_ended_leaves_what_was_there(tmp_path: Path, limit: float) -> None:
    path = tmp_path / "session.xims"
    write_session(path, Session(n_made=5))
    before = path.read_bytes()

    def stop(fraction: float) -> None:
        if fraction >= limit:
            raise EnoughError

    with pytest.raises(EnoughError):
        write_session(path, full(), report=stop)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_that_saving_and_opening_report_up_to_the_end_and_can_be_ended(tmp_path: Path) -> None:
    path = tmp_path / "session.xims"
    for work in (
        lambda report: write_session(path, full(), report=report),
        lambda report: read_session(path, report),
    ):
        heard: list[float] = []
        work(heard.append)
        assert heard == sorted(heard)
        assert heard[0] == 0.0
        assert heard[-1] == 1.0

    def stop(fraction: float) -> None:
        if fraction > 0.1:
            raise EnoughError

    with pytest.raises(EnoughError):
        read_session(path, stop)


FULL_DISK = """
import resource, sys
from pathlib import Path
from ximstudio.model.named_set import NamedSet
from ximstudio.model.problem import UserError
from ximstudio.session import Session
from ximstudio.store import write_session
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
large = NamedSet.of("large", [f"gene {number}" for number in range(20_000)])
try:
    write_session(Path(sys.argv[1]), Session(sets=(large,)))
except UserError as error:
    print(*error.keys)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="has no such limits")
def test_that_a_full_disk_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "session.xims"
    write_session(path, Session(n_made=5))
    before = path.read_bytes()
    told = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(path)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.split() == ["session.unwritable"]
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_that_a_folder_that_was_moved_is_found_by_a_file_in_it(tmp_path: Path) -> None:
    table = tmp_path / "counts"
    table.mkdir()
    for name in ("matrix.mtx", "genes.tsv"):
        (table / name).write_text(name)
    (file,) = files_of(Input(name=str(table)), tmp_path)
    moved = table.rename(tmp_path / "elsewhere")
    (tmp_path / "genes.tsv").write_text("genes.tsv")

    assert found_again(file, tmp_path, {str(table): moved / "genes.tsv"}) == moved
    with pytest.raises(UserError) as refused:
        found_again(file, tmp_path, {str(table): tmp_path / "genes.tsv"})
    assert refused.value.problems[0].key == "session.other_file"


def test_that_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError) as caught:
        write_session(tmp_path / "nowhere" / "session.xims", Session())
    assert caught.value.keys == ("session.unwritable",)
    with pytest.raises(UserError) as caught:
        read_session(tmp_path / "nowhere" / "session.xims")
    assert caught.value.keys == ("session.unreadable",)


@pytest.mark.skipif(sys.platform == "win32", reason="has other permissions")
def test_that_links_and_permissions_stay(tmp_path: Path) -> None:
    target, link = tmp_path / "target.xims", tmp_path / "link.xims"
    write_session(target, Session())
    target.chmod(0o640)
    link.symlink_to(target)
    write_session(link, Session(n_made=3))
    assert link.is_symlink()
    assert target.stat().st_mode & 0o777 == 0o640
    assert read_session(target).session.n_made == 3


def test_that_what_is_no_plain_value_is_not_saved(tmp_path: Path) -> None:
    for wrong in (float("nan"), object()):
        with pytest.raises((ValueError, TypeError)):
            write_session(tmp_path / "session.xims", Session(), views={"zoom": wrong})
    assert not list(tmp_path.iterdir())


def test_that_equal_maps_of_runs_are_told_apart(tmp_path: Path) -> None:
    """Two runs of the same map are two again, and not one."""
    twice = Session(runs=(run("som"), replace(run("som"), key="2", result=replace(result("som")))))
    write_session(tmp_path / "twice.xims", twice)
    one, other = read_session(tmp_path / "twice.xims").session.runs
    assert one.result is not other.result
    assert one.matrix is other.matrix


def test_that_values_of_other_machines_and_layouts_are_the_same(tmp_path: Path) -> None:
    values = np.asfortranarray(np.random.default_rng(0).normal(size=(6, 3)))
    turned = Matrix.from_array(values)
    made = train(turned, method_named("pca"))
    made = replace(made, positions=np.asfortranarray(made.positions).astype(">f8"))
    session = Session(
        runs=(Run(key="1", name="", result=made, matrix=turned, input=Input(name="")),)
    )
    write_session(tmp_path / "turned.xims", session)
    (again,) = read_session(tmp_path / "turned.xims").session.runs
    assert np.array_equal(again.result.positions, made.positions)
    assert again.result.positions.dtype == np.float64
