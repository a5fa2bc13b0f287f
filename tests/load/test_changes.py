"""A file that changes while it is read is refused, whatever was made of it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from shutil import copy, copytree

import pytest

from ximstudio.load import Choices, Source, read_source
from ximstudio.load.annotation.file import read_annotation
from ximstudio.load.annotation.gene_sets import read_gene_sets
from ximstudio.model import UserError

DATA = Path(__file__).parents[1] / "data"
ROWS = "gene,a,b\n" + "".join(f"g{number},{number}.5,2\n" for number in range(50))


def keys(act: Callable[[], object]) -> tuple[str, ...]:
    with pytest.raises(UserError) as caught:
        act()
    return caught.value.keys


def grow(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"more,1,2\n")


def replace(path: Path) -> None:
    other = path.with_name("other")
    other.write_bytes(path.read_bytes())
    os.utime(other, ns=(path.stat().st_atime_ns, path.stat().st_mtime_ns))
    other.replace(path)


def remove(path: Path) -> None:
    path.unlink(missing_ok=True)


@pytest.mark.parametrize("change", [grow, replace, remove])
@pytest.mark.parametrize("kind", ["text", "workbook"])
def test_that_a_change_is_noticed(
    tmp_path: Path, kind: str, change: Callable[[Path], None]
) -> None:
    path = tmp_path / "table"
    if kind == "text":
        path.write_text(ROWS)
    else:
        copy(DATA / "excel" / "table.xlsx", path)
    source = Source.at(path)
    changed: list[float] = []

    def report(fraction: float) -> None:
        if not changed:
            changed.append(fraction)
            change(path)

    assert keys(lambda: read_source(source, Choices(), report)) == ("load.changed",)
    assert changed


def test_that_a_refusal_of_a_file_that_changed_says_so(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("gene,a,b\n")
    source = Source.at(path)
    assert keys(lambda: read_source(source, Choices())) == ("load.no_numbers",)
    assert keys(lambda: read_source(source, Choices(), lambda _: grow(path))) == ("load.changed",)


def test_that_annotation_and_gene_sets_notice_it_too(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text(ROWS)
    source = Source.at(path)
    for act in (
        lambda: read_annotation(source, report=lambda _: grow(path)),
        lambda: read_gene_sets(source, report=lambda _: grow(path)),
    ):
        assert keys(act) == ("load.changed",)


def test_that_a_file_of_a_folder_that_changes_is_noticed(tmp_path: Path) -> None:
    folder = copytree(DATA / "tenx" / "v3", tmp_path / "v3")
    (victim, *_) = sorted(folder.iterdir())
    act = lambda: read_source(Source.at(folder), Choices(), lambda _: grow(victim))  # noqa: E731
    assert keys(act) == ("load.changed",)


def test_that_files_that_stay_as_they_are_pass(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text(ROWS)
    assert read_source(Source.at(path), Choices()).table.n_items == 50
    assert read_source(Source.pasted(ROWS), Choices()).table.n_items == 50
