"""The genes and samples that a recipe keeps do not depend on the orientation of the table."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.prepare.tables import EXAMPLES
from ximstudio.load.sides import decided
from ximstudio.model.problem import UserError
from ximstudio.model.table import FEATURES, GENES, ITEMS, SAMPLES, Axis, Table, opposite
from ximstudio.prepare.planned import sides_in
from ximstudio.prepare.recipe import Frozen, Planned, Prepared, Recipe, planned
from ximstudio.prepare.steps import STEPS
from ximstudio.session.sides import turned

N_GENES, N_SAMPLES = 11, 6
SIDES = st.sampled_from([GENES, SAMPLES])
EXCHANGE = planned("orientation")


def genes_by_samples(seed: int) -> Table:
    """Counts with blanks, a repeated name and labels on both sides."""
    rng = np.random.default_rng(seed)
    values = np.round(rng.gamma(1.0, 20.0, size=(N_GENES, N_SAMPLES)))
    values[rng.random(values.shape) < 0.15] = np.nan
    values[rng.integers(N_GENES)] = 3.0
    genes = [f"YAL{number:03}C" for number in range(1, N_GENES + 1)]
    genes[4] = genes[1]
    samples = tuple(f"heat {number}" for number in range(N_SAMPLES))
    return Table(
        values=values,
        items=Axis(
            names=tuple(genes),
            labels={"kind": tuple("xyz"[number % 3] for number in range(N_GENES))},
            side=GENES,
            kind="gene",
        ),
        features=Axis(
            names=samples,
            labels={"kind": tuple("xy"[number % 2] for number in range(N_SAMPLES))},
            side=SAMPLES,
            kind="sample",
        ),
        source="table.csv",
    )


FILTERS = st.one_of(
    st.builds(
        lambda axis, n, by: planned("top", axis=axis, n=n, by=by),
        SIDES,
        st.integers(1, 14),
        st.sampled_from(["variance", "mad"]),
    ),
    st.builds(
        lambda axis, share: planned("filter_missing", axis=axis, share=share),
        SIDES,
        st.sampled_from([0.0, 0.2, 0.5]),
    ),
    st.builds(
        lambda axis, value: planned("minimum", axis=axis, value=value, count=3),
        SIDES,
        st.sampled_from([1.0, 10.0, 30.0]),
    ),
    st.builds(lambda axis: planned("drop_constant", axis=axis), SIDES),
    st.builds(
        lambda key, axis, text: planned(key, axis=axis, label="kind", values=(text,)),
        st.sampled_from(["keep", "drop"]),
        SIDES,
        st.sampled_from("xyz"),
    ),
    st.sampled_from(
        [
            planned("drop", axis=GENES, names=("YAL002C", "YAL009C")),
            planned("keep", axis=SAMPLES, names=("heat 0", "heat 2", "heat 3", "heat 5")),
            planned("make_label", axis=SAMPLES, names=("heat 1",)),
            planned("rename", axis=GENES, old=("YAL003C",), new=("ACT1",)),
        ]
    ),
    st.builds(
        lambda axis, how: planned("repeated", axis=axis, how=how),
        SIDES,
        st.sampled_from(["first", "mean", "max", "suffix"]),
    ),
)
CHANGES = st.one_of(
    st.sampled_from([planned("log2"), planned("square_root"), planned("infinite")]),
    st.builds(lambda how, axis: planned("impute", how=how, axis=axis), st.just("mean"), SIDES),
    st.builds(
        lambda key, axis: planned(key, axis=axis), st.sampled_from(["centre", "scale"]), SIDES
    ),
    st.builds(
        lambda key, side: planned(key, samples=side),
        st.sampled_from(["library_size", "equal_medians", "quantile"]),
        SIDES,
    ),
)
RECIPES = st.lists(st.one_of(FILTERS, CHANGES), min_size=1, max_size=5)
PLACES = st.lists(st.integers(0, 5), max_size=5)
"""Where exchanges are put into a recipe."""


def attempted(recipe: Recipe, table: Table) -> Prepared | tuple[str, ...]:
    try:
        return recipe.prepare(table)
    except UserError as error:
        return error.keys


def the_way_genes_are_items(table: Table) -> Table:
    return table if table.items.side == GENES else table.transposed


@settings(deadline=None)
@given(st.integers(0, 20), RECIPES, PLACES, st.booleans())
def test_that_what_is_kept_does_not_depend_on_the_way_round(
    seed: int, steps: list[Planned], places: list[int], lying: bool
) -> None:
    table = genes_by_samples(seed)
    expected = attempted(Recipe(steps=tuple(steps)), table)
    exchanged = list(steps)
    for place in places:
        exchanged.insert(min(place, len(exchanged)), EXCHANGE)
    start = table.transposed if lying else table
    found = attempted(Recipe(steps=tuple(exchanged)), start)
    if not isinstance(expected, Prepared) or not isinstance(found, Prepared):
        assert found == expected
        return
    upright = the_way_genes_are_items(found.table)
    assert upright.items.names == expected.table.items.names
    assert upright.features.names == expected.table.features.names
    assert dict(upright.items.labels) == dict(expected.table.items.labels)
    np.testing.assert_allclose(upright.dense, expected.table.dense, rtol=1e-9, atol=1e-9)
    # And what was learnt does the same again.
    again = found.frozen.apply(start).table
    np.testing.assert_array_equal(again.dense, found.table.dense)


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 20), RECIPES, st.integers(0, 5))
def test_that_switching_what_is_mapped_between_steps_keeps_what_they_mean(
    seed: int, steps: list[Planned], switches: int
) -> None:
    """As in the window: a step is added, the switch is pressed any number of times, and so on."""
    table = genes_by_samples(seed)
    recipe = Recipe()
    for each in steps:
        for _ in range(switches):
            recipe = turned(recipe)
        recipe = Recipe(steps=(*recipe.steps, each))
    found, expected = attempted(recipe, table), attempted(Recipe(steps=tuple(steps)), table)
    if not isinstance(expected, Prepared) or not isinstance(found, Prepared):
        assert found == expected
        return
    upright = the_way_genes_are_items(found.table)
    assert upright.items.names == expected.table.items.names
    assert upright.features.names == expected.table.features.names


OLD = [(key, parameters) for key, every in EXAMPLES.items() for parameters in every]


@pytest.mark.parametrize(("key", "parameters"), OLD, ids=lambda each: str(each)[:40])
@pytest.mark.parametrize("genes", [ITEMS, FEATURES])
def test_that_items_and_features_are_bound_to_the_sides_that_they_are(
    key: str, parameters: dict[str, Any], genes: str
) -> None:
    recipe = Recipe.of(planned(key, **parameters), EXCHANGE, planned(key, **parameters))
    bound = recipe.bound(genes)
    for number, each in enumerate(bound.steps):
        for name in sides_in(each.step):
            here = genes if number == 0 else opposite(genes)
            if key == "orientation":
                continue
            said = getattr(recipe.steps[number].params, name)
            meant = {GENES: GENES, SAMPLES: SAMPLES, here: GENES, opposite(here): SAMPLES}[said]
            assert getattr(each.params, name) == meant
    assert bound.bound(genes) == bound.bound(opposite(genes)) == bound


def test_that_new_data_are_taken_as_the_first_were_even_if_they_look_different() -> None:
    """Which side is which is not guessed again for data that a recipe is repeated on."""
    table = genes_by_samples(1)
    prepared = Recipe.of(planned("top", axis=SAMPLES, n=3), EXCHANGE).prepare(table)
    bare = Table(
        values=table.values,
        items=Axis(names=table.items.names),
        features=Axis(names=tuple(f"YBR{number:03}W" for number in range(N_SAMPLES))),
    )
    new = replace(bare, features=Axis(names=table.features.names, side=GENES))
    found = prepared.frozen.apply(new)
    assert found.table.features.side == GENES
    assert found.table.features.names == table.items.names


def test_that_a_frozen_recipe_of_before_still_speaks_of_items(tmp_path: Any) -> None:
    table = genes_by_samples(2)
    prepared = Recipe.of(planned("top", axis=ITEMS, n=4)).prepare(table)
    plain = replace(prepared.frozen.start, side="", kind="")
    old = Frozen(
        recipe=Recipe.of(planned("top", axis=ITEMS, n=4)),
        remembered=prepared.frozen.remembered,
        start=plain,
    )
    old.write(tmp_path / "frozen.npz")
    read = Frozen.read(tmp_path / "frozen.npz")
    assert read.apply(table).table.items.names == prepared.table.items.names


def test_that_the_first_schema_means_the_sides_it_meant() -> None:
    """What a recipe of before left out was the feature's side, or the items' of samples."""
    values = {
        "schema": 1,
        "steps": [
            {"step": "top", "parameters": {"n": 3}},
            {"step": "repeated"},
            {"step": "library_size", "parameters": {}},
            {"step": "scale", "parameters": {"axis": "items"}},
        ],
    }
    steps = Recipe.from_values(values).steps
    sides = [getattr(each.params, name) for each in steps for name in sides_in(each.step)]
    assert sides == [FEATURES, ITEMS, ITEMS, ITEMS]
    assert (
        Recipe.from_values({**values, "schema": 2}).steps[0].params
        == planned("top", n=3, axis=GENES).params
    )


def test_that_filters_are_about_genes_unless_said_otherwise() -> None:
    for step in STEPS:
        for name in sides_in(step):
            samples = name == "samples" or step.key == "remove_batch"
            assert step.params.defaults()[name] == (SAMPLES if samples else GENES)


def test_that_a_decision_is_the_same_from_both_sides() -> None:
    bare = genes_by_samples(0)
    bare = bare.with_axis(ITEMS, replace(bare.items, side="", kind=""))
    bare = bare.with_axis(FEATURES, replace(bare.features, side="", kind=""))
    assert decided(bare).genes == ITEMS
    assert decided(bare.transposed).genes == FEATURES
