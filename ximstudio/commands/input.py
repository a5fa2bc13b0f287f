"""The table of a command, from its options."""

from __future__ import annotations

import argparse
import shlex
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

from ximstudio.commands.options import NAMED, given_settings, hint_options
from ximstudio.commands.steps import steps_of
from ximstudio.commands.watching import State
from ximstudio.doctor import Finding, examine_input
from ximstudio.doctor.lone_values import LONE_VALUES
from ximstudio.doctor.requested import RequestedRepair, fulfilled
from ximstudio.jobs import Task
from ximstudio.load import Choices, Report
from ximstudio.model.params import known
from ximstudio.model.problem import Problem, Severity, UserError, refuse
from ximstudio.model.shell import unescaped
from ximstudio.model.table import Table
from ximstudio.model.words import counted
from ximstudio.prepare.input import Input, Joining, Opened
from ximstudio.prepare.recipe import Planned
from ximstudio.session.words import Words


@dataclass(frozen=True, kw_only=True)
class TableRequest:
    """Options for the table; `steps` may contain repairs that the data doctor resolves."""

    input: Input
    steps: tuple[Planned | RequestedRepair, ...] = ()
    recipe: Path | None = None

    @classmethod
    def of(cls, options: argparse.Namespace) -> Self:
        """Return the request, checked as far as possible without the data."""
        read = map(unescaped, options.read)
        choices = Choices.from_texts(given_settings(read, option="--read"))
        named = {name: getattr(options, name) for name in NAMED}
        given: dict[str, Any] = {
            name: unescaped(value) for name, value in named.items() if value is not None
        }
        if options.labels:
            given["labels"] = tuple(unescaped(label) for label in options.labels if label)
        if options.features:
            given["features"] = tuple(map(unescaped, options.features))
        return cls(
            input=Input(
                name=options.input,
                choices=choices.replace(**given),
                joinings=tuple(map(_joining, options.annotate)),
                frozen=options.frozen,
            ),
            steps=_steps(options),
            recipe=options.recipe,
        )

    @staticmethod
    def says_anything(options: argparse.Namespace) -> bool:
        """Return whether any option names, reads or prepares a table."""
        lists = ("read", "labels", "features", "annotate", "steps")
        names = ("input", *lists, "frozen", "recipe", *NAMED)
        return any(getattr(options, name) not in (None, []) for name in names)

    @property
    def needed(self) -> tuple[Path, ...]:
        """Files that the output must not replace."""
        return (*self.input.files, *(() if self.recipe is None else (self.recipe,)))

    def carry_out(self, task: Task[State, Any]) -> Delivery:
        """Open the table and report progress."""

        def report(doing: str) -> Report:
            return lambda fraction: task.report(State(doing=doing, fraction=fraction))

        reading = report("Reading")
        done = fulfilled(
            self.input,
            self.steps,
            self.input.read(reading),
            lambda wanted: wanted.read(reading),
            report("Examining"),
        )
        data = done.input.bound(done.labelled.table)
        opened = data.prepare(done.labelled, report("Preparing"))
        # The prepared table: what the recipe repaired is not reported again.
        findings = examine_input(data, done.labelled, opened.prepared.table, report("Examining"))
        return Delivery(input=data, opened=opened, findings=findings, asked=done.notes)

    def carry_out_well(self, task: Task[State, Any]) -> Delivery:
        """Open the table and report progress; refuse it if it cannot be trained on."""
        delivery = self.carry_out(task)
        # Before the matrix refuses them: the findings suggest repairs.
        refuse(map(with_repair, delivery.findings))
        return delivery


@dataclass(frozen=True, kw_only=True)
class Delivery:
    """Table with its input and the findings of the data doctor.

    `asked` are notes on requested repairs.
    """

    input: Input
    opened: Opened
    findings: tuple[Finding, ...]
    asked: tuple[Problem, ...] = ()

    @property
    def state(self) -> State:
        """Return the messages before the work starts."""
        found = [
            problem
            for problem in (*self.asked, *self.opened.notes, *map(with_repair, self.findings))
            if problem.severity is not Severity.NOTE
        ]
        table = self.opened.prepared.table
        warnings = tuple(in_words_of(table, problem) for problem in found)
        read = self.opened.labelled.table
        said = understood(read)
        if (table.values.shape, table.n_missing) != (read.values.shape, read.n_missing):
            said += f"\nPrepared: {size_text(table)}, {table.n_missing} blanks"
        return State(understood=said, warnings=warnings)


def _joining(text: str) -> Joining:
    """Return the file to join, from "NAME" or "NAME#SHEET on=COLUMN side=items"."""
    if Path(text).exists():
        return Joining(name=text)
    whole, _, sheet = text.rpartition("#")
    if whole and sheet and Path(whole).exists():
        return Joining(name=whole, part=sheet)
    try:
        name, *settings = shlex.split(text)
    except ValueError:
        return Joining(name=text)
    given = given_settings(settings, option="--annotate")
    for key in given:
        known("setting", key, ("on", "side", "part"))
    part = given.get("part")
    if part is None and not Path(name).exists() and "#" in name:
        name, _, part = name.rpartition("#")
    return Joining(name=name, on=given.get("on"), side=given.get("side"), part=part)


def _steps(options: argparse.Namespace) -> tuple[Planned | RequestedRepair, ...]:
    steps = steps_of(options.recipe, options.steps)
    if steps and options.frozen is not None:
        raise UserError(
            key="cli.frozen_and_steps",
            what="The steps of an earlier run cannot be changed.",
            where="option --frozen",
            way_out="Remove --recipe and all steps, or use the recipe.json of the run with "
            "--recipe, which computes its statistics anew.",
        )
    return steps


def with_repair(finding: Finding) -> Problem:
    """Return the finding as a message with the option that repairs it."""
    problem = finding.problem
    if not finding.repairs:
        return problem
    return replace(problem, way_out=f"{problem.way_out} {repair_option(finding, 0)}")


def repair_option(finding: Finding, number: int, *, both: bool = False) -> str:
    """Return the option for one repair of a finding; `both` if both sides have the finding.

    Choices for reading are written out; steps are left to the data doctor, which checks the table
    at that point.
    """
    repair = finding.repairs[number]
    if repair.choices and not repair.steps and finding.key != LONE_VALUES.key:
        return hint_options(repair.choices)
    return f"--repair {RequestedRepair.for_repair(finding, number + 1, both=both)}"


def understood(table: Table) -> str:
    """Return what was read, in one line."""
    labels = ", ".join(table.items.labels) or "none"
    items, features = ("; ".join(axis.names[:2]) for axis in (table.items, table.features))
    words = Words.of_table(table)
    return (
        f"{table.source}: {counted(table.n_items, words.item)} ({items}; …) ×"
        f" {counted(table.n_features, words.feature)} ({features}; …), {table.n_missing} blanks,"
        f" labels: {labels}"
    )


def size_text(table: Table) -> str:
    """Return the size of a table in its words: "186 genes × 79 samples"."""
    return Words.of_table(table).size(table.n_items, table.n_features)


def in_words_of(table: Table, problem: Problem) -> Problem:
    """Return a message in the words of a table; quoted text stays unchanged."""
    said = Words.of_table(table).said
    texts: dict[str, Any] = {
        name: said(getattr(problem, name)) for name in ("what", "where", "way_out")
    }
    return replace(problem, **texts)
