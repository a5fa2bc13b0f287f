"""Long tables in Parquet and Feather: pivoted as those in text files are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from tests.load.test_arrow import BOTH, guess, of
from ximstudio.load.arrow.formats import PARQUET
from ximstudio.load.format import Format
from ximstudio.model import UserError


def melted(seed: int, *, numbered: bool = False) -> tuple[pd.DataFrame, pd.DataFrame]:
    """A table of genes × samples, and the same with a row for each value, in any order."""
    rng = np.random.default_rng(seed)
    genes = [1000 + 7 * n if numbered else f"GENE{n}A" for n in range(int(rng.integers(4, 30)))]
    samples = [f"patient {n}" for n in range(int(rng.integers(3, 9)))]
    wide = pd.DataFrame(rng.normal(size=(len(genes), len(samples))), genes, samples)
    long = wide.rename_axis("gene").reset_index()
    long = long.melt(id_vars="gene", var_name="sample", value_name="value")
    return wide, long.sample(frac=1.0, random_state=seed).reset_index(drop=True)


@BOTH
@pytest.mark.parametrize("numbered", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_that_a_melted_frame_is_pivoted_to_the_very_same(
    tmp_path: Path, format_: Format, seed: int, numbered: bool
) -> None:
    wide, long = melted(seed, numbered=numbered)
    if seed == 1:
        long["sample"] = long["sample"].astype("category")
    reading = of(pa.Table.from_pandas(long), format_, tmp_path)
    table = reading.table
    made = pd.DataFrame(table.dense, list(table.items.names), list(table.features.names))
    wanted = wide.set_axis(list(map(str, wide.index)))
    pd.testing.assert_frame_equal(made.loc[wanted.index, wanted.columns], wanted)
    assert guess(reading, "layout").value == "long"
    assert "load.pivoted" in {note.key for note in reading.notes}


def report(seed: int = 0) -> pd.DataFrame:
    """Columns of a report of DIA-NN: a row for each precursor in each run."""
    rng = np.random.default_rng(seed)
    rows: list[dict[str, Any]] = []
    for run in ("A_1", "A_2", "B_1"):
        for number in range(12):
            protein = f"P{number // 2:05d}"
            quantity = 100.0 * (number // 2 + 1) + ord(run[0]) + int(run[-1])
            rows.append(
                {
                    "Run.Index": np.int64(["A_1", "A_2", "B_1"].index(run)),
                    "Run": run,
                    "Precursor.Id": f"PEPTIDE{number}K2",
                    "Protein.Group": protein,
                    "Genes": f"GEN{number // 2}",
                    "Precursor.Charge": np.int64(2),
                    "PG.MaxLFQ": np.float32(quantity),
                    "Precursor.Quantity": np.float32(rng.normal()),
                    "Q.Value": np.float32(0.001),
                }
            )
    return pd.DataFrame(rows)


def test_that_a_report_of_dia_nn_gives_proteins_and_runs(tmp_path: Path) -> None:
    reading = of(pa.Table.from_pandas(report(), preserve_index=False), PARQUET, tmp_path)
    table = reading.table
    assert table.items.names == tuple(f"P{n:05d}" for n in range(6))
    assert table.features.names == ("A_1", "A_2", "B_1")
    assert table.items.labels["Genes"] == tuple(f"GEN{n}" for n in range(6))
    expected = [[100.0 * (n + 1) + each for each in (66, 67, 67)] for n in range(6)]
    assert np.array_equal(table.dense, expected)
    assert guess(reading, "value").value == "PG.MaxLFQ"


def test_that_chosen_columns_are_taken(tmp_path: Path) -> None:
    table = of(
        pa.Table.from_pandas(report(), preserve_index=False),
        PARQUET,
        tmp_path,
        id="Precursor.Id",
        sample=("Run.Index",),
        value="Precursor.Quantity",
    ).table
    assert table.values.shape == (12, 3)
    assert table.features.names == ("0", "1", "2")


@pytest.mark.parametrize(
    ("choices", "key"),
    [
        ({"sample": ("nothing",)}, "load.no_such_sample"),
        ({"value": "nothing"}, "load.no_such_value"),
    ],
)
def test_that_columns_that_are_not_there_are_refused(
    tmp_path: Path, choices: dict[str, Any], key: str
) -> None:
    with pytest.raises(UserError) as caught:
        of(pa.Table.from_pandas(report(), preserve_index=False), PARQUET, tmp_path, **choices)
    assert caught.value.problems[0].key == key


@BOTH
def test_that_rows_are_read_as_they_lie_where_that_is_chosen_or_plain(
    tmp_path: Path, format_: Format
) -> None:
    wide, long = melted(0)
    kept = of(pa.Table.from_pandas(long), format_, tmp_path, layout="wide")
    assert kept.table.n_items == len(long)
    frame = wide.rename_axis("gene").reset_index().assign(kind="coding")
    plain = of(pa.Table.from_pandas(frame), format_, tmp_path)
    assert plain.table.values.shape == wide.shape


def test_that_nested_columns_of_a_long_table_are_told(tmp_path: Path) -> None:
    _, long = melted(0)
    long["peaks"] = [[1.0, 2.0]] * len(long)
    reading = of(pa.Table.from_pandas(long), PARQUET, tmp_path)
    assert guess(reading, "layout").value == "long"
    assert "load.nested_columns" in {note.key for note in reading.notes}
