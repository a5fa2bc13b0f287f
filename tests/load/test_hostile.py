"""Files that ask for far more than they hold: a refusal or a table, within bounds; we live on."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import psutil
import pytest

from tests.load import hostile
from tests.load.damage import damaged_inside, outcome
from tests.load.hdf5_files import damaged, sample
from ximstudio.isolated import CallLimits
from ximstudio.load import Choices, Source, read_source
from ximstudio.load.annotation.file import read_annotation
from ximstudio.model import UserError

DATA = Path(__file__).parents[1] / "data"
MEGABYTE = hostile.MEGABYTE
ROOM = 300 * MEGABYTE

TABLES = {
    "xlsx declared dimension",
    "xlsx merged",
    "xlsx deep",
    "xlsx many sheets",
    "ods repeated columns",
    "parquet repeated text",
}
"""Shapes that do no harm: what they declare need not be believed to read them."""

ENDLESS = 41
"""Number of a damage over which the HDF5 library (2.0) runs in a circle for ever."""


@pytest.fixture
def _limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """Little memory, and few seconds of computing, whatever machine this is."""
    limits = CallLimits(memory=ROOM, silence=15.0, work=60.0)
    monkeypatch.setattr(CallLimits, "for_size", classmethod(lambda cls, size: limits))  # noqa: ARG005


def came(path: Path) -> str:
    try:
        return outcome(read_source(Source.at(path), Choices()))
    except UserError as error:
        return outcome(error)


@pytest.mark.usefixtures("_limited")
@pytest.mark.parametrize("name", hostile.SHAPES)
def test_that_a_hostile_file_ends_within_bounds(name: str, tmp_path: Path) -> None:
    path = hostile.written(name, tmp_path)
    before = psutil.Process().memory_info().rss
    assert came(path) == ("table" if name in TABLES else "refused")
    # What is made of a child's answer here is the table alone.
    assert psutil.Process().memory_info().rss - before < 64 * MEGABYTE


@pytest.mark.usefixtures("_limited")
def test_that_annotation_is_read_as_carefully(tmp_path: Path) -> None:
    path = hostile.written("xlsx declared strings", tmp_path)
    with pytest.raises(UserError) as caught:
        read_annotation(Source.at(path))
    assert caught.value.keys == ("load.too_large",)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("make", "key"),
    [
        (hostile.declared_strings, "load.too_large"),
        (hostile.long_string, "load.too_large"),
        (hostile.dictionary_of_long_texts, "load.too_large"),
        (hostile.constant_columns, "load.too_large"),
    ],
)
def test_that_the_largest_of_them_are_refused_by_usual_limits(
    make: object, key: str, tmp_path: Path
) -> None:
    assert callable(make)
    path = tmp_path / "hostile"
    path.write_bytes(make())
    with pytest.raises(UserError) as caught:
        read_source(Source.at(path), Choices())
    assert caught.value.keys == (key,)


@pytest.mark.parametrize("share", [0.05, 0.5, 0.95])
@pytest.mark.parametrize(
    "name",
    [
        "excel/table.xlsx",
        "excel/table.xlsb",
        "excel/table.xls",
        "excel/table.ods",
        "arrow/table.parquet",
        "arrow/table.feather",
        "h5ad/anndata_0_12.h5ad",
    ],
)
def test_that_a_truncated_file_is_refused(name: str, share: float, tmp_path: Path) -> None:
    whole = (DATA / name).read_bytes()
    path = tmp_path / "truncated"
    path.write_bytes(whole[: int(share * len(whole))])
    assert came(path) == "refused"


def test_that_damage_that_makes_a_library_loop_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits = CallLimits(memory=ROOM, silence=2.0, work=60.0)
    monkeypatch.setattr(CallLimits, "for_size", classmethod(lambda cls, size: limits))  # noqa: ARG005
    path = sample("h5ad", tmp_path / "sound")
    path.write_bytes(damaged(path.read_bytes(), ENDLESS))
    assert came(path) == "refused"


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.usefixtures("_limited")
@pytest.mark.parametrize(
    "name", ["excel/table.xlsx", "excel/table.ods", "arrow/table.parquet", "arrow/table.feather"]
)
def test_that_a_thousand_damages_end_in_a_table_or_a_refusal(name: str, tmp_path: Path) -> None:
    content = (DATA / name).read_bytes()
    found: Counter[str] = Counter()
    for case in range(1000):
        path = tmp_path / "damaged"
        path.write_bytes(damaged_inside(content, random.Random(case)))
        found[came(path)] += 1
    assert set(found) <= {"table", "refused"}


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.usefixtures("_limited")
@pytest.mark.parametrize("kind", ["h5ad", "10x-h5"])
def test_that_a_thousand_damages_of_hdf5_end(kind: str, tmp_path: Path) -> None:
    content = sample(kind, tmp_path / "sound").read_bytes()
    found: Counter[str] = Counter()
    for case in range(1000):
        path = tmp_path / "damaged"
        path.write_bytes(damaged(content, case))
        found[came(path)] += 1
    assert set(found) <= {"table", "refused"}
