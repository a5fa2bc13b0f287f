"""Trials: many maps trained and measured in parallel, the basis of every comparison."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Generator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    CancelledError,
    Future,
    ThreadPoolExecutor,
    wait,
)
from dataclasses import KW_ONLY, dataclass
from time import perf_counter

import numpy as np
import psutil

from ximstudio.kernels.parallel import check_here, checking, n_cores, side_by_side
from ximstudio.measure.catalogue import Measure
from ximstudio.measure.evidence import DataSide, MapEvidence
from ximstudio.measure.pairs import MOST_PAIRS
from ximstudio.model.arrays import Floats, Ints, frozen
from ximstudio.model.distances import count_pairs
from ximstudio.model.matrix import Matrix
from ximstudio.model.metric import compared, in_metric
from ximstudio.model.params import Params
from ximstudio.model.problem import Problem, UserError
from ximstudio.model.result import Result
from ximstudio.train import Method, checkpoints

TRAINING = 0.8
"""Share of a trial's progress that is training; the rest is measuring."""
NEWS_SECONDS = 0.1
Sides = dict[tuple[object, ...], DataSide]
"""Statistics that trials on the same data share, by their data."""
MOST_SHARE = 0.5
"""Share of the free memory that all trials together may take."""
BYTES_PER_PAIR = 120
"""Memory of all measures together, at most, per pair of items."""
LOOKS = 5
"""Number of checks for cancellation between two reports."""


@dataclass(frozen=True, eq=False)
class Trial:
    """One map to be trained and measured.

    Parameters
    ----------
    matrix, method, params, seed
        Method, settings and data.
    name
        Name for progress and problems.
    items
        Numbers of the items of the matrix to use; None for all.
    keeps
        True to keep the map itself, and not only its measures.
    shows
        True to keep the evidence of the measures as well, for views that show it.
    """

    matrix: Matrix
    method: Method
    params: Params
    seed: int
    name: str
    _: KW_ONLY
    items: Ints | None = None
    keeps: bool = False
    shows: bool = False

    @property
    def n_items(self) -> int:
        return self.matrix.n_items if self.items is None else len(self.items)

    @property
    def part(self) -> Matrix:
        """The matrix of the used items; the matrix itself if all are used."""
        return self.matrix if self.items is None else self.matrix.items(self.items)


@dataclass(frozen=True, kw_only=True, eq=False)
class TrialResult:
    """Result of one trial.

    Parameters
    ----------
    values, errors
        Every measure and its standard error of sampling; NaN where it does not apply.
    positions
        Positions of its items, shape (n, d); none if the trial was refused.
    seconds
        Duration of training, in parallel with others.
    result, evidence
        The map, and the evidence of its measures, if kept.
    problems
        Reasons why it could not be trained; empty if it could.
    """

    trial: Trial
    values: Floats
    errors: Floats
    positions: Floats
    seconds: float
    result: Result | None = None
    evidence: MapEvidence | None = None
    problems: tuple[Problem, ...] = ()

    @property
    def named_problems(self) -> tuple[Problem, ...]:
        """The problems, with the name of the trial before their addresses."""
        return _named(self.trial, self.problems)


@dataclass(frozen=True, kw_only=True, eq=False)
class TrialProgress:
    """Progress of all trials; every report is complete, so that none must be read.

    Parameters
    ----------
    done, total
        Trials that have ended, of all.
    fraction
        Share of the work done, from 0 to 1.
    doing
        The names of the running trials.
    found
        Results of the finished trials, in the order of the trials.
    running
        The running trials.
    """

    done: int
    total: int
    fraction: float
    doing: str
    found: tuple[TrialResult, ...] = ()
    running: tuple[Trial, ...] = ()


def found_all(
    trials: Sequence[Trial],
    measures: Sequence[Measure],
    *,
    label: str | None = None,
    forgiving: bool = False,
) -> Generator[TrialProgress, None, tuple[TrialResult, ...]]:
    """Train and measure all trials on all cores; the last report has all results, in order.

    Close the generator, or raise in a check (`checking`), to stop: it returns when all threads have
    ended. The same trials give the same numbers on any number of cores. A trial that is refused
    ends all others with its error or, if `forgiving`, is returned with its problems.
    """
    stop = threading.Event()
    sides: Sides = {}
    works = [_Work(trial, measures, label, stop, sides, forgiving) for trial in trials]
    with side_by_side(), ThreadPoolExecutor(workers(trials)) as pool:
        futures = [pool.submit(work.found) for work in works]
        try:
            waiting = set(futures)
            while waiting:
                yield _news(works, futures, waiting)
                ended, waiting = _waited(waiting)
                for future in ended:
                    future.result()
        finally:
            stop.set()
            for future in futures:
                future.cancel()
    yield _news(works, futures, set())
    return tuple(future.result() for future in futures)


def workers(trials: Sequence[Trial]) -> int:
    """Return the number of maps that may be measured at the same time: cores share the memory."""
    n_items = max((trial.n_items for trial in trials), default=0)
    n_pairs = max(1, min(count_pairs(n_items), MOST_PAIRS))
    fit = psutil.virtual_memory().available * MOST_SHARE / (n_pairs * BYTES_PER_PAIR)
    return max(1, min(n_cores(), int(fit)))


@dataclass(eq=False)
class _Work:
    """One running trial: trained, measured, and forgotten except for what it keeps."""

    trial: Trial
    measures: Sequence[Measure]
    label: str | None
    stop: threading.Event
    sides: Sides
    forgiving: bool
    fraction: float = 0.0

    def found(self) -> TrialResult:
        """Train and measure; raise CancelledError soon after it was cancelled."""
        try:
            with checking(self._check):
                return self._found()
        except UserError as error:
            # Part of a table may be unsuitable even if the whole is suitable.
            if self.forgiving:
                return self._refused(error)
            raise UserError.of(_named(self.trial, error.problems)) from None

    def _found(self) -> TrialResult:
        trial, part = self.trial, self.trial.part
        begun, last = perf_counter(), None
        for last in checkpoints(part, trial.method, trial.params, seed=trial.seed):
            self._check()
            if not self.fraction and last.step < last.n_steps:
                # Loading and compiling before the first steps is no training.
                begun = perf_counter()
            self.fraction = TRAINING * last.fraction
        assert last is not None
        result = last.result()
        seconds = perf_counter() - begun
        evidence = MapEvidence(
            matrix=part, result=result, label=self.label, seed=trial.seed, shared=self._side()
        )
        values, errors = np.full((2, len(self.measures)), np.nan)
        for number, measure in enumerate(self.measures):
            self._check()
            self.fraction = TRAINING + (1.0 - TRAINING) * number / len(self.measures)
            estimate = measure.of(evidence)
            if estimate is not None:
                values[number], errors[number] = estimate.value, estimate.error
        self.fraction = 1.0
        return TrialResult(
            trial=trial,
            values=frozen(values),
            errors=frozen(errors),
            positions=result.positions,
            seconds=seconds,
            result=result if trial.keeps else None,
            evidence=evidence if trial.shows else None,
        )

    def _side(self) -> DataSide | None:
        """Return the statistics of the data; not kept for parts, of which there are too many."""
        trial = self.trial
        if trial.items is not None or not self.measures:
            return None
        same = (id(trial.matrix), compared(trial.params), trial.seed)
        if same not in self.sides:
            seen = in_metric(trial.matrix, trial.params)
            self.sides.setdefault(same, DataSide(seen=seen, seed=trial.seed))
        return self.sides[same]

    def _refused(self, error: UserError) -> TrialResult:
        self.fraction = 1.0
        nothing = frozen(np.full(len(self.measures), np.nan))
        return TrialResult(
            trial=self.trial,
            values=nothing,
            errors=nothing,
            positions=frozen(np.empty((0, 2))),
            seconds=0.0,
            problems=error.problems,
        )

    def _check(self) -> None:
        if self.stop.is_set():
            raise CancelledError


def refuse_unless_made(found: Sequence[TrialResult]) -> None:
    """Raise the error of the first of these trials if all of them were refused."""
    if found and all(each.problems for each in found):
        raise UserError.of(found[0].named_problems)


def _named(trial: Trial, problems: Sequence[Problem]) -> tuple[Problem, ...]:
    return tuple(
        dataclasses.replace(problem, where=f"{trial.name}: {problem.where}") for problem in problems
    )


def _waited(
    waiting: set[Future[TrialResult]],
) -> tuple[set[Future[TrialResult]], set[Future[TrialResult]]]:
    """Wait for trials that end before the next report is due; return them and the others."""
    ended: set[Future[TrialResult]] = set()
    for _ in range(LOOKS):
        check_here()
        ended, waiting = wait(waiting, NEWS_SECONDS / LOOKS, FIRST_COMPLETED)
        if ended:
            break
    return ended, waiting


def _news(
    works: Sequence[_Work],
    futures: Sequence[Future[TrialResult]],
    waiting: set[Future[TrialResult]],
) -> TrialProgress:
    """Return the progress, with all trials that have ended."""
    pairs = list(zip(works, futures, strict=True))
    running = tuple(work.trial for work, future in pairs if future.running())
    found = tuple(future.result() for future in futures if future not in waiting)
    return TrialProgress(
        done=len(found),
        total=len(works),
        fraction=sum(work.fraction for work in works) / len(works) if works else 1.0,
        doing=", ".join(dict.fromkeys(trial.name for trial in running)),
        found=found,
        running=running,
    )
