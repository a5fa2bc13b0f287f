"""Replacement of names."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ximstudio.model.matrix import some_of
from ximstudio.model.params import Params
from ximstudio.model.problem import Problem, UserError
from ximstudio.model.spec import TextList, param
from ximstudio.model.table import GENES, Table
from ximstudio.model.words import counted
from ximstudio.prepare.removal import note
from ximstudio.prepare.side_words import SideWords
from ximstudio.prepare.specs import Places
from ximstudio.prepare.step import NOTHING, Course, Remembered, Step, StepGroup, StepResult, side


@dataclass(frozen=True, kw_only=True)
class RenameParams(Params):
    """Old and new names, one to one."""

    axis: str = side(
        GENES,
        label="Of",
        help="The side of the table with the names.",
    )
    old: tuple[str, ...] = param((), TextList(label="Old names", help="As they are in the table."))
    new: tuple[str, ...] = param((), TextList(label="New names", help="One for each old name."))
    places: tuple[int, ...] = param(
        (),
        Places(
            label="Places",
            help="Which of several equal names is meant: its place in the table at this step,"
            " counted from 1, one for each old name. Without places every such name is replaced.",
            advanced=True,
        ),
    )

    def conflicts(self) -> Iterable[Problem]:
        lengths = {len(self.old), len(self.new), len(self.places) or len(self.old)}
        twice = len(set(self.places or self.old)) < len(self.old)
        if len(lengths) > 1 or twice:
            yield Problem(
                key="params.conflict",
                what=f"{counted(len(self.old), 'old name')}, {counted(len(self.new), 'new name')}"
                f" and {counted(len(self.places), 'place')} do not fit together.",
                where="parameters 'old', 'new' and 'places'",
                fields=("old", "new", "places"),
                way_out="Give one new name, and one place if any, for each old name; none twice.",
            )


def _changes(table: Table, params: RenameParams) -> tuple[dict[int, str], list[str]]:
    """Return new names by number, and old names that are not at their given places."""
    names = table.axis(params.axis).names
    if params.places:
        entries = zip(params.places, params.old, params.new, strict=True)
        found = {
            place - 1: new
            for place, old, new in entries
            if place <= len(names) and names[place - 1] == old
        }
        absent = [
            f"'{old}' at place {place}"
            for place, old in zip(params.places, params.old, strict=True)
            if place - 1 not in found
        ]
        return found, absent
    by_name = dict(zip(params.old, params.new, strict=True))
    there = set(names)
    found = {number: by_name[name] for number, name in enumerate(names) if name in by_name}
    return found, [f"'{old}'" for old in params.old if old not in there]


def _learn(table: Table, params: RenameParams, course: Course) -> Remembered:  # noqa: ARG001
    _, absent = _changes(table, params)
    if absent and params.places:
        raise UserError(
            key="prepare.wrong_place",
            what=f"{counted(len(absent), 'name')} to be replaced not at the place given.",
            where=f"{table.source}: {params.axis} {some_of(absent)}",
            way_out="Move the step to where the places were counted, or rename without places.",
        )
    return NOTHING


def _apply(table: Table, params: RenameParams, learnt: Remembered, course: Course) -> StepResult:  # noqa: ARG001
    changes, absent = _changes(table, params)
    axis = table.axis(params.axis)
    names = [changes.get(number, name) for number, name in enumerate(axis.names)]
    notes = []
    if absent:
        notes.append(
            note(
                "not_found",
                f"{counted(len(absent), 'name')} to be replaced not there.",
                f"{params.axis} {some_of(absent)}",
                "Check their spelling.",
            )
        )
    return StepResult(
        table=table.with_axis(params.axis, axis.with_names(names)), notes=tuple(notes)
    )


def _sentence(params: RenameParams, words: SideWords) -> str:
    pairs = [f"'{old}' → '{new}'" for old, new in zip(params.old, params.new, strict=True)]
    if not pairs:
        return "Rename nothing."
    return f"Rename {words.counted(params.axis, len(pairs))}: {some_of(pairs)}."


RENAME = Step(
    key="rename",
    name="Rename",
    group=StepGroup.NAMES,
    about="Replaces names by others, for instance those that a spreadsheet took for dates.",
    params=RenameParams,
    sentence=_sentence,
    learn=_learn,
    apply=_apply,
    of_values=False,
)
