"""Order findings by severity where the order of two repairs changes neither of them."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto

from ximstudio.doctor import check_named, looked, measured_numbers
from ximstudio.doctor.evidence import TableEvidence
from ximstudio.doctor.finding import Finding, Repair
from ximstudio.doctor.sequence import treated
from ximstudio.load.reading import Report
from ximstudio.load.sides import decided
from ximstudio.model.problem import Severity, UserError
from ximstudio.model.table import Table
from ximstudio.prepare.input import Input, Labelled

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
