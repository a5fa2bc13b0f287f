"""Training in the lane: watched or not, the same bits; stopped, the last complete map."""

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from ximstudio.jobs import Lane, Stopped, Task
from ximstudio.measure.ranks import neighbour_ranks
from ximstudio.model import Matrix
from ximstudio.session import training as module
from ximstudio.session.plan import TrainingPlan
from ximstudio.session.shown import Shown
from ximstudio.session.training import MOST, LiveTraining, Training, TrainingSample
from ximstudio.train import METHODS, train
from ximstudio.train import checkpoints as train_checkpoints


@pytest.fixture
def lane() -> Iterator[Lane]:
    made = Lane()
    yield made
    assert made.close(10.0)
    lookers = [each for each in threading.enumerate() if each.name.startswith("looker")]
    for each in lookers:
        # One that was not waited for ends by itself.
        each.join(10.0)
    assert not [each for each in lookers if each.is_alive()]


def planned(key: str = "c-xim", **changes: object) -> TrainingPlan:
    plan = TrainingPlan(method_key=key, seed=3)
    wanted = {"shape": (6, 8), "n_steps": 3000 if plan.method.map_kernel else 60} | changes
    known = {name: value for name, value in wanted.items() if name in plan.params.specs()}
    return plan.with_params(plan.params.replace(**known))


def watched(
    task: Task[LiveTraining, LiveTraining], until: Callable[[LiveTraining], bool]
) -> list[LiveTraining]:
    """All news until one is as wanted, or the task ends."""
    seen: list[LiveTraining] = []
    while not task.wait(0.001):
        news = task.newest()
        if news is not None:
            seen.append(news)
            if until(news):
                break
    return seen


def never(_: LiveTraining) -> bool:
    return False


@pytest.mark.parametrize("cores", [1, 2])
@pytest.mark.parametrize("key", [method.key for method in METHODS])
def test_that_watching_does_not_change_the_map(
    lane: Lane, yeast: Matrix, key: str, cores: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "n_cores", lambda: cores)
    plan = planned(key)
    task: Task[LiveTraining, LiveTraining] = lane.start(Training(matrix=yeast, plan=plan).work)
    watched(task, never)
    live = task.outcome()
    assert live.finished
    assert live.result.hash == train(yeast, plan.method, plan.params, seed=3).hash
    assert live.curves.steps[-1] == live.step


@pytest.mark.parametrize("cores", [1, 2])
def test_that_it_can_be_watched_paused_and_continued(
    lane: Lane, yeast: Matrix, cores: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "n_cores", lambda: cores)
    plan = planned(n_steps=100_000)
    training = Training(matrix=yeast, plan=plan)
    task: Task[LiveTraining, LiveTraining] = lane.start(training.work)
    seen = watched(task, lambda live: live.step > 0)
    task.stop()
    halted = task.outcome()
    assert seen[-1].step <= halted.step < halted.n_steps
    assert len(halted.curves.steps) >= 1
    again: Task[LiveTraining, LiveTraining] = lane.start(replace(training, before=halted).work)
    live = again.outcome()
    assert live.seconds > halted.seconds
    assert live.curves.steps[: len(halted.curves.steps)] == halted.curves.steps
    assert live.result.hash == train(yeast, plan.method, plan.params, seed=3).hash


def test_that_what_views_request_is_made_from_what_is_seen(lane: Lane, yeast: Matrix) -> None:
    def request(shown: Shown) -> float:
        assert shown.live
        return float(np.abs(shown.result.positions).sum())

    training = Training(matrix=yeast, plan=planned(), requests=lambda: {"pane": request})
    task: Task[LiveTraining, LiveTraining] = lane.start(training.work)
    live = task.outcome()
    assert live.pictures == {"pane": float(np.abs(live.result.positions).sum())}


@pytest.mark.parametrize("cores", [1, 2])
def test_that_a_request_that_fails_ends_training_with_its_error(
    lane: Lane, yeast: Matrix, cores: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "n_cores", lambda: cores)

    def request(shown: Shown) -> float:
        raise ZeroDivisionError(shown)

    plan = planned(n_steps=100_000_000)
    training = Training(matrix=yeast, plan=plan, requests=lambda: {"pane": request})
    task: Task[LiveTraining, LiveTraining] = lane.start(training.work)
    with pytest.raises(ZeroDivisionError):
        task.outcome()


def test_that_a_training_stopped_at_once_keeps_its_first_complete_map(yeast: Matrix) -> None:
    class Halted(Task[LiveTraining, LiveTraining]):
        def check(self) -> None:
            raise Stopped

    # Where items begin as in a plane, finding it can be stopped, too.
    training = Training(matrix=yeast, plan=planned(n_steps=100_000, init="random"))
    live = training.work(Halted(training.work))
    assert 0 < live.step < live.n_steps
    assert np.isfinite(live.result.positions).all()


@pytest.mark.parametrize("key", ["xom", "t-sne", "umap"])
def test_that_what_comes_before_the_first_steps_can_be_stopped(
    lane: Lane, yeast: Matrix, key: str
) -> None:
    """Distances and neighbours of many items take minutes: nobody waits for a first map."""

    class Halted(Task[LiveTraining, LiveTraining]):
        def check(self) -> None:
            raise Stopped

    training = Training(matrix=yeast, plan=planned(key))
    with pytest.raises(Stopped):
        training.work(Halted(training.work))
    begun: Task[LiveTraining, LiveTraining] = lane.start(training.work)
    before = begun.outcome()
    again = replace(training, before=before)
    assert again.work(Halted(again.work)) is before


@pytest.mark.parametrize("cores", [1, 2])
def test_that_a_stopped_training_gives_the_map_that_was_seen_and_completes_no_other(
    lane: Lane, yeast: Matrix, cores: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "n_cores", lambda: cores)
    looked: list[int] = []

    def request(shown: Shown) -> int:
        looked.append(shown.result.step)
        if len(looked) == 3:
            task.stop()
        return shown.result.step

    plan = planned(n_steps=100_000_000)
    training = Training(matrix=yeast, plan=plan, requests=lambda: {"pane": request})
    task: Task[LiveTraining, LiveTraining] = Task(training.work)
    watching: Task[None, None] = lane.start(lambda _: task._run())
    while not task.wait(0.001):
        task.newest()
    watching.outcome()
    live = task.outcome()
    assert len(looked) == 3
    assert live.step == live.pictures["pane"] == looked[-1]


def test_that_two_items_are_enough_to_watch(lane: Lane) -> None:
    matrix = Matrix.from_array(np.array([[0.0, 1.0], [1.0, 0.0]]))
    task: Task[LiveTraining, LiveTraining] = lane.start(
        Training(matrix=matrix, plan=planned()).work
    )
    live = task.outcome()
    assert live.finished
    assert live.curves.steps == ()


@pytest.mark.parametrize(("key", "counted"), [("c-xim", False), ("pca", True)])
def test_that_what_comes_before_the_first_steps_is_not_counted_as_training(
    lane: Lane, yeast: Matrix, key: str, counted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One computation without steps is all that there is to count."""
    compiling = 1000.0
    late = [0.0]
    clock, begin = time.perf_counter, train_checkpoints

    def compiled_first(*args: Any, **options: Any) -> Iterator[Any]:
        late[0] = compiling
        yield from begin(*args, **options)

    monkeypatch.setattr(time, "perf_counter", lambda: clock() + late[0])
    monkeypatch.setattr(module, "checkpoints", compiled_first)
    task: Task[LiveTraining, LiveTraining] = lane.start(
        Training(matrix=yeast, plan=planned(key)).work
    )
    watched(task, never)

    assert (task.outcome().seconds >= compiling) is counted


@pytest.mark.parametrize("periods", [(np.inf, np.inf), (6.0, 8.0)])
def test_that_ranks_are_the_exact_ones(yeast: Matrix, periods: tuple[float, float]) -> None:
    positions = np.random.default_rng(0).uniform(0.0, 6.0, (yeast.n_items, 2))
    sample = TrainingSample(yeast)
    assert len(sample.items) == yeast.n_items
    ours = sample.ranks(positions, periods)
    exact = neighbour_ranks(yeast.values, positions, periods, sample.k)
    for name in ("data_neighbours", "map_neighbours", "map_ranks", "data_ranks"):
        assert np.array_equal(getattr(ours, name), getattr(exact, name)), name


def test_that_equal_places_are_ranked_in_the_order_of_the_table() -> None:
    values = np.random.default_rng(1).normal(size=(20, 3))
    positions = np.repeat(np.arange(4.0), 5)[:, None] * [1.0, 0.0]
    sample = TrainingSample(Matrix.from_array(values))
    exact = neighbour_ranks(values, positions, (np.inf, np.inf), sample.k)
    assert np.array_equal(sample.ranks(positions, (np.inf, np.inf)).map_ranks, exact.map_ranks)


def test_that_many_items_are_sampled_and_the_sample_repeats() -> None:
    matrix = Matrix.from_array(np.random.default_rng(2).normal(size=(1000, 4)))
    sample, again = TrainingSample(matrix), TrainingSample(matrix)
    assert len(sample.items) == MOST
    assert np.array_equal(sample.items, again.items)
    perfect = sample.trust_and_continuity(matrix.values, (np.inf,) * 4)
    assert perfect == (1.0, 1.0)


def test_that_long_items_are_sampled_more_sparsely() -> None:
    wide = Matrix.from_array(np.random.default_rng(3).normal(size=(400, 30_000)))
    assert len(TrainingSample(wide).items) < 100


def test_that_three_items_are_enough() -> None:
    matrix = Matrix.from_array(np.array([[0.0], [1.0], [3.0]]))
    assert TrainingSample(matrix).trust_and_continuity(matrix.values, (np.inf,)) == (1.0, 1.0)
