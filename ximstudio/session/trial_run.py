"""Convert maps that were trained for a sweep or series to runs of the session."""

from __future__ import annotations

from math import isnan

from ximstudio.measure.catalogue import MEASURES
from ximstudio.measure.estimate import Estimate
from ximstudio.measure.trials import TrialResult
from ximstudio.session.data import Data
from ximstudio.session.run import Run
from ximstudio.train.record import made_here


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
