"""Sides exchanged, names replaced and made unique, numbers turned into labels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.prepare.tables import complete, done, sparse, table_of
from ximstudio.model import UserError
from ximstudio.prepare.recipe import Recipe, planned

TWICE = table_of(
    [[1, np.nan, 3], [10, 20, 30], [5, 7, np.nan], [0, 0, 0], [9, np.nan, 9]],
    items=["MARCH1", "b", "MARCH1", "b", "MARCH1.2"],
)


def refusal(table: Any, key: str, **parameters: Any) -> UserError:
    with pytest.raises(UserError) as caught:
        done(table, key, **parameters)
    return caught.value


def test_that_an_exchange_moves_labels_and_places_along() -> None:
    found = done(complete(), "orientation")
    np.testing.assert_array_equal(found.dense, complete().dense.T)
    assert found.items.names == complete().features.names
    assert dict(found.features.labels) == dict(complete().items.labels)
    assert found.items.word == "column"


def test_that_all_of_a_name_are_renamed_unless_places_are_given() -> None:
    everywhere = done(TWICE, "rename", axis="items", old=("MARCH1",), new=("MARCHF1",))
    assert everywhere.items.names == ("MARCHF1", "b", "MARCHF1", "b", "MARCH1.2")
    exact = done(TWICE, "rename", axis="items", old=("MARCH1",), new=("MARCHF1",), places=(3,))
    assert exact.items.names == ("MARCH1", "b", "MARCHF1", "b", "MARCH1.2")


def test_that_one_name_at_two_places_can_become_two() -> None:
    found = done(
        TWICE, "rename", axis="items", old=("b", "b"), new=("b up", "b down"), places=(2, 4)
    )
    assert found.items.names == ("MARCH1", "b up", "MARCH1", "b down", "MARCH1.2")


def test_that_names_that_are_not_there_are_told() -> None:
    result = Recipe.of(planned("rename", axis="items", old=("zz", "b"), new=("y", "x"))).prepare(
        TWICE
    )
    assert [note.key for note in result.notes] == ["prepare.not_found"]
    assert result.table.items.names == ("MARCH1", "x", "MARCH1", "x", "MARCH1.2")


def test_that_a_wrong_place_is_refused() -> None:
    for place in (2, 99):
        error = refusal(TWICE, "rename", axis="items", old=("MARCH1",), new=("x",), places=(place,))
        assert error.keys == ("prepare.wrong_place",)


@pytest.mark.parametrize(
    "parameters",
    [
        {"old": ("a", "b"), "new": ("c",)},
        {"old": ("a", "a"), "new": ("c", "d")},
        {"old": ("a",), "new": ("c",), "places": (1, 2)},
        {"old": ("a", "b"), "new": ("c", "d"), "places": (1, 1)},
    ],
)
def test_that_names_that_do_not_pair_are_refused(parameters: dict[str, Any]) -> None:
    with pytest.raises(UserError) as caught:
        planned("rename", **parameters)
    assert caught.value.keys == ("params.conflict",)


@pytest.mark.parametrize("places", [(0,), (-1,), (1.5,), ("1",), (True,), "12"])
def test_that_places_are_whole_numbers_from_one(places: Any) -> None:
    with pytest.raises(UserError) as caught:
        planned("rename", axis="items", old=("a",), new=("b",), places=places)
    assert caught.value.keys == ("params.bounds",)


@pytest.mark.parametrize("thin", [False, True])
@pytest.mark.parametrize(
    ("how", "names", "values"),
    [
        ("first", ("MARCH1", "b", "MARCH1.2"), [[1, np.nan, 3], [10, 20, 30], [9, np.nan, 9]]),
        ("mean", ("MARCH1", "b", "MARCH1.2"), [[3, 7, 3], [5, 10, 15], [9, np.nan, 9]]),
        ("max", ("b", "MARCH1", "MARCH1.2"), [[10, 20, 30], [5, 7, np.nan], [9, np.nan, 9]]),
    ],
)
def test_that_repeated_items_are_merged(
    how: str, names: tuple[str, ...], values: Any, thin: bool
) -> None:
    for axis in ("items", "features"):
        table = sparse(TWICE) if thin else TWICE
        table = table if axis == "items" else table.transposed
        result = Recipe.of(planned("repeated", how=how, axis=axis)).prepare(table)
        found = result.table if axis == "items" else result.table.transposed
        assert found.items.names == names
        np.testing.assert_array_equal(found.dense, values)
        (stage,) = result.stages
        removed = stage.removed_items if axis == "items" else stage.removed_features
        assert sorted(removed) == ["MARCH1", "b"]


def test_that_suffixes_avoid_names_that_are_taken() -> None:
    result = Recipe.of(planned("repeated", axis="items", how="suffix")).prepare(TWICE)
    assert result.table.items.names == ("MARCH1", "b", "MARCH1.3", "b.2", "MARCH1.2")
    np.testing.assert_array_equal(result.table.dense, TWICE.dense)
    assert [note.key for note in result.notes] == ["prepare.renamed"]


def test_that_an_empty_one_is_never_the_largest() -> None:
    table = table_of([[np.nan, np.nan], [-5, -7]], items=["a", "a"])
    np.testing.assert_array_equal(
        done(table, "repeated", axis="items", how="max").dense, [[-5, -7]]
    )


def test_that_unique_names_are_left_alone() -> None:
    table = table_of([[1, 2], [3, 4]])
    result = Recipe.of(planned("repeated")).prepare(table)
    assert result.table is table
    assert not result.notes


def test_that_numbers_become_labels_as_a_table_shows_them() -> None:
    table = table_of(
        [[1, 5, 0.1], [2, np.nan, 1e300], [3, -8, np.inf]], features=["x", "cluster", "y"]
    )
    found = done(table, "make_label", names=("cluster", "y"))
    assert found.features.names == ("x",)
    assert found.items.labels["cluster"] == ("5", "", "-8")
    assert found.items.labels["y"] == ("0.1", "1e+300", "inf")


def test_that_labels_of_a_name_that_is_taken_get_a_suffix() -> None:
    table = table_of([[1, 5, 6], [2, 7, 8]], features=["x", "kind", "kind"])
    table = table.with_axis("items", table.items.with_labels({"kind": ("p", "q")}))
    labels = done(table, "make_label", names=("kind",)).items.labels
    assert dict(labels) == {"kind": ("p", "q"), "kind.2": ("5", "7"), "kind.3": ("6", "8")}


def test_that_an_item_can_become_a_label_of_the_features() -> None:
    table = table_of([[1, 2], [5, 6]], items=["gene", "class"])
    found = done(table, "make_label", axis="items", names=("class",))
    assert found.items.names == ("gene",)
    assert dict(found.features.labels) == {"class": ("5", "6")}


@pytest.mark.parametrize("axis", ["items", "features"])
def test_that_nothing_cannot_become_a_label(axis: str) -> None:
    assert refusal(TWICE, "make_label", axis=axis).keys == ("prepare.nothing_chosen",)


def test_that_a_label_to_be_that_is_not_there_comes_with_a_proposal() -> None:
    error = refusal(TWICE, "make_label", names=("BB",))
    assert error.keys == ("prepare.not_found",)
    assert "'B'" in error.problems[0].way_out
