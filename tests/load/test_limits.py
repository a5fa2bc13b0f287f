"""Limits of detection among numbers, words for missing values, and codes in every format."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from ximstudio.load import Choices, Reading, read
from ximstudio.load.text.notation import Notation, without_codes
from ximstudio.model.table import Axis, Table

ROWS = [f"g{number},{number}.5,{number}.25" for number in range(30)]


def read_rows(tmp_path: Path, rows: list[str], **choices: object) -> Reading:
    path = tmp_path / "table.csv"
    path.write_text("\n".join(["gene,a,b", *rows]), encoding="utf-8")
    return read(str(path), Choices().replace(**choices))


def guess(reading: Reading, key: str) -> tuple[str, bool]:
    (one,) = [each for each in reading.guesses if each.key == key]
    return one.value, one.sure


def test_that_limits_are_missing_and_told(tmp_path: Path) -> None:
    rows = [*ROWS[:5], "g5,<0.05,> 40", "g6,≤ 0.05,1", "g7,ND,<0.05", *ROWS[8:]]
    reading = read_rows(tmp_path, rows)
    assert reading.table.n_missing == 5
    assert reading.table.n_features == 2
    assert [note.key for note in reading.notes] == ["load.limits"]
    assert guess(reading, "censored") == ("missing", False)
    # They are no spellings of a missing value, so that another choice can be made.
    assert guess(reading, "missing")[0] == "ND"


@pytest.mark.parametrize(
    ("censored", "values"),
    [("limit", [0.05, 40.0]), ("half", [0.025, 40.0]), ("missing", [np.nan, np.nan])],
)
def test_that_limits_are_what_was_chosen(
    tmp_path: Path, censored: str, values: list[float]
) -> None:
    reading = read_rows(tmp_path, ["x,<0.05,>40", *ROWS], censored=censored)
    np.testing.assert_array_equal(reading.table.dense[0], values)
    assert guess(reading, "censored")[1]


def test_that_most_of_a_column_may_be_limits(tmp_path: Path) -> None:
    rows = [f"g{n},{'<0.5' if n % 5 else n},{n}" for n in range(40)]
    reading = read_rows(tmp_path, rows)
    assert reading.table.features.names == ("a", "b")
    assert reading.table.n_missing == 32


def test_that_classes_written_as_limits_stay_labels(tmp_path: Path) -> None:
    rows = [f"g{n},{n},{'<50' if n % 3 else '>50'}" for n in range(40)]
    reading = read_rows(tmp_path, rows)
    assert list(reading.table.items.labels) == ["b"]
    rows = [f"g{n},{n},{('<10', '10-20', '>20')[n % 3]}" for n in range(40)]
    assert list(read_rows(tmp_path, rows).table.items.labels) == ["b"]


@pytest.mark.parametrize(
    "word",
    [
        *("ND", "n.d.", "n/a", "#N/A", "missing", "Undetermined", "-", "—", ".", "null", "NaN()"),
        *("<LOD", "< LOD", "No Ct", "below LOD", "NaT"),
    ],
)
def test_that_usual_words_among_numbers_are_missing(tmp_path: Path, word: str) -> None:
    reading = read_rows(tmp_path, [f"x,{word},1", f"y,2,{word}", *ROWS])
    assert reading.table.n_features == 2
    assert reading.table.n_missing == 2


@pytest.mark.parametrize(
    ("text", "value"), [("<0,05", 0.05), ("<1.000", 1000.0), ("< x", None), ("<", None)]
)
def test_that_limits_are_written_like_numbers(text: str, value: float | None) -> None:
    notation = Notation.of(decimal=",", thousands=".", censored="limit")
    assert notation.value(text) == value
    assert notation.is_limit(text) == (value is not None)


@pytest.mark.parametrize("held", [np.asarray, sparse.csr_array])
def test_that_codes_are_missing_in_formats_that_hold_numbers(held: Any) -> None:
    values = np.random.default_rng(0).poisson(1.0, (20, 6)).astype(np.float64)
    values[3, 4] = values[5, 1] = -9999.0
    names = [Axis(names=tuple(map(str, range(length)))) for length in values.shape]
    start = Table(values=held(values), items=names[0], features=names[1])
    reading = Reading(table=start, format="h5ad")
    assert without_codes(reading, Choices(missing=("NA",))) is reading
    again = without_codes(reading, Choices(missing=("NA", "-9999"))).table
    assert again.is_sparse is start.is_sparse
    assert np.argwhere(np.isnan(again.dense)).tolist() == [[3, 4], [5, 1]]
