"""Matrices of Cell Ranger as HDF5."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as drawn

from tests.load.hdf5_files import write_old_tenx, write_tenx
from tests.load.hdf5_fuzz import outcomes
from ximstudio.load.reading import Choices, Reading, silent
from ximstudio.load.single_cell import tenx_h5
from ximstudio.load.single_cell.hdf5_kinds import read as read_here
from ximstudio.load.source import Source
from ximstudio.model import UserError

VALUES = np.array([[0, 1, 0, 7], [2, 0, 3, 0]])
IDS = ["E1", "E2", "E3", "E4"]
GENES = ["A", "B", "A", ""]
EXPRESSION, ANTIBODY = "Gene Expression", "Antibody Capture"


def read(path: Path, **choices: Any) -> Reading:
    return read_here(Source.at(path), Choices(**choices), silent)


def refusal(path: Path, **choices: Any) -> UserError:
    with pytest.raises(UserError) as caught:
        read(path, **choices)
    return caught.value


def keys(reading: Reading) -> list[str]:
    return [note.key for note in reading.notes]


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    types = [EXPRESSION, EXPRESSION, ANTIBODY, EXPRESSION]
    return write_tenx(tmp_path / "mixed.h5", VALUES, ids=IDS, names=GENES, types=types)


def test_that_symbols_name_the_genes_and_ids_tell_them_apart(tmp_path: Path) -> None:
    path = write_tenx(tmp_path / "x.h5", VALUES, ids=IDS, names=GENES)
    reading = read(path)
    table = reading.table
    assert reading.format == "10x-h5"
    assert table.is_sparse
    np.testing.assert_array_equal(table.dense, VALUES)
    assert table.items.names == ("AC0-1", "AC1-1")
    assert table.features.names == ("A (E1)", "B", "A (E3)", "E4")
    assert dict(table.features.labels) == {
        "gene_id": ("E1", "E2", "E3", "E4"),
        "gene_name": ("A", "B", "A", ""),
        "feature_type": (EXPRESSION,) * 4,
        "genome": ("GRCh38",) * 4,
    }
    assert keys(reading) == ["load.symbols_repeated", "load.symbols_blank"]
    assert {guess.key: guess.value for guess in reading.guesses} == {
        "part": EXPRESSION,
        "id": "gene_name",
    }


def test_that_ids_can_name_the_genes(tmp_path: Path) -> None:
    path = write_tenx(tmp_path / "x.h5", VALUES, ids=IDS, names=GENES)
    reading = read(path, id="gene_id")
    assert reading.table.features.names == ("E1", "E2", "E3", "E4")
    assert reading.notes == ()
    assert refusal(path, id="gene").keys == ("load.no_such_id",)


def test_that_genes_are_taken_and_other_features_told(mixed: Path) -> None:
    reading = read(mixed)
    assert reading.table.features.labels["gene_id"] == ("E1", "E2", "E4")
    np.testing.assert_array_equal(reading.table.dense, VALUES[:, [0, 1, 3]])
    assert "load.not_read" in keys(reading)
    assert read(mixed, part=ANTIBODY).table.features.labels["gene_id"] == ("E3",)
    everything = read(mixed, part="all")
    np.testing.assert_array_equal(everything.table.dense, VALUES)
    assert "load.not_read" not in keys(everything)
    assert refusal(mixed, part="Antibody").keys == ("load.no_such_part",)


def test_that_all_features_are_taken_if_none_is_a_gene(tmp_path: Path) -> None:
    types = ["Peaks", "Peaks", ANTIBODY, ANTIBODY]
    reading = read(write_tenx(tmp_path / "x.h5", VALUES, types=types))
    np.testing.assert_array_equal(reading.table.dense, VALUES)
    assert reading.notes == ()


def test_that_genes_become_items_if_a_person_says_so(mixed: Path) -> None:
    table = read(mixed, items="columns", part="all", id="gene_id").table
    assert table.items.names == ("E1", "E2", "E3", "E4")
    np.testing.assert_array_equal(table.dense, VALUES.T)


def test_that_files_of_version_2_are_read_by_genome(tmp_path: Path) -> None:
    path = write_old_tenx(tmp_path / "x.h5", {"hg19": VALUES, "mm10": np.ones((3, 2))})
    reading = read(path)
    np.testing.assert_array_equal(reading.table.dense, np.ones((3, 2)))
    assert reading.table.features.labels["gene_id"] == ("mm10_E0", "mm10_E1")
    assert reading.table.features.names == ("G0", "G1")
    (guess,) = [guess for guess in reading.guesses if guess.key == "part"]
    assert (guess.value, guess.sure) == ("mm10", False)
    assert keys(reading) == ["load.not_read"]
    np.testing.assert_array_equal(read(path, part="hg19").table.dense, VALUES)
    assert refusal(path, part="hg38").keys == ("load.no_such_part",)


def test_that_a_single_genome_needs_no_choice(tmp_path: Path) -> None:
    path = write_old_tenx(tmp_path / "x.h5", {"hg19": VALUES})
    reading = read(path)
    np.testing.assert_array_equal(reading.table.dense, VALUES)
    assert all(guess.sure for guess in reading.guesses)
    assert reading.notes == ()
    assert tenx_h5.FORMAT.recognises(Source.at(path))


def test_that_other_groups_are_told(mixed: Path) -> None:
    with h5py.File(mixed, "a") as file:
        file["droplet_latents/cell_size"] = [1.0, 2.0]
    notes = [note for note in read(mixed, part="all").notes if note.key == "load.not_read"]
    assert len(notes) == 1
    assert "droplet_latents" in notes[0].where


@pytest.mark.parametrize("side", ["barcodes", "features/id", "features/name", "shape"])
def test_that_lists_of_other_lengths_are_refused(mixed: Path, side: str) -> None:
    with h5py.File(mixed, "a") as file:
        values = file[f"matrix/{side}"][:-1]
        del file[f"matrix/{side}"]
        file[f"matrix/{side}"] = values
    assert refusal(mixed).keys[0] in {"load.uneven", "load.damaged"}


@pytest.mark.parametrize("size", [[4, 10**9], [10**9, 2], [-4, 2], [2, 4]])
def test_that_declared_sizes_are_not_believed(mixed: Path, size: list[int]) -> None:
    with h5py.File(mixed, "a") as file:
        file["matrix/shape"][:] = np.array(size, dtype=np.int32)
    assert refusal(mixed).keys == ("load.uneven",)


def test_that_links_to_elsewhere_are_not_followed(mixed: Path) -> None:
    with h5py.File(mixed, "a") as file:
        del file["matrix/data"]
        file["matrix/data"] = h5py.ExternalLink("elsewhere.h5", "/data")
    assert refusal(mixed).keys == ("load.outside_link",)


def test_that_a_matrix_that_is_a_link_is_none(mixed: Path) -> None:
    with h5py.File(mixed, "a") as file:
        file.move("matrix", "kept")
        file["matrix"] = h5py.SoftLink("/kept")
    assert refusal(mixed).keys == ("load.unknown_hdf5",)


@given(
    values=drawn.arrays(
        np.int32,
        drawn.array_shapes(min_dims=2, max_dims=2, max_side=8),
        elements=st.just(0) | st.integers(-(2**31), 2**31 - 1),
    ),
    old=st.booleans(),
)
def test_that_any_table_is_read_back_as_it_was_written(
    values: Any, old: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("any") / "x.h5"
    if old:
        write_old_tenx(path, {"hg19": values})
    else:
        write_tenx(path, values)
    reading = read(path)
    np.testing.assert_array_equal(reading.table.dense, values)
    assert reading.notes == ()


def test_that_damaged_files_give_a_table_or_a_message(tmp_path: Path) -> None:
    found = outcomes("10x-h5", tmp_path, 200)
    assert set(found) <= {"table", "refused", "died"}
    assert found["died"] < 10
    assert found["refused"] > 20


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_that_thousands_of_damaged_files_give_a_table_or_a_message(tmp_path: Path) -> None:
    found = outcomes("10x-h5", tmp_path, 5_000)
    assert set(found) <= {"table", "refused", "died"}
    assert found["died"] < 150


def test_that_probes_are_told_apart_by_columns_of_any_kind(tmp_path: Path) -> None:
    """raw_probe_bc_matrix.h5: a feature is a probe, with truth values and sets of targets."""
    path = write_tenx(tmp_path / "raw_probe_bc_matrix.h5", np.array([[1, 0], [0, 2], [3, 4]]))
    probes = ["ENSG1|TP53|a", "ENSG1|TP53|b"]
    with h5py.File(path, "a") as file:
        features = file["matrix/features"]
        for name, texts in (
            ("id", probes),
            ("name", probes),
            ("gene_id", ["ENSG1", "ENSG1"]),
            ("gene_name", ["TP53", "TP53"]),
            ("probe_region", ["spliced", "unspliced"]),
        ):
            if name in features:
                del features[name]
            features[name] = np.array(texts, dtype="S")
        features["filtered_probes"] = np.array([True, False])
        features["target_sets/Panel"] = np.array([0, 1])
        file["matrix/filtered_barcodes"] = np.array(["b0"], dtype="S")
    reading = read(path)
    table = reading.table
    assert table.features.names == ("TP53 (ENSG1|TP53|a)", "TP53 (ENSG1|TP53|b)")
    assert table.features.labels["filtered_probes"] == ("true", "false")
    assert table.features.labels["probe_id"] == tuple(probes)
    assert table.features.labels["gene_id"] == ("ENSG1", "ENSG1")
    assert table.dense.tolist() == [[1, 0], [0, 2], [3, 4]]
    assert "load.not_read" in [note.key for note in reading.notes]
