"""Measures of runs, and runs of maps that were trained and measured together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import isnan
from typing import TYPE_CHECKING

from ximstudio.kernels.parallel import checking
from ximstudio.load import Report, silent
from ximstudio.maps.label_kinds import default_class_label
from ximstudio.measure.catalogue import MEASURES
from ximstudio.measure.estimate import Estimate
from ximstudio.measure.evidence import MapEvidence
from ximstudio.session.run import Run
from ximstudio.train.record import made_here

if TYPE_CHECKING:
    from ximstudio.measure.trials import TrialResult
    from ximstudio.session.data import Data


def nothing() -> None:
    """Check that never stops anything."""


def measured(run: Run, report: Report = silent, check: Callable[[], None] = nothing) -> Run:
    """Return the run with all its measures and the evidence that views show.

    Measures of many items take seconds: `check` is also called within them, and raises if the
    result is no longer needed.
    """
    label = default_class_label(run.matrix, run.old_label)
    evidence = MapEvidence(matrix=run.matrix, result=run.result, label=label)
    found = {}
    with checking(check):
        for number, measure in enumerate(MEASURES):
            report(number / len(MEASURES))
            estimate = measure.of(evidence)
            if estimate is not None:
                found[measure.key] = estimate
    return replace(run, measures=found, evidence=evidence)


def run_of(found: TrialResult, data: Data, *, key: str, name: str) -> Run:
    """Build the run of a map.

    It has its measures if the evidence that views show was kept; otherwise they are still to be
    computed.
    """
    assert found.result is not None
    frozen = None if data.opened is None else data.opened.prepared.frozen
    return Run(
        key=key,
        name=name,
        result=found.result,
        matrix=found.trial.matrix,
        input=data.input,
        seconds=found.seconds,
        measures=measures_of(found) if found.evidence is not None else {},
        evidence=found.evidence,
        frozen=frozen,
        made_with=made_here(found.result.method),
    )


def measures_of(found: TrialResult) -> dict[str, Estimate]:
    """All measures that apply, by key; for trials that computed every measure."""
    return {
        measure.key: Estimate(value, error)
        for measure, value, error in zip(
            MEASURES, found.values.tolist(), found.errors.tolist(), strict=True
        )
        if not isnan(value)
    }
