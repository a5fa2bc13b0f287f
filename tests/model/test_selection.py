"""Selections by id, and what people make of two of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ximstudio.model.named_set import Algebra, NamedSet, SetSide, free_name
from ximstudio.model.selection import NOTHING, Combine, Selection

IDS = tuple(f"gene {number}" for number in range(12))
chosen = st.frozensets(st.sampled_from(IDS)).map(Selection)


@given(chosen, chosen)
def test_that_combining_is_what_sets_do(one: Selection, other: Selection) -> None:
    mine, theirs = one.mask(IDS), other.mask(IDS)
    for how, expected in (
        (Combine.REPLACE, theirs),
        (Combine.ADD, mine | theirs),
        (Combine.REMOVE, mine & ~theirs),
        (Combine.INTERSECT, mine & theirs),
    ):
        assert np.array_equal(one.combined(other, how).mask(IDS), expected)
    assert np.array_equal(one.inverted(IDS).mask(IDS), ~mine)


@given(chosen)
def test_that_mask_and_ids_say_the_same(one: Selection) -> None:
    assert Selection.where(one.mask(IDS), IDS) == one
    assert len(one) == one.mask(IDS).sum()


def test_that_a_selection_may_name_items_that_a_map_has_not() -> None:
    assert Selection.of(["gene 3", "not here"]).mask(IDS).sum() == 1
    assert not NOTHING.mask(IDS).any()
    assert "gene 3" not in NOTHING


def test_that_a_set_holds_each_name_once_in_its_order() -> None:
    made = NamedSet.of("Heat", ["b", "a", "b"])
    assert made.members == ("b", "a")
    assert made.selection == Selection.of("ab")


@given(chosen, chosen)
def test_that_set_algebra_is_what_sets_do(one: Selection, other: Selection) -> None:
    first, second = NamedSet.of("1", sorted(one.ids)), NamedSet.of("2", sorted(other.ids))
    for how, expected in (
        (Algebra.UNION, one.ids | other.ids),
        (Algebra.INTERSECTION, one.ids & other.ids),
        (Algebra.DIFFERENCE, one.ids - other.ids),
    ):
        made = first.with_other(second, how, name="3")
        assert made.selection.ids == expected
        assert len(made.members) == len(expected)


def test_that_sets_of_different_sides_make_no_third() -> None:
    with pytest.raises(ValueError, match="nothing in common"):
        NamedSet.of("1", "a").with_other(
            NamedSet.of("2", "a", side=SetSide.FEATURES), Algebra.UNION, name="3"
        )


def test_that_a_taken_name_gets_a_number() -> None:
    taken = (NamedSet.of("Heat", "a"), NamedSet.of("Heat (2)", "a"))
    assert free_name("Heat", taken) == "Heat (3)"
    assert free_name(" Cold ", taken) == "Cold"
    assert free_name(" ", taken) == "Set"
