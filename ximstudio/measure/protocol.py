"""The report's protocol (TR table 1): many runs on random shares of the items, all measured."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    CancelledError,
    Future,
    ThreadPoolExecutor,
    wait,
)
from dataclasses import dataclass

import numpy as np
import psutil

from ximstudio.kernels.parallel import n_cores, side_by_side
from ximstudio.measure.catalogue import MEASURES, Measure
from ximstudio.measure.comparison import Comparison
from ximstudio.measure.evidence import Evidence
from ximstudio.measure.pairs import MOST_PAIRS
from ximstudio.measure.stability import Placement, Stability, stability
from ximstudio.model.arrays import Floats, Ints, frozen
from ximstudio.model.distances import count_pairs
from ximstudio.model.matrix import Matrix, repeated
from ximstudio.model.params import Params, known
from ximstudio.model.problem import Problem, UserError, refuse
from ximstudio.train import Method, checkpoints, problems
from ximstudio.train.params import MapParams

Entry = tuple[Method, Params]

FEWEST_DRAWN = 3
"""Items of a run below which no measure has anything to say."""
TRAINING = 0.8
"""Share of a trial's progress that is training; the rest is measuring."""
NEWS_SECONDS = 0.1
MOST_SHARE = 0.5
"""Part of the free memory that a comparison may take."""
BYTES_PER_PAIR = 120
"""What measuring takes at most, all measures together, by pairs of items that are looked at."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Progress:
    """How far a comparison has come; the last one brings it along.

    Parameters
    ----------
    done, total
        Maps made and measured, of all that are to be.
    fraction
        Share of the work done, from 0 to 1.
    doing
        The methods at work now, in a few words.
    comparison
        What was found, once all is done.
    """

    done: int
    total: int
    fraction: float
    doing: str
    comparison: Comparison | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class _Found:
    """What is kept of one map: where its items lie, and its measures."""

    positions: Floats
    values: Floats
    errors: Floats


class _Trial:
    """One method on one share of the items: trained, measured, forgotten but for its numbers."""

    def __init__(self, matrix: Matrix, entry: Entry, items: Ints, seed: int, run: int) -> None:
        self.matrix = matrix
        self.method, self.params = entry
        self.items = items
        self.seed = seed
        self.run = run
        self.fraction = 0.0

    def found(
        self, measures: Sequence[Measure], label: str | None, stop: threading.Event
    ) -> _Found:
        """Train and measure; raises CancelledError soon after `stop` is set."""
        try:
            return self._found(measures, label, stop)
        except UserError as error:
            # What is right for the whole table may be wrong for a part of it.
            where = f"{self.method.key}, run {self.run + 1} on {len(self.items)} items"
            raise UserError.of(
                dataclasses.replace(problem, where=f"{where}: {problem.where}")
                for problem in error.problems
            ) from None

    def _found(
        self, measures: Sequence[Measure], label: str | None, stop: threading.Event
    ) -> _Found:
        part = self.matrix.items(self.items)
        last = None
        for last in checkpoints(part, self.method, self.params, seed=self.seed):
            _refuse_to_go_on(stop)
            self.fraction = TRAINING * last.fraction
        assert last is not None
        result = last.result()
        evidence = Evidence(matrix=part, result=result, label=label, seed=self.seed)
        values, errors = np.full((2, len(measures)), np.nan)
        for number, measure in enumerate(measures):
            _refuse_to_go_on(stop)
            self.fraction = TRAINING + (1.0 - TRAINING) * number / len(measures)
            estimate = measure.of(evidence)
            if estimate is not None:
                values[number], errors[number] = estimate.value, estimate.error
        self.fraction = 1.0
        return _Found(positions=result.positions, values=values, errors=errors)


def compare(
    matrix: Matrix,
    entries: Sequence[Entry],
    *,
    runs: int = 10,
    share: float = 0.95,
    seed: int = 0,
    label: str | None = None,
    measures: Sequence[Measure] = MEASURES,
) -> Generator[Progress, None, None]:
    """Train every method `runs` times on random items and measure each map, on all cores.

    Run r is given the same items for every method, drawn from [seed, r], and trains with the seed
    `seed` + r. Stopping is closing the iterator: it returns when all threads have ended. Same seed,
    same numbers, however many cores there are.
    """
    refuse(
        [
            *plan_problems(entries, runs=runs, share=share, seed=seed),
            *_data_problems(matrix, entries, share),
        ]
    )
    if label is not None:
        known("label", label, matrix.item_labels)
    items = drawn(matrix.n_items, runs=runs, share=share, seed=seed)
    # Run by run: the methods take differently long, and the progress is even.
    trials = [
        _Trial(matrix, entry, items[run], seed + run, run)
        for run in range(runs)
        for entry in entries
    ]
    stop = threading.Event()
    with side_by_side(), ThreadPoolExecutor(_workers(items.shape[1])) as pool:
        futures = [pool.submit(trial.found, measures, label, stop) for trial in trials]
        try:
            yield from _news(trials, futures)
        finally:
            stop.set()
            for future in futures:
                future.cancel()
    found = [future.result() for future in futures]
    of_methods = [found[number :: len(entries)] for number in range(len(entries))]
    values = np.array([[part.values for part in parts] for parts in of_methods])
    errors = np.array([[part.errors for part in parts] for parts in of_methods])
    apply = np.flatnonzero(~np.isnan(values).all(axis=(0, 1))).tolist()
    comparison = Comparison(
        entries=tuple(entries),
        share=share,
        seed=seed,
        label=label,
        items=items,
        measures=tuple(measures[number] for number in apply),
        values=frozen(values[:, :, apply]),
        errors=frozen(errors[:, :, apply]),
        stability=tuple(
            _stability(params, parts, items, matrix.n_items)
            for (_, params), parts in zip(entries, of_methods, strict=True)
        ),
    )
    yield Progress(
        done=len(trials), total=len(trials), fraction=1.0, doing="", comparison=comparison
    )


def drawn(n_items: int, *, runs: int, share: float, seed: int) -> Ints:
    """The items of every run, in the order of the table, shape (runs, n)."""
    n_drawn = round(share * n_items)
    draws = [
        np.random.default_rng([seed, run]).choice(n_items, n_drawn, replace=False)
        for run in range(runs)
    ]
    return np.sort(np.array(draws, dtype=np.int64), axis=1)


def _workers(n_drawn: int) -> int:
    """How many maps may be measured at the same time: memory is shared by all cores."""
    n_pairs = min(count_pairs(n_drawn), MOST_PAIRS)
    fit = psutil.virtual_memory().available * MOST_SHARE / (n_pairs * BYTES_PER_PAIR)
    return max(1, min(n_cores(), int(fit)))


def _news(trials: Sequence[_Trial], futures: Sequence[Future[_Found]]) -> Iterator[Progress]:
    """Progress until all trials have ended; raises what one of them raises."""
    waiting = set(futures)
    while waiting:
        running = {
            trial.method.name
            for trial, future in zip(trials, futures, strict=True)
            if future.running()
        }
        yield Progress(
            done=len(trials) - len(waiting),
            total=len(trials),
            fraction=sum(trial.fraction for trial in trials) / len(trials),
            doing=", ".join(sorted(running)),
        )
        ended, waiting = wait(waiting, NEWS_SECONDS, FIRST_COMPLETED)
        for future in ended:
            future.result()


def _stability(params: Params, parts: Sequence[_Found], items: Ints, n_items: int) -> Stability:
    """The runs of one method over each other."""
    runs = [
        Placement(items=chosen, positions=part.positions)
        for chosen, part in zip(items, parts, strict=True)
    ]
    return stability(runs, n_items, params.grid if isinstance(params, MapParams) else None)


def _refuse_to_go_on(stop: threading.Event) -> None:
    if stop.is_set():
        raise CancelledError


def plan_problems(
    entries: Sequence[Entry], *, runs: int, share: float, seed: int
) -> Iterator[Problem]:
    """All that is wrong with a comparison whatever the data."""
    keys = [method.key for method, _ in entries]
    if not keys or repeated(keys):
        yield Problem(
            key="compare.methods",
            what="Every method can be compared once, and there must be one at least.",
            where=f"methods {', '.join(keys) or '(none)'}",
            way_out="Name each method once.",
        )
    if runs < 1:
        yield Problem(
            key="compare.runs",
            what=f"There cannot be {runs} runs.",
            where="runs",
            way_out="Give a whole number from 1; the report takes 10.",
        )
    if seed < 0:
        yield Problem(
            key="compare.seed",
            what=f"The seed cannot be {seed}.",
            where="seed",
            way_out="Give a whole number from 0.",
        )
    if not 0.0 < share <= 1.0:
        yield Problem(
            key="compare.share",
            what=f"A run cannot have {share:g} of the items.",
            where="share",
            way_out="Give a number above 0 up to 1; the report takes 0.95.",
        )


def _data_problems(matrix: Matrix, entries: Sequence[Entry], share: float) -> Iterator[Problem]:
    """All that is wrong with comparing these methods on these data, each thing once."""
    if 0.0 < share <= 1.0 and round(share * matrix.n_items) < FEWEST_DRAWN:
        yield Problem(
            key="compare.too_few",
            what=f"{share:g} of {matrix.n_items} items are fewer than {FEWEST_DRAWN}.",
            where=f"{matrix.source}: share",
            way_out="Take a larger share, or a larger table.",
        )
    yield from dict.fromkeys(
        problem for method, params in entries for problem in problems(matrix, method, params)
    )
