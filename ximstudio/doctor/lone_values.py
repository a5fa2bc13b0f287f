"""Detection of single extreme values, such as a lost decimal point or a code for "missing"."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ximstudio.doctor.check import Check, RepairPhase
from ximstudio.doctor.codes import Code
from ximstudio.doctor.evidence import SIDES, TableEvidence
from ximstudio.doctor.finding import Addresses, Finding, Repair
from ximstudio.doctor.measured import lone_cells
from ximstudio.doctor.missing_codes import missing_with
from ximstudio.doctor.repairs import drop
from ximstudio.model.arrays import Ints
from ximstudio.model.matrix import SHOWN, some_of
from ximstudio.model.problem import Severity
from ximstudio.model.table import ITEMS
from ximstudio.model.words import counted, number

MOST_NUMBERS = 5
"""Number of different numbers that can be read as missing by name."""


def _numbers(found: Addresses, side: str) -> Ints:
    return np.unique(found.items if side == ITEMS else found.features)


def _look(evidence: TableEvidence) -> Iterable[Finding]:
    found = lone_cells(evidence)
    if not len(found):
        return
    values = evidence.table.values
    shown = [
        f"{evidence.table.address(int(item), int(feature))}:"
        f" {number(float(values[item, feature]), 6)}"
        for item, feature in zip(found.items[:SHOWN], found.features[:SHOWN], strict=True)
    ]
    # More likely a gene than a sample.
    sides = sorted(SIDES, key=lambda side: side == evidence.sample_side)
    yield Finding(
        key=LONE_VALUES.key,
        severity=Severity.WARNING,
        what=f"{counted(len(found), 'value')} far beyond all others, which seem to be logarithms: a"
        " lost decimal point, or a code for a missing value. The map would be about them.",
        where=f"{evidence.table.source}: {some_of(shown, total=len(found))}",
        way_out="Look at them in the original; correct them there or leave the cells empty, or"
        " remove what they are in.",
        addresses=found,
        repairs=(
            *_as_missing(evidence, found),
            *(
                drop(evidence, side, numbers)
                for side in sides
                if 2 * len(numbers := _numbers(found, side)) <= evidence.length(side)
            ),
        ),
        sure=False,
    )


def _as_missing(evidence: TableEvidence, found: Addresses) -> tuple[Repair, ...]:
    """Return the repair that loses only these cells, if a few numbers name them."""
    values = evidence.table.values
    cells = zip(found.items, found.features, strict=True)
    lone = sorted({float(values[int(item), int(feature)]) for item, feature in cells})
    there = () if evidence.reading is None else evidence.reading.table.stored
    if len(lone) > MOST_NUMBERS or not np.isin(lone, there).all():
        return ()
    texts = [Code(value=value, sure=False).text for value in lone]
    return (
        Repair(
            label=f"Read {', '.join(texts)} as missing",
            choices={"missing": missing_with(evidence, texts)},
        ),
    )


LONE_VALUES = Check(
    key="lone_values",
    name="Single values far beyond all others",
    about="8125 among logarithms of about 8: a lost decimal point, or a code such as -9999 for a"
    " missing value. Nothing is changed without a look.",
    phase=RepairPhase.UNITS,
    look=_look,
    of_measurements=True,
)
