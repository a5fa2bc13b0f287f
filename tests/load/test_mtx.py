"""Matrix Market files and the names beside them."""

from __future__ import annotations

import gzip
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as drawn

from ximstudio.load.reading import Choices, Guess, Reading, silent
from ximstudio.load.single_cell import market, mtx
from ximstudio.load.source import Source
from ximstudio.model import UserError

DATA = Path(__file__).parents[1] / "data" / "tenx"
BANNER = "%%MatrixMarket matrix coordinate real general\n"
MATRIX = BANNER + "3 2 3\n1 1 1.5\n3 1 2\n2 2 -4\n"
VALUES = np.array([[1.5, 0, 2], [0, -4, 0]])
BARCODES = "c1\nc2\n"
GENES = "E1\tA\nE2\tB\nE3\tC\n"


def save(folder: Path, **files: str | bytes) -> Path:
    """Files of a folder; two underscores in a name are a point."""
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        content = text if isinstance(text, bytes) else text.encode()
        packed = name.endswith("__gz")
        path = folder / name.replace("__", ".")
        path.write_bytes(gzip.compress(content) if packed else content)
    return folder


def read(path: Path, **choices: Any) -> Reading:
    return mtx.FORMAT.read(Source.at(path), Choices(**choices), silent)


def refusal(path: Path, **choices: Any) -> UserError:
    with pytest.raises(UserError) as caught:
        read(path, **choices)
    return caught.value


def keys(reading: Reading) -> list[str]:
    return [note.key for note in reading.notes]


def guess(reading: Reading, key: str) -> Guess:
    (found,) = [guess for guess in reading.guesses if guess.key == key]
    return found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    files = {"matrix__mtx": MATRIX, "barcodes__tsv": BARCODES, "genes__tsv": GENES}
    return save(tmp_path / "run", **files)


def test_that_a_folder_of_version_2_is_read() -> None:
    reading = read(DATA / "v2")
    table = reading.table
    assert reading.format == "10x-mtx"
    assert table.is_sparse
    np.testing.assert_array_equal(table.dense, [[3, 0, 0, 1], [0, 10, 0, 0], [2, 0, 5, 0]])
    assert table.items.names == ("AAAC-1", "AACG-1", "AAGT-1")
    assert table.features.names == ("A (ENSG01)", "B", "A (ENSG03)", "C")
    assert dict(table.features.labels) == {
        "gene_id": ("ENSG01", "ENSG02", "ENSG03", "ENSG04"),
        "gene_name": ("A", "B", "A", "C"),
    }
    assert table.features.address(2) == "'A (ENSG03)' (line 3)"
    assert keys(reading) == ["load.symbols_repeated"]


def test_that_a_folder_of_version_3_is_read() -> None:
    reading = read(DATA / "v3")
    np.testing.assert_array_equal(reading.table.dense, [[3, 0, 0], [0, 10, 0], [2, 0, -0.5]])
    assert reading.table.features.names == ("A", "B", "C")
    assert keys(reading) == ["load.comments", "load.not_read"]
    everything = read(DATA / "v3", part="all").table
    np.testing.assert_array_equal(everything.dense[:, 3], [1.5, 0, 0])
    assert everything.features.labels["feature_type"][3] == "Antibody Capture"
    assert read(DATA / "v3", part="Antibody Capture").table.features.names == ("CD3",)
    assert read(DATA / "v3", id="gene_id").table.features.names[0] == "ENSG01"
    assert refusal(DATA / "v3", part="Antibodies").keys == ("load.no_such_part",)


def test_that_the_matrix_file_finds_its_neighbours() -> None:
    reading = read(DATA / "v3" / "matrix.mtx.gz")
    assert reading.table.items.names == ("AAAC-1", "AACG-1", "AAGT-1")
    assert mtx.FORMAT.recognises(Source.at(DATA / "v3" / "matrix.mtx.gz"))


def test_that_genes_become_items_if_a_person_says_so(folder: Path) -> None:
    table = read(folder, items="columns").table
    assert table.items.names == ("A", "B", "C")
    np.testing.assert_array_equal(table.dense, VALUES.T)


def test_that_folders_and_files_are_recognised_by_content(tmp_path: Path, folder: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    text = tmp_path / "matrix.mtx"
    text.write_text("gene\tc1\na\t1\n")
    sources = [Source.at(path) for path in (folder, folder / "matrix.mtx", empty, text)]
    assert [mtx.FORMAT.recognises(source) for source in sources] == [True, True, False, False]


@pytest.mark.parametrize(
    "names",
    [
        ("GSM1_matrix__mtx__gz", "GSM1_barcodes__tsv__gz", "GSM1_genes__tsv__gz"),
        ("GSM1_s__matrix__mtx", "GSM1_s__barcodes__tsv", "GSM1_s__features__tsv"),
        ("cells__mtx", "cells__barcodes__txt", "cells__genes__txt"),
        ("A_Matrix__mtx", "A_Barcodes__tsv", "A_Genes__tsv"),
        ("matrix__mtx", "barcodes__tsv__gz", "features__tsv"),
        ("matrix_1__mtx", "barcodes_1__tsv", "features_1__tsv"),
    ],
)
def test_that_names_with_the_same_beginning_belong_together(
    tmp_path: Path, names: tuple[str, str, str]
) -> None:
    texts = (MATRIX, BARCODES, GENES)
    folder = save(tmp_path / "run", **dict(zip(names, texts, strict=True)))
    save(folder, other_barcodes__tsv="x\ny\nz\n", other_genes__tsv="x\n", notes__txt="barcodes")
    save(folder, cells__genes__names__txt="x\n")
    reading = read(folder)
    np.testing.assert_array_equal(reading.table.dense, VALUES)
    assert reading.table.items.names == ("c1", "c2")
    assert reading.table.features.names == ("A", "B", "C")
    assert reading.notes == ()


def test_that_several_matrices_are_not_chosen_from(folder: Path) -> None:
    save(folder, b_matrix__mtx=MATRIX)
    error = refusal(folder)
    assert error.keys == ("load.which_file",)
    assert "b_matrix.mtx" in error.problems[0].where
    assert read(folder / "matrix.mtx").table.items.names == ("c1", "c2")


def test_that_a_matrix_alone_is_numbered_and_told(tmp_path: Path) -> None:
    reading = read(save(tmp_path / "run", counts__mtx=MATRIX))
    assert reading.table.items.names == ("item 1", "item 2")
    assert reading.table.features.names == ("feature 1", "feature 2", "feature 3")
    assert keys(reading) == ["load.no_names", "load.no_names"]
    assert not guess(reading, "cells").sure


def test_that_cells_in_rows_are_found_by_their_number(folder: Path) -> None:
    save(folder, matrix__mtx=BANNER + "2 3 1\n1 3 2\n")
    reading = read(folder)
    assert guess(reading, "cells").value == "rows"
    np.testing.assert_array_equal(reading.table.dense, [[0, 0, 2], [0, 0, 0]])


@pytest.mark.parametrize(
    "files", [{"barcodes__tsv": "c1\nc2\nc3\nc4\n"}, {"genes__tsv": "E1\nE2\n"}]
)
def test_that_names_that_do_not_fit_are_refused_with_both_counts(
    folder: Path, files: dict[str, str]
) -> None:
    error = refusal(save(folder, **files))
    assert error.keys == ("load.uneven",)


def test_that_heading_lines_are_left_out_and_told(folder: Path) -> None:
    save(folder, barcodes__tsv="barcode\nc1\nc2\n", genes__tsv='"id"\t"name"\n' + GENES)
    reading = read(folder)
    assert reading.table.items.names == ("c1", "c2")
    assert reading.table.features.names == ("A", "B", "C")
    assert keys(reading) == ["load.heading_left_out", "load.heading_left_out"]
    assert refusal(save(folder, barcodes__tsv="c0\nc1\nc2\n")).keys == ("load.uneven",)


def test_that_lists_of_other_habits_are_read(folder: Path) -> None:
    save(folder, barcodes__tsv="\ufeffc1 \tx\r\nc2\ty\r\n\r\n", genes__tsv='"E1"\n"E2"\n"E3"\n')
    reading = read(folder)
    assert reading.table.items.names == ("c1", "c2")
    assert dict(reading.table.items.labels) == {"column 2": ("x", "y")}
    assert reading.table.features.names == ("E1", "E2", "E3")
    assert keys(reading) == ["load.names_stripped"]
    assert refusal(folder, id="gene_name").keys == ("load.no_such_id",)


def test_that_a_list_with_very_many_columns_is_refused(folder: Path) -> None:
    error = refusal(save(folder, barcodes__tsv="c1\nc2" + "\t" * 10**6 + "\n"))
    assert error.keys == ("load.not_a_list",)
    assert "line 2" in error.problems[0].where


def test_that_nul_bytes_among_names_do_no_harm(folder: Path) -> None:
    assert read(save(folder, barcodes__tsv="c\0\nc2\n")).table.items.names == ("c\0", "c2")


def test_that_only_files_of_the_folder_are_opened(tmp_path: Path, folder: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text(BARCODES)
    (folder / "barcodes.tsv").unlink()
    (folder / "barcodes.tsv").symlink_to(secret)
    assert refusal(folder).keys == ("load.outside_link",)
    (folder / "barcodes.tsv").unlink()
    (folder / "kept.tsv").write_text(BARCODES)
    (folder / "barcodes.tsv").symlink_to("kept.tsv")
    assert read(folder).table.items.names == ("c1", "c2")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("coordinate pattern general\n2 2 2\n1 2\n2 1\n", [[0, 1], [1, 0]]),
        ("coordinate integer symmetric\n2 2 2\n1 1 5\n2 1 7\n", [[5, 7], [7, 0]]),
        ("coordinate real skew-symmetric\n2 2 1\n2 1 7\n", [[0, 7], [-7, 0]]),
        ("array real general\n2 2\n1\n2\n3\n4.5\n", [[1, 2], [3, 4.5]]),
        ("array integer symmetric\n2 2\n1\n2\n3\n", [[1, 2], [2, 3]]),
        ("coordinate real general\n% a\n\n%b\n2 2 1\n\n1 2 3\n  \n", [[0, 0], [3, 0]]),
        ("COORDINATE Real General\n2 2 1\r\n1 2 3\r\n", [[0, 0], [3, 0]]),
        ("coordinate integer general\n2 2 1\n1 2 0.25", [[0, 0], [0.25, 0]]),
        ("coordinate real general\n2 2 2\n1 2 nan\n2 2 inf\n", [[0, 0], [np.nan, np.inf]]),
        ("coordinate real general\n2 2 0\n", [[0, 0], [0, 0]]),
    ],
)
def test_that_every_kind_of_matrix_is_read(tmp_path: Path, text: str, expected: Any) -> None:
    folder = save(tmp_path / "run", a__mtx="%%MatrixMarket matrix " + text)
    # Cells are the columns.
    np.testing.assert_array_equal(read(folder).table.dense, expected)


@pytest.mark.parametrize(
    ("text", "key", "line"),
    [
        ("3 2 3\n1 1 1\n2 x 1\n3 1 1\n", "load.not_a_number", 4),
        ("3 2 3\n1 1 1\n\n2 1 1\n3 3 1\n", "load.not_a_number", 6),
        ("3 2 2\n1 1 1\n0 1 1\n", "load.not_a_number", 4),
        ("3 2 2\n1 1 1\n-1 1 1\n", "load.not_a_number", 4),
        ("3 2 2\n1 1 1\n1 2 abc\n", "load.not_a_number", 4),
        ("3 2 2\n1 1 1\n1 2 1,5\n", "load.not_a_number", 4),
        ("3 2 2\n1 1 1\n1 2 1 5\n", "load.not_a_number", 4),
        ("3 2 2\n1 1 1\n1 2 1.2.3\n", "load.not_a_number", 4),
        ("3 2 2\n1 1 1\n1 2 5\0\n", "load.not_a_number", 4),
        ("3 2 2\n1 1 1.25\n1 2\n", "load.not_a_number", 4),
        ("3 2 2\n1 1 1\n% 1 2 3\n", "load.not_a_number", 4),
        ("3 2 3\n1 1 1\n1 2 3\n", "load.truncated", 2),
        ("3 2 1\n1 1 1\n1 2 3\n", "load.truncated", 2),
        ("1000000000 1000000000 1\n1 1 1\n", "load.bomb", 2),
        ("1000000 2 1\n1 1 1\n", "load.bomb", 2),
        ("3 2 1000000000000\n1 1 1\n", "load.truncated", 2),
        ("3 2 99999999999999999999999\n1 1 1\n", "load.not_a_matrix", 2),
        ("3 -2 1\n1 1 1\n", "load.not_a_matrix", 2),
        ("3 2\n1 1 1\n", "load.not_a_matrix", 2),
        ("", "load.not_a_matrix", 1),
        ("% only comments\n", "load.not_a_matrix", 1),
    ],
)
def test_that_what_is_wrong_is_refused_with_its_line(
    tmp_path: Path, text: str, key: str, line: int
) -> None:
    error = refusal(save(tmp_path / "run", a__mtx=BANNER + text))
    assert error.keys == (key,)
    assert f"line {line}" in error.problems[0].where


@pytest.mark.parametrize(
    "banner",
    ["coordinate complex general", "array real", "list real general", "coordinate real odd"],
)
def test_that_unknown_kinds_are_refused(tmp_path: Path, banner: str) -> None:
    text = f"%%MatrixMarket matrix {banner}\n1 1 1\n1 1 1 1\n"
    assert refusal(save(tmp_path / "run", a__mtx=text)).keys == ("load.not_a_matrix",)


def test_that_a_decimal_comma_in_an_array_is_refused(tmp_path: Path) -> None:
    text = "%%MatrixMarket matrix array real general\n1 3\n1\n2,5\n3\n"
    error = refusal(save(tmp_path / "run", a__mtx=text))
    assert error.keys == ("load.not_a_number",)
    assert "line 4" in error.problems[0].where


def test_that_an_array_that_is_only_declared_is_refused(tmp_path: Path) -> None:
    text = "%%MatrixMarket matrix array real general\n1000000 1000000\n1\n"
    assert refusal(save(tmp_path / "run", a__mtx=text)).keys == ("load.truncated",)


def test_that_lines_are_counted_over_all_pieces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(market, "PIECE", 20)
    lines = [f"{number} 1 {number}\n" for number in range(1, 51)]
    path = save(tmp_path / "run", a__mtx=BANNER + "50 1 50\n" + "".join(lines))
    heard: list[float] = []
    reading = mtx.FORMAT.read(Source.at(path), Choices(), heard.append)
    np.testing.assert_array_equal(reading.table.dense, [range(1, 51)])
    assert len(heard) > 10
    assert heard == sorted(heard)
    lines[40] = "x 1 1\n"
    save(path, a__mtx=BANNER + "50 1 50\n" + "".join(lines))
    assert "line 43" in refusal(path).problems[0].where


def test_that_cells_given_twice_are_added_up_and_told(folder: Path) -> None:
    save(folder, matrix__mtx=BANNER + "3 2 2\n1 1 2\n1 1 3\n")
    reading = read(folder)
    assert reading.table.dense[0, 0] == 5
    assert keys(reading) == ["load.cells_repeated"]


def test_that_whole_numbers_too_large_for_a_float_are_told(tmp_path: Path) -> None:
    text = "%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 9007199254740993\n"
    assert "load.rounded" in keys(read(save(tmp_path / "run", a__mtx=text)))


def test_that_a_report_can_stop_the_reading(folder: Path) -> None:
    def stop(_: float) -> None:
        raise OSError("stopped by the person")

    with pytest.raises(OSError, match="stopped by the person"):
        mtx.FORMAT.read(Source.at(folder), Choices(), stop)


@given(
    values=drawn.arrays(
        np.float64,
        drawn.array_shapes(min_dims=2, max_dims=2, max_side=8),
        elements=st.just(0.0) | st.floats(allow_nan=False, allow_infinity=False),
    ),
    packed=st.booleans(),
    end=st.sampled_from(["\n", "\r\n"]),
    dense=st.booleans(),
)
def test_that_any_table_is_read_back_as_it_was_written(
    values: Any, packed: bool, end: str, dense: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    n_items, n_features = values.shape
    if dense:
        lines = ["%%MatrixMarket matrix array real general", f"{n_features} {n_items}"]
        lines += [repr(float(value)) for value in values.ravel()]
    else:
        filled = np.argwhere(values)
        lines = [BANNER.strip(), f"{n_features} {n_items} {len(filled)}"]
        lines += [f"{j + 1} {i + 1} {float(values[i, j])!r}" for i, j in filled]
    names = {
        "matrix__mtx": end.join([*lines, ""]),
        "barcodes__tsv": end.join([f"c{n}" for n in range(n_items)]),
        "features__tsv": end.join([f"E{n}\tG{n}\tGene Expression" for n in range(n_features)]),
    }
    folder = tmp_path_factory.mktemp("any") / "run"
    save(folder, **{name + "__gz" * packed: text for name, text in names.items()})
    table = read(folder).table
    np.testing.assert_array_equal(table.dense, values)
    assert table.items.names == tuple(f"c{n}" for n in range(n_items))
    assert table.features.names == tuple(f"G{n}" for n in range(n_features))


def outcomes(folder: Path, n_cases: int) -> dict[str, int]:
    """How often damaged folders gave a table, and how often a refusal with an address."""
    found = {"table": 0, "refused": 0}
    for seed in range(n_cases):
        drawn_here = random.Random(seed)
        version = drawn_here.choice(["v2", "v3"])
        sound = {path.name: path.read_bytes() for path in (DATA / version).iterdir()}
        hit = drawn_here.choice(sorted(sound))
        content = sound[hit]
        packed = hit.endswith(".gz")
        if packed and drawn_here.random() < 0.8:
            content = gzip.compress(_damaged(gzip.decompress(content), drawn_here))
        else:
            content = _damaged(content, drawn_here)
        for name, text in (sound | {hit: content}).items():
            (folder / name).write_bytes(text)
        try:
            found["table"] += bool(read(folder).table.n_items)
        except UserError as error:
            found["refused"] += bool(error.problems[0].where)
        for name in sound:
            (folder / name).unlink()
    return found


def _damaged(content: bytes, drawn_here: random.Random) -> bytes:
    found = bytearray(content)
    way = drawn_here.randrange(4)
    if way == 0:
        return bytes(found[: drawn_here.randrange(len(found))])
    for _ in range(drawn_here.choice([1, 2, 5])):
        place = drawn_here.randrange(len(found))
        if way == 1:
            found[place] = drawn_here.randrange(256)
        elif way == 2:
            found[place:place] = drawn_here.choice([b"9", b"99999999", b"\0", b"\n", b" ", b"%"])
        else:
            del found[place : place + drawn_here.randrange(1, 8)]
            found = found or bytearray(b"x")
    return bytes(found)


def test_that_damaged_folders_give_a_table_or_a_message(tmp_path: Path) -> None:
    found = outcomes(tmp_path, 300)
    assert sum(found.values()) == 300
    assert min(found.values()) > 20


@pytest.mark.slow
def test_that_thousands_of_damaged_folders_give_a_table_or_a_message(tmp_path: Path) -> None:
    assert sum(outcomes(tmp_path, 10_000).values()) == 10_000
