"""Steps that set aside labels, totals and tallies."""

from __future__ import annotations

from ximstudio.doctor.evidence import SIDES, TableEvidence
from ximstudio.doctor.numeric_labels import label_numbers
from ximstudio.doctor.repairs import finite_first, made_distinct
from ximstudio.doctor.summaries import summary_numbers
from ximstudio.prepare.planned import Planned, planned


def measurements_first(evidence: TableEvidence) -> tuple[Planned, ...]:
    """Return steps after which all values are finite measurements; none if they are so already.

    Steps that scale values need them first: a tally of reads is no part of a library, and the
    logarithm of a class number means nothing.
    """
    steps = list(finite_first(evidence))
    for side in SIDES:
        labels = [number for number, _ in label_numbers(evidence, side)]
        sums = [number for number, _ in summary_numbers(evidence, side) if number not in labels]
        if len(labels) + len(sums) in (0, evidence.length(side)):
            continue
        renamed, names = made_distinct(evidence, side, [*labels, *sums])
        steps += renamed
        made = list(dict.fromkeys(names[number] for number in labels))
        gone = list(dict.fromkeys(names[number] for number in sums if names[number] not in made))
        if made:
            steps.append(planned("make_label", axis=side, names=made))
        if gone:
            steps.append(planned("drop", axis=side, names=gone))
    return tuple(steps)
