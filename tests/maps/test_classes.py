"""The classes of a label and their shares of every node."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.maps.results import evidence_of, members_of
from tests.place.maps import TORI, smooth_map
from ximstudio.maps import layer_named
from ximstudio.maps.classes import (
    MOST_CLASSES,
    OTHER,
    UNLABELLED,
    class_shares,
    classes_of,
    coloured_classes,
)
from ximstudio.model import Grid

TEXTS = st.lists(st.sampled_from(["", OTHER, *"abcdefghijklmnopq"]), max_size=60)


def test_that_the_largest_class_comes_first_and_equal_ones_by_name() -> None:
    classes = classes_of(["b", "c", "a", "c", "", "b", "c"])
    assert classes.names == ("c", "b", "a", UNLABELLED)
    assert classes.counts.tolist() == [3, 2, 1, 1]
    assert classes.codes.tolist() == [1, 0, 2, 0, 3, 1, 0]
    assert classes.n_own == 3


def test_that_no_more_than_twelve_have_a_colour_of_their_own() -> None:
    texts = [letter for number, letter in enumerate("abcdefghijklmn") for _ in range(20 - number)]
    classes = classes_of([*texts, ""])
    assert classes.names == (*"abcdefghijkl", OTHER, UNLABELLED)
    assert classes.counts[-2:].tolist() == [8 + 7, 1]
    assert classes.n_own == MOST_CLASSES == 12


def test_that_a_class_called_other_is_a_class() -> None:
    classes = classes_of([OTHER, OTHER, "a"])
    assert classes.names == (OTHER, "a")
    assert classes.n_own == 2


@given(TEXTS)
def test_that_every_item_is_in_the_class_of_its_text(texts: list[str]) -> None:
    classes = classes_of(texts)
    sizes = Counter(texts)
    for text, code in zip(texts, classes.codes.tolist(), strict=True):
        if code < classes.n_own:
            assert classes.names[code] == text != ""
        else:
            assert classes.names[code] == (OTHER if text else UNLABELLED)
            smallest = min(classes.counts[: classes.n_own], default=0)
            assert text == "" or sizes[text] <= smallest
    assert classes.counts.tolist() == np.bincount(classes.codes, minlength=0).tolist()
    assert sum(classes.counts) == len(texts)
    own = classes.counts[: classes.n_own].tolist()
    assert own == sorted(own, reverse=True)


@pytest.mark.parametrize("grid", TORI, ids=str)
def test_that_shares_are_those_among_the_items_of_a_node(grid: Grid) -> None:
    evidence = evidence_of(smooth_map(grid))
    shares = layer_named("classes").of(evidence, "kind")
    kinds = evidence.labels("kind")
    classes = classes_of(kinds)
    names = ["" if name == UNLABELLED else name for name in classes.names]
    for items, found in zip(members_of(evidence), shares, strict=True):
        if not items:
            assert np.isnan(found).all()
            continue
        expected = [np.mean([kinds[item] == name for item in items]) for name in names]
        np.testing.assert_allclose(found, expected)


def test_that_nobody_has_no_shares() -> None:
    shares = class_shares(classes_of([]), np.empty(0, dtype=np.int64), 4)
    assert shares.shape == (4, 0)


# Colours of an earlier map


@given(texts=TEXTS, chosen=st.sets(st.integers(0, 59)))
def test_that_classes_keep_their_colours_on_a_map_of_some_items(
    texts: list[str], chosen: set[int]
) -> None:
    whole = classes_of(texts)
    coloured = coloured_classes({"kind": tuple(texts)})["kind"]
    part = [text for number, text in enumerate(texts) if number in chosen]
    classes = classes_of(part, coloured)
    before = dict(zip(whole.names[: whole.n_own], whole.colours, strict=True))
    after = dict(zip(classes.names[: classes.n_own], classes.colours, strict=True))
    assert {name: before[name] for name in after if name in before} == {
        name: colour for name, colour in after.items() if name in before
    }
    # What had none gets a colour that no class of the earlier map has.
    assert not {after[name] for name in after if name not in before} & set(before.values())
    assert len(set(classes.colours)) == classes.n_own <= MOST_CLASSES
    assert Counter(
        classes.names[code] for code in classes.codes.tolist() if code < classes.n_own
    ) == (Counter(text for text in part if text in after))


def test_that_colours_are_handed_down_from_map_to_map() -> None:
    whole = [letter for number, letter in enumerate("abcdefghijklmn") for _ in range(20 - number)]
    first = coloured_classes({"kind": tuple(whole)})
    second = coloured_classes({"kind": ("n", "n", "m", "b")}, first)
    third = classes_of(["n", "b"], second["kind"])
    assert first["kind"] == tuple("abcdefghijkl")
    assert second["kind"] == (*"abcdefghijkl", "n", "m")
    assert dict(zip(third.names, third.colours, strict=True)) == {"b": 1, "n": 12}
