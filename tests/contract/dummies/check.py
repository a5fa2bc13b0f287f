"""A check of the doctor, added to its registry before anything else is imported."""

from __future__ import annotations

from collections.abc import Iterable

from ximstudio import doctor
from ximstudio.doctor.check import Check, RepairPhase
from ximstudio.doctor.evidence import SIDES, TableEvidence
from ximstudio.doctor.finding import Finding
from ximstudio.doctor.repairs import counted, drop
from ximstudio.model.problem import Severity

STRANGER = "dummy item"


def _look(evidence: TableEvidence) -> Iterable[Finding]:
    for side in SIDES:
        found = [n for n, name in enumerate(evidence.axis(side).names) if name == STRANGER]
        if found:
            yield Finding(
                key=DUMMY.key,
                severity=Severity.WARNING,
                side=side,
                what=f"Dummies: {counted(side, found)}.",
                where=evidence.where(side, found),
                way_out="Send them home.",
                addresses=evidence.along(side, found),
                repairs=(drop(evidence, side, found),),
            )


DUMMY = Check(
    key="dummy",
    name="Dummies",
    about="Items or features that are dummies.",
    phase=RepairPhase.SIDES,
    look=_look,
)

doctor.CHECKS = (*doctor.CHECKS, DUMMY)

# Every check has a table in which it finds something, which the contract asks for.
from tests.doctor import tables  # noqa: E402

tables.DEFECTS[DUMMY.key] = lambda: [tables.named("items", {5: STRANGER})]
