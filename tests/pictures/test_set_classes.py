"""Sets as classes of items: who has which colour."""

from __future__ import annotations

from dataclasses import replace

from tests.ui.maps_to_show import some_matrix
from ximstudio.model.named_set import NamedSet, SetSide
from ximstudio.pictures.set_classes import ALL, SET, SET_MEAN, seen_sets, set_classes

IDS = some_matrix().item_ids
FEATURES = NamedSet.of("warm", ["heat", "dark"], side=SetSide.FEATURES)
FIRST, SECOND = NamedSet.of("first", IDS[:4]), NamedSet.of("second", IDS[2:9])
SETS = (FEATURES, FIRST, SECOND)


def test_that_a_set_has_the_colour_of_its_place_unless_it_has_one_of_its_own() -> None:
    assert set_classes(SETS, "second", some_matrix()).colours == (2,)
    own = (FEATURES, FIRST, replace(SECOND, colour=7))
    assert set_classes(own, "second", some_matrix()).colours == (7,)
    assert set_classes(own, ALL, some_matrix()).colours == (1, 7)


def test_that_only_the_sets_that_are_seen_are_told() -> None:
    assert seen_sets(SETS, SET, "second") == (replace(SECOND, colour=2),)
    assert [each.name for each in seen_sets(SETS, SET, ALL)] == ["first", "second"]
    assert [each.name for each in seen_sets(SETS, SET_MEAN, "warm")] == ["warm"]
    assert seen_sets(SETS, "label", "second") == ()
