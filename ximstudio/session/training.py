"""Train in the background, with a complete map for display at any time."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from statistics import median
from typing import Self

import numpy as np

from ximstudio.jobs import Stopped, Task
from ximstudio.kernels.parallel import checking, n_cores
from ximstudio.measure.chance import live_neighbours_of
from ximstudio.measure.neighbourhoods import continuity, trustworthiness
from ximstudio.measure.ranks import Ranks
from ximstudio.model.arrays import Floats, Ints
from ximstudio.model.matrix import Matrix
from ximstudio.model.metric import in_metric
from ximstudio.model.parent import Parent
from ximstudio.model.result import Result
from ximstudio.session.plan import TrainingPlan
from ximstudio.session.run import TrainingCurves
from ximstudio.session.session import Session
from ximstudio.session.shown import Pictures, RenderRequests, Shown, pictures_of
from ximstudio.train import Checkpoint, checkpoints

MOST = 300
FEWEST = 50
"""Largest sample, and the smallest one if profiles are long."""
DIFFERENCES = 2**25
"""Limit of single-value differences for the distances in the data, within these bounds."""


class TrainingSample:
    """A sample of items with their neighbours in the data, found once.

    Only numpy: the exact kernels pay off only for many items, and the first training on a machine
    must not wait for their compilation.
    """

    def __init__(self, matrix: Matrix) -> None:
        fits = int(np.sqrt(2.0 * DIFFERENCES / max(matrix.n_features, 1)))
        size = min(matrix.n_items, max(FEWEST, min(MOST, fits)))
        self._n_items = matrix.n_items
        self.items: Ints = np.arange(matrix.n_items)
        if size < matrix.n_items:
            rng = np.random.default_rng(0)
            self.items = np.sort(rng.choice(matrix.n_items, size, replace=False))
        self.k = live_neighbours_of(size)
        order, self._data_ranks = _ranked(_data_distances(matrix, self.items))
        self._data_neighbours = order[:, 1 : self.k + 1]

    @property
    def n_sampled(self) -> int:
        """Size of the sample; 0 if it has all items."""
        return 0 if len(self.items) == self._n_items else len(self.items)

    def ranks(self, positions: Floats, periods: Sequence[float]) -> Ranks:
        """Neighbours and ranks of the sampled items; `positions` are those of all items."""
        order, map_ranks = _ranked(_map_distances(positions[self.items], periods))
        neighbours = order[:, 1 : self.k + 1]
        return Ranks(
            data_neighbours=self._data_neighbours.copy(),
            map_neighbours=neighbours.copy(),
            map_ranks=np.take_along_axis(map_ranks, self._data_neighbours, axis=1),
            data_ranks=np.take_along_axis(self._data_ranks, neighbours, axis=1),
        )

    def trust_and_continuity(
        self, positions: Floats, periods: Sequence[float]
    ) -> tuple[float, float]:
        """T and C, each averaged over 1 to 15 neighbours."""
        ranks = self.ranks(positions, periods)
        return float(trustworthiness(ranks).mean()), float(continuity(ranks).mean())


def _data_distances(matrix: Matrix, items: Ints) -> Floats:
    n_items = len(items)
    left, right = np.triu_indices(n_items, 1)
    apart = np.zeros((n_items, n_items))
    apart[left, right] = matrix.distances(items[left], items[right])
    # Without a feature that is known of both, two items count as infinitely far apart.
    return np.nan_to_num(apart + apart.T, nan=np.inf)


def _map_distances(positions: Floats, periods: Sequence[float]) -> Floats:
    total = np.zeros((len(positions), len(positions)))
    for places, period in zip(positions.T, periods, strict=True):
        apart = np.abs(places[:, None] - places)
        if np.isfinite(period):
            apart = np.minimum(apart, period - apart)
        total += apart * apart
    return total


def _ranked(distances: Floats) -> tuple[Ints, Ints]:
    """All others by distance for each item, itself first; and the rank of each, itself 0."""
    np.fill_diagonal(distances, -1.0)
    order = np.argsort(distances, axis=1, kind="stable")
    ranks = np.empty_like(order)
    np.put_along_axis(ranks, order, np.arange(len(order))[None, :], axis=1)
    return order, ranks


BESIDE, BETWEEN = 0.75, 0.18
"""Maximum share of time for completing maps for display: in parallel with training, if there is
another core, or between its steps, which makes training at most a quarter longer.
"""
POINT_SHARE = 0.03
"""The same for the live curves."""

FRAME_SECONDS = 0.02
POINT_SECONDS = 0.1
"""Minimum seconds between two maps, and between two points of the live curves. Checkpoints come
about 30 times a second; with a longer pause every second one would be skipped.
"""

LOOKS = 7
"""Number of recent display times that predict the next."""


@dataclass(frozen=True, kw_only=True, eq=False)
class LiveTraining:
    """State of a training, and its result in the end.

    `n_steps` is where it ends, possibly before the planned number for its map. `pictures` are those
    that the views requested, computed in the background.
    """

    step: int
    n_steps: int
    seconds: float
    result: Result
    curves: TrainingCurves = field(default_factory=TrainingCurves)
    pictures: Pictures = field(default_factory=dict)

    @property
    def fraction(self) -> float:
        return self.step / max(self.n_steps, 1)

    @property
    def finished(self) -> bool:
        return self.step >= self.n_steps


@dataclass(frozen=True, kw_only=True, eq=False)
class Training:
    """One training: a plan on a table, from its start or from where it was stopped.

    `requests` returns, in the background thread, the pictures that views want, and `session` what
    else they show: sets and other runs. A derived map has its `start` from its `parent`; `coloured`
    classes have their colours from it, and `old_label` is the label of its classes. With
    `stop_after`, training ends at that step, to reproduce a stopped training.
    """

    matrix: Matrix
    plan: TrainingPlan
    before: LiveTraining | None = None
    requests: Callable[[], RenderRequests] = dict
    session: Callable[[], Session] = Session
    start: Floats | None = None
    parent: Parent | None = None
    coloured: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    old_label: str = ""
    stop_after: int | None = None

    def shown(self, result: Result, curves: TrainingCurves) -> Shown:
        """Return a map of this training for display."""
        session = self.session()
        return Shown(
            result=result,
            matrix=self.matrix,
            curves=curves,
            chosen=session.run,
            runs=session.runs,
            compared=session.compared_runs,
            judged=session.judged,
            sets=session.sets,
            coloured=self.coloured,
            old_label=self.old_label,
        )

    def work(self, task: Task[LiveTraining, LiveTraining]) -> LiveTraining:
        """Train to the end, or until asked to stop; return the last complete map.

        When stopped, that is the map displayed last, as completing another one would take too long.
        Preparations before the first step may take minutes: when stopped there, the result is the
        earlier map, or Stopped is raised without one.
        """
        last: Checkpoint | None = None
        steps = checkpoints(
            self.matrix,
            self.plan.method,
            self.plan.params,
            seed=self.plan.seed,
            start=self.start,
            resume=None if self.before is None else self.before.result.resume,
            last=self.stop_after,
            parent=self.parent,
        )
        with _Looker(self, task) as looker:
            try:
                with checking(task.check):
                    for last in steps:
                        task.check()
                        looker.offer(last)
            except Stopped:
                seen = looker.newest or self.before
                if seen is not None:
                    return seen
                if last is None:
                    raise
            assert last is not None
            return looker.finish(last)


class _Looker:
    """Completes and reports checkpoints as often as possible without slowing down training.

    In a thread of its own, if there is a core for it: kernels release the interpreter's lock, and a
    checkpoint does not change while training continues.
    """

    def __init__(self, training: Training, task: Task[LiveTraining, LiveTraining]) -> None:
        before = training.before
        self._training = training
        self._task = task
        self._thread = ThreadPoolExecutor(1, "looker") if n_cores() > 1 else None
        self._share = BETWEEN if self._thread is None else BESIDE
        self._under_way: Future[None] | None = None
        self._before = 0.0 if before is None else before.seconds
        self._begun = time.perf_counter() - self._before
        self._is_first = True
        self._curves = TrainingCurves() if before is None else before.curves
        self._next_look = self._next_point = 0.0
        self.newest: LiveTraining | None = None
        """The last complete map, if there is one yet."""
        self._spent: deque[float] = deque(maxlen=LOOKS)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._thread is not None:
            # Do not wait for a map that is no longer needed: its thread ends by itself.
            self._thread.shutdown(wait=not self._task.is_stopped)

    def offer(self, checkpoint: Checkpoint) -> None:
        """Complete a checkpoint, if it is time and the last one has been displayed."""
        if self._is_first:
            self._is_first = False
            if checkpoint.step < checkpoint.n_steps:
                # Code was loaded or compiled before the first steps: that is not training time.
                self._begun = time.perf_counter() - self._before
        if self._under_way is not None:
            if not self._under_way.done():
                return
            # Raise errors of the other thread here.
            self._under_way.result()
        if time.perf_counter() < self._next_look or not self._task.is_read:
            return
        if self._thread is None:
            self._report(checkpoint)
        else:
            self._under_way = self._thread.submit(self._report, checkpoint)

    def finish(self, checkpoint: Checkpoint) -> LiveTraining:
        """Complete the last map, with a point of the curves."""
        if self._under_way is not None:
            self._under_way.result()
        return self._look(checkpoint, with_point=True)

    def _report(self, checkpoint: Checkpoint) -> None:
        # The training thread notices the stop itself.
        with suppress(Stopped):
            self.newest = self._look(checkpoint, halt=self._task.check)
            self._task.report(self.newest)

    @cached_property
    def _sample(self) -> TrainingSample:
        return TrainingSample(in_metric(self._training.matrix, self._training.plan.params))

    def _look(
        self,
        checkpoint: Checkpoint,
        *,
        with_point: bool = False,
        halt: Callable[[], None] = lambda: None,
    ) -> LiveTraining:
        """Complete the map, and add a point to the curves if it is due.

        `halt` is called in between, and may raise Stopped, so that nobody waits for a whole map.
        """
        begun = time.perf_counter()
        result = checkpoint.result()
        halt()
        point_seconds = 0.0
        if with_point or begun >= self._next_point:
            point_seconds = self._add_point(result)
        halt()
        training = self._training
        pictures = pictures_of(training.shown(result, self._curves), training.requests())
        now = time.perf_counter()
        # The median, because an interruption by the system says nothing about the next map.
        self._spent.append(now - begun - point_seconds)
        self._next_look = begun + max(FRAME_SECONDS, median(self._spent) / self._share)
        return LiveTraining(
            step=checkpoint.step,
            n_steps=training.stop_after or checkpoint.n_steps,
            seconds=now - self._begun,
            result=result,
            curves=self._curves,
            pictures=pictures,
        )

    def _add_point(self, result: Result) -> float:
        """Compute the live measures; return the seconds that it took."""
        if self._training.matrix.n_items < 3 or result.step in self._curves.steps[-1:]:
            return 0.0
        # Created before the clock starts: finding neighbours in the data is done only once.
        sample = self._sample
        begun = time.perf_counter()
        measured = sample.trust_and_continuity(result.positions, result.periods)
        self._curves = replace(
            self._curves.with_point(result.step, *measured), n_sampled=sample.n_sampled
        )
        spent = time.perf_counter() - begun
        self._next_point = begun + max(POINT_SECONDS, spent / POINT_SHARE)
        return time.perf_counter() - begun
