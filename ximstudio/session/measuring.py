"""Compute the measures of a run, in the background."""

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
    """Check that never stops anything."""


def measured(run: Run, report: Report = silent, check: Callable[[], None] = nothing) -> Run:
    """Return the run with all its measures and the evidence that views show.

    Measures of many items take seconds: `check` is also called within them, and raises if the
    result is no longer needed.
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
