"""BIOM, loom and GCTX: matrices with annotated sides, which the format fixes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

from tests.load.annotated_files import (
    GENES,
    SAMPLES,
    VALUES,
    biom_hdf5,
    biom_json,
    gctx,
    loom,
)
from ximstudio.load import Choices, Reading, read
from ximstudio.load.format import format_of
from ximstudio.load.source import Source
from ximstudio.model import UserError


def keys(reading: Reading) -> list[str]:
    return [note.key for note in reading.notes]


@pytest.mark.parametrize("dense", [False, True])
def test_that_json_biom_is_read_with_its_metadata(dense: bool, tmp_path: Path) -> None:
    reading = read(str(biom_json(tmp_path / "t.biom", dense=dense)))
    table = reading.table
    assert reading.format == "biom"
    assert table.items.names == tuple(GENES)
    assert table.features.names == tuple(SAMPLES)
    assert table.dense.tolist() == VALUES.tolist()
    assert table.items.labels["taxonomy"] == (
        "k__Bacteria; p__A",
        "k__Bacteria",
        "k__Archaea; p__C",
        "",
    )
    assert keys(reading) == []


def test_that_hdf5_biom_is_the_same_table(tmp_path: Path) -> None:
    reading = read(str(biom_hdf5(tmp_path / "t.biom")))
    table = reading.table
    assert reading.format == "biom"
    assert table.is_sparse
    assert (table.items.names, table.features.names) == (tuple(GENES), tuple(SAMPLES))
    assert table.dense.tolist() == VALUES.tolist()
    assert table.items.labels["taxonomy"] == (
        "k__Bacteria; p__A",
        "k__Bacteria",
        "k__Archaea; p__C",
        "",
    )
    assert table.items.labels["confidence"] == ("0.5", "1", "", "2")


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"shape": [5, 3]}, "load.damaged"),
        ({"data": [[7, 0, 1]]}, "load.damaged"),
        ({"data": [[0, -1, 1]]}, "load.damaged"),
        ({"data": [[0, 0, "x"]]}, "load.not_numbers"),
        ({"matrix_type": "other"}, "load.damaged"),
        ({"rows": [1, 2, 3, 4]}, "load.damaged"),
    ],
)
def test_that_wrong_json_is_refused(changes: dict[str, Any], key: str, tmp_path: Path) -> None:
    path = biom_json(tmp_path / "t.biom", **changes)
    with pytest.raises(UserError) as caught:
        read(str(path))
    assert caught.value.keys == (key,)


@pytest.mark.parametrize("end", [0.5, 0.99])
def test_that_json_cut_off_or_too_deep_is_refused(end: float, tmp_path: Path) -> None:
    path = biom_json(tmp_path / "t.biom")
    text = path.read_text()
    path.write_text(text[: int(end * len(text))] + ("[" * 100_000 if end > 0.9 else ""))
    with pytest.raises(UserError) as caught:
        read(str(path))
    assert caught.value.keys == ("load.damaged",)


def test_that_cells_given_twice_are_added_and_told(tmp_path: Path) -> None:
    reading = read(str(biom_json(tmp_path / "t.biom", data=[[0, 0, 1], [0, 0, 2]])))
    assert reading.table.dense[0, 0] == 3
    assert keys(reading) == ["load.cells_repeated"]


def test_that_loom_has_cells_as_items_and_genes_told_apart(tmp_path: Path) -> None:
    reading = read(str(loom(tmp_path / "t.loom")))
    table = reading.table
    assert reading.format == "loom"
    assert table.items.names == tuple(SAMPLES)
    assert table.features.names == ("TP53", "MYC (MYC)", "MYC (EGFR)", "BRCA1")
    assert table.dense.tolist() == VALUES.T.tolist()
    assert table.items.labels["cluster"] == ("3", "1", "3")
    assert table.features.labels["Selected"] == ("true", "false", "true", "true")
    assert keys(reading).count("load.not_read") == 2
    by_id = read(str(tmp_path / "t.loom"), Choices(id="gene_id", part="spliced")).table
    assert by_id.features.names == tuple(GENES)
    assert by_id.dense.tolist() == (2 * VALUES.T).tolist()


def test_that_gctx_is_read_as_gct_is(tmp_path: Path) -> None:
    reading = read(str(gctx(tmp_path / "t.gctx")))
    table = reading.table
    assert reading.format == "gctx"
    assert (table.items.names, table.features.names) == (tuple(GENES), tuple(SAMPLES))
    assert table.dense.tolist() == VALUES.tolist()
    assert table.items.labels["pr_gene_title"] == ("a", "b", "c", "d")
    assert table.features.labels["pert_dose"] == ("0.5", "10", "2")


@pytest.mark.parametrize(("make", "place"), [(loom, "col_attrs/score"), (gctx, "0/META/COL/score")])
def test_that_numeric_labels_stay_numbers(make: Any, place: str, tmp_path: Path) -> None:
    """Not written as in messages: "−12 345.5" would be no number any more."""
    path = make(tmp_path / f"t.{make.__name__}")
    numbers = (-12345.5, 1e-7, 7654321.25)
    with h5py.File(path, "a") as file:
        file[place] = numbers
    table = read(str(path)).table
    axis = table.items if make is loom else table.features
    assert tuple(map(float, axis.labels["score"])) == numbers


@pytest.mark.parametrize("make", [biom_json, biom_hdf5, loom, gctx])
def test_that_items_can_be_the_other_side(make: Any, tmp_path: Path) -> None:
    path = make(tmp_path / "t")
    plain = read(str(path)).table
    turned = read(str(path), Choices(items="columns")).table
    assert turned.items.names == plain.features.names
    assert turned.dense.tolist() == plain.dense.T.tolist()


@pytest.mark.parametrize(("make", "key"), [(biom_hdf5, "biom"), (loom, "loom"), (gctx, "gctx")])
def test_that_a_wrong_format_is_refused_with_the_way_back(
    make: Any, key: str, tmp_path: Path
) -> None:
    path = make(tmp_path / "t")
    assert format_of(Source.at(path), None).key == key
    with pytest.raises(UserError) as caught:
        read(str(path), Choices(format="h5ad"))
    assert caught.value.keys == ("load.unknown_hdf5",)
    assert read(str(path), Choices(format="h5ad").replace(**caught.value.hint)).format == key


def test_that_names_too_few_for_the_matrix_are_refused(tmp_path: Path) -> None:
    path = gctx(tmp_path / "t.gctx")
    with h5py.File(path, "a") as file:
        del file["0/META/COL/id"]
        file["0/META/COL/id"] = np.array(SAMPLES[:2], dtype="S")
    with pytest.raises(UserError) as caught:
        read(str(path))
    assert caught.value.keys == ("load.damaged",)
