"""Detection of decoys and contaminants among proteins, and of zeros where no protein was found."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ximstudio.doctor.check import Check, RepairPhase
from ximstudio.doctor.evidence import SIDES, TableEvidence
from ximstudio.doctor.finding import Finding, Repair
from ximstudio.doctor.missing_codes import missing_with
from ximstudio.doctor.repairs import drop
from ximstudio.load.proteomics.names import decoys_among
from ximstudio.load.proteomics.quantities import QUANTITIES, Quantity
from ximstudio.model.arrays import Bools, Floats
from ximstudio.model.matrix import SHOWN, some_of
from ximstudio.model.problem import Severity
from ximstudio.model.words import counted, grouped, plural


def _look_for_decoys(evidence: TableEvidence) -> Iterable[Finding]:
    for side in SIDES:
        decoys = decoys_among(evidence.axis(side))
        if not decoys:
            continue
        numbers = np.sort(np.concatenate(list(decoys.values())))
        if len(numbers) == evidence.length(side):
            continue
        reasons = [f"{grouped(len(rows))} {why}" for why, rows in decoys.items()]
        yield Finding(
            key=DECOYS.key,
            severity=Severity.WARNING,
            side=side,
            what=f"{counted(len(numbers), 'row is a decoy or contaminant', 'rows are decoys or')}"
            f"{'' if len(numbers) == 1 else ' contaminants'}: {', '.join(reasons)}.",
            where=evidence.where(side, numbers),
            way_out="Remove them: they are not proteins of the samples.",
            addresses=evidence.along(side, numbers),
            repairs=(drop(evidence, side, numbers, "Remove decoys and contaminants"),),
        )


def _zero(values: Floats) -> Bools:
    return np.asarray(values == 0)


def _look_for_zeros(evidence: TableEvidence) -> Iterable[Finding]:
    quantity = _quantity(evidence)
    if quantity is None or evidence.reading is None or 0.0 in evidence.measured:
        return
    # A sparse table holds no zeros, and steps may have made zeros of other values.
    if evidence.given.is_sparse or not bool(_zero(evidence.reading.table.stored).any()):
        return
    found = evidence.cells(_zero)
    if not len(found):
        return
    shown = [
        evidence.given.address(int(item), int(feature))
        for item, feature in zip(found.items[:SHOWN], found.features[:SHOWN], strict=True)
    ]
    share = 100 * len(found) / (evidence.given.n_items * evidence.given.n_features)
    yield Finding(
        key=ZEROS.key,
        severity=Severity.WARNING,
        what=f"{counted(len(found), 'value')} of '{quantity.name}' ({share:.2g} %)"
        f" {plural(len(found), 'is', 'are')} 0, which is written where nothing was found.",
        where=f"{evidence.given.source}: {some_of(shown, total=len(found))}",
        way_out="Read zeros as missing values; their logarithm would be an outlier.",
        addresses=found,
        repairs=(
            Repair(label="Read 0 as missing", choices={"missing": missing_with(evidence, ["0"])}),
            Repair(
                label="Keep 0: it was measured",
                choices={"measured": (*(f"{one:.17g}" for one in evidence.measured), "0")},
            ),
        ),
    )


def _quantity(evidence: TableEvidence) -> Quantity | None:
    """Return the quantity that was read, if its zeros mean that nothing was found."""
    guesses = () if evidence.reading is None else evidence.reading.guesses
    shown = next((guess.shown for guess in guesses if guess.key == "features"), "")
    return next((one for one in QUANTITIES if one.name == shown and one.zero_is_missing), None)


DECOYS = Check(
    key="decoys",
    name="Decoys and contaminants",
    about="Reversed sequences and usual contaminants (REV__, CON__, rev_, contam_, + in a column)"
    " that search engines add to their list of proteins. They are not proteins of the samples.",
    phase=RepairPhase.ROLES,
    look=_look_for_decoys,
)
ZEROS = Check(
    key="zero_intensities",
    name="Zeros where nothing was found",
    about="Zeros among LFQ, iBAQ or other intensities of proteins, which search engines write where"
    " they found nothing. As values they would be far from all others once logarithms are taken.",
    phase=RepairPhase.READING,
    look=_look_for_zeros,
    of_measurements=True,
)
