"""Sides that a format fixes are not guessed again from names."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_array

from tests.load.annotated_files import biom_hdf5, biom_json, gctx, loom
from tests.load.hdf5_files import write_h5ad, write_tenx
from tests.load.r_files import matrix, rds
from ximstudio.doctor import examine
from ximstudio.load import read
from ximstudio.load.format import every_format

GENES = [f"sample {number}" for number in range(30)]
SAMPLES = ["TP53", "MYC", "EGFR", "BRCA1", "KRAS", "ACTB"]
"""Names as misleading as can be: genes called like samples, and the other way round."""

SYMBOLS = [f"{first}{second}{n}" for first in "ABC" for second in "XYZ" for n in range(1, 5)][:30]

VALUES = np.arange(180.0).reshape(30, 6) + 1


def _gct(path: Path) -> Path:
    rows = ["#1.2", "30\t6", "\t".join(["NAME", "Description", *SAMPLES])]
    for name, values in zip(GENES, VALUES, strict=True):
        rows.append("\t".join([name, "na", *map(str, values)]))
    path.write_text("\n".join(rows))
    return path


def _h5ad(path: Path) -> Path:
    return write_h5ad(path, csr_array(VALUES.T), SAMPLES, GENES)


def _genes_in_columns(path: Path) -> Path:
    return write_h5ad(path, csr_array(VALUES.T), [f"patient {n}" for n in range(6)], SYMBOLS)


def _tenx(path: Path) -> Path:
    return write_tenx(path, VALUES.T.astype(int), ids=GENES, names=GENES)


MADE: dict[str, tuple[Callable[[Path], Path], str]] = {
    "gct": (_gct, "items"),
    "h5ad": (_h5ad, "features"),
    "10x-h5": (_tenx, "features"),
    "biom": (biom_hdf5, "items"),
    "loom": (loom, "features"),
    "gctx": (gctx, "items"),
}


def test_that_a_map_of_samples_is_what_such_a_file_is_for(tmp_path: Path) -> None:
    reading = read(str(_genes_in_columns(tmp_path / "bulk.h5ad")))
    assert "transposed" not in [one.key for one in examine(reading.table, reading=reading)]
    # The same table as text has nothing but its names.
    text = tmp_path / "bulk.csv"
    rows = [f"patient {n}," + ",".join(map(str, VALUES[:, n])) for n in range(6)]
    text.write_text("\n".join([",".join(["", *SYMBOLS]), *rows]))
    plain = read(str(text))
    assert "transposed" in [one.key for one in examine(plain.table, reading=plain)]


@pytest.mark.parametrize("key", MADE)
def test_that_names_do_not_turn_a_format_round(key: str, tmp_path: Path) -> None:
    make, genes = MADE[key]
    reading = read(str(make(tmp_path / "table")))
    assert reading.format == key
    assert reading.table.genes == genes
    findings = examine(reading.table, reading=reading)
    assert "transposed" not in [finding.key for finding in findings]
    sides = [guess for guess in reading.guesses if guess.key in {"items", "rows", "columns"}]
    assert all(guess.sure for guess in sides)


def test_that_json_and_hdf5_of_biom_have_the_same_sides(tmp_path: Path) -> None:
    one, other = (read(str(make(tmp_path / "t"))).table for make in (biom_json, biom_hdf5))
    assert (one.items.kind, one.features.kind) == (other.items.kind, other.features.kind)


def test_that_formats_that_fix_sides_say_so() -> None:
    fixed = {one.key for one in every_format() if one.rows and one.columns}
    assert fixed >= {*MADE, "10x-mtx", "series-matrix", "soft"}


def test_that_a_matrix_of_r_is_told_by_its_names(tmp_path: Path) -> None:
    path = tmp_path / "m.rds"
    path.write_bytes(rds(matrix([[1, 2, 3]] * 6, SAMPLES, ["s1", "s2", "s3"])))
    assert read(str(path)).table.genes == "items"
