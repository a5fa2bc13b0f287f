"""Recommended repairs in sequence, each for the table as those before it leave it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from ximstudio.doctor import (
    CHECKS,
    applies,
    check_named,
    examine_input,
    looked,
    measured_numbers,
    settled,
)
from ximstudio.doctor.evidence import TableEvidence
from ximstudio.doctor.finding import Finding, Repair
from ximstudio.doctor.requested import RequestedRepair
from ximstudio.load.reading import Report, silent
from ximstudio.load.sides import decided
from ximstudio.load.text.notation import is_number, with_missing
from ximstudio.model.problem import Severity, UserError
from ximstudio.model.table import Table
from ximstudio.prepare.input import Input, Labelled

MORE_ROUNDS = 2
"""Number of further searches for errors that repairs leave behind."""


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """A finding after the repairs before it, and the request of its repair.

    `together` is True if the repair is recommended together with the others. It is False for
    repairs that lose data or are optional if the user should look first, and for decisions to
    change nothing.
    """

    finding: Finding
    wish: RequestedRepair
    together: bool


def proposals(
    wanted: Input, labelled: Labelled, table: Table, report: Report = silent
) -> tuple[Proposal, ...]:
    """Return the repairs of the table of an input, in sequence.

    Findings that an earlier repair settles are left out, and those that it reveals are included.
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
        """Return repairable errors that remain after all repairs."""
        for finding in examine_input(self.wanted, self.labelled, self.table):
            if finding.severity is Severity.ERROR:
                proposal = _proposed(finding, both=bool(finding.side))
                if self._done(proposal):
                    yield proposal
                    return

    def _evidence(self) -> TableEvidence:
        return TableEvidence(
            decided(self.table),
            halt=lambda: self.report(0.0),
            reading=self.labelled.reading,
            measured=measured_numbers(self.wanted.choices),
        )

    def _done(self, proposal: Proposal) -> bool:
        """Return whether the repair could be applied to the table."""
        if not proposal.together:
            return False
        try:
            self.table = treated(self.table, proposal.finding.repairs[0])
        except UserError:
            return False
        return True


def treated(table: Table, repair: Repair) -> Table:
    """Return the table after a repair."""
    codes = [float(text) for text in repair.choices.get("missing", ()) if is_number(text)]
    if codes:
        table = with_missing(table, codes)
    return repair.recipe.prepare(table).table if repair.steps else table


def _proposed(finding: Finding, *, both: bool) -> Proposal:
    first = finding.repairs[0] if finding.repairs else None
    together = (
        first is not None
        and (finding.sure or not (first.loses or finding.severity is Severity.NOTE))
        and (finding.sure or not check_named(finding.key).of_orientation)
        and first.settles
    )
    return Proposal(
        finding=finding, wish=RequestedRepair.for_repair(finding, both=both), together=together
    )


RANK = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.NOTE: 2}


class _Kind(Enum):
    """Kinds of repairs."""

    BY_NAME = auto()
    """Steps that remove named lines and leave all other values as they are."""
    VALUE_BY_VALUE = auto()
    """Steps that change every value separately."""


def severest_first(
    findings: Sequence[Finding], wanted: Input, labelled: Labelled, table: Table, report: Report
) -> tuple[Finding, ...]:
    """Move severer findings before milder ones that they do not depend on.

    Findings come in the order of their repairs. Two are exchanged only if their repairs consist of
    removing by name and of changing values separately, which commute, and if each is found with the
    same repairs after the other is repaired.
    """

    def is_same(finding: Finding, after: Repair) -> bool:
        report(1.0)
        try:
            left = treated(table, after)
        except UserError:
            return False
        evidence = TableEvidence(
            decided(left),
            halt=lambda: report(1.0),
            reading=labelled.reading,
            measured=measured_numbers(wanted.choices),
        )
        found = [
            one for one in looked(check_named(finding.key), evidence) if one.side == finding.side
        ]
        return [one.repairs for one in found] == [finding.repairs]

    def may_change_places(one: Finding, other: Finding) -> bool:
        kinds = {_kind(one), _kind(other)}
        return kinds == set(_Kind) and all(
            is_same(stays, repair)
            for stays, goes in ((one, other), (other, one))
            for repair in goes.repairs
        )

    ordered = list(findings)
    for number in range(1, len(ordered)):
        place = number
        while (
            place
            and RANK[ordered[place].severity] < RANK[ordered[place - 1].severity]
            and may_change_places(ordered[place - 1], ordered[place])
        ):
            ordered[place - 1 : place + 1] = ordered[place], ordered[place - 1]
            place -= 1
    return tuple(ordered)


def _kind(finding: Finding) -> _Kind | None:
    """Return the kind of all repairs of a finding; None if it is neither."""
    steps = [planned.step for repair in finding.repairs for planned in repair.steps]
    if not steps or any(repair.choices for repair in finding.repairs):
        return None
    if all(step.removes and not step.of_values for step in steps):
        return _Kind.BY_NAME
    return _Kind.VALUE_BY_VALUE if all(step.value_by_value for step in steps) else None
