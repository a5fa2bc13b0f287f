"""New items on a trained map: where they lie, how strange they are, and what is said about them."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from ximstudio.explore.novelty import item_errors, usual_of
from ximstudio.explore.projection import ProjectedItems, frozen_of, input_like, project_items
from ximstudio.load import load
from ximstudio.model import Matrix, Result, UserError
from ximstudio.model.arrays import Floats
from ximstudio.model.metric import in_metric
from ximstudio.model.table import Axis, Table
from ximstudio.place.items import place_items
from ximstudio.prepare.input import Input
from ximstudio.prepare.recipe import Prepared, Recipe, planned
from ximstudio.train import method_named, train

N = np.nan


def trained(matrix: Matrix, method: str, **changes: object) -> Result:
    chosen = method_named(method)
    wanted = {"shape": (6, 6), "n_steps": 3000, **changes}
    known = {name: value for name, value in wanted.items() if name in chosen.params.specs()}
    return train(matrix, chosen, chosen.params.from_values(known))


def data() -> Matrix:
    rng = np.random.default_rng(3)
    values = rng.normal(size=(80, 6)) + 4.0 * np.eye(6)[rng.integers(0, 3, 80)]
    return Matrix.from_array(values)


@cache
def yeast() -> Matrix:
    return load("sample:yeast")


@cache
def halves(seed: int) -> tuple[Matrix, Matrix]:
    """Four fifths of the genes, and the rest."""
    order = np.random.default_rng(seed).permutation(yeast().n_items)
    cut = yeast().n_items // 5
    return yeast().items(np.sort(order[cut:])), yeast().items(np.sort(order[:cut]))


def keys(projected: ProjectedItems) -> list[str]:
    return [note.key for note in projected.notes]


def refusal(result: Result, matrix: Matrix, table: Table, **options: object) -> UserError:
    with pytest.raises(UserError) as caught:
        project_items(result, matrix, table, **options)  # type: ignore[arg-type]
    return caught.value


@pytest.mark.parametrize("method", ["c-xim", "som", "pca", "t-sne"])
def test_that_held_out_items_land_where_a_full_assignment_puts_them(method: str) -> None:
    matrix = data()
    first, rest = matrix.items(np.arange(60)), matrix.items(np.arange(60, 80))
    result = trained(first, method)
    projected = project_items(result, first, Table.of(rest))
    together = place_items(result, matrix)
    assert projected.ids == rest.item_ids
    np.testing.assert_allclose(projected.positions, together.positions[60:], atol=1e-6)
    if together.winners is None:
        assert projected.winners is None
    else:
        assert projected.winners is not None
        assert np.array_equal(projected.winners, together.winners[60:])
    assert projected.notes == ()
    assert np.isfinite(projected.novelty).all()


@pytest.mark.parametrize("metric", ["euclidean", "correlation", "cosine"])
def test_that_errors_are_distances_from_the_nearest_prototype(metric: str) -> None:
    first, rest = halves(0)
    result = trained(first, "som", metric=metric)
    projected = project_items(result, first, Table.of(rest))
    seen = in_metric(rest, result.params).values
    for item, error in zip(seen, projected.errors, strict=True):
        known = ~np.isnan(item)
        far = (result.model.prototypes[:, known] - item[known]) ** 2  # type: ignore[union-attr]
        slow = np.sqrt(far.sum(axis=1).min() * len(item) / known.sum())
        assert error == pytest.approx(slow, rel=1e-6)


@pytest.mark.parametrize("key", ["pca", "t-sne"])
def test_that_errors_on_maps_without_nodes_are_distances_from_the_nearest_item(key: str) -> None:
    matrix = data()
    first, rest = matrix.items(np.arange(60)), matrix.items(np.arange(60, 80))
    projected = project_items(trained(first, key), first, Table.of(rest))
    far = np.linalg.norm(rest.values[:, None] - first.values[None], axis=2)
    np.testing.assert_allclose(projected.errors, far.min(axis=1))


@pytest.mark.parametrize("key", ["c-xim", "pca"])
def test_that_columns_in_another_order_give_the_same_places(key: str) -> None:
    first, rest = halves(0)
    result = trained(first, key)
    order = np.random.default_rng(1).permutation(rest.n_features)
    permuted = replace(
        Table.of(rest).take("features", order),
        items=Axis(names=rest.item_ids, labels=rest.item_labels),
    )
    one, other = (project_items(result, first, table) for table in (Table.of(rest), permuted))
    for name in ("positions", "winners", "errors", "novelty", "strange"):
        assert np.array_equal(getattr(one, name), getattr(other, name))
    assert other.notes == ()


def shuffled(matrix: Matrix, seed: int) -> Matrix:
    rng = np.random.default_rng(seed)
    return matrix.with_values(np.array([rng.permutation(row) for row in matrix.values]))


RUNS = [
    ("som", {"shape": (12, 12)}),
    ("c-xim", {"shape": (30, 30)}),
    ("c-xim", {"shape": (12, 12), "metric": "correlation"}),
    ("pca", {}),
]


@pytest.mark.parametrize(("key", "settings"), RUNS, ids=str)
def test_that_held_out_genes_belong_and_shuffled_ones_do_not(
    key: str, settings: dict[str, object]
) -> None:
    belong: list[bool] = []
    strange: list[bool] = []
    for seed in range(3):
        first, rest = halves(seed)
        result = trained(first, key, n_steps=20_000, **settings)
        for table, flags in ((rest, belong), (shuffled(rest, seed), strange)):
            placed = project_items(result, first, Table.of(table))
            assert np.array_equal(placed.strange, placed.novelty > 1.0)
            flags.extend(placed.strange.tolist())
    assert np.mean(belong) <= 0.05
    assert np.mean(strange) >= 0.9


@pytest.mark.parametrize("shape", [(5, 5), (10, 10)])
def test_that_samples_of_which_there_are_few_belong_too(shape: tuple[int, int]) -> None:
    """Thirty samples, hundreds of genes: every map fits its own samples far too well."""
    belong: list[bool] = []
    strange: list[bool] = []
    for seed in range(5):
        rng = np.random.default_rng(seed)
        usual_levels = rng.normal(8.0, 2.0, size=300)
        kinds = rng.normal(0.0, 0.7, size=(2, 300))[rng.integers(0, 2, 40)]
        matrix = Matrix.from_array(usual_levels + kinds + rng.normal(0.0, 0.5, size=(40, 300)))
        first, rest = matrix.items(np.arange(30)), matrix.items(np.arange(30, 40))
        result = trained(first, "som", shape=shape)
        belong.extend(project_items(result, first, Table.of(rest)).strange)
        strange.extend(project_items(result, first, Table.of(shuffled(rest, seed))).strange)
    assert np.mean(belong) <= 0.05
    assert np.mean(strange) >= 0.9


def test_that_training_items_are_seldom_strange_and_a_far_item_always_is() -> None:
    first, _ = halves(0)
    result = trained(first, "som", shape=(12, 12))
    again = project_items(result, first, Table.of(first))
    assert again.strange.mean() <= 0.02
    assert again.known == first.item_ids
    assert keys(again) == ["newcomers.known"]
    far = project_items(result, first, Table.of(first.with_values(first.values * 30.0)))
    assert far.strange.all()
    assert (far.percentiles == 100.0).all()


def test_that_a_larger_tolerance_flags_fewer() -> None:
    first, rest = halves(0)
    result = trained(first, "som", shape=(12, 12))
    table = Table.of(shuffled(rest, 0))
    usual, patient = (
        project_items(result, first, table, tolerance=tolerance) for tolerance in (1.0, 1.2)
    )
    assert np.array_equal(usual.novelty, patient.novelty)
    assert patient.strange.sum() < usual.strange.sum()


def test_that_training_items_are_judged_as_if_they_had_been_left_out() -> None:
    """A map with a node for every item has no errors; what is new would always be strange."""
    first, rest = halves(0)
    result = trained(first, "som", shape=(30, 30), n_steps=20_000)
    assert result.winners is not None
    own = item_errors(result, first, in_metric(first, result.params).values, result.winners)
    usual = usual_of(result, first)
    assert (usual.errors >= own - 1e-9).all()
    naive = np.percentile(own, 99)
    placed = project_items(result, first, Table.of(rest))
    assert (placed.errors > naive).mean() > 0.1
    assert placed.strange.mean() <= 0.05


def recipe() -> Recipe:
    return Recipe.of(
        planned("top", axis="items", n=60),
        planned("log2", offset=1),
        planned("top", n=4, axis="features"),
        planned("centre", axis="features"),
        planned("scale", axis="features"),
    )


def counts() -> Table:
    rng = np.random.default_rng(5)
    return Table.of(Matrix.from_array(rng.poisson(30.0, size=(80, 6)).astype(float)))


def prepared() -> tuple[Prepared, Matrix, Result]:
    done = recipe().prepare(counts())
    matrix = done.table.matrix()
    return done, matrix, trained(matrix, "som")


def test_that_the_recipe_is_applied_with_what_it_learnt_from_the_first_table() -> None:
    done, matrix, result = prepared()
    kept = [matrix.item_ids[number] for number in (3, 17, 40)]
    rows = [counts().items.names.index(name) for name in kept]
    # Alone, these three would have other means and spreads.
    projected = project_items(result, matrix, counts().take("items", rows), frozen=done.frozen)
    where = [matrix.item_ids.index(name) for name in kept]
    np.testing.assert_allclose(projected.matrix.values, matrix.values[where], atol=1e-12)
    np.testing.assert_allclose(projected.positions, result.positions[where], atol=1e-6)
    assert projected.known == tuple(kept)


def test_that_no_new_item_is_filtered_out() -> None:
    done, matrix, result = prepared()
    removed = [name for name in counts().items.names if name not in matrix.item_ids]
    assert removed
    projected = project_items(result, matrix, counts(), frozen=done.frozen)
    assert projected.ids == counts().items.names
    assert projected.matrix.feature_names == matrix.feature_names


def features_only(matrix: Matrix, columns: list[int]) -> Table:
    return Table.of(matrix).take("features", columns)


def test_that_absent_features_are_blanks_and_extra_ones_ignored_and_both_are_listed() -> None:
    matrix = data()
    result = trained(matrix, "som")
    table = features_only(matrix, [5, 0, 2, 4])
    extra = Table(
        values=np.column_stack([table.dense, np.full(80, 1e6)]),
        items=table.items,
        features=Axis(names=(*table.features.names, "one more")),
    )
    projected = project_items(result, matrix, extra)
    assert projected.absent == ("feature 2", "feature 4")
    assert projected.extra == ("one more",)
    assert keys(projected)[:2] == ["prepare.absent", "prepare.extra"]
    blank = matrix.values.copy()
    blank[:, [1, 3]] = N
    expected = project_items(result, matrix, Table.of(matrix.with_values(blank)))
    assert np.array_equal(projected.positions, expected.positions)
    assert np.array_equal(projected.novelty, expected.novelty)


def test_that_too_few_features_are_refused_with_their_names() -> None:
    matrix = data()
    result = trained(matrix, "som")
    error = refusal(result, matrix, features_only(matrix, [0, 1]))
    assert error.keys == ("newcomers.other_features",)
    for number in (3, 4, 5, 6):
        assert f"'feature {number}'" in error.problems[0].where
    assert len(project_items(result, matrix, features_only(matrix, [0, 1, 2]))) == 80


def test_that_the_features_of_the_map_must_be_there_not_only_those_of_the_table() -> None:
    done, matrix, result = prepared()
    others = [name for name in counts().features.names if name not in matrix.feature_names]
    there = [*others, matrix.feature_names[0]]
    columns = [counts().features.names.index(name) for name in there]
    table = counts().take("features", columns)
    error = refusal(result, matrix, table, frozen=done.frozen)
    assert error.keys == ("newcomers.other_features",)


def test_that_a_table_the_other_way_round_is_turned_and_told() -> None:
    matrix = data()
    result = trained(matrix, "som")
    table = Table.of(matrix.items(np.arange(5)))
    plain, turned = (project_items(result, matrix, each) for each in (table, table.transposed))
    assert np.array_equal(plain.positions, turned.positions)
    assert "newcomers.turned" in keys(turned)


def values_of(*rows: list[float]) -> Floats:
    return np.array(rows, dtype=np.float64)


def named(values: Floats) -> Table:
    return Table(
        values=values,
        items=Axis(names=tuple(f"new {number}" for number in range(len(values)))),
        features=Axis(names=tuple(f"feature {number}" for number in range(1, 7))),
    )


def test_that_items_without_a_place_are_left_out_and_told() -> None:
    matrix = data()
    table = named(values_of([1, 2, 3, 4, 5, 6], [N] * 6, [2] * 6))
    plain = project_items(trained(matrix, "som"), matrix, table)
    assert (plain.ids, plain.unplaced) == (("new 0", "new 2"), ("new 1",))
    shapes = project_items(trained(matrix, "som", metric="correlation"), matrix, table)
    assert (shapes.ids, shapes.unplaced) == (("new 0",), ("new 1", "new 2"))
    assert keys(shapes) == ["newcomers.unplaced"]
    error = refusal(trained(matrix, "som"), matrix, table.take("items", [1]))
    assert error.keys == ("newcomers.unplaced",)


def test_that_a_recipe_of_another_map_is_refused() -> None:
    done, _, _ = prepared()
    matrix = data()
    error = refusal(trained(matrix, "som"), matrix, counts(), frozen=done.frozen)
    assert error.keys == ("newcomers.other_recipe",)


def test_that_items_known_by_distances_can_be_new_too() -> None:
    matrix = data()
    far = np.linalg.norm(matrix.values[:, None] - matrix.values[None], axis=2)
    table = Matrix(
        values=far[:60, :60], item_ids=matrix.item_ids[:60], feature_names=matrix.item_ids[:60]
    )
    result = trained(table, "som", metric="precomputed")
    new = Table(
        values=far[60:, :60],
        items=Axis(names=matrix.item_ids[60:]),
        features=Axis(names=table.feature_names),
    )
    projected = project_items(result, table, new)
    assert projected.winners is not None
    squares = result.model.squared_distances(new.dense)  # type: ignore[union-attr]
    assert np.array_equal(projected.winners, squares.argmin(axis=1))
    assert projected.strange.mean() <= 0.2
    beyond = project_items(result, table, new.with_values(new.dense * 10.0))
    assert beyond.strange.all()


def test_that_a_second_file_is_read_the_way_round_of_the_first() -> None:
    first = Input(name="first.csv", recipe=recipe())
    assert input_like(first, "second.csv").choices.items == "rows"
    turned = replace(first, choices=first.choices.replace(items="columns"))
    second = input_like(turned, "second.csv")
    assert (second.name, second.choices.items) == ("second.csv", "columns")
    assert second.recipe.steps == ()


def test_that_what_a_recipe_learnt_can_be_had_again() -> None:
    assert frozen_of(Input(name="sample:yeast")) is None
    centred = Input(name="sample:yeast", recipe=Recipe.of(planned("centre", axis="samples")))
    again = frozen_of(centred)
    assert again is not None
    means = np.nanmean(yeast().values, axis=0)
    np.testing.assert_allclose(again.remembered[0]["centre"], means)
