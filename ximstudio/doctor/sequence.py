"""The repairs that are recommended together, each for the table as those before it leave it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ximstudio.doctor import CHECKS, applies, examine_input, looked, measured_numbers, settled
from ximstudio.doctor.evidence import Evidence
from ximstudio.doctor.finding import Finding, Repair
from ximstudio.doctor.wish import Wish
from ximstudio.load.codes import with_missing
from ximstudio.load.reading import Report, silent
from ximstudio.load.sides import decided
from ximstudio.load.text.notation import is_number
from ximstudio.model.problem import Severity, UserError
from ximstudio.model.table import Table
from ximstudio.prepare.input import Input, Labelled

MORE_ROUNDS = 2
"""How often errors that repairs leave behind are looked for."""


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """What will be found when the repairs before it are done, and how its repair is asked for.

    `together` is whether the repair is recommended together with the others. A repair that loses
    data, or that may be left as well, is not if somebody had better look first; nor is the decision
    to leave all as it is.
    """

    finding: Finding
    wish: Wish
    together: bool


def proposals(
    wanted: Input, labelled: Labelled, table: Table, report: Report = silent
) -> tuple[Proposal, ...]:
    """What is to be repaired in the table of an input, in this order.

    What an earlier repair settles is not among it, and what it brings to light is.
    """
    course = _Course(wanted=wanted, labelled=labelled, table=table, report=report)
    found = list(course.through_checks())
    for _ in range(MORE_ROUNDS):
        more = list(course.errors_left())
        if not more:
            break
        found += more
    return tuple(found)


@dataclass(kw_only=True)
class _Course:
    """The table as the repairs so far leave it."""

    wanted: Input
    labelled: Labelled
    table: Table
    report: Report

    def through_checks(self) -> Iterator[Proposal]:
        evidence = self._evidence()
        passed_over = settled(self.wanted)
        for number, check in enumerate(CHECKS):
            self.report(number / len(CHECKS))
            if not applies(check, evidence, passed_over):
                continue
            found = looked(check, evidence)
            for side in [finding.side for finding in found]:
                mine = [finding for finding in looked(check, evidence) if finding.side == side]
                for finding in mine:
                    proposal = _proposed(finding, both=len(found) > 1)
                    yield proposal
                    if self._done(proposal):
                        evidence = self._evidence()
        self.report(1.0)

    def errors_left(self) -> Iterator[Proposal]:
        """Errors that there are after all repairs, and can be repaired."""
        for finding in examine_input(self.wanted, self.labelled, self.table):
            if finding.severity is Severity.ERROR:
                proposal = _proposed(finding, both=bool(finding.side))
                if self._done(proposal):
                    yield proposal
                    return

    def _evidence(self) -> Evidence:
        return Evidence(
            decided(self.table),
            halt=lambda: self.report(0.0),
            reading=self.labelled.reading,
            measured=measured_numbers(self.wanted.choices),
        )

    def _done(self, proposal: Proposal) -> bool:
        """Whether the repair could be done to the table."""
        if not proposal.together:
            return False
        try:
            self.table = treated(self.table, proposal.finding.repairs[0])
        except UserError:
            return False
        return True


def treated(table: Table, repair: Repair) -> Table:
    """The table as a repair will leave it."""
    codes = [float(text) for text in repair.choices.get("missing", ()) if is_number(text)]
    if codes:
        table = with_missing(table, codes)
    return repair.recipe.prepare(table).table if repair.steps else table


def _proposed(finding: Finding, *, both: bool) -> Proposal:
    first = finding.repairs[0] if finding.repairs else None
    together = (
        first is not None
        and (finding.sure or not (first.loses or finding.severity is Severity.NOTE))
        and (finding.sure or finding.key != "transposed")
        and first.settles
    )
    return Proposal(finding=finding, wish=Wish.for_repair(finding, both=both), together=together)
