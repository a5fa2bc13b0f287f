"""Names found in other lists of names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ximstudio.load.annotation.matching import Known, without_version


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("ENSG00000141510.12", "ENSG00000141510"),
        ("ENSMUST00000108658.10", "ENSMUST00000108658"),
        ("NM_000546.6", "NM_000546"),
        ("ENSG00000002586.20_PAR_Y", "ENSG00000002586.20_PAR_Y"),
        ("RP11-34P13.7", "RP11-34P13.7"),
        ("HLA-DRB1", "HLA-DRB1"),
        ("CSN1.2", "CSN1.2"),
        ("1.5", "1.5"),
    ],
)
def test_that_only_accessions_lose_their_version(name: str, expected: str) -> None:
    assert without_version(name) == expected


def test_that_names_are_found_as_strictly_as_possible() -> None:
    known = Known(["TP53", "tp53", " BRCA1", "egfr", "ENSG00000141510"])
    found = known.matches(["TP53", "BRCA1", "EGFR", "ENSG00000141510.3", "KRAS"])
    assert dict(found.found) == {0: 0, 1: 2, 2: 3, 3: 4}
    assert dict(found.kinds) == {0: "exact", 1: "white space", 2: "case", 3: "version"}
    assert not found.unclear


def test_that_what_fits_several_or_shares_one_is_unclear() -> None:
    known = Known(["A", "A", "b", "ENSG00000000001"])
    found = known.matches(["A", "B", "ENSG00000000001.1", "ENSG00000000001.2"])
    assert dict(found.found) == {1: 2}
    assert dict(found.unclear) == {0: (0, 1), 2: (3,), 3: (3,)}


def test_that_an_exact_match_is_not_shared_with_a_loose_one() -> None:
    found = Known(["BRCA1"]).matches(["BRCA1", "brca1"])
    assert dict(found.found) == {0: 0}
    assert dict(found.unclear) == {1: (0,)}


def test_that_a_repeated_name_is_found_every_time() -> None:
    assert dict(Known(["A"]).matches(["A", "A"]).found) == {0: 0, 1: 0}


def test_that_blank_names_are_never_found() -> None:
    found = Known(["", " ", "A"]).matches(["", "  "])
    assert not found.found
    assert not found.unclear


@given(st.lists(st.text(max_size=4), max_size=12), st.lists(st.text(max_size=4), max_size=12))
def test_that_every_name_is_found_unclear_or_neither(sought: list[str], known: list[str]) -> None:
    found = Known(known).matches(sought)
    assert set(found.found).isdisjoint(found.unclear)
    assert set(found.kinds) == set(found.found)
    for number, name in enumerate(sought):
        if name.strip() and known.count(name) == 1:
            assert known[found.found[number]] == name
