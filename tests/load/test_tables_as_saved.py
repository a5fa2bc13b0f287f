"""Tables as people save them, and what is wrong with some."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ximstudio.load import Choices, load, samples
from ximstudio.model import UserError

TABLE = "gene,class,cold,heat\na1,x,1.5,2\na2,x,-3,4e-2\na3,y,0,\n"


def save(folder: Path, text: str | bytes, name: str = "table.csv") -> str:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(path)


def refusal(folder: Path, text: str | bytes, choices: Choices | None = None) -> UserError:
    with pytest.raises(UserError) as caught:
        load(save(folder, text), choices)
    return caught.value


def test_that_columns_get_their_roles_by_what_they_hold(tmp_path: Path) -> None:
    matrix = load(save(tmp_path, TABLE))
    assert matrix.item_ids == ("a1", "a2", "a3")
    assert matrix.feature_names == ("cold", "heat")
    assert dict(matrix.item_labels) == {"class": ("x", "x", "y")}
    np.testing.assert_array_equal(matrix.values, [[1.5, 2], [-3, 0.04], [0, np.nan]])


@pytest.mark.parametrize(
    "text",
    [
        TABLE.replace(",", "\t"),
        TABLE.replace(",", ";"),
        TABLE.replace(",", "|"),
        TABLE.replace("\n", "\r\n"),
        "\ufeff" + TABLE,
        TABLE.replace("gene,class", '"gene","class"'),
        TABLE.replace(",", ";").replace(".", ","),
        TABLE.replace(",\n", ",NA\n"),
        TABLE.replace(",\n", ",n/a\n"),
        TABLE + "\n\n",
    ],
    ids=["tab", "semicolon", "bar", "crlf", "bom", "quotes", "decimal comma", "NA", "n/a", "end"],
)
def test_that_dialects_of_one_table_read_the_same(tmp_path: Path, text: str) -> None:
    expected = load(save(tmp_path, TABLE, "plain.csv"))
    found = load(save(tmp_path, text))
    assert found.item_ids == expected.item_ids
    assert found.feature_names == expected.feature_names
    assert dict(found.item_labels) == dict(expected.item_labels)
    np.testing.assert_array_equal(found.values, expected.values)


def test_that_utf16_and_latin1_files_are_read(tmp_path: Path) -> None:
    text = TABLE.replace("a1", "µ-opioid")
    for encoding in ("utf-16", "latin-1"):
        assert load(save(tmp_path, text.encode(encoding))).item_ids[0] == "µ-opioid"


def test_that_a_numeric_label_can_be_named(tmp_path: Path) -> None:
    text = "gene,cluster,cold\na,5,1\nb,8,2\n"
    assert load(save(tmp_path, text)).feature_names == ("cluster", "cold")
    matrix = load(save(tmp_path, text), Choices(labels=("cluster",)))
    assert matrix.feature_names == ("cold",)
    assert matrix.item_labels["cluster"] == ("5", "8")


def test_that_labels_keep_their_letters(tmp_path: Path) -> None:
    matrix = load(
        save(tmp_path, "gene,stage,cold\na,NA,1\nb,01,2\nc,,3\n"), Choices(labels=("stage",))
    )
    assert matrix.item_labels["stage"] == ("NA", "01", "")


def test_that_ids_that_look_like_blanks_or_numbers_stay_texts(tmp_path: Path) -> None:
    assert load(save(tmp_path, "gene,cold\nNaN,1\n007,2\n")).item_ids == ("NaN", "007")


def test_that_samples_in_columns_become_items(tmp_path: Path) -> None:
    text = "gene,name,s1,s2\nclass,,ALL,AML\ng1,first,1,2\ng2,second,3,\n"
    matrix = load(save(tmp_path, text), Choices(items="columns", labels=("class",)))
    assert matrix.item_ids == ("s1", "s2")
    assert matrix.feature_names == ("g1", "g2")
    assert matrix.item_labels["class"] == ("ALL", "AML")
    assert matrix.feature_labels["name"] == ("first", "second")
    np.testing.assert_array_equal(matrix.values, [[1, 3], [2, np.nan]])


def test_that_a_text_among_numbers_of_a_table_with_label_rows_is_found_on_its_line(
    tmp_path: Path,
) -> None:
    text = "gene,s1,s2\ng1,1,2\nclass,ALL,AML\ng2,3,4\ng3,5,high\ng4,5,6\n"
    error = refusal(tmp_path, text, Choices(items="columns", labels=("class",)))
    assert error.keys == ("load.not_a_number",)
    assert "line 5 " in error.problems[0].where


def test_that_blank_lines_do_not_shift_label_rows(tmp_path: Path) -> None:
    text = "id,s1,s2,s3\n\ng0,10,20,30\nbatch,1,2,1\n\ng1,5,6,7\n"
    matrix = load(save(tmp_path, text), Choices(items="columns", labels=("batch",)))
    assert matrix.feature_names == ("g0", "g1")
    assert matrix.item_labels["batch"] == ("1", "2", "1")
    np.testing.assert_array_equal(matrix.values, [[10, 5], [20, 6], [30, 7]])


@pytest.mark.parametrize(
    "text",
    [
        "cold,heat\na1,1,2\na2,3,4\n",
        "gene,cold,heat,,\na1,1,2,,\na2,3,4,,\n,,,,\n",
        "gene,cold,heat\ra1,1,2\ra2,3,4\r",
        "gene,cold,heat\n\na1,1,2\n   \na2,3,4\n\n",
        'gene, "cold", heat\na1, 1, 2\na2, 3, 4\n',
    ],
    ids=["R", "empty columns and rows", "CR", "blank lines", "spaces"],
)
def test_that_what_other_programs_leave_around_a_table_does_no_harm(
    tmp_path: Path, text: str
) -> None:
    matrix = load(save(tmp_path, text))
    assert matrix.item_ids == ("a1", "a2")
    assert matrix.feature_names == ("cold", "heat")
    np.testing.assert_array_equal(matrix.values, [[1, 2], [3, 4]])


def test_that_lines_are_counted_as_an_editor_counts_them(tmp_path: Path) -> None:
    text = 'gene,note,cold\n\na,"two\nlines",1\nb,x,oops\nc,y,3\nd,z,4\n'
    error = refusal(tmp_path, text)
    assert "line 5 " in error.problems[0].where


def test_that_a_label_with_a_comma_in_its_name_can_be_given(tmp_path: Path) -> None:
    text = 'gene;"heat, 20 min";cold;kind;sort\na;1;2;5;6\nb;3;4;5;6\n'
    matrix = load(save(tmp_path, text), Choices(labels=("heat, 20 min", "kind,sort")))
    assert matrix.feature_names == ("cold",)
    assert tuple(matrix.item_labels) == ("heat, 20 min", "kind", "sort")


def test_that_truth_values_are_labels_and_huge_whole_numbers_are_numbers(tmp_path: Path) -> None:
    matrix = load(save(tmp_path, f"gene,on,big\na,TRUE,{10**30}\nb,FALSE,1\n"))
    assert matrix.item_labels["on"] == ("TRUE", "FALSE")
    np.testing.assert_array_equal(matrix.values, [[1e30], [1.0]])


def test_that_rows_without_names_are_numbered(tmp_path: Path) -> None:
    matrix = load(save(tmp_path, "cold,heat\n1,2\n3,4\n"))
    assert matrix.item_ids == ("row 1", "row 2")
    assert matrix.feature_names == ("cold", "heat")


def test_that_the_id_column_can_be_chosen_or_declined(tmp_path: Path) -> None:
    path = save(tmp_path, "probe,symbol,cold\np1,A,1\np2,B,2\n")
    chosen = load(path, Choices(id="symbol"))
    assert chosen.item_ids == ("A", "B")
    assert chosen.item_labels["probe"] == ("p1", "p2")
    assert load(path, Choices(id="")).item_ids == ("row 1", "row 2")


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("", "load.empty"),
        (" \n\n", "load.empty"),
        ("gene\na\nb\n", "load.one_column"),
        ("gene,cold,heat\na,1\n", "load.uneven_rows"),
        ("gene,cold\na,1,2\nb,1\n", "load.uneven_rows"),
        ('gene,cold\na,"1\n', "load.not_a_table"),
        ("id,s1,s2,s3,s4\ng,1,2,3,4\nkind,a,b,c,d\nh,1,2,3,4\ni,1,2,3,4\n", "load.text_row"),
        ("gene,cold\na,1\na,2\n", "matrix.duplicate_item"),
        ("gene,cold,cold\na,1,2\n", "matrix.duplicate_feature"),
        ("gene,cold\na,1\nb,inf\n", "matrix.infinite"),
        ("gene,cold\na,1\nb,high\nc,2\n", "load.not_a_number"),
        (b"PK\x03\x04rest", "load.broken_workbook"),
        (b"gene,cold\na,\x00\n", "load.not_text"),
    ],
)
def test_that_a_table_that_cannot_be_read_is_refused_with_its_key(
    tmp_path: Path, text: str | bytes, key: str
) -> None:
    assert refusal(tmp_path, text).keys == (key,)


def test_that_all_columns_with_texts_among_numbers_are_reported_together(tmp_path: Path) -> None:
    error = refusal(tmp_path, "gene,cold,heat\na,1,x\nb,y,2\nc,3,4\n")
    assert error.keys == ("load.not_a_number", "load.not_a_number")
    assert "'cold', line 3 " in error.problems[0].where
    assert "'heat', line 2 " in error.problems[1].where


def test_that_missing_files_and_folders_are_refused(tmp_path: Path) -> None:
    for name, key in ((tmp_path / "absent.csv", "load.unreadable"), (tmp_path, "load.folder")):
        with pytest.raises(UserError) as caught:
            load(str(name))
        assert caught.value.keys == (key,)


def test_that_unknown_labels_and_ids_come_with_a_proposal(tmp_path: Path) -> None:
    error = refusal(tmp_path, TABLE, Choices(labels=("clas",)))
    assert error.keys == ("load.no_such_label",)
    assert "'class'" in error.problems[0].way_out
    error = refusal(tmp_path, TABLE, Choices(id="gen"))
    assert error.keys == ("load.no_such_id",)
    assert "'gene'" in error.problems[0].way_out


def test_that_the_sample_is_the_published_table() -> None:
    matrix = load("sample:yeast")
    functions = matrix.item_labels["function"]
    assert matrix.values.shape == (186, 79)
    assert matrix.n_missing == 214
    assert [functions.count(name) for name in ("Ribo", "Proteas", "Resp")] == [121, 35, 30]


def test_that_every_sample_can_be_loaded_both_ways_round() -> None:
    for key in samples():
        rows = load(f"sample:{key}")
        columns = load(f"sample:{key}", Choices(items="columns"))
        np.testing.assert_array_equal(columns.values, rows.values.T)


def test_that_an_unknown_sample_comes_with_a_proposal() -> None:
    with pytest.raises(UserError) as caught:
        load("sample:yest")
    assert "'yeast'" in caught.value.problems[0].way_out


@given(
    st.lists(
        st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=3, max_size=3),
        min_size=1,
        max_size=8,
    )
)
def test_that_every_finite_number_reads_back_exactly(
    tmp_path_factory: pytest.TempPathFactory, rows: list[list[float]]
) -> None:
    lines = ["gene,a,b,c"]
    lines += [f"g{number}," + ",".join(map(repr, row)) for number, row in enumerate(rows)]
    matrix = load(save(tmp_path_factory.mktemp("t"), "\n".join(lines)))
    np.testing.assert_array_equal(matrix.values, rows)
