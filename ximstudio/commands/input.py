"""The table a command works on, as its options say."""

from __future__ import annotations

import argparse
import shlex
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

from ximstudio.commands.hints import NAMED, hint_options
from ximstudio.commands.settings import given_settings
from ximstudio.commands.steps import steps_of
from ximstudio.commands.watching import State
from ximstudio.doctor import Finding, examine_input
from ximstudio.doctor.lone import LONE_VALUES
from ximstudio.doctor.wish import Wish, fulfilled
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
class Order:
    """What the options say about the table; `steps` may hold repairs that the doctor is to name."""

    input: Input
    steps: tuple[Planned | Wish, ...] = ()
    recipe: Path | None = None

    @classmethod
    def of(cls, options: argparse.Namespace) -> Self:
        """The order, checked as far as it can be without the data."""
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
        """Whether the options name a table, or how one is to be read or prepared."""
        names = (
            "input",
            "read",
            "labels",
            "features",
            "annotate",
            "steps",
            *NAMED,
            "frozen",
            "recipe",
        )
        return any(getattr(options, name) not in (None, []) for name in (*names, *NAMED))

    @property
    def needed(self) -> tuple[Path, ...]:
        """Files that no output may replace."""
        return (*self.input.files, *(() if self.recipe is None else (self.recipe,)))

    def carry_out(self, task: Task[State, Any]) -> Delivery:
        """The table, opened while somebody watches."""

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
        # What training will see: what the recipe repaired is not told again.
        findings = examine_input(data, done.labelled, opened.prepared.table, report("Examining"))
        return Delivery(input=data, opened=opened, findings=findings, asked=done.notes)

    def carry_out_well(self, task: Task[State, Any]) -> Delivery:
        """The table, opened while somebody watches; refused if it cannot be trained on."""
        delivery = self.carry_out(task)
        # Before the matrix refuses them: the doctor knows the way out.
        refuse(map(with_repair, delivery.findings))
        return delivery


@dataclass(frozen=True, kw_only=True)
class Delivery:
    """A table, how it can be had again, and what the doctor says of it.

    `asked` are notes on repairs that were asked for.
    """

    input: Input
    opened: Opened
    findings: tuple[Finding, ...]
    asked: tuple[Problem, ...] = ()

    @property
    def state(self) -> State:
        """What to say before the work begins."""
        warnings = [
            problem
            for problem in (*self.asked, *self.opened.notes, *map(with_repair, self.findings))
            if problem.severity is not Severity.NOTE
        ]
        table = self.opened.prepared.table
        told = tuple(in_words_of(table, problem) for problem in warnings)
        return State(understood=self._understood, warnings=told)

    @property
    def _understood(self) -> str:
        read, prepared = self.opened.labelled.table, self.opened.prepared.table
        said = understood(read)
        if prepared.values.shape == read.values.shape and prepared.n_missing == read.n_missing:
            return said
        return f"{said}\nPrepared: {size_text(prepared)}, {prepared.n_missing} blanks"


def _joining(text: str) -> Joining:
    """A file to be joined: its name, or "NAME#SHEET on=COLUMN side=items"."""
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


def _steps(options: argparse.Namespace) -> tuple[Planned | Wish, ...]:
    steps = steps_of(options.recipe, options.steps)
    if steps and options.frozen is not None:
        raise UserError(
            key="cli.frozen_and_steps",
            what="What an earlier run learnt can only be repeated as it was.",
            where="option --frozen",
            way_out="Leave out --recipe and all steps; or take the run's recipe.json with --recipe,"
            " which learns anew.",
        )
    return steps


def with_repair(finding: Finding) -> Problem:
    """The finding as a message that ends with the option that repairs it."""
    problem = finding.problem
    if not finding.repairs:
        return problem
    return replace(problem, way_out=f"{problem.way_out} {repair_option(finding, 0)}")


def repair_option(finding: Finding, number: int, *, both: bool = False) -> str:
    """The option that carries out one repair of a finding; `both` sides have the same trouble.

    How a file is to be read is spelt out; steps are left to the doctor, who looks at the table as
    it is by then.
    """
    repair = finding.repairs[number]
    if repair.choices and not repair.steps and finding.key != LONE_VALUES.key:
        return hint_options(repair.choices)
    return f"--repair {Wish.for_repair(finding, number + 1, both=both)}"


def understood(table: Table) -> str:
    """What was read, in a line."""
    labels = ", ".join(table.items.labels) or "none"
    items, features = ("; ".join(axis.names[:2]) for axis in (table.items, table.features))
    words = Words.of_table(table)
    return (
        f"{table.source}: {counted(table.n_items, words.item)} ({items}; …) ×"
        f" {counted(table.n_features, words.feature)} ({features}; …), {table.n_missing} blanks,"
        f" labels: {labels}"
    )


def size_text(table: Table) -> str:
    """How large a table is, in its own words: "186 genes × 79 samples"."""
    return Words.of_table(table).size(table.n_items, table.n_features)


def in_words_of(table: Table, problem: Problem) -> Problem:
    """A message in the words of a table; what is quoted stays as it is."""
    said = Words.of_table(table).said
    return replace(
        problem,
        what=said(problem.what),
        where=said(problem.where),
        way_out=said(problem.way_out),
    )
