"""A finished run's files: what is read from them, and what is refused."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ximstudio.load.run import (
    NEWEST_SCHEMA,
    load_prototypes,
    read_components,
    read_history,
    read_positions,
    read_prototypes,
    read_record,
)
from ximstudio.model import Grid, TrainingHistory, UserError
from ximstudio.train.record import SCHEMA
from ximstudio.train.run_tables import write_history

GRID = Grid(2, 3)


def keys_of(function: object, *arguments: object) -> tuple[str, ...]:
    with pytest.raises(UserError) as caught:
        function(*arguments)  # type: ignore[operator]
    return caught.value.keys


def test_that_the_record_that_is_written_is_the_one_that_is_read() -> None:
    assert NEWEST_SCHEMA == SCHEMA


@pytest.mark.parametrize(
    ("text", "key"),
    [
        (None, "run.none"),
        ("", "run.damaged"),
        ("{", "run.damaged"),
        ("[1]", "run.damaged"),
        ("{}", "run.damaged"),
        ('{"schema": "one"}', "run.damaged"),
        (json.dumps({"schema": SCHEMA + 1}), "run.newer"),
    ],
)
def test_that_what_is_not_a_record_is_refused(text: str | None, key: str, tmp_path: Path) -> None:
    if text is not None:
        (tmp_path / "run.json").write_text(text, encoding="utf-8")
    assert keys_of(read_record, tmp_path) == (key,)


def test_that_neither_a_file_nor_nothing_is_a_run(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("1")
    for name in ("file", "absent"):
        assert keys_of(read_record, tmp_path / name) == ("run.none",)


HEADER = "id,x,y,winner,winner_row,winner_column,kind\n"


def test_that_places_are_read_to_the_last_bit_and_names_letter_by_letter(tmp_path: Path) -> None:
    text = 'NA,0.1,-0.0,5,1,2,"x,1"\n" a\nb ",0.30000000000000004,5e-324,0,0,0,nan\n'
    (tmp_path / "positions.csv").write_text(HEADER + text, encoding="utf-8")
    found = read_positions(tmp_path, GRID)
    assert found.item_ids == ("NA", " a\nb ")
    np.testing.assert_array_equal(found.positions, [[0.1, 0.0], [0.1 + 0.2, 5e-324]])
    assert np.signbit(found.positions[0, 1])
    assert found.winners is not None
    assert found.winners.tolist() == [5, 0]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "id,y,x,winner,winner_row,winner_column\na,0,0,0,0,0\n",
        "id,x,y\na,0,0\n",
        HEADER + "a,0,0,0,0,0\n",
        HEADER + "a,0,zero,0,0,0,k\n",
        HEADER + "a,0,,0,0,0,k\n",
        HEADER + "a,0,nan,0,0,0,k\n",
        HEADER + "a,0,inf,0,0,0,k\n",
        HEADER + "a,0,0,0.5,0,0.5,k\n",
        HEADER + "a,0,0,4,1,2,k\n",
        HEADER + "a,0,0,6,2,0,k\n",
        HEADER + "a,0,0,3,0,3,k\n",
        HEADER + "a,0,0,2,1,-1,k\n",
        HEADER + "a,0,0,-1,-1,2,k\n",
        HEADER + '"a,0,0,0,0,0,k\n',
    ],
)
def test_that_edited_positions_are_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "positions.csv").write_text(text, encoding="utf-8")
    assert keys_of(read_positions, tmp_path, GRID) == ("run.damaged",)


def test_that_files_that_are_gone_are_named(tmp_path: Path) -> None:
    missing = ("run.file_missing",)
    assert keys_of(read_positions, tmp_path, None) == missing
    assert keys_of(read_prototypes, tmp_path, ["f"], GRID) == missing
    assert keys_of(read_components, tmp_path, ["f"]) == missing
    assert keys_of(read_history, tmp_path) == missing


def test_that_prototypes_must_be_those_of_the_map(tmp_path: Path) -> None:
    lines = ["node,row,column,x,y,x,f"]
    lines += [f"{node},{node // 3},{node % 3},0,0,{node},1.5" for node in range(6)]

    def written(lines: list[str]) -> Path:
        (tmp_path / "prototypes.csv").write_text("\n".join([*lines, ""]), encoding="utf-8")
        return tmp_path

    found = read_prototypes(written(lines), ["x", "f"], GRID)
    np.testing.assert_array_equal(found.prototypes, [[node, 1.5] for node in range(6)])
    wrong = ("run.damaged",)
    assert keys_of(read_prototypes, tmp_path, ["f", "x"], GRID) == wrong
    assert keys_of(read_prototypes, tmp_path, ["x", "f"], Grid(3, 3)) == wrong
    assert keys_of(read_prototypes, written(lines[:1]), ["x", "f"], GRID) == wrong
    swapped = [lines[0], lines[2], lines[1], *lines[3:]]
    assert keys_of(read_prototypes, written(swapped), ["x", "f"], GRID) == wrong


def test_that_components_must_follow_a_centre(tmp_path: Path) -> None:
    header, centre, first = "part,explained,f,g", "centre,,1,2", "component 1,0.75,0.6,0.8"

    def written(*lines: str) -> Path:
        (tmp_path / "components.csv").write_text("\n".join([*lines, ""]), encoding="utf-8")
        return tmp_path

    found = read_components(written(header, centre, first), ["f", "g"])
    assert found.centre.tolist() == [1.0, 2.0]
    assert found.components.tolist() == [[0.6, 0.8]]
    assert found.explained.tolist() == [0.75]
    for lines in ([header], [header, centre], [header, first, centre], [header, first]):
        assert keys_of(read_components, written(*lines), ["f", "g"]) == ("run.damaged",)
    assert keys_of(read_components, written(header, centre, first), ["f"]) == ("run.damaged",)


def test_that_a_history_reads_back_with_its_gaps(tmp_path: Path) -> None:
    history = TrainingHistory(
        step=np.array([5, 10]),
        step_size=np.array([0.1, 0.2]),
        width=np.array([3.0, 1 / 3]),
        reach=np.array([np.nan, np.nan]),
        quantisation_error=np.array([2.0, 1.0]),
        cost=np.array([np.nan, 4.0]),
    )
    write_history(tmp_path / "history.csv", history)
    found = read_history(tmp_path)
    for name, column in vars(history).items():
        np.testing.assert_array_equal(getattr(found, name), column)
    literal = replace(history, stalled=np.array([3.0, 0.0]))
    write_history(tmp_path / "history.csv", literal)
    assert read_history(tmp_path).stalled.tolist() == [3.0, 0.0]
    (tmp_path / "history.csv").write_text("step,cost\n1,2\n")
    assert keys_of(read_history, tmp_path) == ("run.damaged",)


def test_that_a_history_of_an_earlier_version_lacks_what_was_not_counted_then(
    tmp_path: Path,
) -> None:
    header = "step,step_size,width,reach,quantisation_error,cost"
    (tmp_path / "history.csv").write_text(f"{header}\n5,0.1,3,,2,1\n9,0.1,2,,2,1\n")
    found = read_history(tmp_path)
    assert found.step.tolist() == [5, 9]
    assert found.cost.tolist() == [1.0, 1.0]
    assert np.isnan(found.stalled).all()


START_HEADER = "node,row,column,x,y,a,b\n"
START_ROWS = "1,0,1,1,0,3,4\n0,0,0,0,0,1,2\n"


def written(folder: Path, text: str) -> Path:
    path = folder / "prototypes.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_that_prototypes_come_in_the_order_of_nodes_and_features(tmp_path: Path) -> None:
    path = written(tmp_path, START_HEADER + START_ROWS)
    found = load_prototypes(path, ["b", "a"], Grid(1, 2))
    np.testing.assert_array_equal(found, [[2.0, 1.0], [4.0, 3.0]])


@pytest.mark.parametrize(
    ("text", "key"),
    [
        (START_HEADER, "load.not_prototypes"),
        ("id,x,y\na,1,2\nb,1,2\n", "load.not_prototypes"),
        (START_HEADER + "0,0,0,0,0,1,2\n3,0,1,1,0,3,4\n", "load.not_prototypes"),
        (START_HEADER + "0,0,0,0,0,1,two\n1,0,1,1,0,3,4\n", "load.not_prototypes"),
        (START_HEADER + "0,0,0,0,0,1,2\n", "load.start_shape"),
        (START_HEADER.replace("b", "c") + START_ROWS, "load.start_features"),
    ],
)
def test_that_other_tables_are_no_start(tmp_path: Path, text: str, key: str) -> None:
    with pytest.raises(UserError) as refused:
        load_prototypes(written(tmp_path, text), ["a", "b"], Grid(1, 2))
    assert refused.value.keys == (key,)
