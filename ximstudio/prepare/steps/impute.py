"""Imputation of missing values, or the decision to leave them missing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from ximstudio.model.arrays import Floats
from ximstudio.model.params import Params
from ximstudio.model.problem import Severity, UserError
from ximstudio.model.spec import Choice, Number, param
from ximstudio.model.table import GENES, ITEMS, Table
from ximstudio.model.words import counted
from ximstudio.prepare import nearest, summaries
from ximstudio.prepare.cells import refuse_infinite
from ximstudio.prepare.dense import along, with_data, written_out
from ximstudio.prepare.removal import counted_in, note, some_on
from ximstudio.prepare.side_words import SideWords
from ximstudio.prepare.step import NOTHING, Course, Remembered, Step, StepGroup, StepResult, side

HOW = {
    "keep": "leave them missing; training can do without",
    "zero": "0",
    "mean": "the mean of the feature or item",
    "median": "the median of the feature or item",
    "nearest": "the mean of the nearest items that have a value there",
}


@dataclass(frozen=True, kw_only=True)
class ImputeParams(Params):
    """The way of filling missing values."""

    how: str = param(
        "median", Choice(label="Fill with", help="What becomes of missing values.", options=HOW)
    )
    axis: str = side(
        GENES,
        label="Of each",
        help="Whose mean or median is taken.",
    )
    k: int = param(
        10,
        Number(
            label="Nearest items",
            help="How many items the mean is taken of, for 'nearest'.",
            low=1,
            high=10_000,
            whole=True,
        ),
    )


_MIDDLES: Mapping[str, Callable[[Table, str], Floats]] = {
    "mean": summaries.means,
    "median": summaries.medians,
}


def _fillings(table: Table, params: ImputeParams) -> Floats:
    """Return the filling of the blanks of every line."""
    refuse_infinite(table)
    found = _MIDDLES[params.how](table, params.axis)
    empty = np.flatnonzero(np.isnan(found))
    if len(empty):
        raise UserError(
            key="prepare.empty_line",
            what=f"{counted_in(table, params.axis, len(empty), 'has', 'have')} no value to take a"
            f" {params.how} of.",
            where=f"{table.source}: {some_on(table, params.axis, empty)}",
            way_out="Add a step before this one that drops what is empty ('drop_constant').",
        )
    return found


def _learn(table: Table, params: ImputeParams, course: Course) -> Remembered:
    if params.how in ("keep", "zero"):
        return NOTHING
    if params.how == "nearest":
        if course.grows != ITEMS:
            raise UserError(
                key="prepare.exchange_first",
                what="Items and features are exchanged after their nearest items were looked for.",
                where=table.source,
                way_out="Move the step 'orientation' before this one.",
            )
        return nearest.donors(table)
    return {"filling": _fillings(table, params)} if params.axis == course.stays else NOTHING


def _apply(table: Table, params: ImputeParams, learnt: Remembered, course: Course) -> StepResult:
    n_missing = table.n_missing
    if params.how == "keep" or not n_missing:
        return StepResult(table=table)
    if params.how == "nearest":
        values = nearest.filled(written_out(table), learnt, params.k, course.report)
        changed = table.with_values(values)
    elif params.how == "zero":
        changed = _filled(table, params.axis, np.zeros(len(table.axis(params.axis))))
    elif params.axis == course.stays:
        changed = _filled(table, params.axis, np.asarray(learnt["filling"], np.float64))
    else:
        changed = _filled(table, params.axis, _fillings(table, params))
    message = note("filled", f"{counted(n_missing, 'missing value')} filled.", table.source)
    return StepResult(table=changed, notes=(replace(message, severity=Severity.NOTE),))


def _filled(table: Table, which: str, filling: Floats) -> Table:
    if isinstance(table.values, np.ndarray):
        wide = filling[:, None] if which == ITEMS else filling
        return table.with_values(np.where(np.isnan(table.values), wide, table.values))
    data = table.values.data
    return table.with_values(
        with_data(table.values, np.where(np.isnan(data), along(table, which, filling), data))
    )


def _sentence(params: ImputeParams, words: SideWords) -> str:
    if params.how == "keep":
        return "Leave missing values missing."
    if params.how == "nearest":
        return f"Fill missing values with the mean of the {params.k} nearest items."
    of = "" if params.how == "zero" else f" of their {words.one(params.axis)}"
    what = "0" if params.how == "zero" else f"the {params.how}"
    return f"Fill missing values with {what}{of}."


IMPUTE = Step(
    key="impute",
    name="Fill missing values",
    group=StepGroup.BLANKS,
    about="Fills missing values with 0, with the mean or median of their feature or item, or from"
    " the nearest items; or says that they stay missing.",
    params=ImputeParams,
    sentence=_sentence,
    learn=_learn,
    apply=_apply,
)
