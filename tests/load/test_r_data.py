"""Tables in files of R."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from tests.load.r_files import NA, R, factor, frame, matrix, rda, rds
from ximstudio.load import Choices, read
from ximstudio.load.r_data import formats
from ximstudio.load.reading import silent
from ximstudio.load.source import Source
from ximstudio.model import UserError

NAN = float("nan")
GENES = ["TP53", "MYC", "EGFR"]
MATRIX = matrix([[1, 2], [3, NAN], [5, 6]], GENES, ["s1", "s2"])


def write(path: Path, content: bytes) -> str:
    path.write_bytes(content)
    return str(path)


def refusal(name: str, choices: Choices | None = None) -> UserError:
    with pytest.raises(UserError) as caught:
        read(name, choices)
    return caught.value


def test_that_a_matrix_is_read_with_its_names(tmp_path: Path) -> None:
    reading = read(write(tmp_path / "m.rds", rds(MATRIX)))
    table = reading.table
    assert reading.format == "r"
    assert table.items.names == tuple(GENES)
    assert table.features.names == ("s1", "s2")
    np.testing.assert_array_equal(table.dense, [[1, 2], [3, NAN], [5, 6]])


def test_that_a_data_frame_has_factors_and_texts_as_labels(tmp_path: Path) -> None:
    made = frame(
        {
            "a": R([1.5, 2.5, NAN]),
            "n": R([1, NA, 3]),
            "pathway": factor([2, 1, NA], ["x", "y"]),
            "remark": R(["good", None, "bad"]),
            "on": R([True, False, True]),
        },
        R(GENES),
    )
    table = read(write(tmp_path / "f.rds", rds(made))).table
    assert table.items.names == tuple(GENES)
    assert table.features.names == ("a", "n", "on")
    np.testing.assert_array_equal(table.dense, [[1.5, 1, 1], [2.5, NAN, 0], [NAN, 3, 1]])
    assert table.items.labels["pathway"] == ("y", "x", "")
    assert table.items.labels["remark"] == ("good", "", "bad")


def test_that_numeric_labels_stay_numbers(tmp_path: Path) -> None:
    made = frame({"a": R([1.0, 2.0, 4.0]), "score": R([-12345.5, 0.5, 7654321.25])}, R(GENES))
    table = read(write(tmp_path / "f.rds", rds(made)), Choices(labels=("score",))).table
    assert tuple(map(float, table.items.labels["score"])) == (-12345.5, 0.5, 7654321.25)


def test_that_rows_without_names_are_named_by_a_column_of_texts(tmp_path: Path) -> None:
    path = write(tmp_path / "f.rds", rds(frame({"gene": R(GENES), "a": R([1.0, 2.0, 3.0])})))
    assert read(path).table.items.names == tuple(GENES)
    assert read(path, Choices(id="")).table.items.names == ("row 1", "row 2", "row 3")
    assert refusal(path, Choices(id="nothing")).keys == ("load.no_such_id",)


def test_that_a_sparse_matrix_stays_sparse(tmp_path: Path) -> None:
    value = R(
        [],
        {
            "i": R([0, 2, 1]),
            "p": R([0, 2, 3]),
            "Dim": R([3, 2]),
            "Dimnames": R([R(GENES), R(["c1", "c2"])]),
            "x": R([1.0, 2.0, 3.0]),
            "class": R(["dgCMatrix"]),
        },
        s4=True,
    )
    table = read(write(tmp_path / "s.rds", rds(value))).table
    assert table.is_sparse
    assert table.items.names == tuple(GENES)
    assert table.dense.tolist() == [[1, 0], [0, 3], [2, 0]]


def test_that_one_of_several_tables_is_chosen(tmp_path: Path) -> None:
    small = frame({"a": R([1.0, 2.0])}, R(["x", "y"]))
    other = R(["no table"])
    path = write(tmp_path / "w.RData", rda({"small": small, "m": MATRIX, "note": other}))
    error = refusal(path)
    assert error.keys == ("load.several_tables",)
    assert error.hint == {"part": "m"}
    assert read(path, Choices(part="m")).table.n_items == 3
    assert read(path, Choices(part="small")).table.items.names == ("x", "y")
    assert refusal(path, Choices(part="note")).keys == ("load.r_object",)
    assert refusal(path, Choices(part="other")).keys == ("load.no_such_part",)


@pytest.mark.parametrize(
    ("name", "call"), [("ExpressionSet", "exprs(x)"), ("Seurat", "GetAssayData(x)")]
)
def test_that_other_objects_are_refused_with_what_to_write_in_r(
    name: str, call: str, tmp_path: Path
) -> None:
    value = R([], {"assayData": R([1]), "class": R([name])}, s4=True)
    error = refusal(write(tmp_path / "e.rds", rds(value)))
    assert error.keys == ("load.r_object",)
    assert call in error.problems[0].way_out


@pytest.mark.parametrize("cut", [20, 60, 120])
def test_that_a_damaged_file_is_refused(cut: int, tmp_path: Path) -> None:
    import gzip

    whole = gzip.decompress(rds(MATRIX))
    path = write(tmp_path / "d.rds", whole[:cut])
    assert refusal(path).keys == ("load.damaged",)


def test_that_a_missing_package_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "m.rds"
    path.write_bytes(rds(MATRIX))
    monkeypatch.setitem(sys.modules, "rdata", None)
    with pytest.raises(UserError) as caught:
        formats.read(Source.at(path), Choices(), silent)
    assert caught.value.keys == ("load.no_rdata",)
