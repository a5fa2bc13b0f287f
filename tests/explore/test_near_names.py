"""Names that are nearly what was typed."""

from __future__ import annotations

from ximstudio.explore.names import NameIndex
from ximstudio.explore.near_names import AT_ONCE, near_names

IDS = tuple(f"YBR{number:04d}W" for number in range(2 * AT_ONCE + 5))


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
