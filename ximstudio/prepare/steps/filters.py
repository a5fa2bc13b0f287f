"""Removal of items or features with too few known, large or varying values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ximstudio.model.arrays import Bools
from ximstudio.model.params import Params
from ximstudio.model.spec import Choice, Number, param
from ximstudio.model.table import GENES, Table, opposite
from ximstudio.prepare import summaries
from ximstudio.prepare.removal import called, counted_on, keeping
from ximstudio.prepare.step import Course, Remembered, Step, StepGroup, StepResult, other, side


def _filter(
    passes: Callable[[Table, Any], Bools], why: Callable[[Any, str], str]
) -> tuple[
    Callable[[Table, Any, Course], Remembered],
    Callable[[Table, Any, Remembered, Course], StepResult],
]:
    """Return learn and apply of a criterion for single items or features.

    On the side that stays the same, those that passed at first are remembered; on the other, new
    ones must pass the criterion.
    """

    def learn(table: Table, params: Any, course: Course) -> Remembered:
        return {"kept": passes(table, params)} if params.axis == course.stays else {}

    def apply(table: Table, params: Any, learnt: Remembered, course: Course) -> StepResult:
        there = params.axis == course.stays
        kept = np.asarray(learnt["kept"], np.bool_) if there else passes(table, params)
        return keeping(table, params.axis, kept, why(params, called(table, other(params.axis))))

    return learn, apply


def _removed_side() -> Any:
    return side(
        GENES,
        label="Remove",
        help="The side of the table that is filtered.",
    )


@dataclass(frozen=True, kw_only=True)
class MissingParams(Params):
    """Largest share of missing values."""

    axis: str = _removed_side()
    share: float = param(
        0.5,
        Number(
            label="At most missing",
            help="Largest share of missing values that is allowed.",
            low=0,
            high=1,
        ),
    )


def _enough_known(table: Table, params: MissingParams) -> Bools:
    length = len(table.axis(other(params.axis)))
    missing = length - summaries.counts(table, params.axis)
    # A share such as 0.3 of 10 lets 3 pass, although 0.3 · 10 > 3 need not hold.
    return np.asarray(missing <= params.share * length + 1e-9)


def _too_many_missing(params: MissingParams, across: str = "") -> str:  # noqa: ARG001
    return f"more than {params.share:.4g} of their values are missing"


_learn, _apply = _filter(_enough_known, _too_many_missing)

FILTER_MISSING = Step(
    key="filter_missing",
    name="Remove by missing values",
    group=StepGroup.SELECTION,
    about="Removes items or features of which too large a share is missing.",
    params=MissingParams,
    sentence=lambda p, words: f"Remove {words.several(p.axis)} if {_too_many_missing(p)}.",
    learn=_learn,
    apply=_apply,
    removes=True,
)


@dataclass(frozen=True, kw_only=True)
class MinimumParams(Params):
    """Lower limit of values, and the number of values that must reach it."""

    axis: str = _removed_side()
    value: float = param(
        1.0,
        Number(label="At least", help="Values this large count.", low=-1e308, high=1e308),
    )
    count: int = param(
        1,
        Number(
            label="In at least",
            help="How many values must be that large; of features in as many items, of items in as"
            " many features.",
            low=0,
            high=2**53,
            whole=True,
        ),
    )
    share: float = param(
        0.0,
        Number(
            label="And in a share of at least",
            help="The same as a share of all; both conditions must hold.",
            low=0,
            high=1,
        ),
    )


def _often_large(table: Table, params: MinimumParams) -> Bools:
    length = len(table.axis(other(params.axis)))
    large = summaries.at_least(table, params.axis, params.value)
    return np.asarray((large >= params.count) & (large >= params.share * length - 1e-9))


def _seldom_large(params: MinimumParams, across: str) -> str:
    share = f" or in less than {params.share:.4g} of them" if params.share else ""
    fewer = counted_on(across, params.count)
    return f"they reach {params.value:.6g} in fewer than {fewer}{share}"


_learn, _apply = _filter(_often_large, _seldom_large)

MINIMUM = Step(
    key="minimum",
    name="Remove by low expression",
    group=StepGroup.SELECTION,
    about="Removes items or features that reach a value in too few places.",
    params=MinimumParams,
    sentence=lambda p, words: (
        f"Remove {words.several(p.axis)} if {_seldom_large(p, words.several(opposite(p.axis)))}."
    ),
    learn=_learn,
    apply=_apply,
    removes=True,
)


@dataclass(frozen=True, kw_only=True)
class ConstantParams(Params):
    """The kind of items or features without information."""

    axis: str = _removed_side()
    what: str = param(
        "constant",
        Choice(
            label="What",
            help="What is removed.",
            options={
                "constant": "those with one and the same value everywhere, and empty ones",
                "empty": "only those without any value",
            },
        ),
    )


def _says_something(table: Table, params: ConstantParams) -> Bools:
    if params.what == "empty":
        return np.asarray(summaries.counts(table, params.axis) > 0)
    lowest, highest = (of(table, params.axis) for of in (summaries.lowest, summaries.highest))
    # Not "differs": for empty ones both are NaN, and NaN differs from itself.
    return np.asarray(lowest < highest)


def _says_nothing(params: ConstantParams, across: str = "") -> str:  # noqa: ARG001
    constant = params.what == "constant"
    return "all their values are the same or missing" if constant else "all values are missing"


_learn, _apply = _filter(_says_something, _says_nothing)

DROP_CONSTANT = Step(
    key="drop_constant",
    name="Remove constant or empty ones",
    group=StepGroup.SELECTION,
    about="Removes items or features that are the same everywhere, or have no values at all.",
    params=ConstantParams,
    sentence=lambda p, words: f"Remove {words.several(p.axis)} if {_says_nothing(p)}.",
    learn=_learn,
    apply=_apply,
    removes=True,
)
