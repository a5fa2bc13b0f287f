"""Selection of the items or features that vary most."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ximstudio.model.arrays import Bools, Floats, Ints
from ximstudio.model.params import Params
from ximstudio.model.problem import Problem, Severity
from ximstudio.model.spec import Choice, Number, param
from ximstudio.model.table import GENES, Table
from ximstudio.model.words import counted, grouped
from ximstudio.prepare import summaries
from ximstudio.prepare.cells import refuse_infinite
from ximstudio.prepare.removal import called, counted_in, keeping, note, some_on
from ximstudio.prepare.step import Course, Remembered, Step, StepGroup, StepResult, side

ROUNDING = 1e-11
"""Relative difference up to which scores count as equal: the order of summation makes as much."""


@dataclass(frozen=True, kw_only=True)
class TopParams(Params):
    """Number, side, and measure of variation."""

    axis: str = side(
        GENES,
        label="Of",
        help="The side of the table that is filtered.",
    )
    n: int = param(
        2000,
        Number(label="Keep", help="Number of those that are kept.", low=1, high=2**53, whole=True),
    )
    by: str = param(
        "variance",
        Choice(
            label="Largest",
            help="Measure of variation that is largest in those that are kept.",
            options={
                "variance": "variance",
                "mad": "median absolute deviation, which single outliers do not raise; the"
                " variance decides where it is the same",
            },
        ),
    )


def _scores(table: Table, params: TopParams) -> tuple[Floats, ...]:
    """Return the deciding scores, and those that break ties."""
    scores = [summaries.variances(table, params.axis)]
    if params.by == "mad":
        scores.insert(0, summaries.deviations(table, params.axis))
    # With too few values to vary, the score is 0.
    return tuple(np.where(np.isnan(each), -1.0, each) for each in scores)


def _below(scores: Floats) -> Floats:
    """Return bounds below which other scores are smaller, beyond rounding."""
    return np.where(scores > 0, scores * (1.0 - ROUNDING), scores)


def _levels(scores: Floats) -> Ints:
    """Return levels: 0 for the largest scores, 1 for the next, …; rounding is ignored."""
    order = np.argsort(-scores, kind="stable")
    falls = scores[order][1:] < _below(scores[order][:-1])
    levels = np.zeros(len(scores), dtype=np.int64)
    levels[order[1:]] = np.cumsum(falls)
    return levels


def _learn(table: Table, params: TopParams, course: Course) -> Remembered:
    refuse_infinite(table)
    scores = _scores(table, params)
    levels = [_levels(each) for each in scores]
    # The first level decides, then the second if there is one, then the order of the file.
    best = np.lexsort(levels[::-1])[: params.n]
    kept = np.zeros(len(levels[0]), dtype=np.bool_)
    kept[best] = True
    last = best[-1]
    tied = np.all([each == each[last] for each in levels], axis=0)
    if params.axis == course.stays:
        return {"kept": kept, "tied": tied, "idle": np.array([kept.all()])}
    # New ones are compared with the last that was kept. Of those equal to the last, some may have
    # been left out; these are known by name.
    names = table.axis(params.axis).names
    left_out = sorted({names[number] for number in np.flatnonzero(tied & ~kept)})
    alike = [each[level == level[last]] for each, level in zip(scores, levels, strict=True)]
    bounds = np.array([[each.min(), each.max()] for each in alike])
    if kept.all():
        bounds[:] = -np.inf
    return {
        "bounds": bounds,
        "left_out": np.array(left_out, dtype=np.str_),
        "idle": np.array([kept.all()]),
    }


def _apply(table: Table, params: TopParams, learnt: Remembered, course: Course) -> StepResult:
    if params.axis == course.stays:
        kept, tied = (np.asarray(learnt[name], np.bool_) for name in ("kept", "tied"))
    else:
        refuse_infinite(table)
        kept, tied = _judged(table, params, learnt)
    if kept.all() and "idle" in learnt and bool(learnt["idle"][0]):
        return StepResult(table=table, notes=(_idle(table, params),))
    n_tied, n_kept = int(tied.sum()), int((tied & kept).sum())
    if n_kept == n_tied:
        return keeping(table, params.axis, kept, "others vary more")
    message = note(
        "ties",
        f"{counted_in(table, params.axis, n_tied, 'varies', 'vary')} equally, of which"
        f" {counted(n_kept, 'was', 'were')} kept: the first in the file.",
        f"{called(table, params.axis)} {some_on(table, params.axis, np.flatnonzero(tied))}",
        "Keep more of them, or fewer, to keep or remove them all.",
    )
    why = "others vary more, or as much and come first"
    return keeping(table, params.axis, kept, why, notes=(message,))


def _idle(table: Table, params: TopParams) -> Problem:
    """Return a note that there was nothing to choose from."""
    n = len(table.axis(params.axis))
    message = note(
        "does_nothing",
        f"This step does nothing: the table has {counted_in(table, params.axis, n)}, and"
        f" {grouped(params.n)} are to be kept.",
        f"parameter 'n', {table.source}",
        "Keep fewer, or take the step out; or filter the other side.",
    )
    message = replace(message, fields=("n",))
    return message if n < params.n else replace(message, severity=Severity.NOTE)


def _judged(table: Table, params: TopParams, learnt: Remembered) -> tuple[Bools, Bools]:
    """Return those to be kept, and those that vary as much as the last that was kept at first."""
    scores = _scores(table, params)
    better = np.zeros(len(scores[0]), dtype=np.bool_)
    tied = ~better
    for each, (low, high) in zip(scores, learnt["bounds"], strict=True):
        better |= tied & (_below(each) > high)
        tied &= (each >= _below(low)) & (_below(each) <= high)
    left_out = {str(name) for name in learnt["left_out"]}
    names = table.axis(params.axis).names
    return better | (tied & np.array([name not in left_out for name in names])), tied


def _word(params: TopParams) -> str:
    return "variance" if params.by == "variance" else "median absolute deviation"


TOP = Step(
    key="top",
    name="Keep the most variable",
    group=StepGroup.SELECTION,
    about="Keeps a given number of items or features: those that vary most."
    " New items are kept if they vary as much as the last one that was kept at first.",
    params=TopParams,
    sentence=lambda p, words: f"Keep the {words.counted(p.axis, p.n)} of largest {_word(p)}.",
    learn=_learn,
    apply=_apply,
    removes=True,
)
