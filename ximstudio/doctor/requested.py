"""Repairs requested by name, before the table is examined."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ximstudio.doctor import CHECKS, examine_input
from ximstudio.doctor.finding import Finding, Repair
from ximstudio.load.reading import Report, silent
from ximstudio.model.params import closest
from ximstudio.model.problem import Problem, SettingsForm, Severity, UserError
from ximstudio.model.table import FEATURES, ITEMS
from ximstudio.prepare.input import Input, Labelled
from ximstudio.prepare.recipe import Planned, Recipe


@dataclass(frozen=True, kw_only=True)
class RequestedRepair:
    """A requested repair of a finding; number 1 is the recommended one.

    `side` is "" if items and features with the same finding are both repaired.
    """

    key: str
    side: str = ""
    number: int = 1

    @classmethod
    def of(cls, text: str) -> RequestedRepair:
        """Parse "KEY", "KEY:NUMBER", "KEY.SIDE" or "KEY.SIDE:NUMBER"."""
        named, _, number = text.partition(":")
        key, _, side = named.partition(".")
        if number and not re.fullmatch("[1-9][0-9]{0,3}", number):
            raise UserError(
                key="doctor.wish",
                what=f"'{number}' is not the number of a repair.",
                where=f"repair '{text}'",
                way_out="Write the number of the repair, from 1, after the finding: blanks:2.",
                fields=("repair",),
                form=SettingsForm.COMMAND,
            )
        if side not in ("", ITEMS, FEATURES):
            raise UserError(
                key="doctor.wish",
                what=f"'{side}' is not a side of a table.",
                where=f"repair '{text}'",
                way_out=f"Write {key}.{ITEMS} or {key}.{FEATURES}, or {key} for both.",
            )
        return cls(key=key, side=side, number=int(number or 1))

    @classmethod
    def for_repair(
        cls, finding: Finding, number: int = 1, *, both: bool = False
    ) -> RequestedRepair:
        """Return the request for a repair; `both` if both sides have the same finding."""
        return cls(key=finding.key, side=finding.side if both else "", number=number)

    def __str__(self) -> str:
        side = f".{self.side}" if self.side else ""
        return f"{self.key}{side}" + (f":{self.number}" if self.number > 1 else "")

    def repairs(self, findings: Sequence[Finding]) -> tuple[Repair, ...]:
        """Return the requested repairs; none if nothing of the kind was found."""
        if self.key not in (keys := [check.key for check in CHECKS]):
            raise UserError(
                key="doctor.nothing_to_repair",
                what=f"The doctor knows no '{self.key}'.",
                where=f"repair '{self}'",
                way_out=closest(self.key, keys),
            )
        meant = [
            finding
            for finding in findings
            if finding.key == self.key and self.side in ("", finding.side)
        ]
        fewest = min((len(finding.repairs) for finding in meant), default=self.number)
        if self.number > fewest:
            raise UserError(
                key="doctor.no_such_repair",
                what=f"There is no repair number {self.number} for '{self.key}'.",
                where=f"repair '{self}'",
                way_out=f"There are {fewest}; 'ximstudio inspect' lists them."
                if fewest
                else "This cannot be repaired here; 'ximstudio inspect' says what to do.",
            )
        return tuple(finding.repairs[self.number - 1] for finding in meant)


@dataclass(frozen=True, kw_only=True)
class ResolvedInput:
    """An input whose requested repairs have become steps and choices, and its table as read.

    `notes` list requests that had nothing to repair.
    """

    input: Input
    labelled: Labelled
    notes: tuple[Problem, ...]


def fulfilled(
    wanted: Input,
    steps: Sequence[Planned | RequestedRepair],
    labelled: Labelled,
    reread: Callable[[Input], Labelled],
    report: Report = silent,
) -> ResolvedInput:
    """Replace requested repairs of an input by their steps and choices.

    The doctor examines the table after the steps before the request. Findings that these have
    settled need no repair, and nothing is done.
    """
    done: list[Planned] = []
    ahead: list[Planned] = []
    notes: list[Problem] = []
    table = labelled.table
    for number, each in enumerate(steps):
        report(number / len(steps))
        if isinstance(each, Planned):
            ahead.append(each)
            continue
        table = Recipe(steps=tuple(ahead)).prepare(table).table
        done, ahead = [*done, *ahead], []
        present = replace(wanted, recipe=Recipe(steps=tuple(done)))
        repairs = each.repairs(examine_input(present, labelled, table))
        if not repairs:
            notes.append(_nothing_to_do(each))
        choices = {name: value for one in repairs for name, value in one.choices.items()}
        if choices:
            wanted = replace(wanted, choices=wanted.choices.replace(**choices))
            labelled = reread(wanted)
            table = Recipe(steps=tuple(done)).prepare(labelled.table).table
        ahead = [step for one in repairs for step in one.steps]
    recipe = Recipe(steps=(*done, *ahead))
    return ResolvedInput(
        input=replace(wanted, recipe=recipe), labelled=labelled, notes=tuple(notes)
    )


def _nothing_to_do(wish: RequestedRepair) -> Problem:
    return Problem(
        key="doctor.settled",
        what=f"There was nothing to repair for '{wish}': the doctor finds none, or steps before it"
        " have settled it.",
        where=f"repair '{wish}'",
        way_out="Nothing needs to be done.",
        severity=Severity.WARNING,
    )
