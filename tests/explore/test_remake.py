"""Items of a table that a map has not seen yet."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ximstudio.explore.remake import further_items, prepares_alike
from ximstudio.model import Matrix, UserError
from ximstudio.model.table import Table
from ximstudio.prepare.recipe import Recipe, planned

SCALE = Recipe.of(planned("scale", axis="features"))


def some(n_items: int = 12, n_features: int = 3) -> Matrix:
    values = np.random.default_rng(0).normal(size=(n_items, n_features))
    return replace(Matrix.from_array(values), item_ids=tuple(f"g{n}" for n in range(n_items)))


@given(order=st.permutations(range(3)), n_known=st.integers(1, 11))
def test_that_new_items_are_found_by_name_and_features_matched(
    order: list[int], n_known: int
) -> None:
    whole = some()
    turned = Matrix(
        values=whole.values[:, order],
        item_ids=whole.item_ids,
        feature_names=tuple(whole.feature_names[column] for column in order),
    )
    earlier = whole.items(range(n_known))
    found = further_items(earlier, Table.of(turned), frozen=None, now=turned)
    assert found.item_ids == whole.item_ids[n_known:]
    assert found.feature_names == earlier.feature_names
    np.testing.assert_array_equal(found.values, whole.values[n_known:])


def test_that_new_items_are_prepared_as_the_first_were() -> None:
    whole = some()
    first = SCALE.prepare(Table.of(whole.items(range(8))))
    anew = SCALE.prepare(Table.of(whole))
    earlier, now = first.table.matrix(), anew.table.matrix()
    assert not prepares_alike(earlier, now)
    found = further_items(earlier, Table.of(whole), frozen=first.frozen, now=now)
    mean, sd = whole.values[:8].mean(axis=0), whole.values[:8].std(axis=0, ddof=1)
    np.testing.assert_allclose(found.values, (whole.values[8:] - mean) / sd)


@pytest.mark.parametrize("strangers", [False, True])
def test_that_new_items_are_refused_where_nobody_knows_how_to_prepare_them(strangers: bool) -> None:
    whole = some()
    first = SCALE.prepare(Table.of(whole.items(range(8))))
    earlier = first.table.matrix()
    rows = range(8, 12) if strangers else range(12)
    table = Table.of(whole.items(rows))
    with pytest.raises(UserError) as refused:
        further_items(earlier, table, frozen=None, now=SCALE.prepare(table).table.matrix())
    assert refused.value.problems[0].key == "further.other_values"
    found = further_items(earlier, table, frozen=first.frozen)
    assert found.item_ids == whole.item_ids[8:]


def test_that_there_must_be_new_items() -> None:
    with pytest.raises(UserError) as refused:
        further_items(some(), Table.of(some()), frozen=None)
    assert refused.value.problems[0].key == "further.none"


def test_that_blanks_are_the_same_and_strangers_are_not_alike() -> None:
    values = some().values.copy()
    values[0, 0] = np.nan
    blank = some().with_values(values)
    assert prepares_alike(blank, blank)
    assert not prepares_alike(blank, some())
    assert not prepares_alike(some(), replace(some(), item_ids=tuple("abcdefghijkl")))
