"""Uneven rows, blank names and several header rows, each read to its true table or refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.contract.troublesome.case import Case
from tests.contract.troublesome.ragged import CASES
from ximstudio.load import Choices, Guess, Reading, Source, read_source
from ximstudio.model import UserError

BODY = "".join(f"YAL00{number}C|{number}.5|2|{number}|0.25\n" for number in range(1, 9))


def read(text: str, **choices: object) -> Reading:
    return read_source(Source.pasted(text.replace("|", "\t")), Choices(**choices))  # type: ignore[arg-type]


def keys(reading: Reading) -> set[str]:
    return {note.key.removeprefix("load.") for note in reading.notes}


def where(reading: Reading, key: str) -> str:
    return next(note.where for note in reading.notes if note.key == f"load.{key}")


def refused(text: str, **choices: object) -> UserError:
    with pytest.raises(UserError) as caught:
        read(text, **choices)
    return caught.value


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_that_a_troublesome_text_is_right_at_once_or_after_the_first_hint(case: Case) -> None:
    source = Source.pasted(case.content.decode())
    try:
        reading = read_source(source, Choices())
    except UserError as error:
        reading = read_source(source, Choices(**dict(error.hint)))
    table = reading.table
    assert (table.items.names, table.features.names) == (case.items, case.features)
    assert case.item_labels.items() <= dict(table.items.labels).items()
    assert case.feature_labels.items() <= dict(table.features.labels).items()
    np.testing.assert_array_equal(table.values, case.values)
    assert set(case.notes) <= {note.key for note in reading.notes}


@given(
    st.lists(
        st.lists(st.sampled_from(["", "0.5", "-2", "31.25"]), min_size=4, max_size=4),
        min_size=6,
        max_size=12,
    ),
    st.booleans(),
)
def test_that_a_table_stripped_of_blanks_reads_as_the_whole_one(
    cells: list[list[str]], named: bool
) -> None:
    cells[3] = ["1.5", "2", "3.25", "4"]
    header = "gene|a|b|c|d\n" if named else "a|b|c|d\n"
    lines = [f"YAL{number:03d}C|" + "|".join(row) for number, row in enumerate(cells)]
    whole = read(header + "".join(f"{line}\n" for line in lines))
    stripped = read(header + "".join(line.rstrip("|") + "\n" for line in lines))
    assert stripped.table.items.names == whole.table.items.names
    assert stripped.table.features.names == ("a", "b", "c", "d")
    np.testing.assert_array_equal(stripped.table.values, whole.table.values)
    assert ("short_rows" in keys(stripped)) == any(not row[-1] for row in cells)


def test_that_rows_that_were_filled_up_are_told_by_line() -> None:
    reading = read("gene|a|b|c\nA1|1|2|3\nB1|1|2\nC1|4|5|6\nD1|2\n")
    assert where(reading, "short_rows").endswith("lines 3; 5")


def test_that_a_file_that_is_cut_off_is_refused_and_read_without_its_last_row() -> None:
    text = "gene|a|b\nA1|1|2\nB1|3|4\nC1|5."
    assert refused(text).keys == ("load.uneven_rows",)
    assert read(text, uneven="drop").table.items.names == ("A1", "B1")


def test_that_cells_cut_at_spaces_are_not_filled_up() -> None:
    text = "gene a b c\nA1 1 2 3\nB1 1 2\nC1 4 5 6\nD1 2 3 4\n"
    assert refused(text, delimiter=" ").keys == ("load.uneven_rows",)
    assert read(text, delimiter=" ", uneven="drop").table.items.names == ("A1", "C1", "D1")


def test_that_a_short_row_that_lacks_its_name_is_refused_with_its_line() -> None:
    error = refused("gene|kind|a|b\nA1|x|1|2\nB1|y|3|4\n5|6\nC1|z|7|8\n")
    assert error.keys == ("load.uneven_rows",)
    assert "line 4 has 2" in error.problems[0].where


def test_that_a_text_is_joined_only_if_one_way_makes_sense() -> None:
    table = read_source(
        Source.pasted("gene,kind,a,b\nA1,small, acid,1,2\nB1,y,3,4\nC1,z,5,6\n"), Choices()
    ).table
    assert table.items.labels["kind"] == ("small, acid", "y", "z")
    with pytest.raises(UserError) as caught:
        read_source(Source.pasted("gene,a,b\nA1,1,2\nB1,3,4,5\nC1,5,6\n"), Choices())
    assert "line 3 has 4" in caught.value.problems[0].where


def test_that_quotation_marks_that_are_letters_stay_so_in_uneven_rows() -> None:
    table = read('gene|pipe|a|b\nA1|5" x|1|2\nB1|6" y|3\nC1|7" z|4|5|\n').table
    assert table.items.labels["pipe"] == ('5" x', '6" y', '7" z')


UNEVEN = "gene|a|b|c\nA1|1|2|3\nB1|4|5\nC1|6|7|8\nD1|9|1|2|\n"


@pytest.mark.parametrize("text", [UNEVEN, UNEVEN.replace("gene|a|b|c", "gene|a, x|b|c")])
def test_that_all_uneven_rows_can_be_left_out(text: str) -> None:
    reading = read(text, uneven="drop_all")
    # Blank cells beyond the table are none of its own.
    assert reading.table.items.names == ("A1", "C1", "D1")
    assert keys(reading) == {"uneven_rows_left_out"}
    assert "line 3" in where(reading, "uneven_rows_left_out")


def test_that_cells_are_not_joined_where_all_uneven_rows_are_left_out() -> None:
    text = "gene,note,a\nA1,one,1\nB1,two, or three,2\nC1,four,3\n"
    assert read(text).table.items.labels["note"][1] == "two, or three"
    assert read(text, uneven="drop_all").table.items.names == ("A1", "C1")


def test_that_what_was_done_about_uneven_rows_is_a_guess_to_check() -> None:
    def guess(text: str, **choices: object) -> Guess | None:
        return next((one for one in read(text, **choices).guesses if one.key == "uneven"), None)

    assert guess("gene|a|b\nA1|1|2\nB1|3|4\n") is None
    found = guess(UNEVEN)
    assert found is not None
    assert (found.value, found.sure) == ("clear", False)
    assert set(found.options or {}) == {"clear", "pad", "drop", "drop_all"}
    for choice in ("pad", "drop", "drop_all"):
        chosen = guess(UNEVEN, uneven=choice)
        assert chosen is not None
        assert (chosen.value, chosen.sure) == (choice, True)


def test_that_uneven_rows_of_a_long_table_are_a_guess_to_check() -> None:
    rows = [f"g{n % 5}|s{n // 5}|{n}|x" for n in range(20)]
    rows[7] = rows[7].removesuffix("|x")
    reading = read("gene|sample|value|note\n" + "\n".join(rows) + "\n")
    guesses = {guess.key: guess for guess in reading.guesses}
    assert guesses["layout"].value == "long"
    assert not guesses["uneven"].sure


def test_that_a_sentence_between_rows_is_left_out_with_a_note() -> None:
    reading = read("gene|a|b\nA1|1|2\nThe next ones are controls.\nB1|3|4\nC1|5|6\n")
    assert reading.table.items.names == ("A1", "B1", "C1")
    assert "line 3" in where(reading, "remarks")


def test_that_the_second_of_two_tables_is_reached_by_the_hint() -> None:
    text = "gene|a|b\nA1|1|2\nB1|3|4\n\ngene|c|d|e\nA1|1|2|3\nB1|4|5|6\nC1|7|8|9\n"
    error = refused(text)
    assert error.problems[0].fields == ("skip",)
    assert error.hint == {"skip": 4}
    assert read(text, skip=4).table.features.names == ("c", "d", "e")


@pytest.mark.parametrize(
    ("header", "features", "unsure"),
    [
        ("a|b|c|d", ("a", "b", "c", "d"), False),
        ("gene|a|b|c", ("a", "b", "c", "column 5"), True),
        ("gene|a|b", ("a", "b", "column 4", "column 5"), True),
    ],
)
def test_that_a_short_header_names_the_columns_it_can(
    header: str, features: tuple[str, ...], unsure: bool
) -> None:
    reading = read(f"{header}\n{BODY}")
    assert reading.table.features.names == features
    guess = next(guess for guess in reading.guesses if guess.key == "header_rows")
    assert guess.sure != unsure


def test_that_blank_names_are_numbered_if_nothing_can_stand_in() -> None:
    reading = read("gene|a|b\nTP53|1|2.5\n|3|4\nrow 2|5|6\n|7|8\n")
    assert reading.table.items.names == ("TP53", "row 2 (1)", "row 2", "row 4")
    assert where(reading, "blank_names").endswith("lines 3; 5")


def test_that_blank_names_are_those_of_another_column_which_is_told() -> None:
    reading = read("gene|probe|a\nTP53|p1|1\n|p2|3\nMYC|p3|5\n", id="gene")
    assert reading.table.items.names == ("TP53", "p2", "MYC")
    note = next(note for note in reading.notes if note.key == "load.blank_names")
    assert "'probe'" in note.what


@pytest.mark.parametrize(
    ("text", "items", "features"),
    [
        ("|a|b\n0|1.5|2\n1|3|4\n2|5|6\n", ("0", "1", "2"), ("a", "b")),
        ("|0|10|20\n7157|1|2|3\n672|4|5|6\n", ("7157", "672"), ("0", "10", "20")),
        ("|1|2|3\n0.5|1|2|3\n1.5|4|5|6\n", ("0.5", "1.5"), ("1", "2", "3")),
    ],
)
def test_that_a_blank_corner_over_numbers_is_that_of_an_index(
    text: str, items: tuple[str, ...], features: tuple[str, ...]
) -> None:
    table = read(text).table
    assert (table.items.names, table.features.names) == (items, features)


@pytest.mark.parametrize(
    ("header", "labels"),
    [
        ("gene|a|b|c|d\nTumour type|x|y|y|x\n", {"Tumour type": ("x", "y", "y", "x")}),
        ("gene|a|b|c|d\nclass|1|1|2|2\n", {"class": ("1", "1", "2", "2")}),
        ("gene|a|b|c|d\nTime (h)|0|2|4|8\n", {"Time (h)": ("0", "2", "4", "8")}),
        ("gene|a|b|c|d\n|1|1|2|2\n", {"class": ("1", "1", "2", "2")}),
        ("|1|1|2|2\ngene|a|b|c|d\n", {"class": ("1", "1", "2", "2")}),
        ("gene|a|b|c|d\n|ng/ml|ng/ml|ng/ml|ng/ml\n", {"unit": ("ng/ml",) * 4}),
        ("!Sample_title|w|x|y|z\nID_REF|a|b|c|d\n", {"title": ("w", "x", "y", "z")}),
        ("|low||high\ngene|a|b|c|d\n", {"header row 1": ("low", "low", "high", "high")}),
        ("gene|a|b|c|d\n#!{C:Arm}|x|x|y|y\n", {"Arm": ("x", "x", "y", "y")}),
        ("gene|a|b|c|d\n#!{N:Dose}|0|1|0|1\n", {"Dose": ("0", "1", "0", "1")}),
    ],
)
def test_that_header_rows_become_labels_under_their_own_names(
    header: str, labels: dict[str, tuple[str, ...]]
) -> None:
    table = read(header + BODY).table
    assert table.features.names == ("a", "b", "c", "d")
    assert dict(table.features.labels) == labels
    assert table.n_items == 8


def test_that_perseus_tables_without_names_first_keep_the_first_cell_of_a_label() -> None:
    rows = "".join(f"{number}.5|2|P1234{number}\n" for number in range(5))
    table = read("s1|s2|Protein IDs\n#!{Type}E|E|T\n#!{C:Arm}ctrl|drug|\n" + rows).table
    assert table.features.labels["Arm"] == ("ctrl", "drug")
    assert table.items.names[0] == "P12340"


def test_that_rows_that_describe_samples_are_values_if_most_rows_do() -> None:
    table = read("variable|P1|P2|P3\nage|40|50|60\nstage|1|2|3\ndose|5|1|2\ntime|3|2|1\n").table
    assert table.items.names == ("age", "stage", "dose", "time")


def test_that_rows_with_several_texts_beside_their_numbers_are_values() -> None:
    table = read("array|run|a|b\nctrl|group|1|2\ndrug|run_1|3|4\nTP53|x|5|6\nMYC|y|7|8\n").table
    assert table.n_items == 4


def test_that_a_first_row_of_values_without_a_name_stays_one() -> None:
    reading = read("gene|a|b|c|d\n|0.5|1.25|7|9\n" + BODY)
    assert reading.table.n_items == 9
    assert "blank_names" in keys(reading)


def test_that_names_of_classes_are_a_label_too() -> None:
    table = read("gene|ctrl|ctrl|drug|drug\n" + BODY).table
    assert table.features.names == ("ctrl", "ctrl", "drug", "drug")
    assert table.features.labels["class"] == ("ctrl", "ctrl", "drug", "drug")


def test_that_a_blank_column_of_descriptions_is_none_of_values() -> None:
    table = read("gene|Protein description|a|b\nA1||1|2\nB1||3|4\n").table
    assert table.features.names == ("a", "b")
    assert table.items.labels["Protein description"] == ("", "")


def test_that_no_way_of_evening_is_offered_for_texts_alone() -> None:
    with pytest.raises(UserError) as caught:
        read("one|none|TP53|MYC\ntwo|none|JUN|FOS\nthree|some|EGFR|KRAS\nfour|some|RB1\n")
    assert (caught.value.keys, dict(caught.value.hint)) == (("load.no_numbers",), {})
