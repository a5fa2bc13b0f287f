"""AnnData files: contents, notes, and refusals."""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as drawn
from scipy.sparse import csc_array, csr_array

from tests.load.annotated_files import TEXT
from tests.load.hdf5_files import write_frame, write_h5ad, write_sparse, write_tenx
from tests.load.hdf5_fuzz import outcomes
from ximstudio.doctor import examine
from ximstudio.load.reading import Choices, Guess, Reading, silent
from ximstudio.load.single_cell import h5ad, tenx_h5
from ximstudio.load.single_cell.hdf5_kinds import read as read_here
from ximstudio.load.source import Source
from ximstudio.model import UserError

DATA = Path(__file__).parents[1] / "data" / "h5ad"
VALUES = np.array([[0, 1.5, 0], [2, 0, 3], [0, 0, 0], [4, 0, 0.1]])
ITEMS = ["c1", "c2", "c3", "c4"]
FEATURES = ["g1", "g2", "g3"]


def read(path: Path, **choices: Any) -> Reading:
    return read_here(Source.at(path), Choices(**choices), silent)


def refusal(path: Path, **choices: Any) -> UserError:
    with pytest.raises(UserError) as caught:
        read(path, **choices)
    return caught.value


def guess(reading: Reading, key: str) -> Guess:
    (found,) = [guess for guess in reading.guesses if guess.key == key]
    return found


def note_keys(reading: Reading) -> list[str]:
    return [note.key for note in reading.notes]


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return write_h5ad(tmp_path / "small.h5ad", csr_array(VALUES), ITEMS, FEATURES)


def test_that_a_file_of_anndata_itself_is_read_with_every_kind_of_column() -> None:
    reading = read(DATA / "anndata_0_12.h5ad")
    table = reading.table
    assert reading.format == "h5ad"
    assert table.is_sparse
    tenth = float(np.float32(0.1))
    expected = [[0, 1.5, 0], [2, 0, 0], [0, 0, tenth], [4, 0, -3]]
    np.testing.assert_array_equal(table.dense, expected)
    assert table.items.names == ("c1", "c2", "c3", "c4")
    assert dict(table.items.labels) == {
        "type": ("T", "B", "", "T"),
        "n_counts": ("1.5", "2.0", "0.1", ""),
        "n_genes": ("1", "1", "1", "2"),
        "doublet": ("False", "True", "False", "False"),
        "batch": ("1", "", "2", "1"),
        "checked": ("True", "", "False", "True"),
        "note": ("", "x, y", "ü", "z"),
        "donor": ("d1", "", "d2", "d1"),
    }
    assert table.features.names == ("E1", "E2", "E3")
    assert dict(table.features.labels) == {"gene_symbols": ("A", "B", "A")}
    assert note_keys(reading) == ["load.not_read"]
    for left in ("raw/X", "layers/counts", "layers/dense", "obsm/X_pca", "uns/k"):
        assert left in reading.notes[0].where


def test_that_every_matrix_of_a_file_can_be_chosen() -> None:
    path = DATA / "anndata_0_12.h5ad"
    assert list(guess(read(path), "part").options or ()) == ["X", "raw", "counts", "dense"]
    counts = read(path, part="counts").table
    assert counts.is_sparse
    np.testing.assert_array_equal(counts.dense, [[0, 3, 0], [4, 0, 0], [0, 0, 1], [8, 0, 0]])
    assert not read(path, part="layers/dense").table.is_sparse
    raw = read(path, part="raw").table
    assert raw.features.names == ("E1", "E2", "E3", "E4")
    np.testing.assert_array_equal(raw.dense, np.arange(16).reshape(4, 4))
    assert refusal(path, part="count").keys == ("load.no_such_part",)


def test_that_x_is_read_without_a_question_and_the_doctor_offers_the_others(small: Path) -> None:
    scaled = read(DATA / "anndata_0_12.h5ad")
    assert guess(scaled, "part").sure
    (finding,) = (
        one for one in examine(scaled.table, reading=scaled) if one.key == "scaled_matrix"
    )
    assert [dict(repair.choices) for repair in finding.repairs] == [
        {"part": key} for key in ("X", "raw", "counts", "dense")
    ]
    assert not any(
        one.key == "scaled_matrix" for one in examine(read(small).table, reading=read(small))
    )


def test_that_layers_named_as_the_other_parts_are_told_apart(small: Path) -> None:
    with h5py.File(small, "a") as file:
        file["layers/X"] = VALUES + 1
    np.testing.assert_array_equal(read(small).table.dense, VALUES)
    np.testing.assert_array_equal(read(small, part="layers/X").table.dense, VALUES + 1)


@pytest.mark.parametrize("gone", ["absent", "empty"])
def test_that_another_matrix_is_read_if_x_has_nothing(small: Path, gone: str) -> None:
    with h5py.File(small, "a") as file:
        del file["X"]
        if gone == "empty":
            write_sparse(file.create_group("X"), csr_array(VALUES.shape))
        file["layers/counts"] = VALUES
    reading = read(small)
    np.testing.assert_array_equal(reading.table.dense, VALUES)
    assert guess(reading, "part").value == "counts"
    assert not guess(reading, "part").sure


def test_that_files_of_before_0_7_are_read(tmp_path: Path) -> None:
    path = tmp_path / "old.h5ad"
    kinds = [("index", "S4"), ("kind", "i1"), ("size", "<f4"), ("phase", "<i8")]
    obs = [(b"c1", 0, 1.5, 7), (b"c2", 1, 2.5, 8), (b"c3", -1, 0.1, 9), (b"c4", 0, 0, 9)]
    with h5py.File(path, "w") as file:
        file["X"] = VALUES.astype(np.float32)
        file["obs"] = np.array(obs, dtype=kinds)
        file["var"] = np.array(
            [(b"g1", 5), (b"g2", 6), (b"g3", 7)], dtype=[("index", "S4"), ("kind", "i4")]
        )
        write_sparse(file.create_group("raw.X"), csc_array(VALUES), old=True)
        file["raw.var"] = np.array([(b"r1",), (b"r2",), (b"r3",)], dtype=[("index", "S4")])
        file["uns/kind_categories"] = np.array([b"T", b"B"])
        file["obsm"] = np.zeros(4, dtype=[("X_pca", "<f4", (2,))])
    table = read(path).table
    np.testing.assert_array_equal(table.dense, VALUES.astype(np.float32).astype(np.float64))
    assert table.items.names == ("c1", "c2", "c3", "c4")
    assert dict(table.items.labels) == {
        "kind": ("T", "B", "", "T"),
        "size": ("1.5", "2.5", "0.1", "0.0"),
        "phase": ("7", "8", "9", "9"),
    }
    # The categories of obs are not those of a column of var that has the same name.
    assert dict(table.features.labels) == {"kind": ("5", "6", "7")}
    raw = read(path, part="raw").table
    assert raw.features.names == ("r1", "r2", "r3")
    np.testing.assert_array_equal(raw.dense, VALUES)
    (note,) = read(path).notes
    assert "obsm/X_pca" in note.where
    assert "kind_categories" not in note.where


def test_that_categories_of_version_0_7_are_read(small: Path) -> None:
    with h5py.File(small, "a") as file:
        obs = file["obs"]
        obs["kind"] = np.array([1, 0, -1, 1], dtype=np.int8)
        obs.create_dataset("__categories/kind", data=["a", "b"], dtype=TEXT)
        obs["kind"].attrs["categories"] = obs["__categories/kind"].ref
        obs.attrs.create("column-order", ["kind"], dtype=TEXT)
    reading = read(small)
    assert dict(reading.table.items.labels) == {"kind": ("b", "a", "", "b")}
    assert reading.notes == ()


def test_that_names_come_from_the_column_that_is_chosen() -> None:
    path = DATA / "anndata_0_12.h5ad"
    items = read(path, id="note").table.items
    assert items.names == ("", "x, y", "ü", "z")
    assert items.labels["_index"] == ("c1", "c2", "c3", "c4")
    features = read(path, id="gene_symbols").table.features
    assert features.names == ("A", "B", "A")
    assert features.labels["ensembl"] == ("E1", "E2", "E3")
    assert read(path, id="var/ensembl").table.features.names == ("E1", "E2", "E3")
    assert read(path, id="").table.items.names == ("item 1", "item 2", "item 3", "item 4")
    assert refusal(path, id="symbols").keys == ("load.no_such_id",)
    assert refusal(path, labels=("typ",)).keys == ("load.no_such_label",)


def test_that_what_a_guess_says_can_be_chosen() -> None:
    path = DATA / "anndata_0_12.h5ad"
    reading = read(path)
    again = read(path, **{guess.key: guess.value for guess in reading.guesses})
    assert again.table.items.names == reading.table.items.names
    np.testing.assert_array_equal(again.table.dense, reading.table.dense)


def test_that_variables_become_items_if_a_person_says_so() -> None:
    table = read(DATA / "anndata_0_12.h5ad", items="columns").table
    assert table.items.names == ("E1", "E2", "E3")
    assert table.items.labels["gene_symbols"] == ("A", "B", "A")
    assert table.dense[1, 0] == 1.5


def test_that_white_space_around_names_is_told(tmp_path: Path) -> None:
    path = write_h5ad(tmp_path / "x.h5ad", VALUES, [" c1", "c2", "c3", "c4"], FEATURES)
    reading = read(path)
    assert reading.table.items.names[0] == "c1"
    assert note_keys(reading) == ["load.names_stripped"]


def test_that_a_column_that_cannot_be_read_is_told_and_does_not_spoil_the_table(
    small: Path,
) -> None:
    with h5py.File(small, "a") as file:
        obs = file["obs"]
        obs["short"] = [1, 2]
        obs["away"] = h5py.ExternalLink("elsewhere.h5", "/x")
        obs.create_group("odd").attrs["encoding-type"] = "awkward-array"
        obs["unlisted"] = [1, 2, 3, 4]
        columns = ["short", "away", "odd", "missing"]
        obs.attrs.create("column-order", columns, dtype=TEXT)
    reading = read(small)
    np.testing.assert_array_equal(reading.table.dense, VALUES)
    assert dict(reading.table.items.labels) == {}
    assert note_keys(reading) == [
        "load.damaged",
        "load.outside_link",
        "load.damaged",
        "load.damaged",
        "load.not_read",
    ]


def test_that_column_names_with_slashes_are_found(small: Path) -> None:
    with h5py.File(small, "a") as file:
        file["obs/a/b"] = [1, 2, 3, 4]
        file["obs"].attrs.create("column-order", ["a/b"], dtype=TEXT)
    reading = read(small)
    assert dict(reading.table.items.labels) == {"a/b": ("1", "2", "3", "4")}
    assert reading.notes == ()


@pytest.mark.parametrize("form", [csr_array, csc_array])
def test_that_places_out_of_order_and_twice_are_put_right_and_told(
    tmp_path: Path, form: type[Any]
) -> None:
    matrix = form(([1.0, 2.0, 4.0, 8.0], [2, 0, 0, 1], [0, 3, 3, 4]), shape=(3, 3))
    reading = read(write_h5ad(tmp_path / "x.h5ad", matrix))
    expected = [[6, 0, 1], [0, 0, 0], [0, 8, 0]]
    if form is csc_array:
        expected = np.transpose(expected).tolist()
    np.testing.assert_array_equal(reading.table.dense, expected)
    assert reading.table.values.has_canonical_format  # type: ignore[union-attr]
    assert note_keys(reading) == ["load.cells_repeated"]


def test_that_whole_numbers_too_large_for_a_float_are_told(tmp_path: Path) -> None:
    reading = read(write_h5ad(tmp_path / "x.h5ad", np.array([[2**53, 2**53 + 1]])))
    assert note_keys(reading) == ["load.rounded"]
    assert read(write_h5ad(tmp_path / "y.h5ad", np.array([[2**53, 2**60]]))).notes == ()


finite = st.floats(allow_nan=False, allow_infinity=False, width=32)


@given(
    values=drawn.arrays(
        np.float32,
        drawn.array_shapes(min_dims=2, max_dims=2, max_side=8),
        elements=st.just(0.0) | finite,
    ),
    layout=st.sampled_from(["dense", "csr", "csc"]),
    data=st.data(),
)
def test_that_any_table_is_read_back_as_it_was_written(
    values: Any, layout: str, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    names = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1).map(str.strip)
    items = data.draw(st.lists(names, min_size=len(values), max_size=len(values)))
    forms: dict[str, Any] = {"dense": np.asarray, "csr": csr_array, "csc": csc_array}
    path = write_h5ad(tmp_path_factory.mktemp("any") / "x.h5ad", forms[layout](values), items)
    reading = read(path)
    np.testing.assert_array_equal(reading.table.dense, values.astype(np.float64))
    assert reading.table.items.names == tuple(items)
    assert reading.table.is_sparse == (layout != "dense")
    assert reading.notes == ()


def test_that_large_columns_are_turned_into_rows_piece_by_piece(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ximstudio.load.single_cell.compressed.PIECE", 50)
    rng = np.random.default_rng(1)
    values = rng.integers(0, 3, (40, 30)).astype(float)
    path = write_h5ad(tmp_path / "x.h5ad", csc_array(values))
    heard: list[float] = []
    reading = read_here(Source.at(path), Choices(), heard.append)
    np.testing.assert_array_equal(reading.table.dense, values)
    assert len(heard) > 10
    assert heard == sorted(heard)
    assert heard[-1] == 1.0


@pytest.mark.parametrize("name", ["hard", "soft", "external"])
def test_that_links_to_elsewhere_are_not_followed(tmp_path: Path, small: Path, name: str) -> None:
    elsewhere = tmp_path / "elsewhere.h5"
    with h5py.File(elsewhere, "w") as file:
        file["secret"] = VALUES
    with h5py.File(small, "a") as file:
        file["kept"] = VALUES
        del file["X"]
        links = {
            "hard": file["kept"],
            "soft": h5py.SoftLink("/kept"),
            "external": h5py.ExternalLink("elsewhere.h5", "/secret"),
        }
        file["X"] = links[name]
    if name == "hard":
        np.testing.assert_array_equal(read(small).table.dense, VALUES)
    else:
        assert refusal(small).keys == ("load.outside_link",)


def test_that_data_kept_in_other_files_are_not_read(tmp_path: Path, small: Path) -> None:
    (tmp_path / "secret.bin").write_bytes(VALUES.tobytes())
    virtual = h5py.VirtualLayout(shape=VALUES.shape, dtype="f8")
    virtual[:] = h5py.VirtualSource(tmp_path / "elsewhere.h5", "secret", shape=VALUES.shape)
    with h5py.File(small, "a") as file:
        del file["X"]
        outside = [(str(tmp_path / "secret.bin"), 0, VALUES.nbytes)]
        file.create_dataset("X", VALUES.shape, "f8", external=outside)
        file.create_group("layers").create_virtual_dataset("away", virtual)
    assert refusal(small).keys == ("load.outside_link",)
    assert refusal(small, part="away").keys == ("load.outside_link",)


@pytest.mark.parametrize(
    ("shape", "options"),
    [
        ((10**6, 10**6), {"chunks": (1000, 1000)}),
        ((10**5, 10**4), {"chunks": (1000, 1000), "compression": "gzip"}),
        ((10**4, 10**3), {"chunks": (1, 10)}),
        ((10, 10), {"chunks": (20_000, 20_000), "maxshape": (None, None)}),
    ],
    ids=["more than memory", "more than the file", "many pieces", "large piece"],
)
def test_that_data_that_are_only_declared_are_refused(
    tmp_path: Path, shape: tuple[int, int], options: dict[str, Any]
) -> None:
    path = tmp_path / "bomb.h5ad"
    with h5py.File(path, "w") as file:
        file.create_dataset("X", shape, "f8", **options)
        for name, length in zip(("obs", "var"), shape, strict=True):
            names = file.create_group(name)
            names.attrs["column-order"] = np.empty(0, dtype="S1")
            names.create_dataset("_index", (length,), "S1", chunks=(length,), compression="gzip")
    assert path.stat().st_size < 20_000
    assert refusal(path).keys == ("load.bomb",)


def test_that_data_compressed_twice_are_refused(small: Path) -> None:
    with h5py.File(small, "a") as file:
        del file["X"]
        plan = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        plan.set_chunk(VALUES.shape)
        plan.set_deflate(9)
        plan.set_filter(h5py.h5z.FILTER_LZF, 0, (0, 0, 0))
        space = h5py.h5s.create_simple(VALUES.shape)
        h5py.h5d.create(file.id, b"X", h5py.h5t.IEEE_F64LE, space, dcpl=plan)
    assert refusal(small).keys == ("load.bomb",)


def test_that_a_small_piece_that_unpacks_to_much_is_refused(small: Path) -> None:
    with h5py.File(small, "a") as file:
        del file["X"]
        data = file.create_dataset("X", VALUES.shape, "f8", chunks=VALUES.shape, compression="gzip")
        data.id.write_direct_chunk((0, 0), zlib.compress(bytes(100_000_000)))
    assert refusal(small).keys == ("load.bomb",)


def test_that_unknown_compression_is_named(small: Path) -> None:
    with h5py.File(small, "a") as file:
        del file["X"]
        plan = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        plan.set_chunk(VALUES.shape)
        plan.set_filter(32015, h5py.h5z.FLAG_OPTIONAL, ())
        space = h5py.h5s.create_simple(VALUES.shape)
        h5py.h5d.create(file.id, b"X", h5py.h5t.IEEE_F64LE, space, dcpl=plan)
    assert refusal(small).keys == ("load.unknown_compression",)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("indptr", [0, 3, 2, 2, 5]),
        ("indptr", [0, 1, 3, 3]),
        ("indptr", [0, 1, 3, 3, 4]),
        ("indptr", [-1, 1, 3, 3, 5]),
        ("indices", [1, 0, 2, 0, 3]),
        ("indices", [1, 0, 2, 0, -1]),
        ("indices", [1, 0, 2]),
        ("indices", [1.0, 0, 2, 0, 2]),
        ("data", [[1.0, 0, 2, 0, 2]]),
    ],
)
def test_that_sparse_matrices_that_contradict_themselves_are_refused(
    small: Path, name: str, values: list[Any]
) -> None:
    with h5py.File(small, "a") as file:
        del file[f"X/{name}"]
        file[f"X/{name}"] = np.array(values)
    error = refusal(small)
    assert error.keys == ("load.damaged",)
    assert "X" in error.problems[0].where


@pytest.mark.parametrize(
    ("values", "key"),
    [
        (np.array([[b"a"] * 3] * 4), "load.not_numbers"),
        (VALUES * 1j, "load.not_numbers"),
        (VALUES[:, :2], "load.uneven"),
        (VALUES[0, 0], "load.uneven"),
        (VALUES[:, :, None], "load.uneven"),
    ],
    ids=["texts", "complex", "narrow", "one value", "cube"],
)
def test_that_what_is_no_matrix_of_numbers_for_these_names_is_refused(
    small: Path, values: Any, key: str
) -> None:
    with h5py.File(small, "a") as file:
        del file["X"]
        file["X"] = values
    assert refusal(small, part="X").keys == (key,)


def test_that_a_file_without_values_is_refused(small: Path) -> None:
    with h5py.File(small, "a") as file:
        del file["X"]
    assert refusal(small).keys == ("load.no_values",)


def test_that_groups_in_a_circle_do_no_harm(small: Path) -> None:
    with h5py.File(small, "a") as file:
        file["uns/again"] = file["/"]
        file["obs/again"] = file["obs"]
        file["obs"].attrs.create("column-order", ["again/again/again"], dtype=TEXT)
    np.testing.assert_array_equal(read(small).table.dense, VALUES)


def test_that_other_hdf5_files_are_refused_by_what_they_hold(tmp_path: Path) -> None:
    path = tmp_path / "x.h5seurat"
    with h5py.File(path, "w") as file:
        file["cell.names"] = np.array(["c1", "c2"], dtype="S")
        file.create_group("assays")
    error = refusal(path)
    assert error.keys == ("load.unknown_hdf5",)
    assert "assays" in error.problems[0].where


def test_that_a_format_that_is_chosen_is_not_exchanged_for_another(small: Path) -> None:
    assert read(small, format="h5ad").format == "h5ad"
    assert refusal(small, format="10x-h5").keys == ("load.unknown_hdf5",)


def test_that_compressed_files_are_read(small: Path, tmp_path: Path) -> None:
    packed = tmp_path / "small.h5ad.gz"
    packed.write_bytes(gzip.compress(small.read_bytes()))
    assert h5ad.FORMAT.recognises(Source.at(packed))
    heard: list[float] = []
    reading = read_here(Source.at(packed), Choices(), heard.append)
    np.testing.assert_array_equal(reading.table.dense, VALUES)
    assert heard == sorted(heard)


def test_that_hdf5_files_are_recognised_by_content(tmp_path: Path, small: Path) -> None:
    tenx = write_tenx(tmp_path / "a.h5ad", VALUES)
    other = tmp_path / "table.h5ad"
    other.write_text("gene,c1\na,1\n")
    sources = [Source.at(path) for path in (small, DATA / "anndata_0_12.h5ad", tenx, other)]
    assert [h5ad.FORMAT.recognises(source) for source in sources] == [True, True, False, False]
    assert [tenx_h5.FORMAT.recognises(source) for source in sources] == [False, False, True, False]


def test_that_a_report_can_stop_the_reading(small: Path) -> None:
    class Stopped(Exception):
        pass

    def stop(_: float) -> None:
        raise Stopped

    with pytest.raises(Stopped):
        read_here(Source.at(small), Choices(), stop)


def test_that_damaged_files_give_a_table_or_a_message(tmp_path: Path) -> None:
    found = outcomes("h5ad", tmp_path, 200)
    assert set(found) <= {"table", "refused", "died"}
    assert found["died"] < 10
    assert found["refused"] > 20


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_that_thousands_of_damaged_files_give_a_table_or_a_message(tmp_path: Path) -> None:
    found = outcomes("h5ad", tmp_path, 5_000)
    assert set(found) <= {"table", "refused", "died"}
    assert found["died"] < 150


def test_that_a_frame_of_no_columns_gives_no_labels(tmp_path: Path) -> None:
    with h5py.File(tmp_path / "x.h5ad", "w") as file:
        file["X"] = VALUES
        write_frame(file, "obs", ITEMS)
        write_frame(file, "var", FEATURES, size=[1.0, 2.0, 3.0])
    table = read(tmp_path / "x.h5ad").table
    assert dict(table.items.labels) == {}
    assert dict(table.features.labels) == {"size": ("1.0", "2.0", "3.0")}
