"""One small file per peculiarity of delimited text, each read to its exact table."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import pytest

from ximstudio.load.reading import Choices, Reading, silent
from ximstudio.load.source import Source
from ximstudio.load.text.delimited import FORMAT
from ximstudio.model import UserError
from ximstudio.model.problem import Problem

FOLDER = Path(__file__).parent.parent / "data" / "text"
NAN = np.nan
NONE: Mapping[str, Any] = MappingProxyType({})


class Expected(NamedTuple):
    """What a file is to be read as."""

    items: tuple[str, ...]
    features: tuple[str, ...]
    values: list[list[float]]
    labels: Mapping[str, tuple[str, ...]] = NONE
    feature_labels: Mapping[str, tuple[str, ...]] = NONE
    notes: tuple[str, ...] = ()
    unsure: tuple[str, ...] = ()
    found: Mapping[str, str] = NONE


PLAIN = Expected(
    ("HSP12", "HSP26", "SSA1"),
    ("cold", "heat"),
    [[1.5, 2], [-3, 0.04], [0, NAN]],
    {"class": ("x", "x", "y")},
)
PAIR = Expected(("HSP12", "HSP26"), ("cold", "heat"), [[1.5, 2], [-3, 0.04]])
NAMED = PAIR._replace(labels={"name": ("first", "second")})
GROUPED = Expected(
    ("HSP12", "HSP26", "SSA1"), ("cold", "heat"), [[1234.5, 2], [12345678, 999], [1000, 0.25]]
)
CANCER = Expected(
    ("TP53", "BRCA1", "CDK2"), ("s1", "s2"), [[1.5, 2], [-3, 0.04], [1, 2]], unsure=("labels",)
)

CORPUS: dict[str, Expected] = {
    "comma.csv": PLAIN._replace(found={"delimiter": ",", "decimal": ".", "header_rows": "1"}),
    "tab.tsv": PLAIN._replace(found={"delimiter": "\t"}),
    "semicolon_decimal_comma.csv": PLAIN._replace(found={"delimiter": ";", "decimal": ","}),
    "bar.txt": PLAIN._replace(found={"delimiter": "|"}),
    "colon.txt": PLAIN._replace(found={"delimiter": ":"}),
    "spaces.txt": PLAIN._replace(found={"delimiter": " ", "missing": "NA"}),
    "crlf.csv": PLAIN,
    "cr.csv": PLAIN,
    "mixed_line_ends.csv": PLAIN,
    "no_last_line_end.csv": PLAIN,
    "bom.csv": PLAIN._replace(found={"encoding": "utf-8"}),
    "utf16_bom.txt": PLAIN._replace(found={"encoding": "utf-16-le"}),
    "utf16_le_no_bom.csv": PLAIN._replace(unsure=("encoding",), found={"encoding": "utf-16-le"}),
    "utf16_be_no_bom.csv": PLAIN._replace(unsure=("encoding",), found={"encoding": "utf-16-be"}),
    "utf32.csv": PLAIN._replace(found={"encoding": "utf-32-le"}),
    "latin1.csv": PLAIN._replace(
        items=("µ-opioid", "HSP26", "SSA1"),
        labels={"class": ("naïve", "x", "y")},
        unsure=("encoding",),
    ),
    "windows1252.csv": PLAIN._replace(
        labels={"class": ("“new”", "x", "y")}, unsure=("encoding",), found={"encoding": "cp1252"}
    ),
    "utf8_letters.csv": PLAIN._replace(
        items=("β-actine", "HSP26", "SSA1"),
        features=("froid", "chaud"),
        labels={"classe": ("№ 1", "x", "y")},
    ),
    "quoted.csv": PLAIN._replace(
        features=("cold, 4 °C", "heat"), labels={"class": ('a "good" one', "two\nlines", "x,y")}
    ),
    "quoted_after_space.csv": PLAIN._replace(labels={"class": ("x,y", "x", "y")}),
    "stray_quotes.tsv": PLAIN._replace(labels={"note": ('5" end', "ok", "3' end")}),
    "literal_quotes.tsv": PLAIN._replace(
        labels={"note": ('"5 end', '"a" and b', "c")}, notes=("quotes_kept",), unsure=("delimiter",)
    ),
    "thousands_comma.tsv": GROUPED._replace(found={"decimal": ".", "thousands": ","}),
    "thousands_point.csv": GROUPED._replace(found={"decimal": ",", "thousands": "."}),
    "thousands_space.csv": GROUPED._replace(found={"decimal": ",", "thousands": " "}),
    "thousands_apostrophe.csv": GROUPED._replace(found={"decimal": ".", "thousands": "'"}),
    "thousands_or_decimals.tsv": Expected(
        ("HSP12", "HSP26", "SSA1"),
        ("cold", "heat"),
        [[1234, 2], [12345, 999], [1000, 25]],
        notes=("ambiguous_marks",),
        unsure=("decimal", "thousands"),
    ),
    "comments.tsv": PAIR._replace(notes=("comments",), found={"comment": "#"}),
    "comment_header.tsv": PAIR._replace(notes=("comments",), found={"id": "#gene"}),
    "preamble.csv": NAMED._replace(
        features=("cold", "warm", "heat"),
        values=[[1.5, 2, 3], [-3, 0.04, 5]],
        notes=("preamble",),
        unsure=("delimiter",),
        found={"skip": "4"},
    ),
    "padded_preamble.csv": NAMED._replace(
        notes=("preamble", "empty_rows"), found={"skip": "3", "header_rows": "1"}
    ),
    "footer.csv": PAIR._replace(notes=("footer",), unsure=("delimiter",)),
    "padded_footer.csv": PAIR._replace(notes=("footer", "empty_rows")),
    "two_header_rows.tsv": NAMED._replace(
        features=("s1", "s2", "s3"),
        values=[[1.5, 2, 3], [-3, 0.04, 5]],
        feature_labels={"group": ("control", "control", "heat")},
        unsure=("header_rows",),
        found={"header_rows": "2"},
    ),
    "group_row_above.csv": NAMED._replace(
        features=("s1", "s2", "s3", "s4"),
        values=[[1.5, 2, 3, 4], [-3, 0.04, 5, 6]],
        feature_labels={"header row 1": ("control", "control", "heat", "heat")},
        unsure=("header_rows",),
    ),
    "joined_header_rows.tsv": PAIR._replace(
        features=("cold rep 1", "cold rep 2", "heat rep 1", "heat rep 2"),
        values=[[1.5, 2, 3, 4], [-3, 0.04, 5, 6]],
        feature_labels={
            "header row 1": ("cold", "cold", "heat", "heat"),
            "header row 2": ("rep 1", "rep 2", "rep 1", "rep 2"),
        },
        unsure=("header_rows",),
    ),
    "written_by_r.txt": PAIR,
    "written_by_r.tsv": PAIR,
    "no_header.csv": Expected(
        ("HSP12", "HSP26", "SSA1"),
        ("column 2", "column 3"),
        [[1.5, 2], [-3, 0.04], [0.5, 7]],
        notes=("no_header",),
        unsure=("header_rows",),
        found={"header_rows": "0"},
    ),
    "only_numbers.csv": Expected(
        ("row 1", "row 2", "row 3"),
        ("column 1", "column 2"),
        [[1.5, 2], [-3, 0.04], [0.5, 7]],
        notes=("no_header",),
        unsure=("id",),
        found={"header_rows": "0", "id": ""},
    ),
    "times_as_header.csv": PAIR._replace(
        features=("0", "10", "20"), values=[[1.5, 2, 3], [-3, 0.04, 5]]
    ),
    "times_as_header_odd_corner.csv": PAIR._replace(
        features=("0", "10", "20"),
        values=[[1.5, 2, 3], [-3, 0.04, 5]],
        unsure=("header_rows",),
    ),
    "trailing_delimiters.csv": PAIR._replace(notes=("empty_columns",)),
    "trailing_delimiters_in_rows.csv": PAIR._replace(notes=("empty_columns",)),
    "empty_columns_and_rows.csv": PAIR._replace(notes=("empty_rows", "empty_columns")),
    "one_number_column.csv": Expected(("HSP12", "HSP26"), ("fold change",), [[1.5], [-3]]),
    "missing_spellings.tsv": Expected(
        ("HSP12", "HSP26", "SSA1", "SSA2", "SSA3", "SSA4"),
        ("a", "b", "c", "d"),
        [
            [NAN, NAN, 1, NAN],
            [NAN, NAN, NAN, 2.5],
            [1.5, -2, NAN, NAN],
            [3, 4, 5, 6],
            [3, 4, 5, 6],
            [3, 4, 5, 6],
        ],
        unsure=("missing",),
    ),
    "excel_errors.csv": Expected(
        ("HSP12", "HSP26", "SSA1", "SSA2", "SSA3"),
        ("a", "b"),
        [[NAN, 1], [NAN, 2], [3, NAN], [4, 5], [6, 7]],
        notes=("error_cells",),
        unsure=("missing",),
    ),
    "infinite.csv": Expected(
        ("HSP12", "HSP26", "SSA1"), ("a", "b"), [[np.inf, 1], [-np.inf, 2], [3, np.inf]]
    ),
    "minus_signs.csv": Expected(
        ("HSP12", "HSP26", "SSA1"), ("a", "b"), [[-1.5, 1], [-2, 2e-3], [3, -4]]
    ),
    "number_forms.csv": Expected(
        ("g1", "g2", "g3", "g4"),
        ("a", "b"),
        [[1.5e-3, 1e5], [7, 0.5], [5, -0.0], [12, 123456789012345678901234567890.0]],
    ),
    "entrez.tsv": CANCER._replace(items=("7157", "672", "1017"), unsure=()),
    "entrez_beside_symbol.tsv": CANCER._replace(labels={"entrez": ("7157", "672", "1017")}),
    "cluster_column.tsv": CANCER._replace(
        items=("TP53", "BRCA1", "CDK2", "CDK4"),
        values=[[1.5, 2], [-3, 0.04], [1, 2], [5, 6]],
        labels={"cluster": ("1", "2", "1", "2")},
    ),
    "running_numbers.csv": CANCER._replace(
        labels={"column 1": ("0", "1", "2")}, notes=("unnamed_columns",), found={"id": "gene"}
    ),
    "truth_values.csv": Expected(("a1", "b1"), ("big",), [[1e30], [1]], {"on": ("TRUE", "FALSE")}),
    "marked_numbers.csv": Expected(
        ("HSP12", "HSP26", "SSA1"),
        ("a",),
        [[1], [2], [3]],
        {"change": ("5 ng", "7 ng", "<0.01")},
        notes=("numbers_as_texts",),
    ),
    "names_with_spaces.csv": PAIR._replace(notes=("names_trimmed",)),
    "repeated_names.csv": PAIR._replace(
        items=("HSP12", "HSP12"), features=("cold", "cold"), unsure=("id",)
    ),
    "declared_delimiter.csv": PAIR._replace(notes=("preamble",), found={"delimiter": ";"}),
    "feature_counts.tsv": Expected(
        ("TP53", "BRCA1", "MYC"),
        ("a.bam", "b.bam"),
        [[573, 460], [277, 36], [0, 1021]],
        {
            "Chr": ("17;17", "17", "8"),
            "Start": ("100;300", "500", "900"),
            "End": ("200;400", "600", "999"),
            "Strand": ("-;-", "-", "+"),
            "Length": ("4268", "1421", "800"),
        },
        notes=("comments",),
        unsure=("labels",),
    ),
    "excel_safe_numbers.csv": Expected(
        ("HSP12", "HSP26"),
        ("a",),
        [[1], [2]],
        {"mean": ('="0.5"', '="1.5"')},
        notes=("numbers_as_texts",),
    ),
    "genes_in_columns.csv": Expected(
        ("patient 1", "patient 2"),
        ("TP53", "BRCA1", "CDK2", "MYC", "GAPDH"),
        [[1.5, 2, 3, 4, 5], [-3, 0.04, 5, 6, 7]],
        unsure=("items",),
    ),
}

REFUSED: dict[str, tuple[str, tuple[str, ...]]] = {
    "refused_ragged.csv": ("load.uneven_rows", ("line 3", "line 5")),
    "refused_text_among_numbers.csv": ("load.not_a_number", ("'cold'", "line 3", "'high'")),
    "refused_text_row.csv": ("load.text_row", ("line 3",)),
    "refused_truncated.csv": ("load.uneven_rows", ("line 4",)),
    "refused_unclosed_quote.csv": ("load.not_a_table", ("line 2",)),
    "refused_zero_bytes.csv": ("load.not_text", ("line 2", "byte 17")),
    "refused_one_column.txt": ("load.one_column", ("line 1",)),
    "refused_no_numbers.csv": ("load.no_numbers", ("line 1",)),
    "refused_two_tables.csv": ("load.uneven_rows", ("line 2",)),
}


def read(path: Path, **choices: Any) -> Reading:
    return FORMAT.read(Source.at(path), Choices(**choices), silent)


def read_text(text: str, **choices: Any) -> Reading:
    return FORMAT.read(Source.pasted(text), Choices(**choices), silent)


def refusal(text: str, **choices: Any) -> UserError:
    with pytest.raises(UserError) as caught:
        read_text(text, **choices)
    return caught.value


def found(reading: Reading) -> dict[str, str]:
    return {guess.key: guess.value for guess in reading.guesses}


def notes(reading: Reading) -> tuple[str, ...]:
    return tuple(note.key.removeprefix("load.") for note in reading.notes)


def same_tables(one: Reading, other: Reading) -> None:
    assert one.table.items.names == other.table.items.names
    assert one.table.features.names == other.table.features.names
    assert dict(one.table.items.labels) == dict(other.table.items.labels)
    assert dict(one.table.features.labels) == dict(other.table.features.labels)
    np.testing.assert_array_equal(one.table.dense, other.table.dense)


@pytest.mark.parametrize("name", CORPUS)
def test_that_a_file_is_read_to_its_exact_table(name: str) -> None:
    expected, reading = CORPUS[name], read(FOLDER / name)
    table = reading.table
    assert table.items.names == expected.items
    assert table.features.names == expected.features
    np.testing.assert_array_equal(table.dense, expected.values)
    assert dict(table.items.labels) == dict(expected.labels)
    assert dict(table.features.labels) == dict(expected.feature_labels)
    assert notes(reading) == expected.notes
    unsure = {guess.key for guess in reading.guesses if not guess.sure}
    assert unsure - {"logged"} == set(expected.unsure)
    assert expected.found.items() <= found(reading).items()


@pytest.mark.parametrize("name", REFUSED)
def test_that_what_is_no_table_is_refused_with_its_address(name: str) -> None:
    key, addresses = REFUSED[name]
    with pytest.raises(UserError) as caught:
        read(FOLDER / name)
    problem = caught.value.problems[0]
    assert problem.key == key
    assert all(address in problem.where for address in addresses)


def test_that_every_file_of_the_corpus_is_tried() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {*CORPUS, *REFUSED}


@pytest.mark.parametrize("name", CORPUS)
def test_that_guesses_given_as_choices_read_the_same_table(name: str) -> None:
    first = read(FOLDER / name)
    fields = Choices.specs()
    texts = {guess.key: guess.value for guess in first.guesses if guess.key in fields}
    again = FORMAT.read(Source.at(FOLDER / name), Choices.from_texts(texts), silent)
    same_tables(first, again)


@pytest.mark.parametrize("name", CORPUS)
def test_that_items_in_columns_are_the_same_table_turned(name: str) -> None:
    rows, columns = read(FOLDER / name).table, read(FOLDER / name, items="columns").table
    assert columns.items.names == rows.features.names
    assert dict(columns.items.labels) == dict(rows.features.labels)
    np.testing.assert_array_equal(columns.dense, rows.dense.T)


def test_that_rows_and_columns_know_their_places_in_the_file() -> None:
    table = read(FOLDER / "quoted.csv").table
    assert table.items.address(2) == "'SSA1' (line 5)"
    assert table.features.address(1) == "'heat' (column 4)"


def test_that_a_compressed_and_a_pasted_table_read_the_same(tmp_path: Path) -> None:
    plain = read(FOLDER / "tab.tsv")
    packed = tmp_path / "table.tsv.gz"
    packed.write_bytes(gzip.compress((FOLDER / "tab.tsv").read_bytes()))
    same_tables(plain, read(packed))
    same_tables(plain, read_text((FOLDER / "tab.tsv").read_text()))


def test_that_decimal_marks_met_late_are_heeded() -> None:
    lines = [f"g{number};{number};{number + 1}" for number in range(500)]
    lines[250] = "g250;1,5;2,25"
    values = read_text("\n".join(["gene;a;b", *lines])).table.dense
    np.testing.assert_array_equal(values[250], [1.5, 2.25])


def test_that_a_text_column_that_begins_with_numbers_is_a_label() -> None:
    lines = [f"g{number},{number if number < 40 else 'none yet'},1.5" for number in range(400)]
    table = read_text("\n".join(["gene,remark,a", *lines])).table
    assert table.features.names == ("a",)
    assert table.items.labels["remark"][:41] == (*map(str, range(40)), "none yet")


def test_that_a_column_that_is_blank_in_most_rows_is_told_by_the_rest() -> None:
    lines = [f"g{number},{'' if number != 777 else 'see below'},1.5" for number in range(1000)]
    table = read_text("\n".join(["gene,remark,a", *lines])).table
    assert table.items.labels["remark"][777] == "see below"


def test_that_one_text_among_many_numbers_is_refused_with_its_line() -> None:
    lines = [f"g{number},{number},{number}.5" for number in range(3000)]
    lines[2500] = "g2500,12,~3"
    error = refusal("\n".join(["gene,a,b", *lines]))
    assert error.keys == ("load.not_a_number",)
    assert "'b', line 2502 (first value: '~3')" in error.problems[0].where


def test_that_an_unknown_spelling_can_be_called_missing() -> None:
    text = "gene,a,b\ng1,1,n.v.\ng2,n.v.,2\ng3,3,4\ng4,5,6\n"
    assert refusal(text).keys == ("load.not_a_number", "load.not_a_number")
    reading = read_text(text, missing=("n.v.",))
    assert reading.table.n_missing == 2
    # What is chosen is all: "NA" is then a text like any other.
    assert refusal(text.replace("3,4", "3,NA"), missing=("n.v.",)).keys == ("load.not_a_number",)


@pytest.mark.parametrize(
    "text", ["Undetermined", "undetermined", "UNDETERMINED", "N.D.", "BDL", "<LOD", "< LOQ", "LOQ"]
)
def test_that_what_instruments_write_below_their_limits_is_missing(text: str) -> None:
    reading = read_text(f"gene,a,b\nTP53,22.1,{text}\nMYC,20,21.5\nEGFR,19,{text}\n")
    np.testing.assert_array_equal(reading.table.dense, [[22.1, NAN], [20, 21.5], [19, NAN]])
    (missing,) = [guess for guess in reading.guesses if guess.key == "missing"]
    assert (missing.value, missing.sure) == (text, False)


def called_missing(problem: Problem) -> tuple[str, ...]:
    """The spellings that a way out calls missing."""
    _, _, listed = problem.way_out.partition("list as missing: ")
    text = f"missing={listed.partition(';')[0].removesuffix('.')}"
    assert "missing" in problem.fields
    found = Choices.from_texts(dict([text.split("=", 1)])).missing
    assert found is not None
    return found


def test_that_a_label_of_numbers_and_one_text_is_doubted_with_a_way_out() -> None:
    text = "gene,a,b,c\nTP53,22.1,Failed,30\nMYC,20,21.5,NA\nEGFR,19,Failed,33\n"
    reading = read_text(text)
    assert dict(reading.table.items.labels) == {"b": ("Failed", "21.5", "Failed")}
    assert "labels" in [guess.key for guess in reading.guesses if not guess.sure]
    (note,) = reading.notes
    assert note.key == "load.numbers_among_texts"
    missing = called_missing(note)
    assert missing == ("Failed", "NA")
    assert read_text(text, missing=missing).table.n_missing == 3
    chosen = read_text(text, labels=("b",))
    assert not chosen.notes
    assert "labels" not in [guess.key for guess in chosen.guesses if not guess.sure]


@pytest.mark.parametrize("texts", ["x,x,x", "x,y,1", "2 h,4 h,4 h"])
def test_that_a_label_of_texts_is_not_doubted(texts: str) -> None:
    lines = [f"g{number},{number},{text}" for number, text in enumerate(texts.split(","), 1)]
    reading = read_text("\n".join(["gene,a,when", *lines]))
    assert "when" in reading.table.items.labels
    assert "load.numbers_among_texts" not in [note.key for note in reading.notes]


def test_that_texts_among_numbers_come_with_the_option_that_calls_them_missing() -> None:
    lines = [f"g{number},{number},{number}.5" for number in range(30)]
    lines[3:6] = ["g3,NA,so so", 'g4,4,"no, it\'s bad"', "g5,5,so so"]
    text = "\n".join(["gene,a,b", *lines])
    (problem,) = refusal(text).problems
    missing = called_missing(problem)
    assert missing == ("so so", "no, it's bad", "NA")
    assert read_text(text, missing=missing).table.n_missing == 4


def test_that_labels_can_be_none() -> None:
    text = "gene,cluster,a,kind\ng1,1,1.5,x\ng2,2,2.5,x\ng3,1,3.5,y\n"
    assert [*read_text(text).table.items.labels] == ["cluster", "kind"]
    for chosen, features in (((), ("cluster", "a")), (("a",), ("cluster",))):
        reading = read_text(text, labels=chosen)
        assert reading.table.features.names == features
        assert [*reading.table.items.labels] == [*chosen, "kind"]
        assert [guess.sure for guess in reading.guesses if guess.key == "labels"] == [True]


def test_that_a_number_can_stand_for_a_missing_value() -> None:
    reading = read_text("gene,a,b\ng1,1,-999\ng2,-999.0,2\ng3,3,4\n", missing=("-999",))
    np.testing.assert_array_equal(reading.table.dense, [[1, NAN], [NAN, 2], [3, 4]])


def test_that_rows_can_be_labels_whichever_side_the_items_are_on() -> None:
    text = "gene,s1,s2\ng1,1,2\nclass,ALL,AML\ng2,3,4\ng3,5,6\n"
    for items, axis in (("rows", "features"), ("columns", "items")):
        table = read_text(text, items=items, labels=("class",)).table
        assert dict(table.axis(axis).labels) == {"class": ("ALL", "AML")}
        assert table.n_items * table.n_features == 6


def test_that_a_text_beside_label_rows_is_found_on_its_line() -> None:
    text = "gene,s1,s2\ng1,1,2\nclass,ALL,AML\ng2,3,4\ng3,5,oops\ng4,5,6\n"
    error = refusal(text, items="columns", labels=("class",))
    assert error.keys == ("load.not_a_number",)
    assert "line 5 " in error.problems[0].where


def test_that_columns_are_chosen_by_name_or_number_unless_names_repeat() -> None:
    text = "gene,kind,kind,a\ng1,1,2,3\ng2,4,5,6\n"
    table = read_text(text, labels=("column 3",)).table
    assert table.items.labels["kind"] == ("2", "5")
    assert table.features.names == ("kind", "a")
    assert refusal(text, labels=("kind",)).keys == ("load.ambiguous_label",)
    assert refusal(text, id="kind").keys == ("load.ambiguous_id",)
    assert read_text(text, id="column 2").table.items.names == ("1", "4")


def test_that_what_is_not_there_is_refused_with_a_proposal() -> None:
    text = (FOLDER / "comma.csv").read_text()
    for choices, key, proposal in (
        ({"labels": ("clas",)}, "load.no_such_label", "'class'"),
        ({"id": "gen"}, "load.no_such_id", "'gene'"),
    ):
        error = refusal(text, **choices)
        assert error.keys == (key,)
        assert proposal in error.problems[0].way_out


def test_that_lines_can_be_skipped_and_header_rows_be_chosen() -> None:
    text = "1,2,3\n4,5,6\n7,8,9\n"
    reading = read_text(text, skip=1, header_rows=1)
    assert reading.table.features.names == ("4", "5", "6")
    assert reading.table.dense.tolist() == [[7, 8, 9]]
    assert notes(reading) == ("preamble",)


def test_that_signatures_of_other_files_are_told(tmp_path: Path) -> None:
    for data in (b"PK\x03\x04....", b"%PDF-1.7 ...", b"\x89PNG\r\n\x1a\n", b"\x89HDF\r\n\x1a\n"):
        path = tmp_path / "table.csv"
        path.write_bytes(data)
        with pytest.raises(UserError) as caught:
            read(path)
        assert caught.value.keys == ("load.not_text",)
        assert not FORMAT.recognises(Source.at(path))


@pytest.mark.parametrize("data", [b"FCS3.1    " + b"      58" * 6, b"@\0\0\0\4\0\0\0" + bytes(60)])
def test_that_what_instruments_write_is_called_by_its_name(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "measured"
    path.write_bytes(data)
    with pytest.raises(UserError) as caught:
        read(path)
    assert caught.value.keys == ("load.not_text",)
    assert "FCS" in str(caught.value) or "CEL" in str(caught.value)


def test_that_a_line_of_a_million_cells_is_read(tmp_path: Path) -> None:
    n_columns = 1_000_000
    path = tmp_path / "wide.tsv"
    header = "sample\t" + "\t".join(f"g{number}" for number in range(n_columns))
    row = "\t".join(["1.25"] * n_columns)
    path.write_text(f"{header}\npatient 1\t{row}\n")
    table = read(path).table
    assert table.dense.shape == (1, n_columns)
    assert (table.dense == 1.25).all()


def test_that_a_report_is_heard_and_ends_the_reading(tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    path.write_text("gene,a,b\n" + "g,1.25,2.5\n" * 600_000)
    heard: list[float] = []
    FORMAT.read(Source.at(path), Choices(), heard.append)
    assert heard == sorted(heard)
    assert heard[-1] == 1.0
    assert len(heard) > 5

    class Enough(Exception):
        """Raised by the listener."""

    def stop(fraction: float) -> None:
        if fraction > 0.5:
            raise Enough

    with pytest.raises(Enough):
        FORMAT.read(Source.at(path), Choices(), stop)


@pytest.mark.parametrize("marked", ["1.5*", "1.5x10^3", "3 (2)"])
def test_that_no_hint_calls_a_number_missing(marked: str, tmp_path: Path) -> None:
    path = tmp_path / "marked.csv"
    path.write_text(f"gene,a,b\nTP53,{marked},2\nMYC,3,4\nEGFR,5,6\nKRAS,7,8\n", encoding="utf-8")
    with pytest.raises(UserError) as caught:
        read(path)
    assert "missing" not in caught.value.hint
