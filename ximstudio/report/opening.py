"""Open what a report is written from: the session of a run folder, and missing measures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from ximstudio.kernels.parallel import checking
from ximstudio.load import Report, silent
from ximstudio.maps.label_kinds import default_class_label
from ximstudio.measure.catalogue import MEASURES
from ximstudio.measure.evidence import MapEvidence
from ximstudio.model.problem import UserError
from ximstudio.report.context import ReportContext
from ximstudio.session.data import Data, open_data
from ximstudio.session.measuring import nothing
from ximstudio.session.run import Run
from ximstudio.session.session import Session
from ximstudio.train.finished import Finished, input_at_hand, open_run


def session_of_folder(folder: Path, data: str | None = None, report: Report = silent) -> Session:
    """Return the session of one finished run; `data` is its table, if that has moved.

    Of a map derived from another, only the map itself is in the session.
    """
    finished = open_run(folder, data)
    report(0.5)
    result = finished.result
    run = Run(
        key="run",
        name=folder.resolve().name,
        result=result,
        matrix=finished.matrix,
        input=finished.input,
        made_with=finished.record.made_with,
    )
    opened = _data(finished, data, lambda fraction: report(0.5 + 0.5 * fraction))
    return Session(data=opened).with_run(run)


def _data(finished: Finished, data: str | None, report: Report) -> Data | None:
    """Read the table with the doctor's findings; None if only an earlier run can provide it."""
    try:
        return open_data(input_at_hand(finished, data), report)
    except UserError:
        return None


def measured_session(
    session: Session, report: Report = silent, check: Callable[[], None] = nothing
) -> Session:
    """Measure all runs of a session, with the evidence that figures need for the drawn ones.

    Files keep measures, but not the evidence. `check` is called inside the measures, too, and
    raises if they are no longer wanted.
    """
    drawn = {run.key for run in ReportContext(session=session).drawn}
    wanted = [
        run for run in session.runs if not run.measures or (run.key in drawn and not run.evidence)
    ]
    n_steps = max(len(wanted) * len(MEASURES), 1)
    for number, run in enumerate(wanted):

        def done(place: int, begun: int = number * len(MEASURES)) -> None:
            report((begun + place) / n_steps)

        session = session.with_changed(_measured(run, done, check))
    report(1.0)
    return session


def _measured(run: Run, done: Callable[[int], None], check: Callable[[], None]) -> Run:
    evidence = MapEvidence(
        matrix=run.matrix, result=run.result, label=default_class_label(run.matrix, run.told_by)
    )
    if run.measures:
        return replace(run, evidence=evidence)
    found = {}
    with checking(check):
        for place, measure in enumerate(MEASURES):
            done(place)
            estimate = measure.of(evidence)
            if estimate is not None:
                found[measure.key] = estimate
    return replace(run, measures=found, evidence=evidence)
