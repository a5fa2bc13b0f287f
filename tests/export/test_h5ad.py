"""Maps as h5ad files: as AnnData lays them down, and as our own reader finds them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import h5py
import numpy as np
import pytest

from tests.export.sheets import CHOSEN, full, mapped
from tests.ui.maps_to_show import run_of, some_matrix
from ximstudio.export.h5ad import embedding_key, write_h5ad
from ximstudio.export.wanted import TableOptions
from ximstudio.load import read
from ximstudio.model import Matrix, UserError
from ximstudio.session import Session
from ximstudio.train import METHODS

ENCODINGS = {
    "anndata": "0.1.0",
    "dict": "0.1.0",
    "dataframe": "0.2.0",
    "array": "0.2.0",
    "string-array": "0.2.0",
    "categorical": "0.2.0",
    "string": "0.2.0",
}
"""Kinds of elements and their versions, of AnnData's page "On-disk format"."""


def text(value: object) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)


def awkward() -> Matrix:
    """Names and labels that HDF5 or AnnData take for something else."""
    names = [f"gene/{number}" for number in range(60)]
    names[:3] = ["µ-opioid 😀", "SEPT1", "=1+2"]
    return replace(
        some_matrix(),
        item_ids=tuple(names),
        item_labels={
            "a/b": ("x", "") * 30,
            "a_b": ("y", "z") * 30,
            "_index": ("i",) * 60,
            "xim_trust": tuple(map(str, range(60))),
            "nul": ("a\0b",) * 60,
            "": ("e",) * 60,
        },
        feature_labels={"unit": ("°C", "°C", "", "pH", "lx"), "empty": ("",) * 5},
    )


def test_that_values_and_labels_come_back_by_our_own_reader(tmp_path: Path) -> None:
    path, matrix = tmp_path / "map.h5ad", some_matrix()
    write_h5ad(path, full())
    reading = read(str(path))
    table = reading.table
    assert reading.format == "h5ad"
    assert table.items.names == matrix.item_ids
    assert table.features.names == matrix.feature_names
    np.testing.assert_array_equal(table.dense, matrix.values)
    for name, texts in matrix.item_labels.items():
        assert table.items.labels[name] == texts
    assert table.items.labels["xim_cluster_name"].count("SEPT2") > 0
    assert set(table.items.labels["xim_in mine"]) == {"0", "1"}
    assert [note.key for note in reading.notes] == ["load.not_read"]


def test_that_every_element_says_what_it_is_as_the_format_asks(tmp_path: Path) -> None:
    path = tmp_path / "map.h5ad"
    write_h5ad(path, full())
    kinds: dict[str, str] = {}

    def look(name: str, part: h5py.Group | h5py.Dataset) -> None:
        kind = text(part.attrs["encoding-type"])
        assert text(part.attrs["encoding-version"]) == ENCODINGS[kind]
        kinds[name] = kind

    with h5py.File(path) as file:
        look("", file)
        file.visititems(look)
        assert set(file) == {"X", "obs", "var", "obsm", "varm", "obsp", "varp", "layers", "uns"}
        for side, n in (("obs", 60), ("var", 5)):
            frame = file[side]
            order = [text(each) for each in frame.attrs["column-order"]]
            assert set(frame) == {text(frame.attrs["_index"]), *order}
            for name in frame:
                column = frame[name]
                if isinstance(column, h5py.Group):
                    codes, known = column["codes"][:], column["categories"]
                    assert codes.dtype.kind == "i"
                    assert codes.min() >= -1
                    assert codes.max() < len(known)
                    assert len(set(known[:])) == len(known)
                    assert column.attrs["ordered"] == np.False_
                    assert column.attrs["ordered"].dtype == np.bool_
                    column = column["codes"]
                assert column.shape == (n,)
        assert kinds["obs/_index"] == "string-array"
        assert kinds["obs/kind"] == "categorical"
        assert file["X"].dtype == np.float64
        for name in file["obsm"]:
            assert file["obsm"][name].shape == (60, 2)


def test_that_maps_lie_where_other_programs_look(tmp_path: Path) -> None:
    path, session = tmp_path / "map.h5ad", full()
    again = replace(mapped(), key="run-again")
    session = replace(session, runs=(*session.runs, again))
    write_h5ad(path, session)
    with h5py.File(path) as file:
        assert set(file["obsm"]) == {"X_som", "X_som_2", "X_pca"}
        np.testing.assert_array_equal(file["obsm/X_som"][:], mapped().result.positions)
        np.testing.assert_array_equal(file["obsm/X_pca"][:], run_of("pca").result.positions)
        record = json.loads(file["uns/ximstudio/record"][()])
        model = mapped().result.model
        np.testing.assert_array_equal(
            file["uns/ximstudio/prototypes"][:],
            model.prototypes,  # type: ignore[union-attr]
        )
    assert record["result_hash"] == mapped().result.hash
    assert record["data"]["fingerprint"] == some_matrix().fingerprint
    assert embedding_key("t-sne") == "X_tsne"
    assert len({embedding_key(method.key) for method in METHODS}) == len(METHODS)


def test_that_only_the_chosen_are_written_if_so_wanted(tmp_path: Path) -> None:
    path, matrix = tmp_path / "map.h5ad", some_matrix()
    write_h5ad(path, full(), wanted=TableOptions(only_selected=True, order=CHOSEN, with_sets=False))
    table = read(str(path)).table
    assert table.items.names == CHOSEN
    rows = [matrix.item_ids.index(name) for name in CHOSEN]
    np.testing.assert_array_equal(table.dense, matrix.values[rows])
    assert "xim_in mine" not in table.items.labels
    with h5py.File(path) as file:
        np.testing.assert_array_equal(file["obsm/X_som"][:], mapped().result.positions[rows])


def test_that_awkward_names_and_labels_are_kept(tmp_path: Path) -> None:
    path, matrix = tmp_path / "map.h5ad", awkward()
    write_h5ad(path, Session().with_run(replace(mapped(), matrix=matrix)))
    table = read(str(path)).table
    assert table.items.names == matrix.item_ids
    labels = table.items.labels
    assert labels["a_b"] == matrix.item_labels["a/b"]
    assert labels["a_b (2)"] == matrix.item_labels["a_b"]
    assert labels["_index (2)"] == matrix.item_labels["_index"]
    assert labels["xim_trust"] == matrix.item_labels["xim_trust"]
    assert labels["unnamed"] == ("e",) * 60
    assert set(labels["nul"]) == {"ab"}
    assert table.features.labels["unit"] == matrix.feature_labels["unit"]
    assert table.features.labels["empty"] == ("",) * 5


def test_that_equal_maps_are_equal_files(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write_h5ad(tmp_path / name, full())
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_that_cancelling_leaves_what_was_there(tmp_path: Path) -> None:
    def stop(_: float) -> None:
        raise KeyboardInterrupt

    path = tmp_path / "map.h5ad"
    path.write_text("older")
    with pytest.raises(KeyboardInterrupt):
        write_h5ad(path, full(), report=stop)
    assert path.read_text() == "older"
    assert list(tmp_path.iterdir()) == [path]


def test_that_there_has_to_be_a_map_and_a_place(tmp_path: Path) -> None:
    with pytest.raises(UserError) as caught:
        write_h5ad(tmp_path / "map.h5ad", Session())
    assert caught.value.keys == ("export.no_run",)
    with pytest.raises(UserError) as caught:
        write_h5ad(tmp_path / "none" / "map.h5ad", full())
    assert caught.value.keys == ("export.unwritable",)
