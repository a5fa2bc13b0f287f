"""Labels that are joined later reach maps that exist, as if they had been there before."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.ui.windows import table_file, trained_run
from ximstudio.load import Choices
from ximstudio.model.metric import in_metric
from ximstudio.prepare.input import Input, Joining
from ximstudio.prepare.recipe import Recipe, planned
from ximstudio.session import Data, Run, Session, TrainingPlan, open_data
from ximstudio.session.relabelled import relabelled, with_labels
from ximstudio.session.run import Judged
from ximstudio.train import TrainingJob, method_named

QUICK = {"shape": (4, 5), "n_steps": 300, "metric": "correlation"}


def plan(key: str) -> TrainingPlan:
    method = method_named(key)
    known = {name: value for name, value in QUICK.items() if name in method.params.specs()}
    return TrainingPlan(method_key=key).with_params(method.params.from_values(known))


@pytest.fixture
def table(tmp_path: Path) -> Input:
    return Input(name=str(table_file(tmp_path)))


@pytest.fixture
def labels(tmp_path: Path) -> Joining:
    path = tmp_path / "labels.csv"
    rows = [f"YAL{number:03d}W,{'ab'[number % 2]}" for number in reversed(range(40))]
    path.write_text("gene,half\n" + "\n".join(rows), encoding="utf-8")
    return Joining(name=str(path))


def joined(data: Data, *joinings: Joining) -> Data:
    return open_data(replace(data.input, joinings=joinings))


WAYS: dict[str, Callable[[Input], Input]] = {
    "as read": lambda given: given,
    "prepared": lambda given: replace(given, recipe=Recipe.of(planned("centre"))),
    "turned": lambda given: replace(given, recipe=Recipe.of(planned("orientation"))),
    "columns": lambda given: replace(given, choices=Choices(items="columns")),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("key", ["som", "pca", "xom"])
def test_that_a_map_is_as_if_trained_with_the_labels(
    table: Input, labels: Joining, key: str, way: str
) -> None:
    before = open_data(table)
    own = WAYS[way](table)
    run = trained_run(open_data(own), plan(key), key="run-1", name="one")
    later = joined(before, labels)

    (found,) = relabelled((run,), later).values()
    session = with_labels(Session(data=later, runs=(run,), shown="run-1"), {run.result: found})

    (after,) = session.runs
    expected = trained_run(open_data(replace(own, joinings=(labels,))), plan(key))
    assert after.matrix.fingerprint == expected.matrix.fingerprint
    assert after.result.data_fingerprint == expected.result.data_fingerprint
    assert after.result.hash == expected.result.hash
    assert after.input == expected.input
    sides = (after.matrix.item_labels, after.matrix.feature_labels)
    assert "half" in (sides[0] if way in ("as read", "prepared") else sides[1])
    np.testing.assert_array_equal(after.result.positions, run.result.positions)
    if after.result.resume is not None:
        job = TrainingJob(
            matrix=in_metric(after.matrix, after.result.params),
            method=key,
            params=after.result.params,
            seed=after.result.seed,
        )
        assert after.result.resume.origin == job.origin


def test_that_runs_of_one_table_stay_runs_of_one_table(table: Input, labels: Joining) -> None:
    data = open_data(table)
    first, second = (trained_run(data, plan(key), key=key, name=key) for key in ("som", "pca"))
    found = relabelled((first, second), joined(data, labels))
    assert found[first.result].matrix is found[second.result].matrix


def test_that_a_part_of_a_table_gets_the_labels_of_its_items(table: Input, labels: Joining) -> None:
    data = open_data(table)
    assert data.matrix is not None
    run = trained_run(data, plan("som"), key="run-1", name="one")
    part = replace(run, matrix=data.matrix.items([5, 2, 9]))
    (found,) = relabelled((part,), joined(data, labels)).values()
    assert found.matrix.item_labels["half"] == ("b", "a", "b")


def test_that_a_map_of_other_values_is_left_as_it_is(table: Input, labels: Joining) -> None:
    data = open_data(table)
    run = trained_run(data, plan("som"), key="run-1", name="one")
    other = replace(run, matrix=run.matrix.with_values(run.matrix.values + 1.0))
    gone = replace(run, input=replace(run.input, recipe=Recipe.of(planned("keep", names=("no",)))))
    for each in (other, gone):
        assert not relabelled((each,), joined(data, labels))


def test_that_labels_of_files_that_were_joined_before_stay(
    table: Input, labels: Joining, tmp_path: Path
) -> None:
    path = tmp_path / "second.csv"
    rows = [f"YAL{number:03d}W,{'xyz'[number % 3]}" for number in range(40)]
    path.write_text("gene,third\n" + "\n".join(rows), encoding="utf-8")
    data = open_data(replace(table, joinings=(labels,)))
    run = trained_run(data, plan("som"), key="run-1", name="one")
    (found,) = relabelled((run,), joined(data, Joining(name=str(path)))).values()
    assert set(found.matrix.item_labels) == {"half", "third"}


def test_that_measures_of_labels_are_taken_anew_and_repetitions_stay(
    table: Input, labels: Joining
) -> None:
    data = open_data(table)
    run: Run = trained_run(data, plan("som"), key="run-1", name="one")
    judged = Judged(results=((run.result, 0),), comparison=None)  # type: ignore[arg-type]
    session = Session(data=data, runs=(run,), judged=judged)
    later = joined(data, labels)
    after = with_labels(session, relabelled(session.runs, later))
    (now,) = after.runs
    assert now.evidence is None
    assert set(now.measures) == set(run.measures) - {"label_agreement", "silhouette"}
    assert after.judged is not None
    assert after.judged.number_of(now) == 0
