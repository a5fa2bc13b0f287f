"""The measures of a run, taken in the lane."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ximstudio.kernels.parallel import checking
from ximstudio.load import Report, silent
from ximstudio.maps.label_kinds import default_class_label
from ximstudio.measure.catalogue import MEASURES
from ximstudio.measure.evidence import MapEvidence
from ximstudio.session.run import Run


def nothing() -> None:
    """A check that never ends anything."""


def measured(run: Run, report: Report = silent, check: Callable[[], None] = nothing) -> Run:
    """The run with all its measures, and the evidence that views show.

    A measure of many items takes seconds: `check` is asked inside it, too, whether it is still
    wanted, and raises if not.
    """
    label = default_class_label(run.matrix, run.told_by)
    evidence = MapEvidence(matrix=run.matrix, result=run.result, label=label)
    found = {}
    with checking(check):
        for number, measure in enumerate(MEASURES):
            report(number / len(MEASURES))
            estimate = measure.of(evidence)
            if estimate is not None:
                found[measure.key] = estimate
    return replace(run, measures=found, evidence=evidence)
