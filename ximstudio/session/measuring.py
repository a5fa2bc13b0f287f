"""The measures of a run, taken in the lane."""

from __future__ import annotations

from dataclasses import replace

from ximstudio.jobs import Task
from ximstudio.kernels.parallel import checking
from ximstudio.maps.label_kinds import telling_label
from ximstudio.measure.catalogue import MEASURES
from ximstudio.measure.evidence import Evidence
from ximstudio.session.run import Run


def measured(run: Run, task: Task[float, Run]) -> Run:
    """The run with all its measures, and the evidence that views show.

    A measure of many items takes seconds: whether it is still wanted is asked inside it, too.
    """
    label = telling_label(run.matrix, run.told_by)
    evidence = Evidence(matrix=run.matrix, result=run.result, label=label)
    found = {}
    with checking(task.check):
        for number, measure in enumerate(MEASURES):
            task.report(number / len(MEASURES))
            estimate = measure.of(evidence)
            if estimate is not None:
                found[measure.key] = estimate
    return replace(run, measures=found, evidence=evidence)
