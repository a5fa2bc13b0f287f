"""Conversion of numbers that are no measurements to labels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ximstudio.model.arrays import Floats
from ximstudio.model.params import Params, closest
from ximstudio.model.problem import Problem, UserError
from ximstudio.model.spec import TextList, param
from ximstudio.model.table import GENES, Table, opposite
from ximstudio.prepare.removal import called, keeping, one_of
from ximstudio.prepare.side_words import SideWords
from ximstudio.prepare.step import Course, Remembered, Step, StepGroup, StepResult, other, side


@dataclass(frozen=True, kw_only=True)
class LabelParams(Params):
    """The ones that become labels."""

    axis: str = side(
        GENES,
        label="Of",
        help="The side of the table with the labels.",
    )
    names: tuple[str, ...] = param(
        (), TextList(label="Names", help="The ones that become labels, by name.")
    )


def _numbers(table: Table, params: LabelParams) -> list[int]:
    wanted = set(params.names)
    names = table.axis(params.axis).names
    return [number for number, name in enumerate(names) if name in wanted]


def _line(table: Table, side: str, number: int) -> Floats:
    return table.take(side, [number]).dense.ravel()


def _text(number: float) -> str:
    """Format a number as a table would show it: whole ones without a fraction, blanks empty."""
    if np.isnan(number):
        return ""
    whole = float(number).is_integer() and abs(number) < 2**53
    return str(int(number)) if whole else repr(float(number))


def _labels(table: Table, params: LabelParams) -> dict[str, tuple[str, ...]]:
    """Return the new labels; a name that is taken gets a suffix."""
    taken = dict(table.axis(other(params.axis)).labels)
    found: dict[str, tuple[str, ...]] = {}
    for number in _numbers(table, params):
        name = table.axis(params.axis).names[number]
        free, suffix = name, 2
        while free in taken or free in found:
            free, suffix = f"{name}.{suffix}", suffix + 1
        found[free] = tuple(_text(value) for value in _line(table, params.axis, number))
    return found


def _learn(table: Table, params: LabelParams, course: Course) -> Remembered:
    if not params.names:
        raise UserError(
            key="prepare.nothing_chosen",
            what=f"No {called(table, params.axis)} are chosen.",
            where="parameter 'names'",
            fields=("names",),
            way_out="Give the names of those that become labels of the"
            f" {called(table, other(params.axis))}.",
        )
    there = set(table.axis(params.axis).names)
    absent = [name for name in params.names if name not in there]
    if absent:
        raise UserError.of(
            Problem(
                key="prepare.not_found",
                what=f"There is no {one_of(called(table, params.axis))} '{name}'.",
                where=f"{table.source}, parameter 'names'",
                fields=("names",),
                way_out=closest(name, sorted(there)),
            )
            for name in absent[:3]
        )
    if params.axis == course.stays:
        return {}
    # Labels of the side that stays belong to it permanently.
    labels = _labels(table, params)
    texts = [text for column in labels.values() for text in column]
    return {"names": np.array(list(labels), np.str_), "texts": np.array(texts, np.str_)}


def _apply(table: Table, params: LabelParams, learnt: Remembered, course: Course) -> StepResult:
    if params.axis == course.stays:
        labels = _labels(table, params)
    else:
        columns = np.reshape(learnt["texts"], (len(learnt["names"]), -1))
        labels = {
            str(name): tuple(str(text) for text in texts)
            for name, texts in zip(learnt["names"], columns, strict=True)
        }
    target = other(params.axis)
    axis = table.axis(target)
    labelled = table.with_axis(target, axis.with_labels({**axis.labels, **labels}))
    kept = np.ones(len(table.axis(params.axis)), dtype=np.bool_)
    kept[_numbers(table, params)] = False
    return keeping(labelled, params.axis, kept, f"made labels of the {called(table, target)}")


def _sentence(params: LabelParams, words: SideWords) -> str:
    names = ", ".join(f"'{name}'" for name in params.names) or "nothing"
    return f"Make {names} a label of the {words.several(opposite(params.axis))}."


MAKE_LABEL = Step(
    key="make_label",
    name="Turn into a label",
    group=StepGroup.NAMES,
    about="Moves numbers that are no measurements, such as a cluster or a batch, to the labels.",
    params=LabelParams,
    sentence=_sentence,
    learn=_learn,
    apply=_apply,
    makes_labels=True,
    of_values=False,
)
