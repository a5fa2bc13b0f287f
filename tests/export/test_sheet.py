"""Tables before they are written."""

from __future__ import annotations

import numpy as np
import pytest

from ximstudio.export.sheet import Sheet, label, unique
from ximstudio.files.columns import ColumnKind, numbers, sound, texts, wholes

MANY = tuple(f"{number / 8:.3f}" for number in range(30))


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        (("1", "2", ""), ColumnKind.WHOLE),
        (("1", "2.5", "-3"), ColumnKind.NUMBER),
        (MANY, ColumnKind.NUMBER),
        ((*MANY, "0.50"), ColumnKind.TEXT),
        (("1.1", "1.10"), ColumnKind.TEXT),
        (("1.10", "1.20"), ColumnKind.TEXT),
        (("007", "12"), ColumnKind.TEXT),
        (("2310009E13", "1"), ColumnKind.TEXT),
        (("1e5", "2"), ColumnKind.TEXT),
        (("-0", "1"), ColumnKind.TEXT),
        (("nan", "1"), ColumnKind.TEXT),
        (("1_000", "1"), ColumnKind.TEXT),
        (("٣", "1"), ColumnKind.TEXT),
        (("12345678901234567", "1"), ColumnKind.TEXT),
        (("", ""), ColumnKind.TEXT),
        (("a", "1"), ColumnKind.TEXT),
    ],
)
def test_that_labels_become_numbers_only_where_nothing_is_lost(
    given: tuple[str, ...], kind: ColumnKind
) -> None:
    column = label("label", given)
    assert column.kind is kind
    if kind is not ColumnKind.TEXT:
        expected = [float(text) if text else np.nan for text in given]
        np.testing.assert_array_equal(np.asarray(column.values), expected)


def test_that_repeated_names_are_made_unique() -> None:
    sheet = Sheet(name="s", columns=tuple(texts(name, ["x"]) for name in ("a", "a", "a (2)", "a")))
    assert sheet.names == ("a", "a (2)", "a (2) (2)", "a (3)")
    assert unique(["_index"], taken=["_index"]) == ["_index (2)"]


def test_that_blanks_are_none_and_whole_numbers_are_whole() -> None:
    assert texts("t", ["", "a"]).cells() == [None, "a"]
    assert numbers("n", np.array([np.nan, 1.5])).cells() == [None, 1.5]
    whole = wholes("w", np.array([np.nan, 3.0])).cells()
    assert whole == [None, 3]
    assert isinstance(whole[1], int)


def test_that_pieces_are_all_rows_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ximstudio.files.columns.AT_ONCE", 10)
    sheet = Sheet(name="s", columns=(wholes("a", range(23)), wholes("b", range(23))))
    pieces = list(sheet.pieces())
    assert [begin for begin, _ in pieces] == [0, 5, 10, 15, 20]
    assert [row[0] for _, rows in pieces for row in rows] == list(range(23))
    assert [row[0] for _, rows in sheet.take(np.array([4, 2])).pieces() for row in rows] == [4, 2]


def test_that_halves_of_letters_do_not_reach_a_file() -> None:
    assert sound("a\ud800b") == "a\ufffdb"
    assert sound("β😀") == "β😀"


def test_that_whole_numbers_of_any_length_keep_all_their_digits() -> None:
    column = wholes("seed", [1, 2**63, 10**400])
    assert column.kind is ColumnKind.TEXT
    assert list(column.cells(0, 3)) == ["1", str(2**63), str(10**400)]
    assert wholes("seed", [0, 2**63 - 1]).kind is ColumnKind.WHOLE
