"""Contract of every entry of STEPS."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tests.prepare.tables import (
    CASES,
    EXAMPLES,
    SPARSE_BY_PARAMETER,
    STAY_SPARSE,
    assert_places_kept,
    assert_same,
    name_of,
    permuted,
    sparse,
    suited,
)
from ximstudio.model import UserError
from ximstudio.model.spec import Spec
from ximstudio.model.table import Axis, Table
from ximstudio.prepare.recipe import Frozen, Planned, Prepared, Recipe, planned, step_named
from ximstudio.prepare.step import Step, StepGroup
from ximstudio.prepare.steps import STEPS

every_step = pytest.mark.parametrize("step", STEPS, ids=lambda step: step.key)
every_example = pytest.mark.parametrize("case", CASES, ids=name_of)
Case = tuple[str, Mapping[str, Any]]


def recipe_of(case: Case) -> Recipe:
    return Recipe.of(planned(case[0], **case[1]))


def attempted(work: Callable[[], Prepared]) -> Prepared | UserError:
    """What came of it: a table, or a refusal."""
    try:
        return work()
    except UserError as error:
        return error


def test_that_keys_and_names_are_unique_and_groups_stay_together() -> None:
    assert len({step.key for step in STEPS}) == len(STEPS)
    assert len({step.name for step in STEPS}) == len(STEPS)
    order = list(StepGroup)
    places = [order.index(step.group) for step in STEPS]
    assert places == sorted(places)


def test_that_every_step_has_an_example() -> None:
    assert set(EXAMPLES) == {step.key for step in STEPS}


@every_step
def test_that_every_step_says_all_about_itself(step: Step) -> None:
    assert step_named(step.key) is step
    for text in (step.name, step.about, planned(step.key).sentence):
        assert text.strip() == text != ""
    assert step.about.endswith(".")
    for spec in step.params.specs().values():
        assert isinstance(spec, Spec)
        assert spec.label
        assert spec.help


@every_example
def test_that_sentences_tell_the_values_and_recipes_survive_json(case: Case) -> None:
    recipe = recipe_of(case)
    (each,) = recipe.steps
    assert each.sentence.endswith(".")
    assert "{" not in each.sentence
    assert Recipe.from_values(json.loads(json.dumps(recipe.as_values()))) == recipe
    assert Recipe.from_text(recipe.as_text()) == recipe
    texts = {
        name: spec.show(getattr(each.params, name)) for name, spec in each.params.specs().items()
    }
    assert each.step.params.from_texts(texts) == each.params


@every_example
def test_that_the_table_given_is_left_as_it_was(case: Case) -> None:
    table, as_it_was = suited(case[0]), suited(case[0])
    recipe_of(case).prepare(table)
    assert_same(table, as_it_was)
    assert_places_kept(table, as_it_was)
    assert not np.asarray(table.values).flags.writeable


@every_example
def test_that_a_step_declares_what_it_does_to_a_table(case: Case) -> None:
    step, table = step_named(case[0]), suited(case[0])
    done = recipe_of(case).prepare(table).table
    fewer = done.n_items + done.n_features < table.n_items + table.n_features
    declared = step.removes or step.merges or step.makes_labels
    # The components of a PCA are no features that were left.
    assert declared or not fewer or step.key == "pca"
    assert not (step.value_by_value and fewer)
    if not step.of_values:
        other = recipe_of(case).prepare(table.with_values(table.dense * 2.0)).table
        np.testing.assert_array_equal(other.dense, done.dense * 2.0)
    if step.value_by_value:
        half = table.take("items", np.arange(0, table.n_items, 2))
        rows = recipe_of(case).prepare(half).table.dense
        np.testing.assert_array_equal(rows, done.dense[::2])


@every_example
def test_that_a_frozen_step_does_the_same_to_the_same_table(case: Case, tmp_path: Path) -> None:
    table = suited(case[0])
    first = recipe_of(case).prepare(table)
    again = first.frozen.apply(table)
    assert_same(again.table, first.table)
    assert_places_kept(again.table, first.table)
    assert not again.matching
    assert [note.key for note in again.notes] == [note.key for note in first.notes]
    first.frozen.write(tmp_path / "frozen.npz")
    assert_same(Frozen.read(tmp_path / "frozen.npz").apply(table).table, first.table)


@pytest.mark.parametrize("case", [case for case in CASES if case[0] != "orientation"], ids=name_of)
def test_that_a_frozen_step_does_not_care_for_the_order_of_features(case: Case) -> None:
    table = suited(case[0])
    first = recipe_of(case).prepare(table)
    assert_same(first.frozen.apply(permuted(table)).table, first.table)


@every_example
def test_that_a_step_before_an_exchange_does_the_same_to_the_same_table(case: Case) -> None:
    recipe = Recipe(steps=(*recipe_of(case).steps, planned("orientation")))
    table = suited(case[0])
    if case[0] == "pca" or case[1].get("how") == "nearest":
        with pytest.raises(UserError) as refused:
            recipe.prepare(table)
        assert refused.value.keys == ("prepare.exchange_first",)
        return
    first = recipe.prepare(table)
    assert_same(first.frozen.apply(table).table, first.table)
    if case[0] == "orientation":
        assert_same(first.table, table)
        return
    assert_same(first.table, recipe_of(case).prepare(table).table.transposed)


@every_example
def test_that_a_sparse_table_gives_the_same_and_stays_sparse_where_it_can(case: Case) -> None:
    table = suited(case[0])
    recipe = recipe_of(case)
    plain, thin = recipe.prepare(table).table, recipe.prepare(sparse(table))
    np.testing.assert_allclose(thin.table.dense, plain.dense, rtol=1e-12, atol=1e-12)
    assert thin.table.items.names == plain.items.names
    assert thin.table.features.names == plain.features.names
    (each,) = recipe.steps
    stays = case[0] in STAY_SPARSE
    if case[0] in SPARSE_BY_PARAMETER:
        stays = SPARSE_BY_PARAMETER[case[0]](each.params.as_values())
    assert thin.table.is_sparse == stays
    assert_same(thin.frozen.apply(sparse(table)).table, thin.table)


def item_by_item(case: Case) -> bool:
    """Whether a step looks at one item at a time when it is applied; some cannot."""
    key, parameters = case
    return key not in {"orientation", "repeated", "make_label"} and "places" not in parameters


@pytest.mark.parametrize("case", [case for case in CASES if item_by_item(case)], ids=name_of)
def test_that_new_items_do_not_depend_on_those_that_come_along(case: Case) -> None:
    table = suited(case[0])
    frozen = recipe_of(case).prepare(table.take("items", range(3, 12))).frozen
    together = frozen.apply(table.take("items", range(6))).table
    place = 0
    for number in range(6):
        result = attempted(partial(frozen.apply, table.take("items", [number])))
        if isinstance(result, UserError):
            assert result.keys == ("prepare.nothing_left",)
            continue
        alone = result.table
        np.testing.assert_allclose(alone.dense[0], together.dense[place], rtol=1e-12, atol=1e-12)
        assert alone.items.names[0] == together.items.names[place]
        place += 1
    assert place == together.n_items


@every_example
def test_that_all_that_is_removed_is_told(case: Case) -> None:
    table = suited(case[0])
    done = recipe_of(case).prepare(table)
    (stage,) = done.stages
    if case[0] in {"orientation", "pca"}:
        return
    assert done.table.n_items == table.n_items - len(stage.removed_items)
    assert done.table.n_features == table.n_features - len(stage.removed_features)
    removed = bool(stage.removed_items or stage.removed_features)
    assert ("prepare.removed" in [note.key for note in stage.notes]) == removed


@every_example
def test_that_labels_and_places_stay_with_their_items_and_features(case: Case) -> None:
    table = suited(case[0])
    found = recipe_of(case).prepare(table).table
    if case[0] in {"orientation", "pca"}:
        return
    for side in ("items", "features"):
        before, after = table.axis(side), found.axis(side)
        assert before.numbers is not None
        assert after.numbers is not None
        numbers = np.searchsorted(before.numbers, after.numbers)
        for label, texts in before.labels.items():
            assert after.labels[label] == tuple(texts[number] for number in numbers)


@every_example
def test_that_a_step_that_is_off_does_nothing(case: Case) -> None:
    table = suited(case[0])
    (each,) = recipe_of(case).steps
    off = Planned(step=each.step, params=each.params, on=False)
    done = Recipe.of(off).prepare(table)
    assert done.table is table
    assert len(done.stages) == 1
    assert not done.notes


numbers = st.one_of(
    st.sampled_from([0.0, -1.0, 1.0, np.nan, np.inf, -np.inf, 1e308, -1e308, 5e-324]),
    st.floats(min_value=0, max_value=1e4),
)


@given(
    arrays(np.float64, st.tuples(st.integers(1, 5), st.integers(1, 5)), elements=numbers),
    st.sampled_from(CASES),
    st.booleans(),
)
def test_that_any_table_becomes_another_or_is_refused_with_an_address(
    values: Any, case: Case, thin: bool
) -> None:
    n_items, n_features = values.shape
    table = Table(
        values=values,
        items=Axis(names=("gene 1", "gene 2", "gene 7", "gene 1", "gene 4")[:n_items]),
        features=Axis(
            names=("sample 2", "sample 0", "sample 4", "sample 2", "sample 1")[:n_features]
        ),
    )
    table = sparse(table) if thin else table
    done = attempted(partial(recipe_of(case).prepare, table))
    if isinstance(done, UserError):
        assert all(problem.address.startswith("step 1 (") for problem in done.problems)
        return
    np.testing.assert_array_equal(done.frozen.apply(table).table.dense, done.table.dense)
