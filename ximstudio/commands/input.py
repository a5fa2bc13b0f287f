"""The table a command works on, as its options say."""

from __future__ import annotations

import argparse
import shlex
from dataclasses import dataclass, replace
from typing import Any, Self

from ximstudio.commands.settings import given_settings
from ximstudio.commands.steps import steps_of, text_of
from ximstudio.commands.watching import State
from ximstudio.doctor import Finding, examine
from ximstudio.doctor.wish import Wish, fulfilled
from ximstudio.jobs import Task
from ximstudio.load import Choices, Report
from ximstudio.model.problem import Problem, Severity
from ximstudio.model.table import Table
from ximstudio.prepare.input import Input, Opened
from ximstudio.prepare.recipe import Planned

LONGEST = 60
"""Letters of steps that are spelt out."""

NAMED = ("id", "items", "part")
"""Choices with an option of their own; --read sets the others."""


@dataclass(frozen=True, kw_only=True)
class Order:
    """What the options say about the table; `steps` may hold repairs that the doctor is to name."""

    input: Input
    steps: tuple[Planned | Wish, ...]

    @classmethod
    def of(cls, options: argparse.Namespace) -> Self:
        """The order, checked as far as it can be without the data."""
        choices = Choices.from_texts(given_settings(options.read, option="--read"))
        named = {name: getattr(options, name) for name in NAMED}
        given = {name: value for name, value in named.items() if value is not None}
        return cls(
            input=Input(
                name=options.input,
                choices=choices.replace(labels=(*choices.labels, *options.labels), **given),
                annotations=tuple(options.annotate),
            ),
            steps=steps_of(options.recipe, options.steps),
        )

    def carry_out(self, task: Task[State, Any]) -> Delivery:
        """The table, opened while somebody watches."""

        def report(doing: str) -> Report:
            return lambda fraction: task.report(State(doing=doing, fraction=fraction))

        labelled = self.input.read(report("Reading"))
        recipe = fulfilled(self.steps, labelled.table, report("Examining"))
        data = replace(self.input, recipe=recipe)
        opened = data.prepare(labelled, report("Preparing"))
        # What training will see: what the recipe repaired is not told again.
        findings = examine(opened.prepared.table, report("Examining"))
        return Delivery(input=data, opened=opened, findings=findings)


@dataclass(frozen=True, kw_only=True)
class Delivery:
    """A table, how it can be had again, and what the doctor says of it."""

    input: Input
    opened: Opened
    findings: tuple[Finding, ...]

    @property
    def state(self) -> State:
        """What to say before the work begins."""
        warnings = [
            problem
            for problem in (*self.opened.notes, *map(with_repairs, self.findings))
            if problem.severity is not Severity.NOTE
        ]
        return State(understood=understood(self.opened.labelled.table), warnings=tuple(warnings))


def with_repairs(finding: Finding) -> Problem:
    """The finding as a message that ends with the options that repair it."""
    problem = finding.problem
    options = [repair_option(finding, number) for number in range(len(finding.repairs))]
    return replace(problem, way_out=" ".join([problem.way_out, *options[:1]]))


def repair_option(finding: Finding, number: int) -> str:
    """The option that carries out one repair: its steps, or its name where those are long."""
    steps = " ".join(
        f"--step {shlex.quote(text_of(step))}" for step in finding.repairs[number].steps
    )
    if len(steps) <= LONGEST:
        return steps
    return f"--repair {finding.key}" + (f":{number + 1}" if number else "")


def understood(table: Table) -> str:
    """What was read, in a line."""
    labels = ", ".join(table.items.labels) or "none"
    items, features = ("; ".join(axis.names[:2]) for axis in (table.items, table.features))
    return (
        f"{table.source}: {table.n_items} items ({items}; …) × {table.n_features} features"
        f" ({features}; …), {table.n_missing} blanks, labels: {labels}"
    )
