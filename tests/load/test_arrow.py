"""Parquet and Feather files: types, indexes, and damage."""

from __future__ import annotations

import io
import json
import random
import sys
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.load.damage import damaged, gives_table_or_address
from ximstudio.load import read_source
from ximstudio.load.arrow.formats import FEATHER, PARQUET
from ximstudio.load.format import Format
from ximstudio.load.reading import Choices, Guess, Reading, silent
from ximstudio.load.source import Source
from ximstudio.model import UserError

DATA = Path(__file__).parent.parent / "data" / "arrow"

BOTH = pytest.mark.parametrize("format_", [PARQUET, FEATHER], ids=["parquet", "feather"])

TABLE = {
    "gene": ["a1", "a2", "a3"],
    "class": ["x", "x", None],
    "cold": [1.5, -3.0, 0.0],
    "heat": [2.0, 0.04, None],
}


def written(table: pa.Table, format_: Format, **options: Any) -> bytes:
    file = io.BytesIO()
    if format_ is PARQUET:
        pa.parquet.write_table(table, file, **options)
    else:
        pa.feather.write_feather(table, file, **options)
    return file.getvalue()


def read(data: bytes, format_: Format, folder: Path, **choices: Any) -> Reading:
    path = folder / "table"
    path.write_bytes(data)
    return format_.read(Source.at(path), Choices(**choices), silent)


def of(table: pa.Table, format_: Format, folder: Path, **choices: Any) -> Reading:
    return read(written(table, format_), format_, folder, **choices)


def refusal(data: bytes, format_: Format, folder: Path, **choices: Any) -> UserError:
    with pytest.raises(UserError) as caught:
        read(data, format_, folder, **choices)
    return caught.value


def guess(reading: Reading, key: str) -> Guess:
    return next(guess for guess in reading.guesses if guess.key == key)


@pytest.mark.parametrize("name", ["table.parquet", "table.feather"])
def test_that_columns_get_their_roles_by_their_types(name: str) -> None:
    source = Source.at(DATA / name)
    (format_,) = [known for known in (PARQUET, FEATHER) if known.recognises(source)]
    assert name.endswith(format_.key)
    reading = format_.read(source, Choices(), silent)
    table = reading.table
    assert reading.format == format_.key
    assert table.items.names == ("a1", "a2", "a3")
    assert table.features.names == ("cold", "heat")
    assert dict(table.items.labels) == {"class": ("x", "x", "")}
    np.testing.assert_array_equal(table.values, [[1.5, 2], [-3, 0.04], [0, np.nan]])
    np.testing.assert_array_equal(table.items.numbers, [1, 2, 3])
    np.testing.assert_array_equal(table.features.numbers, [3, 4])
    assert guess(reading, "id").value == "gene"
    assert guess(reading, "labels").value == "class"
    assert not reading.notes


@BOTH
def test_that_every_type_becomes_numbers_or_texts(format_: Format, tmp_path: Path) -> None:
    table = pa.table(
        {
            "id": pa.array(["a", "b"], pa.large_string()),
            "half": pa.array(np.array([0.1, np.nan], np.float16)),
            "single": pa.array([0.1, None], pa.float32()),
            "small": pa.array([None, -5], pa.int8()),
            "large": pa.array([2**53, 3], pa.uint64()),
            "exact": pa.array([Decimal("0.10"), None], pa.decimal128(10, 2)),
            "nothing": pa.nulls(2),
            "on": pa.array([True, None]),
            "sort": pa.array(["u", None]).dictionary_encode(),
            "code": pa.array([7, 8]).dictionary_encode(),
            "day": pa.array([date(2024, 3, 1), None]),
            "moment": pa.array([1709272800500000000, None], pa.timestamp("ns")),
        }
    )
    reading = of(table, format_, tmp_path)
    found = reading.table
    features: tuple[str, ...] = ("half", "single", "small", "large", "exact", "nothing")
    labels = {
        "on": ("TRUE", ""),
        "sort": ("u", ""),
        "day": ("2024-03-01", ""),
        "moment": ("2024-03-01T06:00:00.5", ""),
    }
    # Parquet keeps the categories of texts only; those of numbers are numbers again.
    if format_ is PARQUET:
        features += ("code",)
    else:
        labels["code"] = ("7", "8")
    assert found.features.names == features
    assert found.items.names == ("a", "b")
    assert dict(found.items.labels) == labels
    np.testing.assert_array_equal(
        found.values[:, :6],
        [
            [np.float16(0.1), np.float32(0.1), np.nan, 2.0**53, 0.1, np.nan],
            [np.nan, np.nan, -5, 3, np.nan, np.nan],
        ],
    )
    assert not reading.notes


@BOTH
def test_that_nested_columns_are_left_out_and_told(format_: Format, tmp_path: Path) -> None:
    table = pa.table(TABLE)
    table = table.append_column("many", pa.array([[1], [2, 3], None]))
    table = table.append_column("record", pa.array([{"a": 1}, {"a": 2}, None]))
    table = table.append_column("bytes", pa.array([b"\xff", b"", None]))
    reading = of(table, format_, tmp_path)
    assert reading.table.features.names == ("cold", "heat")
    assert [note.key for note in reading.notes] == ["load.nested_columns"]
    assert all(name in reading.notes[0].where for name in ("many", "record", "bytes"))


@BOTH
def test_that_whole_numbers_that_do_not_fit_are_told(format_: Format, tmp_path: Path) -> None:
    table = pa.table({"gene": ["a", "b"], "x": [2**53 + 1, 1], "y": [1.5, 2.5]})
    reading = of(table, format_, tmp_path)
    assert [note.key for note in reading.notes] == ["load.rounded"]
    exact = of(table, format_, tmp_path, labels=("x",))
    assert exact.table.items.labels["x"] == (str(2**53 + 1), "1")
    assert not exact.notes


def test_that_the_index_of_pandas_names_the_items(tmp_path: Path) -> None:
    frame = pd.DataFrame({"cold": [1.5, 2], "name": ["x", "y"]}, index=["g1", "g2"])
    for index_name in (None, "orf", "cold 2"):
        frame.index.name = index_name
        file = io.BytesIO()
        frame.to_parquet(file)
        table = read(file.getvalue(), PARQUET, tmp_path).table
        assert table.items.names == ("g1", "g2")
        assert table.features.names == ("cold",)
        assert dict(table.items.labels) == {"name": ("x", "y")}


def test_that_a_numeric_index_names_and_a_running_one_does_not(tmp_path: Path) -> None:
    file = io.BytesIO()
    frame = pd.DataFrame({"cold": [1.5, 2]}, index=pd.Index([672, 7157], name="entrez"))
    frame.to_parquet(file)
    assert read(file.getvalue(), PARQUET, tmp_path).table.items.names == ("672", "7157")
    file = io.BytesIO()
    pd.DataFrame({"cold": [1.5, 2]}).to_parquet(file)
    assert read(file.getvalue(), PARQUET, tmp_path).table.items.names == ("row 1", "row 2")


@BOTH
def test_that_a_described_index_that_is_nonsense_does_no_harm(
    format_: Format, tmp_path: Path
) -> None:
    for described in (b"{", b"[]", b"null", json.dumps({"index_columns": [1, {}, "x"]}).encode()):
        table = pa.table(TABLE).replace_schema_metadata({b"pandas": described})
        assert of(table, format_, tmp_path).table.items.names == ("a1", "a2", "a3")


@BOTH
def test_that_roles_can_be_chosen(format_: Format, tmp_path: Path) -> None:
    table = pa.table(TABLE)
    chosen = of(table, format_, tmp_path, id="cold").table
    assert chosen.items.names == ("1.5", "-3", "0")
    assert chosen.items.labels["gene"] == ("a1", "a2", "a3")
    assert chosen.features.names == ("heat",)
    assert of(table, format_, tmp_path, id="").table.items.names == ("row 1", "row 2", "row 3")
    assert of(table, format_, tmp_path, id="column 1").table.items.names == ("a1", "a2", "a3")
    label = of(table, format_, tmp_path, labels=("heat",)).table
    assert label.items.labels["heat"] == ("2", "0.04", "")
    turned = of(table, format_, tmp_path, items="columns").table
    assert turned.items.names == ("cold", "heat")
    assert turned.features.labels["class"] == ("x", "x", "")


@BOTH
def test_that_choices_that_are_not_there_come_with_a_proposal(
    format_: Format, tmp_path: Path
) -> None:
    data = written(pa.table(TABLE), format_)
    error = refusal(data, format_, tmp_path, id="gen")
    assert error.keys == ("load.no_such_id",)
    assert "'gene'" in error.problems[0].way_out
    assert refusal(data, format_, tmp_path, labels=("clas",)).keys == ("load.no_such_label",)
    assert refusal(data, format_, tmp_path, id="class").keys == ("load.blank_id",)


@BOTH
def test_that_columns_may_be_named_twice(format_: Format, tmp_path: Path) -> None:
    columns = [
        pa.array(["a", "b"]),
        pa.array([1.0, 2.0]),
        pa.array([3.0, 4.0]),
        pa.array(["u", "v"]),
    ]
    table = pa.Table.from_arrays(columns, names=["g", "x", "x", "g"])
    reading = of(table, format_, tmp_path)
    assert reading.table.features.names == ("x", "x")
    assert reading.table.items.names == ("a", "b")
    assert dict(reading.table.items.labels) == {"g": ("u", "v")}
    np.testing.assert_array_equal(reading.table.values, [[1, 3], [2, 4]])
    error = refusal(written(table, format_), format_, tmp_path, labels=("x",))
    assert error.keys == ("load.ambiguous_label",)
    assert of(table, format_, tmp_path, labels=("column 3",)).table.features.names == ("x",)


@BOTH
def test_that_codes_by_name_are_labels_with_doubt(format_: Format, tmp_path: Path) -> None:
    table = pa.table({"gene": ["a", "b", "c"], "cluster": [5, 8, 5], "x": [1.0, 2.0, 3.0]})
    reading = of(table, format_, tmp_path)
    assert reading.table.items.labels["cluster"] == ("5", "8", "5")
    assert not of(table, format_, tmp_path, labels=()).table.items.labels
    assert not guess(reading, "labels").sure


@BOTH
def test_that_white_space_around_names_is_taken_off_and_told(
    format_: Format, tmp_path: Path
) -> None:
    reading = of(pa.table({" gene": ["a ", "b"], "x ": [1.0, 2.0]}), format_, tmp_path)
    assert reading.table.items.names == ("a", "b")
    assert reading.table.features.names == ("x",)
    assert [note.key for note in reading.notes] == ["load.names_stripped"] * 2


@BOTH
@pytest.mark.parametrize(
    ("columns", "key"),
    [
        ({"a": ["x"], "b": ["y"]}, "load.no_numbers"),
        ({"a": pa.array([], pa.float64())}, "load.no_rows"),
        ({}, "load.no_rows"),
    ],
)
def test_that_a_table_without_numbers_is_refused(
    columns: dict[str, Any], key: str, format_: Format, tmp_path: Path
) -> None:
    assert refusal(written(pa.table(columns), format_), format_, tmp_path).keys == (key,)


@BOTH
def test_that_many_pieces_make_one_table_and_each_is_reported(
    format_: Format, tmp_path: Path
) -> None:
    values = np.arange(4000.0)
    table = pa.table({"gene": [f"g{number}" for number in range(4000)], "x": values})
    options: dict[str, Any] = {"row_group_size": 100} if format_ is PARQUET else {"chunksize": 100}
    path = tmp_path / "table"
    path.write_bytes(written(table, format_, **options))
    told: list[float] = []
    found = format_.read(Source.at(path), Choices(), told.append).table
    np.testing.assert_array_equal(found.values[:, 0], values)
    assert found.items.names[-1] == "g3999"
    assert told == sorted(told)
    assert told[-1] == 1.0

    class Ended(BaseException):
        pass

    def end(fraction: float) -> None:
        if fraction > 0.5:
            raise Ended

    with pytest.raises(Ended):
        format_.read(Source.at(path), Choices(), end)


@BOTH
def test_that_repeated_texts_and_packed_zeros_are_not_believed_to_be_large(
    format_: Format, tmp_path: Path
) -> None:
    # 400 MB of text if every cell had its own.
    long = pa.DictionaryArray.from_arrays(pa.array([0] * 4000), pa.array(["x" * 100_000]))
    table = pa.table({"note": long, "x": np.zeros(4000)})
    found = of(table, format_, tmp_path).table
    assert found.items.labels["note"][3999] == "x" * 100_000


def test_that_a_claim_of_rows_beyond_memory_is_refused(tmp_path: Path) -> None:
    n_rows = 54_321
    data = written(pa.table({"n": pa.nulls(n_rows)}), FEATHER, compression="uncompressed")
    count = n_rows.to_bytes(8, "little")
    assert data.count(count) >= 2
    lie = data.replace(count, (2**45).to_bytes(8, "little"))
    assert refusal(lie, FEATHER, tmp_path).keys == ("load.too_large",)


def test_that_a_buffer_that_claims_to_unpack_beyond_memory_is_refused(tmp_path: Path) -> None:
    values = np.zeros(54_321)
    data = written(pa.table({"x": values}), FEATHER, compression="zstd")
    size = values.nbytes.to_bytes(8, "little")
    assert data.count(size) == 1
    (tmp_path / "lie").write_bytes(data.replace(size, (2**50).to_bytes(8, "little")))
    with pytest.raises(UserError) as caught:
        read_source(Source.at(tmp_path / "lie"), Choices())
    assert caught.value.keys == ("load.too_large",)


@pytest.mark.parametrize(
    ("data", "format_", "key"),
    [
        (b"PARE\0\0\0\0", PARQUET, "load.encrypted"),
        (b"PAR1\x15\0\0\0\0\0PAR1", PARQUET, "load.broken_file"),
        (b"FEA1\0\0\0\0", FEATHER, "load.old_feather"),
        (b"ARROW1\0\0", FEATHER, "load.broken_file"),
    ],
)
def test_that_other_versions_and_fragments_are_refused(
    data: bytes, format_: Format, key: str, tmp_path: Path
) -> None:
    (tmp_path / "table").write_bytes(data)
    assert format_.recognises(Source.at(tmp_path / "table"))
    assert refusal(data, format_, tmp_path).keys == (key,)


@BOTH
@pytest.mark.parametrize("text", [b"PAR1\t1\nFEA1\t2\n", b"FEA1,2\n", b"ARROW1,3\n", b""])
def test_that_genes_of_such_names_are_not_taken_for_a_file(
    text: bytes, format_: Format, tmp_path: Path
) -> None:
    (tmp_path / "table").write_bytes(text)
    assert not format_.recognises(Source.at(tmp_path / "table"))


@BOTH
def test_that_without_the_library_the_way_to_it_is_told(
    format_: Format, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = written(pa.table(TABLE), format_)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    error = refusal(data, format_, tmp_path)
    assert error.keys == ("load.extra_missing",)
    assert "ximstudio[parquet]" in error.problems[0].way_out


numbers = st.one_of(st.none(), st.floats(allow_nan=False))


@BOTH
@given(
    rows=st.integers(1, 5).flatmap(
        lambda width: st.lists(
            st.lists(numbers, min_size=width, max_size=width), min_size=1, max_size=20
        )
    ),
    labels=st.lists(st.text(max_size=5), min_size=20, max_size=20),
    packing=st.sampled_from(["zstd", "lz4", None]),
)
def test_that_every_table_reads_back_exactly(
    tmp_path_factory: pytest.TempPathFactory,
    format_: Format,
    rows: list[list[float | None]],
    labels: list[str],
    packing: str | None,
) -> None:
    columns: dict[str, Any] = {"gene": [f"g{number}" for number in range(len(rows))]}
    columns["label"] = labels[: len(rows)]
    for number, column in enumerate(zip(*rows, strict=True)):
        columns[f"s{number}"] = pa.array(column, pa.float64())
    options = {"compression": packing or ("NONE" if format_ is PARQUET else "uncompressed")}
    data = written(pa.table(columns), format_, **options)
    found = read(data, format_, tmp_path_factory.mktemp("t")).table
    expected = np.array([[np.nan if cell is None else cell for cell in row] for row in rows])
    np.testing.assert_array_equal(found.values, expected)
    assert found.items.names == tuple(columns["gene"])
    assert found.items.labels["label"] == tuple(columns["label"])


@BOTH
@pytest.mark.parametrize("packing", ["zstd", "uncompressed"])
def test_that_damaged_files_give_a_table_or_an_address(
    format_: Format, packing: str, tmp_path: Path
) -> None:
    table = pa.table(TABLE).append_column("sort", pa.array(["u", "v", "u"]).dictionary_encode())
    packing = "NONE" if format_ is PARQUET and packing == "uncompressed" else packing
    data = written(table, format_, compression=packing)
    chance = random.Random(f"{format_.key} {packing}")
    for _ in range(200):
        assert gives_table_or_address(damaged(data, chance), format_, tmp_path / "table")
