"""The items or features that vary most."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ximstudio.model.arrays import Floats
from ximstudio.model.params import Params
from ximstudio.model.spec import Choice, Number, param
from ximstudio.model.table import FEATURES, Table
from ximstudio.prepare import summaries
from ximstudio.prepare.cells import refuse_infinite
from ximstudio.prepare.removal import keeping
from ximstudio.prepare.step import Applied, Course, Group, Remembered, Step, side


@dataclass(frozen=True, kw_only=True)
class TopParams(Params):
    """How many, of which side, and what is meant by varying."""

    axis: str = side(
        FEATURES,
        label="Of",
        help="Which side of the table is filtered.",
        items="items",
        features="features",
    )
    n: int = param(
        2000,
        Number(label="Keep", help="How many are kept.", low=1, high=2**53, whole=True),
    )
    by: str = param(
        "variance",
        Choice(
            label="Largest",
            help="What is largest in those that are kept.",
            options={
                "variance": "variance",
                "mad": "median absolute deviation, which single outliers do not raise",
            },
        ),
    )


def _scores(table: Table, params: TopParams) -> Floats:
    of = summaries.variances if params.by == "variance" else summaries.deviations
    scores = of(table, params.axis)
    # With too few values to vary, none do.
    return np.where(np.isnan(scores), -1.0, scores)


def _learn(table: Table, params: TopParams, course: Course) -> Remembered:
    refuse_infinite(table)
    scores = _scores(table, params)
    best = np.argsort(-scores, kind="stable")[: params.n]
    kept = np.zeros(len(scores), dtype=np.bool_)
    kept[best] = True
    if params.axis == course.stays:
        return {"kept": kept}
    # New ones are judged by themselves: against the last that was kept. Of those that are as good
    # as the last, only the first were kept, and they are known by name.
    least = scores[best[-1]] if len(best) < len(scores) else -np.inf
    names = table.axis(params.axis).names
    tied = [names[number] for number in best if scores[number] == least]
    return {"least": np.array([least]), "tied": np.array(tied, dtype=np.str_)}


def _apply(table: Table, params: TopParams, learnt: Remembered, course: Course) -> Applied:
    if params.axis == course.stays:
        kept = np.asarray(learnt["kept"], dtype=np.bool_)
    else:
        refuse_infinite(table)
        scores = _scores(table, params)
        least = float(learnt["least"][0])
        tied = {str(name) for name in learnt["tied"]}
        names = table.axis(params.axis).names
        kept = scores > least
        kept |= np.array([name in tied for name in names]) & (scores == least)
    return keeping(table, params.axis, kept, f"others have a larger {_word(params)}")


def _word(params: TopParams) -> str:
    return "variance" if params.by == "variance" else "median absolute deviation"


TOP = Step(
    key="top",
    name="Keep the most variable",
    group=Group.SELECTION,
    about="Keeps a given number of items or features: those that vary most."
    " New items are kept if they vary as much as the last one that was kept at first.",
    params=TopParams,
    sentence=lambda p: f"Keep the {p.n} {p.axis} of largest {_word(p)}.",
    learn=_learn,
    apply=_apply,
)
