"""Numbers and counted things as people read them."""

import math
import re
from pathlib import Path

import pytest

from ximstudio.model.words import counted, grouped, in_words, natural, number, plural

CODE = Path(__file__).parent.parent.parent / "ximstudio"
LAZY_PLURAL = re.compile(r"\w\((s|es)\)(?!:)")


@pytest.mark.parametrize(
    ("n", "text"), [(0, "0 genes"), (1, "1 gene"), (2, "2 genes"), (7129, "7\u202f129 genes")]
)
def test_that_one_is_one_and_all_else_are_several(n: int, text: str) -> None:
    assert counted(n, "gene") == text


def test_that_words_that_change_otherwise_are_given() -> None:
    assert counted(1, "class has", "classes have") == "1 class has"
    assert counted(3, "class has", "classes have") == "3 classes have"
    assert (plural(1, "is", "are"), plural(0, "is", "are")) == ("is", "are")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (-28_412.0, "−28 400"),
        (61_200.0, "61 200"),
        (-0.0, "0"),
        (0.0, "0"),
        (7.0, "7"),
        (0.5, "0.5"),
        (-6.344, "−6.34"),
        (0.00071, "0.00071"),
        (999.96, "1 000"),
        (2.84e13, "2.84·10¹³"),
        (-1.5e-9, "−1.5·10⁻⁹"),
        (math.nan, "–"),
        (-math.inf, "−∞"),
    ],
)
def test_that_numbers_are_written_as_a_person_would(value: float, text: str) -> None:
    assert number(value).replace("\u202f", " ") == text


def test_that_all_digits_of_whole_numbers_can_be_had() -> None:
    assert number(59_400_123, 12) == grouped(59_400_123) == "59\u202f400\u202f123"
    assert grouped(-1234) == "−1\u202f234"


def test_that_no_message_leaves_the_plural_to_the_reader() -> None:
    found = [
        f"{path.name}:{place}"
        for path in CODE.rglob("*.py")
        for place, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if LAZY_PLURAL.search(line) and '"' in line
    ]
    assert found == []


def test_that_numbers_in_names_are_sorted_by_their_size() -> None:
    names = ["heat 10", "heat 9", "Cold", "acid 2", "9 min", "10 min"]
    assert sorted(names, key=natural) == ["9 min", "10 min", "acid 2", "Cold", "heat 9", "heat 10"]


def test_that_options_of_the_command_line_keep_their_names() -> None:
    text = in_words("Choose features with --features 'features*', or --items columns.", "a", "b")
    assert text == "Choose bs with --features 'features*', or --items columns."
