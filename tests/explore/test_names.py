"""Genes and samples found by name, as they are typed and from pasted lists."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ximstudio.explore.names import AT_ONCE, NameIndex, are_names, near_names
from ximstudio.model import Matrix
from ximstudio.model.named_set import SetSide

GENES = ("YAL001C", "YAL002W", "YBR001C", "ENSG00000141510.4", "yal003w")
SYMBOLS = ("TFC3", "VPS8", "NTH2", "TP53", "")
KINDS = ("a", "a", "a", "b", "b")
IDS = tuple(f"YBR{number:04d}W" for number in range(2 * AT_ONCE + 5))


def table() -> Matrix:
    return Matrix(
        values=np.zeros((5, 2)),
        item_ids=GENES,
        feature_names=("heat shock 10", "heat shock 20"),
        item_labels={"symbol": SYMBOLS, "kind": KINDS},
    )


def offered(typed: str, index: NameIndex | None = None) -> list[str]:
    return [one.id for one in (index or NameIndex.of(table())).completions(typed)]


def test_that_names_that_begin_so_come_before_names_that_hold_it() -> None:
    index = NameIndex(("xab", "abx", "ab", "cd"))
    assert offered("AB", index) == ["ab", "abx", "xab"]


def test_that_a_gene_is_found_by_its_symbol_and_offered_once() -> None:
    (one,) = NameIndex.of(table()).completions("tp5")
    assert (one.id, one.text, one.label) == ("ENSG00000141510.4", "TP53", "symbol")
    same = NameIndex(("TP53", "x"), {"symbol": ("TP53", "y")})
    assert offered("tp53", same) == ["TP53"]


def test_that_classes_are_no_names() -> None:
    assert not are_names(KINDS)
    assert offered("b") == ["YBR001C"]


def test_that_nothing_typed_offers_nothing() -> None:
    assert offered("") == offered("  ") == offered("no such") == []


def test_that_features_have_names_too() -> None:
    index = NameIndex.of(table(), SetSide.FEATURES)
    assert offered("20", index) == ["heat shock 20"]
    assert index.matched_text("heat shock 20, HEAT SHOCK 10").found == (
        "heat shock 20",
        "heat shock 10",
    )


def test_that_no_more_are_offered_than_asked_for() -> None:
    index = NameIndex([f"gene {number}" for number in range(100)])
    assert len(index.completions("gene", most=7)) == 7


NAMES = st.lists(st.text(st.sampled_from("ab Cß\n"), min_size=1, max_size=5), max_size=12)


@given(NAMES, st.text(st.sampled_from("ab cßS"), max_size=3))
def test_that_completions_are_those_of_a_slow_search(ids: list[str], typed: str) -> None:
    ids = list(dict.fromkeys(ids))
    wanted = " ".join(typed.split()).casefold()
    folded = {name: " ".join(name.split()).casefold() for name in ids}
    same = [name for name in ids if folded[name] == wanted]
    begin = [name for name in ids if folded[name].startswith(wanted)]
    hold = [name for name in ids if wanted in folded[name]]
    expected = list(dict.fromkeys([*same, *begin, *hold])) if wanted else []
    assert [one.id for one in NameIndex(ids).completions(typed, most=99)] == expected


@pytest.mark.parametrize(
    "text",
    [
        "YBR001C\nYAL001C\n",
        "YBR001C\r\nYAL001C",
        "YBR001C, YAL001C",
        "YBR001C;YAL001C;",
        "YBR001C\tYAL001C",
        "YBR001C   YAL001C",
        "'YBR001C' \"YAL001C\"",
        "ybr001c, yal001c",
        "NTH2 TFC3",
        "YBR001C YBR001C nth2 YAL001C",
    ],
)
def test_that_a_pasted_list_is_found_in_its_order(text: str) -> None:
    matched = NameIndex.of(table()).matched_text(text)
    assert matched.found == ("YBR001C", "YAL001C")
    assert matched.missing == ()
    assert matched.unclear == ()


def test_that_what_is_not_there_is_told() -> None:
    matched = NameIndex.of(table()).matched_text("YAL001C\nnobody\nYAL009X, nobody")
    assert matched.found == ("YAL001C",)
    assert matched.missing == ("nobody", "YAL009X")


def test_that_a_name_that_fits_several_is_unclear_and_says_which() -> None:
    index = NameIndex(("brca1", "BRCA1", "p1", "p2"), {"symbol": ("x", "y", "MYC", "MYC")})
    matched = index.matched(["Brca1", "BRCA1", "myc"])
    assert matched.found == ("BRCA1",)
    assert matched.unclear == (("Brca1", ("brca1", "BRCA1")), ("myc", ("p1", "p2")))


def test_that_versions_of_accessions_do_not_matter() -> None:
    matched = NameIndex.of(table()).matched_text("ENSG00000141510")
    assert matched.found == ("ENSG00000141510.4",)


def test_that_quotes_keep_separators_inside_names() -> None:
    index = NameIndex(("a, b", "c; d", "e"))
    assert index.split("'a, b', \"x y\"\te") == ["a, b", "x y", "e"]
    # Whole lines and pieces that are names need no quotes.
    assert index.matched_text("a, b\nc; d\te").found == ("a, b", "c; d", "e")


def test_that_an_apostrophe_is_no_quote() -> None:
    index = NameIndex(("5'UTR", "3'UTR"))
    assert index.matched_text("5'UTR 3'UTR").found == ("5'UTR", "3'UTR")


def test_that_spaces_cut_only_where_no_name_holds_them() -> None:
    index = NameIndex(("heat shock", "cold"))
    assert index.split("heat shock, no such") == ["heat shock", "no such"]
    assert index.split("cold heat") == ["cold", "heat"]
    assert NameIndex(("heat", "cold")).split("no such") == ["no", "such"]


WORDS = st.text(st.sampled_from("ABCab12-._"), min_size=1, max_size=6)


@given(
    st.lists(WORDS, min_size=1, max_size=8, unique=True),
    st.sampled_from(["\n", ",", ";", "\t", " ", ", "]),
)
def test_that_every_list_of_ids_is_found_whatever_is_between(ids: list[str], between: str) -> None:
    matched = NameIndex(ids).matched_text(between.join(ids))
    assert matched.found == tuple(ids)
    assert (matched.missing, matched.unclear) == ((), ())


def test_that_the_nearest_name_is_proposed_first_whatever_its_case() -> None:
    names = NameIndex(("YPL131W", "YPL141W", "ACT1"), {"symbol": ("RPL5", "FRK1", "actin")})

    assert near_names(names, "ypl13w")[0] == "YPL131W"
    assert near_names(names, "actim")[0] == "actin"


def test_that_nothing_is_proposed_for_what_is_like_nothing() -> None:
    names = NameIndex(IDS)

    assert near_names(names, "qqqqqqqq") == ()
    assert near_names(names, "   ") == ()


def test_that_the_best_of_all_parts_of_a_long_list_is_found() -> None:
    last = IDS[-1]

    assert near_names(NameIndex(IDS), last.replace("W", "X"), most=1) == (last,)
