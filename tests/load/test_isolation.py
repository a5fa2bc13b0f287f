"""Files that foreign libraries parse are read in a child process, by commands and window alike."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from tests.load.hdf5_files import sample
from ximstudio import isolated
from ximstudio.isolated import Cause, Failure
from ximstudio.load import Choices, Source, read_source
from ximstudio.load import format as formats
from ximstudio.load.annotation.file import read_annotation
from ximstudio.load.format import FORMATS, FormatEntry, every_format
from ximstudio.model import UserError

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data"
LIBRARIES = ("h5py", "python_calamine", "pyarrow", "rdata")
ISOLATED = [one for one in every_format() if one.isolated]


def read_here() -> tuple[FormatEntry, ...]:
    """All formats, none of them isolated."""
    return tuple(
        replace(entry, load=partial(replace, entry.load(), isolated=False)) for entry in FORMATS
    )


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A sound file of every format that is isolated."""
    folder = tmp_path_factory.mktemp("isolated")
    return {
        **{key: sample(key, folder / key) for key in ("10x-h5", "biom", "gctx", "loom")},
        "h5ad": DATA / "h5ad" / "anndata_0_12.h5ad",
        "parquet": DATA / "arrow" / "table.parquet",
        "feather": DATA / "arrow" / "table.feather",
        "r": DATA / "r" / "matrix.rds",
        "excel": DATA / "excel" / "table.xlsx",
    }


def assert_same(one: Any, other: Any) -> None:
    """Assert that two values are the same to the last field, whatever fields there are."""
    assert type(one) is type(other)
    if is_dataclass(one):
        for field in fields(one):
            assert_same(getattr(one, field.name), getattr(other, field.name))
    elif isinstance(one, Mapping):
        assert list(one) == list(other)
        for key in one:
            assert_same(one[key], other[key])
    elif sparse.issparse(one):
        for name in ("data", "indices", "indptr"):
            assert_same(getattr(one, name), getattr(other, name))
        assert_same(
            vars(one).get("_has_canonical_format"), vars(other).get("_has_canonical_format")
        )
    elif isinstance(one, np.ndarray):
        np.testing.assert_array_equal(one, other)
        assert one.dtype == other.dtype
        assert one.flags.writeable == other.flags.writeable
    elif isinstance(one, tuple) and any(map(is_dataclass, one)):
        assert len(one) == len(other)
        for left, right in zip(one, other, strict=True):
            assert_same(left, right)
    else:
        assert one == other


def test_that_a_sound_file_of_every_isolated_format_is_tried(files: dict[str, Path]) -> None:
    assert set(files) == {one.key for one in ISOLATED}


@pytest.mark.parametrize("key", [one.key for one in ISOLATED])
def test_that_another_process_reads_the_same(
    key: str, files: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    (one,) = [one for one in ISOLATED if one.key == key]
    assert pickle.loads(pickle.dumps(one.read)) is one.read
    source = Source.at(files[key])
    there = read_source(source, Choices())
    monkeypatch.setattr(formats, "FORMATS", read_here())
    assert_same(there, read_source(source, Choices()))


def test_that_no_library_for_binary_files_is_used_here(files: dict[str, Path]) -> None:
    code = (
        "import json, sys\n"
        "from pathlib import Path\n"
        "from ximstudio.load import read, Source\n"
        "from ximstudio.load.annotation.file import read_annotation\n"
        "paths = json.loads(sys.argv[1])\n"
        "notes = [note.key for path in paths for note in read(path).notes]\n"
        "notes += [note.key for note in read_annotation(Source.at(Path(paths[-1]))).notes]\n"
        "print(json.dumps([notes, sorted(sys.modules)]))"
    )
    told = subprocess.run(
        [sys.executable, "-c", code, json.dumps([str(path) for path in files.values()])],
        stdout=subprocess.PIPE,
        check=True,
        cwd=ROOT,
    )
    notes, modules = json.loads(told.stdout)
    assert "load.unprotected" not in notes
    assert not set(modules) & set(LIBRARIES)


@pytest.fixture
def no_child(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    isolated.close()
    monkeypatch.setattr(isolated, "command", lambda: ["/nowhere/python"])
    yield
    isolated.close()


@pytest.mark.usefixtures("no_child")
def test_that_reading_without_a_child_is_told(
    files: dict[str, Path], caplog: pytest.LogCaptureFixture
) -> None:
    reading = read_source(Source.at(files["excel"]), Choices())
    assert [note.key for note in reading.notes][-1] == "load.unprotected"
    assert caplog.records
    annotation = read_annotation(Source.at(files["excel"]))
    assert [note.key for note in annotation.notes][-1] == "load.unprotected"


@pytest.mark.parametrize(
    ("cause", "key"),
    [
        (Cause.DIED, "load.damaged"),
        (Cause.SILENT, "load.damaged"),
        (Cause.SLOW, "load.damaged"),
        (Cause.RAISED, "load.damaged"),
        (Cause.MEMORY, "load.too_large"),
    ],
)
def test_that_whatever_happens_to_the_child_becomes_a_message(
    cause: Cause, key: str, files: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise Failure(cause, "the detail", "line\nthe last words")

    monkeypatch.setattr(isolated, "run", fail)
    with pytest.raises(UserError) as caught:
        read_source(Source.at(files["excel"]), Choices())
    (problem,) = caught.value.problems
    assert problem.key == key
    assert problem.where == str(files["excel"])
    assert "the detail" in problem.what
    assert ("the last words" in problem.what) == (cause is Cause.DIED)


def test_that_choices_refusals_and_progress_pass_through(files: dict[str, Path]) -> None:
    heard: list[float] = []
    read_source(Source.at(files["h5ad"]), Choices(), heard.append)
    assert heard
    with pytest.raises(UserError) as caught:
        read_source(Source.at(files["h5ad"]), Choices(part="none"))
    assert caught.value.keys == ("load.no_such_part",)


def test_that_formats_in_plain_text_stay_in_this_process(
    files: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """And that the contract above would notice a format that is not isolated."""

    def never(*_: Any, **__: Any) -> None:
        raise AssertionError

    monkeypatch.setattr(isolated, "run", never)
    read_source(Source.at(ROOT / "resources" / "samples" / "yeast.csv"), Choices())
    monkeypatch.setattr(formats, "FORMATS", read_here())
    read_source(Source.at(files["excel"]), Choices())


def test_that_a_file_is_found_from_another_folder(
    files: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    read_source(Source.at(files["excel"]), Choices())
    monkeypatch.chdir(files["excel"].parent)
    assert read_source(Source.at(Path(files["excel"].name)), Choices()).table.n_items
