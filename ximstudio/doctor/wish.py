"""Repairs that are asked for by name, before anybody has seen the table."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ximstudio.doctor import examine
from ximstudio.doctor.finding import Finding
from ximstudio.load.reading import Report, silent
from ximstudio.load.sides import decided
from ximstudio.model.params import closest
from ximstudio.model.problem import UserError
from ximstudio.model.table import Table
from ximstudio.prepare.recipe import Planned, Recipe


@dataclass(frozen=True, kw_only=True)
class Wish:
    """The repair of a finding: the first is the recommended one."""

    key: str
    number: int = 1

    @classmethod
    def of(cls, text: str) -> Wish:
        """The wish written as "KEY" or "KEY:NUMBER"."""
        key, _, number = text.partition(":")
        if number and not re.fullmatch("[1-9][0-9]{0,3}", number):
            raise UserError(
                key="doctor.wish",
                what=f"'{number}' does not count repairs.",
                where=f"repair '{text}'",
                way_out="Give the number of the repair, from 1: --repair blanks:2.",
            )
        return cls(key=key, number=int(number or 1))

    def steps(self, findings: Sequence[Finding]) -> tuple[Planned, ...]:
        """The steps that do it; refused if nothing of the kind was found.

        Where items and features have the same trouble, both are repaired.
        """
        meant = [finding for finding in findings if finding.key == self.key]
        if not meant:
            raise UserError(
                key="doctor.nothing_to_repair",
                what=f"The doctor finds no '{self.key}' in the table.",
                where=f"repair '{self.key}'",
                way_out=closest(self.key, dict.fromkeys(finding.key for finding in findings)),
            )
        fewest = min(len(finding.repairs) for finding in meant)
        if self.number > fewest:
            raise UserError(
                key="doctor.no_such_repair",
                what=f"There is no repair number {self.number} for '{self.key}'.",
                where=f"repair '{self.key}:{self.number}'",
                way_out=f"There are {fewest}; 'ximstudio inspect' lists them.",
            )
        return tuple(step for finding in meant for step in finding.repairs[self.number - 1].steps)


def fulfilled(steps: Sequence[Planned | Wish], table: Table, report: Report = silent) -> Recipe:
    """The recipe in which every wish has become the steps of its repair.

    The doctor looks at the table as it is after the steps before the wish.
    """
    table = decided(table)
    recipe: list[Planned] = []
    ahead: list[Planned] = []
    for number, each in enumerate(steps):
        report(number / len(steps))
        if isinstance(each, Planned):
            ahead.append(each)
            continue
        table = Recipe(steps=tuple(ahead)).prepare(table).table
        recipe += ahead
        ahead = list(each.steps(examine(table)))
    return Recipe(steps=(*recipe, *ahead))
