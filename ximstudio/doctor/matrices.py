"""Detection of files with several matrices, where the one that was read is scaled already."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ximstudio.doctor.check import Check, RepairPhase
from ximstudio.doctor.evidence import TableEvidence
from ximstudio.doctor.finding import Finding, Repair
from ximstudio.load.format import format_named
from ximstudio.model.matrix import some_of
from ximstudio.model.problem import Severity

PART = "part"
"""The choice, and the guess, of the matrix that is the table."""
OFFERED = 3
"""Number of the other matrices that get a button."""


def _look(evidence: TableEvidence) -> Iterable[Finding]:
    guess = evidence.guess(PART)
    reading = evidence.reading
    if guess is None or reading is None or not guess.sure:
        return
    form = format_named(reading.format)
    if form is None or not form.scaled_first:
        return
    others = [key for key in guess.options or () if key != guess.value]
    if not others or not np.any(reading.table.stored < 0):
        return
    yield Finding(
        key=SCALED_MATRIX.key,
        severity=Severity.NOTE,
        what=f"The matrix {guess.value} was read. It holds values below 0, as if centred or"
        f" scaled; the file also holds {some_of(others)}.",
        where=f"{evidence.given.source}: the matrix {guess.value}",
        way_out=f"{guess.value} suits a map of cells. To see expression levels, read {others[0]}.",
        repairs=(
            Repair(label=f"Keep {guess.value}", choices={PART: guess.value}),
            *(Repair(label=f"Read {key}", choices={PART: key}) for key in others[:OFFERED]),
        ),
        sure=False,
    )


SCALED_MATRIX = Check(
    key="scaled_matrix",
    name="Scaled values beside others",
    about="An h5ad file often holds scaled values in X and the expression levels before scaling in"
    " raw or in a layer. X is read unless you choose another matrix.",
    phase=RepairPhase.READING,
    look=_look,
    answered=lambda wanted: wanted.choices.part is not None,
)
