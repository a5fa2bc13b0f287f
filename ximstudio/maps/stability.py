"""A map made again and again: how far its items wander, and which of its ridges stay."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import count, islice

from ximstudio.maps.layer import LayerEvidence
from ximstudio.maps.ridges import Ridges, cloud, permuted, ridge_shares
from ximstudio.measure.protocol import data_problems, drawn, plan_problems, stability_of
from ximstudio.measure.trials import (
    Trial,
    TrialProgress,
    TrialResult,
    found_all,
    refuse_unless_made,
)
from ximstudio.model.arrays import Floats, frozen
from ximstudio.model.matrix import Matrix
from ximstudio.model.method_params import MethodParams
from ximstudio.model.metric import PRECOMPUTED, metric_of
from ximstudio.model.problem import Problem, refuse
from ximstudio.model.result import PrototypeMap, Result
from ximstudio.train import Method

RUNS, NULLS = 10, 3


@dataclass(frozen=True, kw_only=True, eq=False)
class MapStability:
    """Stability of a map that is retrained.

    Parameters
    ----------
    wander
        How far every item moves between the runs, shape (N,); see `Stability`.
    ridges
        The ridges of the reference, with the share of the runs that have them; None where there are
        no nodes, or no features that could be permuted, or where no cloud could be trained on.
    null
        A map of `permuted` data, to look at: what shows on it as well needs no two features that
        have to do with each other. None where there are no nodes or features as above, or where
        these data were refused.
    runs, share, seed
        How many maps were to be made again, of which share of the items. Run r has the items that
        the protocol draws and the r-th seed from `seed` on that is not the reference's: else it
        could be the same map.
    n_made
        How many of the runs could be made, at least one: what is right for the whole table may be
        wrong for a share of it. All else is of these alone.
    nulls
        Number of null maps per `cloud`, which show what chance produces.
    """

    wander: Floats
    ridges: Ridges | None
    null: Result | None
    runs: int
    n_made: int
    nulls: int
    share: float
    seed: int


def map_stability(
    matrix: Matrix,
    method: Method,
    params: MethodParams,
    *,
    reference: Result,
    runs: int = RUNS,
    share: float = 1.0,
    nulls: int = NULLS,
    seed: int = 0,
) -> Generator[TrialProgress, None, MapStability]:
    """Make a map of the matrix again, `runs` times, and see what of the reference stays.

    With a share of 1 only the seeds differ, else the items, too. The news are those of all maps,
    null maps among them; the end is what was found. Stopping is closing the generator, or a check
    that raises. Maps that are refused are left out, unless all runs are.
    """
    params = params.sized(matrix.n_items)
    entries = [(method, params)]
    refuse(
        [
            *plan_problems(entries, runs=runs, share=share, seed=seed),
            *_null_problems(nulls),
            *data_problems(matrix, entries, share),
        ]
    )
    seeds = list(islice((each for each in count(seed) if each != reference.seed), runs))
    items = drawn(matrix.n_items, runs=runs, share=share, seed=seed)
    with_ridges = isinstance(reference.model, PrototypeMap) and metric_of(params) != PRECOMPUTED
    shown = LayerEvidence(result=reference, matrix=matrix) if with_ridges else None
    trials = [
        Trial(
            matrix,
            method,
            params,
            each,
            f"run {number}",
            items=None if share == 1.0 else chosen,
            keeps=with_ridges,
        )
        for number, (each, chosen) in enumerate(zip(seeds, items, strict=True), 1)
    ]
    if with_ridges:
        chance = [cloud(matrix, each) for each in range(seed, seed + nulls)]
        trials += [
            Trial(data, method, params, seed, f"null map {number}", keeps=True)
            for number, data in enumerate([*chance, permuted(matrix, seed)], 1)
        ]
    with closing(found_all(trials, (), forgiving=True)) as steps:
        found = yield from steps
    made = found[:runs]
    refuse_unless_made(made)
    by_chance = _evidence(found[runs:-1])
    of_runs = stability_of(made, params, items, matrix.n_items)
    return MapStability(
        wander=frozen(of_runs.wander),
        ridges=ridge_shares(shown, _evidence(made), by_chance) if shown and by_chance else None,
        null=found[-1].result if with_ridges else None,
        runs=runs,
        n_made=len(of_runs.runs),
        nulls=len(by_chance),
        share=share,
        seed=seed,
    )


def _evidence(found: Sequence[TrialResult]) -> list[LayerEvidence]:
    """The maps that could be made, of those that were kept."""
    return [
        LayerEvidence(result=each.result, matrix=each.trial.part)
        for each in found
        if each.result is not None
    ]


def _null_problems(nulls: int) -> Iterator[Problem]:
    if nulls < 1:
        yield Problem(
            key="stability.nulls",
            what=f"There cannot be {nulls} null maps.",
            where="nulls",
            way_out="Give a whole number from 1; more find fewer ridges by chance.",
        )
