"""Chosen tables in files of every kind."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.ui.maps_to_show import run_of
from ximstudio.export.table_files import FILES, file_named, table_paths, write_tables
from ximstudio.export.wanted import TableOptions
from ximstudio.model.named_set import NamedSet
from ximstudio.model.problem import UserError
from ximstudio.model.selection import Selection
from ximstudio.session import Session

KEYS = ("items", "measures")


def session() -> Session:
    run = run_of("c-xim")
    made = Session().with_run(run)
    ids = run.matrix.item_ids[:4]
    return replace(made, selection=Selection.of(ids), sets=(NamedSet.of("Stress", ids),))


@pytest.mark.parametrize("key", [file.key for file in FILES])
def test_that_every_kind_of_file_is_written_whole(tmp_path: Path, key: str) -> None:
    file = file_named(key)
    heard: list[float] = []
    path = tmp_path / f"out{file.suffix}"
    written = write_tables(path, session(), KEYS, file=file, report=heard.append)

    assert written.paths == table_paths(path, KEYS, file)
    assert sorted(tmp_path.iterdir()) == sorted(written.paths)
    assert written.n_bytes == sum(each.stat().st_size for each in written.paths)
    assert heard == sorted(heard)
    assert heard[-1] == 1.0


def test_that_one_table_keeps_the_name_that_was_given(tmp_path: Path) -> None:
    path, file = tmp_path / "genes.csv", file_named("csv")
    wanted = TableOptions(only_selected=True)
    written = write_tables(path, session(), ("items",), file=file, wanted=wanted)
    assert written.paths == (path,)
    assert len(path.read_text(encoding="utf-8").splitlines()) == 5


def test_that_what_is_missing_is_said_before_anything_is_written(tmp_path: Path) -> None:
    empty = Session()
    assert {file.key for file in FILES if file.why_not(empty)} == {"h5ad", "gmt"}
    assert not any(file.why_not(session()) for file in FILES)
    for keys in ((), ("items", "clusters")):
        with pytest.raises(UserError):
            write_tables(tmp_path / "out.csv", session(), keys, file=file_named("csv"))
    with pytest.raises(UserError):
        file_named("docx")
    assert list(tmp_path.iterdir()) == []
