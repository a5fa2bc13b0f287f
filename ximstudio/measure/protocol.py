"""The report's protocol (TR table 1): many runs on random shares of the items, all measured."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass

import numpy as np

from ximstudio.measure.catalogue import MEASURES, Measure
from ximstudio.measure.comparison import Comparison
from ximstudio.measure.stability import Placement, Stability, stability
from ximstudio.measure.trials import Trial, TrialResult, found_all, refuse_unless_made
from ximstudio.model.arrays import Ints, frozen
from ximstudio.model.matrix import Matrix
from ximstudio.model.method_params import MethodParams
from ximstudio.model.params import known
from ximstudio.model.problem import Problem, refuse
from ximstudio.train import Method, problems

Entry = tuple[Method, MethodParams]

FEWEST_DRAWN = 3
"""Number of items of a run below which no measure is meaningful."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Progress:
    """Progress of a comparison; the last one carries the result.

    Parameters
    ----------
    done, total
        Maps made and measured, and their total.
    fraction
        Share of the work done, from 0 to 1.
    doing
        The methods in progress, in a few words.
    comparison
        The result, at the end.
    maps
        A map of every method on all items, at the end, if requested.
    """

    done: int
    total: int
    fraction: float
    doing: str
    comparison: Comparison | None = None
    maps: tuple[TrialResult, ...] = ()


def compare(
    matrix: Matrix,
    entries: Sequence[Entry],
    *,
    runs: int = 10,
    share: float = 0.95,
    seed: int = 0,
    label: str | None = None,
    measures: Sequence[Measure] = MEASURES,
    with_maps: bool = False,
) -> Generator[Progress, None, None]:
    """Train every method `runs` times on random items and measure each map, on all cores.

    Run r is given the same items for every method, drawn from [seed, r], and trains with the seed
    `seed` + r. Close the iterator to stop: it returns when all threads have ended. The same seed
    gives the same numbers on any number of cores.

    A share of the table may be unsuitable even if the whole is suitable: runs that are refused are
    left out. Only if all runs of a method are refused does the comparison end, with its problems.

    With maps, every method is also trained on all items, with the seed `seed`: for display only; no
    number of the comparison uses it.
    """
    # Maps of shares of the items are as large as those of all, to be comparable.
    entries = [(method, params.sized(matrix.n_items)) for method, params in entries]
    refuse(
        [
            *plan_problems(entries, runs=runs, share=share, seed=seed),
            *data_problems(matrix, entries, share),
        ]
    )
    if label is not None:
        known("label", label, matrix.item_labels)
    items = drawn(matrix.n_items, runs=runs, share=share, seed=seed)
    # Run by run: methods differ in duration, and progress is even.
    trials = [
        Trial(
            matrix,
            *entry,
            seed + run,
            f"{entry[0].key}, run {run + 1} on {items.shape[1]} items",
            items=items[run],
        )
        for run in range(runs)
        for entry in entries
    ]
    if with_maps:
        trials += [
            Trial(matrix, *entry, seed, f"{entry[0].key} on all items", keeps=True)
            for entry in entries
        ]
    found: tuple[TrialResult, ...] = ()
    with closing(found_all(trials, measures, label=label, forgiving=True)) as steps:
        for news in steps:
            found = news.found
            _refuse_hopeless(found, entries, runs)
            yield Progress(
                done=news.done,
                total=news.total,
                fraction=news.fraction,
                doing=", ".join(sorted({trial.method.name for trial in news.running})),
            )
    repeated, maps = found[: runs * len(entries)], found[runs * len(entries) :]
    of_methods = [repeated[number :: len(entries)] for number in range(len(entries))]
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
        n_made=tuple(sum(not part.problems for part in parts) for parts in of_methods),
        stability=tuple(
            stability_of(parts, params, items, matrix.n_items)
            for (_, params), parts in zip(entries, of_methods, strict=True)
        ),
    )
    yield Progress(
        done=len(trials),
        total=len(trials),
        fraction=1.0,
        doing="",
        comparison=comparison,
        maps=maps,
    )


def drawn(n_items: int, *, runs: int, share: float, seed: int) -> Ints:
    """Draw the items of every run, in the order of the table, shape (runs, n)."""
    n_drawn = round(share * n_items)
    draws = [
        np.random.default_rng([seed, run]).choice(n_items, n_drawn, replace=False)
        for run in range(runs)
    ]
    return np.sort(np.array(draws, dtype=np.int64), axis=1)


def stability_of(
    parts: Sequence[TrialResult], params: MethodParams, items: Ints, n_items: int
) -> Stability:
    """Return the stability of the successful runs of one method."""
    runs = [
        Placement(items=chosen, positions=part.positions)
        for chosen, part in zip(items, parts, strict=True)
        if not part.problems
    ]
    return stability(runs, n_items, params.grid)


def _refuse_hopeless(found: Sequence[TrialResult], entries: Sequence[Entry], runs: int) -> None:
    """End the comparison as soon as all runs of a method, or its map of all items, are refused."""
    refused = [each for each in found if each.problems]
    for each in refused:
        if each.trial.keeps:
            refuse_unless_made([each])
    refused = [each for each in refused if not each.trial.keeps]
    for entry in entries if len(refused) >= runs else ():
        parts = [each for each in refused if (each.trial.method, each.trial.params) == entry]
        if len(parts) == runs:
            refuse_unless_made(parts)


def plan_problems(
    entries: Sequence[Entry], *, runs: int, share: float, seed: int
) -> Iterator[Problem]:
    """Yield problems of a comparison that do not depend on the data."""
    keys = [method.key for method, _ in entries]
    twice = any(entry in entries[:number] for number, entry in enumerate(entries))
    if not keys or twice:
        yield Problem(
            key="compare.methods",
            what="Every method can be compared once with the same settings, and there must be one"
            " at least.",
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


def data_problems(matrix: Matrix, entries: Sequence[Entry], share: float) -> Iterator[Problem]:
    """Yield problems of comparing these methods on these data, each once."""
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
