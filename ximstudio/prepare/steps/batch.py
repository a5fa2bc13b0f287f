"""Removal of batch effects: differences between the means of batches."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ximstudio.model.arrays import Bools, Floats, Ints
from ximstudio.model.matrix import some_of
from ximstudio.model.params import Params, closest
from ximstudio.model.problem import Problem, UserError
from ximstudio.model.spec import FreeText, param
from ximstudio.model.table import ITEMS, SAMPLES, Table
from ximstudio.model.words import counted
from ximstudio.prepare import summaries
from ximstudio.prepare.cells import refuse_infinite
from ximstudio.prepare.dense import written_out
from ximstudio.prepare.removal import called, counted_in, note, some_on
from ximstudio.prepare.step import (
    NOTHING,
    Course,
    Remembered,
    Step,
    StepGroup,
    StepResult,
    other,
    side,
)


@dataclass(frozen=True, kw_only=True)
class BatchStepParams(Params):
    """The label that names the batches."""

    axis: str = side(
        SAMPLES,
        label="Of",
        help="The side whose label names the batches.",
    )
    label: str | None = param(
        None, FreeText(label="Batch", help="The label that names the batches.")
    )


def _batches(table: Table, params: BatchStepParams) -> tuple[str, ...]:
    """Return the batch of every item or feature."""
    axis = table.axis(params.axis)
    if params.label is None or params.label not in axis.labels:
        which = "No label" if params.label is None else f"No label '{params.label}'"
        raise UserError(
            key="prepare.no_such_label",
            what=f"{which} says which batch the {called(table, params.axis)} belong to.",
            where=f"{table.source}, parameter 'label'",
            fields=("label",),
            way_out=closest(params.label or "", axis.labels),
        )
    texts = axis.labels[params.label]
    blank = [number for number, text in enumerate(texts) if not text.strip()]
    if blank:
        raise UserError(
            key="prepare.no_batch",
            what=f"{counted_in(table, params.axis, len(blank), 'has', 'have')}"
            f" no '{params.label}'.",
            where=f"{table.source}: {some_on(table, params.axis, blank)}",
            way_out="Complete the label, or drop them with the step 'drop'.",
        )
    return texts


def _numbers(table: Table, params: BatchStepParams, names: tuple[str, ...]) -> Ints:
    """Return the batch of every item or feature as an index into `names`; refuse others."""
    where = {name: number for number, name in enumerate(names)}
    texts = _batches(table, params)
    unseen = sorted(set(texts) - set(where))
    if unseen:
        raise UserError(
            key="prepare.unseen_batch",
            what=f"{counted(len(unseen), 'batch', 'batches')} not in the data that the recipe"
            " began with.",
            where=f"{table.source}, label '{params.label}': {some_of(unseen)}",
            way_out=f"Prepare all batches together. For '{unseen[0]}': {closest(unseen[0], names)}",
        )
    return np.array([where[text] for text in texts], dtype=np.int64)


def _shifts(table: Table, params: BatchStepParams, names: tuple[str, ...]) -> Floats:
    """Return the shift of each batch, for every line across: overall mean minus its own.

    NaN where a batch has no known value.
    """
    refuse_infinite(table)
    numbers = _numbers(table, params, names)
    across = other(params.axis)
    overall = summaries.means(table, across)
    found = np.full((len(names), len(overall)), np.nan)
    for batch in range(len(names)):
        members = np.flatnonzero(numbers == batch)
        if len(members):
            found[batch] = overall - summaries.means(table.take(params.axis, members), across)
    return found


def _learn(table: Table, params: BatchStepParams, course: Course) -> Remembered:
    names = tuple(sorted(set(_batches(table, params))))
    if params.axis == course.stays:
        # Every new item has values of all batches; labels of the features assign them.
        refuse_infinite(table)
        return NOTHING
    return {
        "names": np.array(names, np.str_),
        "shifts": _shifts(table, params, names),
        "single": _single(_numbers(table, params, names)),
    }


def _apply(table: Table, params: BatchStepParams, learnt: Remembered, course: Course) -> StepResult:
    if params.axis == course.stays:
        names = tuple(sorted(set(_batches(table, params))))
        shifts = _shifts(table, params, names)
        numbers = _numbers(table, params, names)
        single = _single(numbers)
    else:
        names = tuple(str(name) for name in learnt["names"])
        shifts = np.asarray(learnt["shifts"], np.float64)
        numbers = _numbers(table, params, names)
        single = np.asarray(learnt["single"], np.bool_)
    values = np.array(written_out(table))
    lines = values if params.axis == ITEMS else values.T
    unmoved = []
    for number, batch in enumerate(numbers):
        known = ~np.isnan(shifts[batch])
        if not known.all() and not np.isnan(lines[number][~known]).all():
            unmoved.append(number)
        lines[number] += np.where(known, shifts[batch], 0.0)
    alone = np.flatnonzero(single[numbers])
    notes = (*_single_notes(table, params, alone), *_unmoved_notes(table, params, unmoved))
    return StepResult(table=table.with_values(values), notes=notes)


def _unmoved_notes(
    table: Table, params: BatchStepParams, unmoved: list[int]
) -> tuple[Problem, ...]:
    if not unmoved:
        return ()
    return (
        note(
            "unlearnt",
            f"{counted_in(table, params.axis, len(unmoved), 'has', 'have')}"
            " values where the batch had"
            " none in the data that the recipe began with; these stayed unchanged.",
            f"{called(table, params.axis)} {some_on(table, params.axis, unmoved)}",
            "Prepare all data together.",
        ),
    )


def _single(numbers: Ints) -> Bools:
    """Return the batches with one member; a table of one has nothing to compare with."""
    found: Bools = (np.bincount(numbers) == 1) & (len(numbers) > 1)
    return found


def _single_notes(table: Table, params: BatchStepParams, alone: Ints) -> tuple[Problem, ...]:
    if not len(alone):
        return ()
    return (
        note(
            "single_batch",
            f"{counted_in(table, params.axis, len(alone), 'belongs', 'belong')} to batches that"
            " had a single one to learn from: its own values and the batch cannot be separated.",
            f"{called(table, params.axis)} {some_on(table, params.axis, alone)}",
            "Drop them, or merge small batches.",
        ),
    )


def _named(params: BatchStepParams) -> str:
    return "a label" if params.label is None else f"'{params.label}'"


REMOVE_BATCH = Step(
    key="remove_batch",
    name="Remove batch means",
    group=StepGroup.SAMPLES,
    about="Moves the batches that a label names so that they have the same mean, feature by"
    " feature (item by item if the features have batches): the mean of all known values.",
    params=BatchStepParams,
    sentence=lambda p, words: (
        f"Give all batches of {words.several(p.axis)}, named by {_named(p)}, the same mean."
    ),
    learn=_learn,
    apply=_apply,
)
