"""Detection of names that occur more than once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from ximstudio.doctor.check import Check, RepairPhase
from ximstudio.doctor.evidence import SIDES, TableEvidence
from ximstudio.doctor.excel_dates import mangled, new_names
from ximstudio.doctor.finding import Finding, Repair
from ximstudio.doctor.names import unnamed
from ximstudio.doctor.repairs import counted, finite_first, renaming
from ximstudio.model.problem import Severity
from ximstudio.prepare.planned import Planned, planned

WAYS = {
    "mean": "Take the mean of those with the same name",
    "max": "Keep the one with the largest mean of each name",
    "first": "Keep the first of each name",
    "suffix": "Keep all and number them: 'NAME.2', 'NAME.3', …",
}


def _look(evidence: TableEvidence) -> Iterable[Finding]:
    for side in SIDES:
        names = evidence.axis(side).names
        counts = Counter(names)
        strangers = _strangers(evidence, side)
        found = [n for n, name in enumerate(names) if counts[name] > 1 and n not in strangers]
        if not found:
            continue
        twice = len({names[number] for number in found})
        # Several probes of a gene are averaged; samples of one name are most likely different ones.
        recommended = ("suffix",) if side == evidence.sample_side else ()
        yield Finding(
            key=REPEATED_NAMES.key,
            severity=Severity.ERROR,
            side=side,
            what=f"Names that occur more than once: {twice}, for {counted(side, found)}.",
            where=evidence.where(side, found),
            way_out="Merge them, keep one of each, or number them; or choose another column as id.",
            addresses=evidence.along(side, found),
            repairs=tuple(
                Repair(label=WAYS[how], steps=_steps(evidence, side, how, strangers))
                for how in dict.fromkeys((*recommended, *WAYS))
            ),
        )


def _strangers(evidence: TableEvidence, side: str) -> dict[int, str]:
    """Return those that share a name but differ, with new names: they must not be merged.

    Blanks, genes that became the same date, and clones that became the same number.
    """
    names = evidence.axis(side).names
    changed = mangled(evidence, side)
    two_genes = {number: ways for number, ways in changed.symbols.items() if len(ways) > 1}
    lost = {number: f"{names[number]} (number {number + 1})" for number in changed.lost}
    return {**unnamed(evidence, side), **new_names(names, two_genes, "today"), **lost}


def _steps(
    evidence: TableEvidence, side: str, how: str, strangers: dict[int, str]
) -> tuple[Planned, ...]:
    names = evidence.axis(side).names
    counts = Counter(names)
    apart = {number: new for number, new in strangers.items() if counts[names[number]] > 1}
    return (
        *((renaming(evidence, side, apart),) if apart else ()),
        *(finite_first(evidence) if how in {"mean", "max"} else ()),
        planned("repeated", axis=side, how=how),
    )


REPEATED_NAMES = Check(
    key="repeated_names",
    name="Repeated names",
    about="Several probes of one gene, or a column pasted twice. A map needs one name for each.",
    phase=RepairPhase.NAMES,
    look=_look,
)
