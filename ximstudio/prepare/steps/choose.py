"""Selection of items or features by their names, or by a label."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ximstudio.model.arrays import Bools, Ints
from ximstudio.model.matrix import some_of
from ximstudio.model.params import Params, closest
from ximstudio.model.problem import Problem, Severity, UserError
from ximstudio.model.spec import FreeText, TextList, param
from ximstudio.model.table import GENES, Table
from ximstudio.model.words import grouped, plural
from ximstudio.prepare.removal import called, counted_in, keeping, note, some_on
from ximstudio.prepare.side_words import SideWords
from ximstudio.prepare.step import Course, Remembered, Step, StepGroup, StepResult, side

PROPOSED = 3
"""Number of unknown names with proposals in a message: each proposal compares all names."""


@dataclass(frozen=True, kw_only=True)
class ChooseParams(Params):
    """The chosen ones: by name, or by the value of a label."""

    axis: str = side(
        GENES,
        label="Of",
        help="The side of the table with the names.",
    )
    names: tuple[str, ...] = param((), TextList(label="Names", help="The chosen ones, by name."))
    label: str | None = param(
        None, FreeText(label="Label", help="The chosen ones, by this label; instead of names.")
    )
    values: tuple[str, ...] = param(
        (), TextList(label="Values", help="The values of the label that are meant.")
    )

    def conflicts(self) -> Iterable[Problem]:
        if (self.names and self.label is not None) or bool(self.values) != (self.label is not None):
            yield Problem(
                key="params.conflict",
                what="Give either names, or a label and its values.",
                where="parameters 'names', 'label' and 'values'",
                fields=("names", "label", "values"),
                way_out="Leave names empty and give both others, or the other way round.",
            )


def _wanted(params: ChooseParams, words: SideWords) -> str:
    wanted = _words(params)
    several = words.several(params.axis)
    shown = some_of([f"'{word}'" for word in wanted])
    if params.label is None and not wanted:
        return f"{several} to be named"
    if params.label is None:
        n = len(wanted)
        return f"the {plural(n, words.one(params.axis), f'{grouped(n)} {several}')} named {shown}"
    return f"the {several} whose label '{params.label}' is {shown}"


def _refuse_nothing(table: Table, params: ChooseParams) -> None:
    if not params.names and params.label is None:
        raise UserError(
            key="prepare.nothing_chosen",
            what=f"No {called(table, params.axis)} are chosen.",
            where="parameters 'names' and 'label'",
            fields=("names", "label"),
            way_out="Give names, or a label and its values.",
        )


def _texts(table: Table, params: ChooseParams) -> tuple[str, ...]:
    """Return the texts that are compared: the names, or the texts of the label."""
    axis = table.axis(params.axis)
    if params.label is None:
        return axis.names
    if params.label not in axis.labels:
        raise UserError(
            key="prepare.no_such_label",
            what=f"The {called(table, params.axis)} have no label '{params.label}'.",
            where=f"{table.source}, parameter 'label'",
            fields=("label",),
            way_out=closest(params.label, axis.labels),
        )
    return axis.labels[params.label]


def _words(params: ChooseParams) -> tuple[str, ...]:
    """Return the chosen texts: names, or values of the label."""
    return params.names if params.label is None else params.values


def _unknown(table: Table, params: ChooseParams, words: Sequence[str]) -> list[Problem]:
    """Yield a note on chosen texts that do not occur, with proposals for the first."""
    texts = set(_texts(table, params))
    absent = [word for word in words if word not in texts]
    if not absent:
        return []
    proposals = [f"For '{word}': {closest(word, sorted(texts))}" for word in absent[:PROPOSED]]
    return [
        note(
            "not_found",
            f"{grouped(len(absent))} of {len(_words(params))} chosen {called(table, params.axis)}"
            f" {plural(len(absent), 'is', 'are')} not in the table.",
            some_of([f"'{word}'" for word in absent]),
            " ".join(proposals),
        )
    ]


def _chosen(table: Table, params: ChooseParams) -> Bools:
    words = set(_words(params))
    return np.array([text in words for text in _texts(table, params)], dtype=np.bool_)


def _learn(*, keep: bool) -> Callable[[Table, ChooseParams, Course], Remembered]:
    def learn(table: Table, params: ChooseParams, course: Course) -> Remembered:
        _refuse_nothing(table, params)
        chosen = _chosen(table, params)
        if keep and not chosen.any():
            found = _unknown(table, params, _words(params))
            raise UserError.of(replace(each, severity=Severity.ERROR) for each in found)
        texts = set(_texts(table, params))
        absent = [word for word in _words(params) if word not in texts]
        learnt = {"absent": np.array(absent, dtype=np.str_)}
        if params.axis == course.stays:
            return {**learnt, "kept": chosen == keep}
        if params.label is None:
            names = table.axis(params.axis).names
            removed = sorted({names[number] for number in np.flatnonzero(chosen != keep)})
            return {**learnt, "removed": np.array(removed, dtype=np.str_)}
        return learnt

    return learn


def _apply(*, keep: bool) -> Callable[[Table, ChooseParams, Remembered, Course], StepResult]:
    def apply(table: Table, params: ChooseParams, learnt: Remembered, course: Course) -> StepResult:
        # Names that other data lack may be missing there; names that the first lacked may be
        # misspelt.
        notes = _unknown(table, params, [str(word) for word in learnt["absent"]])
        if params.axis == course.stays:
            kept = np.asarray(learnt["kept"], dtype=np.bool_)
        elif params.label is None:
            # A list is about the first data: those removed then are removed again, by name.
            removed = {str(name) for name in learnt["removed"]}
            kept = np.array([name not in removed for name in table.axis(params.axis).names])
            if keep:
                notes += _not_asked(table, params, np.flatnonzero(kept & ~_chosen(table, params)))
        else:
            kept = _chosen(table, params) == keep
        word = "not among those chosen" if keep else "chosen to be dropped"
        return keeping(table, params.axis, kept, word, notes=notes)

    return apply


def _not_asked(table: Table, params: ChooseParams, new: Ints) -> list[Problem]:
    """Yield a note on new names that a list does not mention."""
    if not len(new):
        return []
    return [
        note(
            "selection_not_applied",
            f"{counted_in(table, params.axis, len(new), 'was', 'were')}"
            " not there when the list was made,"
            " but kept.",
            f"{called(table, params.axis)} {some_on(table, params.axis, new)}",
            f"Choose by a label if new {params.axis} are to be selected too.",
        )
    ]


KEEP = Step(
    key="keep",
    name="Keep only …",
    group=StepGroup.SELECTION,
    about="Keeps the items or features of a list, or those with certain values of a label.",
    params=ChooseParams,
    sentence=lambda params, words: f"Keep only {_wanted(params, words)}.",
    learn=_learn(keep=True),
    apply=_apply(keep=True),
    removes=True,
    of_values=False,
)

DROP = Step(
    key="drop",
    name="Drop …",
    group=StepGroup.SELECTION,
    about="Removes the items or features of a list, or those with certain values of a label.",
    params=ChooseParams,
    sentence=lambda params, words: f"Drop {_wanted(params, words)}.",
    learn=_learn(keep=False),
    apply=_apply(keep=False),
    removes=True,
    of_values=False,
)
