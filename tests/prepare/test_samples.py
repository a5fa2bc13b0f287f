"""Differences between samples, and between batches of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import rankdata

from tests.prepare.tables import done, holed, sparse, table_of
from ximstudio.model import UserError
from ximstudio.model.arrays import Floats
from ximstudio.model.table import Table
from ximstudio.prepare.recipe import Recipe, planned

N = np.nan


def refusal(table: Any, key: str, **parameters: Any) -> UserError:
    with pytest.raises(UserError) as caught:
        done(table, key, **parameters)
    return caught.value


def test_that_every_sample_adds_up_to_the_median_of_the_sums() -> None:
    table = table_of([[1, 2, 1], [3, N, 5], [0, 10, 2]])
    for thin in (table, sparse(table)):
        found = done(thin, "library_size").dense
        np.testing.assert_allclose(np.nansum(found, axis=1), 8, rtol=1e-14)
        np.testing.assert_array_equal(found[1], [3, N, 5])
        np.testing.assert_allclose(found[0], [2, 4, 2], rtol=1e-14)


def test_that_counts_per_million_are_parts_of_a_million() -> None:
    table = table_of([[1, 2], [3, 2]])
    found = done(table, "library_size", samples="features", target=1e6).dense
    np.testing.assert_allclose(found, [[0.25e6, 0.5e6], [0.75e6, 0.5e6]], rtol=1e-15)


def test_that_a_sample_without_counts_is_left_and_told() -> None:
    result = Recipe.of(planned("library_size")).prepare(table_of([[0, 0], [1, 3], [N, N]]))
    np.testing.assert_array_equal(result.table.dense, [[0, 0], [1, 3], [N, N]])
    assert [note.key for note in result.notes] == ["prepare.no_sum"]
    assert "'a'; 'c'" in result.notes[0].where


def test_that_negative_counts_are_refused() -> None:
    assert refusal(table_of([[1, -2]]), "library_size").keys == ("prepare.negative",)


def test_that_new_samples_are_brought_to_the_first_ones_sum() -> None:
    first = table_of([[1, 3], [2, 2], [4, 0]])
    frozen = Recipe.of(planned("library_size")).prepare(first).frozen
    np.testing.assert_array_equal(frozen.apply(table_of([[300, 100]])).table.dense, [[3, 1]])


def test_that_new_genes_get_the_factors_of_their_samples() -> None:
    first = table_of([[1, 3], [1, 3]])
    frozen = Recipe.of(planned("library_size", samples="features", target=1)).prepare(first).frozen
    np.testing.assert_allclose(frozen.apply(table_of([[2, 12]])).table.dense, [[1, 2]], rtol=1e-15)


@pytest.mark.parametrize("samples", ["items", "features"])
def test_that_medians_become_the_median_of_medians(samples: str) -> None:
    table = holed().with_values(holed().dense + 1.0)
    axis = 1 if samples == "items" else 0
    middles = np.nanmedian(table.dense, axis=axis)
    for how in ("add", "multiply"):
        found = done(table, "equal_medians", samples=samples, how=how).dense
        np.testing.assert_allclose(np.nanmedian(found, axis=axis), np.median(middles), rtol=1e-13)
        np.testing.assert_array_equal(np.isnan(found), np.isnan(table.dense))


def test_that_no_factor_moves_a_median_of_zero() -> None:
    error = refusal(table_of([[0, 0, 5], [1, 2, 3]]), "equal_medians", how="multiply")
    assert error.keys == ("prepare.no_median",)
    assert "'a'" in error.problems[0].where


def limma(columns: Floats) -> Floats:
    """Quantile normalisation with blanks and ties, as limma's normalizeQuantiles does it."""
    n, n_samples = columns.shape
    grid = np.arange(n) / (n - 1)
    ordered = np.empty(columns.shape)
    for sample in range(n_samples):
        known = np.sort(columns[~np.isnan(columns[:, sample]), sample])
        ordered[:, sample] = np.interp(grid, np.arange(len(known)) / (len(known) - 1), known)
    reference = ordered.mean(axis=1)
    found = np.full(columns.shape, N)
    for sample in range(n_samples):
        there = ~np.isnan(columns[:, sample])
        ranks = rankdata(columns[there, sample])
        found[there, sample] = np.interp((ranks - 1) / (there.sum() - 1), grid, reference)
    return found


@pytest.mark.parametrize("share", [0.0, 0.3])
@pytest.mark.parametrize("ties", [False, True])
def test_that_quantile_normalisation_is_limmas(share: float, ties: bool) -> None:
    rng = np.random.default_rng(0)
    values = rng.normal(size=(40, 6)) * rng.gamma(2, size=6)
    values = np.round(values) if ties else values
    values[rng.random(values.shape) < share] = N
    names = [f"g{number}" for number in range(40)]
    table = table_of(values, items=names)
    expected = limma(values)
    np.testing.assert_allclose(
        done(table, "quantile", samples="features").dense, expected, rtol=1e-12, atol=1e-12
    )
    np.testing.assert_allclose(
        done(table.transposed, "quantile", samples="items").dense,
        expected.T,
        rtol=1e-12,
        atol=1e-12,
    )


def test_that_a_new_sample_gets_the_first_ones_distribution() -> None:
    first = table_of([[1, 2, 3, 4], [2, 4, 6, 8]])
    frozen = Recipe.of(planned("quantile")).prepare(first).frozen
    found = frozen.apply(table_of([[100, -5, N, 7]], items=["new"])).table.dense
    np.testing.assert_allclose(found, [[6, 1.5, N, 3.75]])


def test_that_a_new_gene_is_placed_among_the_first_ones_of_its_sample() -> None:
    first = table_of([[1, 10], [2, 20], [3, 30]])
    frozen = Recipe.of(planned("quantile", samples="features")).prepare(first).frozen
    found = frozen.apply(table_of([[2.5, 20], [0, 99], [2, N]], items=["x", "y", "z"])).table.dense
    np.testing.assert_allclose(found, [[13.75, 11], [5.5, 16.5], [11, N]])


def test_that_values_between_tied_ones_do_not_overtake_them() -> None:
    first = table_of([[1.0], [1.0], [1.0], [2.0], [2.0]])
    frozen = Recipe.of(planned("quantile", samples="features")).prepare(first).frozen
    new = table_of([[1.0], [1.2], [1.8], [2.0]], items=["p", "q", "r", "s"])
    found = frozen.apply(new).table.dense.ravel()
    assert (np.diff(found) >= 0).all()
    assert found[0] == pytest.approx(done(first, "quantile", samples="features").dense[0, 0])


def batched(values: Any, batches: tuple[str, ...], side: str = "items") -> Table:
    table = table_of(values)
    return table.with_axis(side, table.axis(side).with_labels({"batch": batches}))


def test_that_batches_get_the_mean_of_all_feature_by_feature() -> None:
    values = np.array([[1, 10], [3, N], [11, 40], [13, 60], [15, 50]])
    table = batched(values, ("p", "p", "q", "q", "q"))
    found = done(table, "remove_batch", label="batch").dense
    overall = np.nanmean(values, axis=0)
    for members in ([0, 1], [2, 3, 4]):
        np.testing.assert_allclose(np.nanmean(found[members], axis=0), overall, rtol=1e-14)
        within = values[members] - np.nanmean(values[members], axis=0)
        np.testing.assert_allclose(found[members] - overall, within, atol=1e-13)


def test_that_batches_of_features_are_moved_item_by_item_also_for_new_items() -> None:
    table = batched([[1, 3, 8], [2, 2, 2]], ("p", "p", "q"), side="features")
    result = Recipe.of(planned("remove_batch", axis="features", label="batch")).prepare(table)
    np.testing.assert_allclose(result.table.dense, [[3, 5, 4], [2, 2, 2]])
    new = table_of([[10, 20, 0]], items=["new"])
    np.testing.assert_allclose(result.frozen.apply(new).table.dense, [[5, 15, 10]])


def test_that_new_items_get_the_shift_of_their_batch() -> None:
    first = batched([[0, 0], [10, 20]], ("p", "q"))
    frozen = Recipe.of(planned("remove_batch", label="batch")).prepare(first).frozen
    found = frozen.apply(batched([[10, 20], [1, 1]], ("q", "p"))).table.dense
    np.testing.assert_allclose(found, [[5, 10], [6, 11]])


@pytest.mark.parametrize(
    ("batches", "key"),
    [(("p", "r"), "prepare.unseen_batch"), (("p", ""), "prepare.no_batch")],
)
def test_that_unknown_batches_of_new_items_are_refused(batches: tuple[str, ...], key: str) -> None:
    first = batched([[0, 0], [10, 20]], ("p", "q"))
    frozen = Recipe.of(planned("remove_batch", label="batch")).prepare(first).frozen
    with pytest.raises(UserError) as caught:
        frozen.apply(batched([[1, 2], [3, 4]], batches))
    assert caught.value.keys == (key,)


def test_that_a_batch_label_that_is_not_there_is_refused() -> None:
    first = batched([[0, 0], [10, 20]], ("p", "q"))
    for label in (None, "bath"):
        assert refusal(first, "remove_batch", label=label).keys == ("prepare.no_such_label",)


def test_that_an_item_alone_in_its_batch_is_told() -> None:
    table = batched([[0, 0], [10, 20], [30, 40]], ("p", "p", "q"))
    result = Recipe.of(planned("remove_batch", label="batch")).prepare(table)
    assert [note.key for note in result.notes] == ["prepare.single_batch"]


def test_that_a_new_item_alone_in_its_batch_is_told_only_if_the_first_one_was() -> None:
    table = batched([[0, 0], [10, 20], [30, 40]], ("p", "p", "q"))
    frozen = Recipe.of(planned("remove_batch", label="batch")).prepare(table).frozen
    assert not frozen.apply(batched([[1, 2]], ("p",))).notes
    for batches in (("q",), ("q", "q")):
        later = frozen.apply(batched([[1, 2]] * len(batches), batches))
        assert [note.key for note in later.notes] == ["prepare.single_batch"]
