"""Trials side by side: what is found, what is kept, and how they end."""

from __future__ import annotations

import threading
from collections.abc import Generator
from typing import Any

import numpy as np
import pytest

from ximstudio.kernels.parallel import checking
from ximstudio.measure import evidence as evidence_module
from ximstudio.measure import trials
from ximstudio.measure.catalogue import MEASURES, measure_named
from ximstudio.measure.evidence import MapEvidence
from ximstudio.measure.pairs import DataPairs, data_pairs
from ximstudio.measure.trials import Trial, TrialProgress, TrialResult, found_all, workers
from ximstudio.model import Matrix, UserError
from ximstudio.model.metric import in_metric
from ximstudio.model.params import Params
from ximstudio.train import method_named, train

QUICK = {"shape": (6, 5), "n_steps": 400}
SOM, PCA = method_named("som"), method_named("pca")
FEW = [measure_named(key) for key in ("trustworthiness", "quantisation_error", "silhouette")]


@pytest.fixture(scope="module")
def matrix() -> Matrix:
    rng = np.random.default_rng(5)
    values = rng.normal(size=(40, 6)) + np.repeat([[0.0], [4.0]], 20, axis=0)
    return Matrix(
        values=values,
        item_ids=tuple(f"g{number}" for number in range(40)),
        feature_names=tuple("uvwxyz"),
        item_labels={"kind": tuple("ab"[number // 20] for number in range(40))},
    )


def som(matrix: Matrix, seed: int = 0, *, name: str = "a map", **named: Any) -> Trial:
    settings = QUICK | named.pop("settings", {})
    return Trial(matrix, SOM, SOM.params.from_values(settings), seed, name, **named)


def end_of(
    steps: Generator[TrialProgress, None, tuple[TrialResult, ...]],
) -> tuple[TrialResult, ...]:
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            found: tuple[TrialResult, ...] = stop.value
            return found


def test_that_each_trial_finds_the_measures_of_its_map_in_the_order_given(matrix: Matrix) -> None:
    items = np.arange(3, 33)
    given = [som(matrix, 4), som(matrix, 5, items=items), Trial(matrix, PCA, PCA.params(), 0, "p")]
    found = end_of(found_all(given, FEW, label="kind"))
    assert [each.trial for each in found] == given
    for trial, each in zip(given, found, strict=True):
        part = matrix if trial.items is None else matrix.items(trial.items)
        result = train(part, trial.method, trial.params, seed=trial.seed)
        evidence = MapEvidence(matrix=part, result=result, label="kind", seed=trial.seed)
        expected = [measure.of(evidence) for measure in FEW]
        np.testing.assert_array_equal(
            each.values, [np.nan if one is None else one.value for one in expected]
        )
        np.testing.assert_array_equal(each.positions, result.positions)
        assert each.seconds > 0.0
        assert each.problems == ()
    assert np.isnan(found[2].values).tolist() == [False, True, False]


def test_that_trials_on_the_same_data_share_what_is_known_of_them(
    matrix: Matrix, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trials, "n_cores", lambda: 1)
    taken: list[int] = []

    def counted(*given: Any, **named: Any) -> DataPairs:
        taken.append(named["seed"])
        return data_pairs(*given, **named)

    monkeypatch.setattr(evidence_module, "data_pairs", counted)
    cosine: dict[str, Any] = {"settings": {"metric": "cosine"}}
    given = [som(matrix), som(matrix, settings={"shape": (4, 4)}), som(matrix, 1)]
    given += [som(matrix, **cosine), som(matrix, items=np.arange(30)), som(matrix, **cosine)]
    found = end_of(found_all(given, MEASURES[:2]))
    assert sorted(taken) == [0, 0, 0, 1]
    for each in found:
        (alone,) = end_of(found_all([each.trial], MEASURES[:2]))
        np.testing.assert_array_equal(each.values, alone.values)


def test_that_only_a_trial_that_keeps_its_map_has_it(matrix: Matrix) -> None:
    lost, kept = end_of(found_all([som(matrix), som(matrix, keeps=True)], ()))
    assert lost.result is None
    assert kept.result is not None
    assert kept.result.hash == train(matrix, SOM, kept.trial.params, seed=0).hash


def test_that_all_news_hold_all_that_was_found_so_far(matrix: Matrix) -> None:
    given = [som(matrix, seed, name=f"map {seed}") for seed in range(5)]
    news = list(found_all(given, FEW))
    for one in news:
        assert (one.done, one.total) == (len(one.found), 5)
        numbers = [given.index(each.trial) for each in one.found]
        assert numbers == sorted(numbers)
        assert one.doing == ", ".join(trial.name for trial in one.running)
    counts = [one.done for one in news]
    assert counts == sorted(counts)
    assert (counts[0], counts[-1]) == (0, 5)
    fractions = [one.fraction for one in news]
    assert fractions == sorted(fractions)
    assert fractions[-1] == 1.0


def test_that_data_are_seen_in_the_metric_once_for_all_maps_of_them(
    matrix: Matrix, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Matrix] = []

    def counted(data: Matrix, params: Params) -> Matrix:
        seen.append(data)
        return in_metric(data, params)

    monkeypatch.setattr(trials, "in_metric", counted)
    monkeypatch.setattr(trials, "n_cores", lambda: 1)
    cosine = {"metric": "cosine"}
    given = [som(matrix, settings=cosine | {"shape": (6, columns)}) for columns in (4, 5, 6)]
    end_of(found_all([*given, som(matrix, 1)], FEW))
    assert len(seen) == 2


def test_that_a_refused_trial_ends_the_others_unless_they_are_forgiven(matrix: Matrix) -> None:
    constant = matrix.with_values(np.ones((40, 6)))
    given = [som(matrix), som(constant, name="the flat one"), som(matrix, 1)]
    with pytest.raises(UserError) as caught:
        end_of(found_all(given, FEW))
    assert caught.value.keys == ("data.constant",)
    assert caught.value.problems[0].where.startswith("the flat one: ")
    *_, last = found_all(given, FEW, forgiving=True)
    assert [[problem.key for problem in each.problems] for each in last.found] == [
        [],
        ["data.constant"],
        [],
    ]
    refused = last.found[1]
    assert np.isnan(refused.values).all()
    assert np.isnan(refused.errors).all()
    assert len(refused.positions) == 0
    assert refused.result is None
    assert last.fraction == 1.0


def test_that_what_is_no_fault_of_the_person_is_never_forgiven(matrix: Matrix) -> None:
    def broken(_: MapEvidence) -> None:
        raise ZeroDivisionError

    measure = MEASURES[0].__class__(**vars(MEASURES[0]) | {"of": broken})
    with pytest.raises(ZeroDivisionError):
        end_of(found_all([som(matrix)], [measure], forgiving=True))


def test_that_closing_ends_all_threads_while_they_train(matrix: Matrix) -> None:
    before = set(threading.enumerate())
    endless = {"n_steps": 10**9}
    steps = found_all([som(matrix, seed, settings=endless) for seed in range(4)], FEW)
    for news in steps:
        if news.fraction > 0.0:
            assert set(threading.enumerate()) - before
            break
    steps.close()
    assert set(threading.enumerate()) == before


def test_that_a_check_that_raises_ends_all_before_the_next_news(matrix: Matrix) -> None:
    class Unwanted(Exception):
        pass

    unwanted = threading.Event()

    def check() -> None:
        if unwanted.is_set():
            raise Unwanted

    before = set(threading.enumerate())
    steps = found_all([som(matrix, settings={"n_steps": 10**9})], FEW)
    with checking(check):
        next(steps)
        unwanted.set()
        with pytest.raises(Unwanted):
            next(steps)
    assert set(threading.enumerate()) == before


def test_that_no_trials_find_nothing() -> None:
    *_, last = found_all([], FEW)
    assert (last.done, last.total, last.fraction, last.found) == (0, 0, 1.0, ())


def test_that_little_memory_means_few_maps_at_a_time(
    matrix: Matrix, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trials, "n_cores", lambda: 8)
    given = [som(matrix), som(matrix, items=np.arange(5))]
    assert workers(given) == 8
    monkeypatch.setattr(trials, "MOST_SHARE", 1e-12)
    assert workers(given) == 1
