"""The report's protocol: what is drawn, trained and measured, and how it ends."""

from __future__ import annotations

import threading
from collections import deque
from typing import Any

import numpy as np
import pytest

from ximstudio.measure import trials
from ximstudio.measure.catalogue import MEASURES
from ximstudio.measure.comparison import Comparison
from ximstudio.measure.evidence import MapEvidence
from ximstudio.measure.protocol import Entry, compare, drawn
from ximstudio.model import Matrix, UserError
from ximstudio.train import method_named, train

QUICK = {"shape": "6x5", "n_steps": "400"}


def entry(key: str, **texts: str) -> Entry:
    method = method_named(key)
    return method, method.params.from_texts({} if key == "pca" else QUICK | texts)


def finished(matrix: Matrix, entries: list[Entry], **named: Any) -> Comparison:
    (last,) = deque(compare(matrix, entries, **named), maxlen=1)
    assert last.comparison is not None
    return last.comparison


@pytest.fixture(scope="module")
def matrix() -> Matrix:
    rng = np.random.default_rng(5)
    values = rng.normal(size=(40, 6)) + np.repeat([[0.0], [4.0]], 20, axis=0)
    values[3, 2] = np.nan
    names = tuple(f"g{number}" for number in range(40))
    kinds = tuple("ab"[number // 20] for number in range(40))
    return Matrix(
        values=values,
        item_ids=names,
        feature_names=tuple("uvwxyz"),
        item_labels={"kind": kinds},
    )


ENTRIES = [entry("pca"), entry("som"), entry("c-xim")]


@pytest.fixture(scope="module")
def comparison(matrix: Matrix) -> Comparison:
    return finished(matrix, ENTRIES, runs=3, share=0.9, seed=11, label="kind")


def test_that_every_run_draws_its_share_of_the_items_in_the_tables_order() -> None:
    items = drawn(147, runs=10, share=0.95, seed=4)
    assert items.shape == (10, 140)
    assert (np.diff(items, axis=1) > 0).all()
    assert len({tuple(run) for run in items.tolist()}) == 10
    expected = np.random.default_rng([4, 7]).choice(147, 140, replace=False)
    assert set(items[7].tolist()) == set(expected.tolist())
    assert drawn(5, runs=2, share=1.0, seed=0).tolist() == [[0, 1, 2, 3, 4]] * 2


def test_that_each_number_is_the_measure_of_a_map_of_those_items_with_that_seed(
    matrix: Matrix, comparison: Comparison
) -> None:
    assert comparison.values.shape == (3, 3, len(comparison.measures))
    for method, run in ((0, 1), (2, 2)):
        part = matrix.items(comparison.items[run])
        result = train(part, *ENTRIES[method], seed=11 + run)
        evidence = MapEvidence(matrix=part, result=result, label="kind", seed=11 + run)
        for number, measure in enumerate(comparison.measures):
            estimate = measure.of(evidence)
            value, error = comparison.values[method, run, number], comparison.errors[method, run]
            if estimate is None:
                assert np.isnan(value)
            else:
                assert (value, error[number]) == (estimate.value, estimate.error)


def test_that_measures_that_apply_to_no_method_are_left_out(
    matrix: Matrix, comparison: Comparison
) -> None:
    keys = [measure.key for measure in comparison.measures]
    assert keys[:4] == ["sammon", "spearman", "trustworthiness", "continuity"]
    flat = finished(matrix, [entry("pca")], runs=1)
    assert not np.isnan(flat.values).any()
    labelled = finished(matrix, [entry("pca")], runs=1, label="kind")
    assert len(flat.measures) < len(labelled.measures) < len(comparison.measures)
    column = keys.index("quantisation_error")
    assert np.isnan(comparison.values[:, :, column]).any(axis=1).tolist() == [True, False, False]


def test_that_runs_lie_over_each_other_and_items_wander(comparison: Comparison) -> None:
    assert comparison.wander.shape == (3, 40)
    counts = np.bincount(comparison.items.ravel(), minlength=40)
    assert np.isnan(comparison.wander).tolist() == [(counts < 2).tolist()] * 3
    pca, som, _ = np.nanmean(comparison.wander, axis=1)
    assert 0.0 < pca < som


def test_that_the_numbers_do_not_depend_on_how_many_cores_there_are(
    matrix: Matrix, comparison: Comparison, monkeypatch: pytest.MonkeyPatch
) -> None:
    for cores in (1, 5):
        monkeypatch.setattr(trials, "n_cores", lambda cores=cores: cores)
        again = finished(matrix, ENTRIES, runs=3, share=0.9, seed=11, label="kind")
        np.testing.assert_array_equal(again.values, comparison.values)
        np.testing.assert_array_equal(again.errors, comparison.errors)
        np.testing.assert_array_equal(again.wander, comparison.wander)


def test_that_a_method_fares_the_same_whatever_it_is_compared_with(
    matrix: Matrix, comparison: Comparison
) -> None:
    alone = finished(matrix, ENTRIES[2:], runs=2, share=0.9, seed=11, label="kind")
    common = [measure in alone.measures for measure in comparison.measures]
    np.testing.assert_array_equal(alone.values[0], comparison.values[2, :2][:, common])


def test_that_all_items_in_every_run_leave_only_the_seed_to_differ(matrix: Matrix) -> None:
    whole = finished(matrix, ENTRIES, runs=2, share=1.0, measures=MEASURES[:3])
    assert whole.items.tolist() == [list(range(40))] * 2
    pca, som, _ = whole.values[:, 0] == whole.values[:, 1]
    assert pca.all()
    assert not som.any()


def test_that_progress_counts_maps_and_grows_to_the_end(matrix: Matrix) -> None:
    news = list(compare(matrix, ENTRIES, runs=2, measures=MEASURES[:1]))
    fractions = [one.fraction for one in news]
    assert fractions == sorted(fractions)
    assert fractions[-1] == 1.0
    assert {one.total for one in news} == {6}
    assert (news[0].done, news[-1].done) == (0, 6)
    assert [one.comparison is None for one in news] == [True] * (len(news) - 1) + [False]


def test_that_maps_of_all_items_come_along_and_change_no_number(
    matrix: Matrix, comparison: Comparison
) -> None:
    options = {"runs": 3, "share": 0.9, "seed": 11, "label": "kind"}
    (last,) = deque(compare(matrix, ENTRIES, **options, with_maps=True), maxlen=1)  # type: ignore[arg-type]
    assert last.comparison is not None
    np.testing.assert_array_equal(last.comparison.values, comparison.values)
    np.testing.assert_array_equal(last.comparison.wander, comparison.wander)
    assert last.done == last.total == 4 * len(ENTRIES)
    assert len(last.maps) == len(ENTRIES)
    for found, (method, params) in zip(last.maps, ENTRIES, strict=True):
        assert found.result is not None
        assert found.result.hash == train(matrix, method, params, seed=11).hash


def test_that_stopping_leaves_no_threads(matrix: Matrix) -> None:
    before = set(threading.enumerate())
    steps = compare(matrix, [entry("som", n_steps="1e9"), entry("c-xim", n_steps="1e9")])
    for progress in steps:
        if progress.fraction > 0:
            assert set(threading.enumerate()) - before
            break
    steps.close()
    assert set(threading.enumerate()) == before


def with_one_known_value(matrix: Matrix) -> Matrix:
    """A feature that is known of item 7 alone: runs without it cannot be."""
    values = np.where(np.arange(6) == 2, np.nan, matrix.values)
    values[7, 2] = 1.0
    return matrix.with_values(values)


def test_that_refused_runs_are_left_out_and_the_others_are_as_they_were(matrix: Matrix) -> None:
    data = with_one_known_value(matrix)
    named: dict[str, Any] = {"runs": 4, "share": 0.5, "seed": 3, "measures": MEASURES[:3]}
    found = finished(data, [entry("som"), entry("c-xim")], **named)
    made = [7 in run for run in found.items]
    assert made == [False, False, True, True]
    assert found.n_made == (2, 2)
    np.testing.assert_array_equal(np.isnan(found.values), [[[not one] * 3 for one in made]] * 2)
    np.testing.assert_array_equal(np.isnan(found.errors), np.isnan(found.values))
    for number, summary in enumerate(found.summaries[:3]):
        np.testing.assert_allclose(summary.means, found.values[:, 2:, number].mean(axis=1))
        assert np.isfinite(summary.deviations).all()
    for of_method in found.stability:
        assert [run.items.tolist() for run in of_method.runs] == found.items[2:].tolist()
        in_both = np.isin(np.arange(40), found.items[2]) & np.isin(np.arange(40), found.items[3])
        np.testing.assert_array_equal(~np.isnan(of_method.wander), in_both)
    result = train(data.items(found.items[2]), *entry("som"), seed=5)
    evidence = MapEvidence(matrix=data.items(found.items[2]), result=result, seed=5)
    estimate = found.measures[0].of(evidence)
    assert estimate is not None
    assert found.values[0, 2, 0] == estimate.value


def test_that_pinned_items_that_are_not_drawn_end_no_other_run(matrix: Matrix) -> None:
    pinned = entry("som", anchors="1:1=g7")
    found = finished(matrix, [pinned], runs=4, share=0.5, seed=3, measures=MEASURES[:1])
    assert found.n_made == (2,)
    assert finished(matrix, ENTRIES, runs=2, measures=MEASURES[:1]).n_made == (2, 2, 2)


def test_that_a_method_without_any_run_names_one_and_ends_all_others(matrix: Matrix) -> None:
    before = set(threading.enumerate())
    items = drawn(40, runs=2, share=0.5, seed=3)
    assert [7 in run for run in items] == [False, False]
    with pytest.raises(UserError) as caught:
        finished(with_one_known_value(matrix), [entry("som")], runs=2, share=0.5, seed=3)
    assert caught.value.keys == ("data.empty_feature",)
    assert caught.value.problems[0].where.startswith("som, run 1 on 20 items: ")
    pinned = [entry("som", anchors="1:1=g7"), entry("c-xim", n_steps="1e9")]
    with pytest.raises(UserError) as caught:
        finished(matrix, pinned, runs=2, share=0.5, seed=3)
    assert caught.value.problems[0].where.startswith("som, run 1 on 20 items: ")
    assert set(threading.enumerate()) == before


@pytest.mark.parametrize(
    ("named", "key"),
    [
        ({"share": 0.0}, "compare.share"),
        ({"share": 1.01}, "compare.share"),
        ({"share": float("nan")}, "compare.share"),
        ({"share": 0.06}, "compare.too_few"),
        ({"runs": 0}, "compare.runs"),
        ({"seed": -1}, "compare.seed"),
        ({"label": "kinds"}, "label.unknown"),
    ],
)
def test_that_what_cannot_be_compared_is_refused(
    named: dict[str, Any], key: str, matrix: Matrix
) -> None:
    with pytest.raises(UserError) as caught:
        next(compare(matrix, ENTRIES, **named))
    assert caught.value.keys == (key,)


def test_that_no_methods_and_repeated_methods_are_refused(matrix: Matrix) -> None:
    for entries in ([], [entry("pca"), entry("som"), entry("pca")]):
        with pytest.raises(UserError) as caught:
            next(compare(matrix, entries))
        assert caught.value.keys == ("compare.methods",)


def test_that_problems_of_the_data_are_found_once_and_before_training(matrix: Matrix) -> None:
    constant = matrix.with_values(np.ones((40, 6)))
    with pytest.raises(UserError) as caught:
        next(compare(constant, ENTRIES, runs=0))
    assert caught.value.keys == ("compare.runs", "data.constant")
