"""Open what a report is written from: the session of a run folder, and missing measures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from ximstudio.load import Report, silent
from ximstudio.maps.label_kinds import default_class_label
from ximstudio.measure.evidence import MapEvidence
from ximstudio.model.problem import UserError
from ximstudio.report.context import ReportContext
from ximstudio.session.data import open_data
from ximstudio.session.measuring import measured, nothing
from ximstudio.session.run import Run
from ximstudio.session.session import Session
from ximstudio.train.finished import input_at_hand, open_run


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
    try:
        given = input_at_hand(finished, data)
        opened = open_data(given, lambda fraction: report(0.5 + 0.5 * fraction))
    except UserError:
        # Only an earlier run can provide the table.
        opened = None
    return Session(data=opened).with_run(run)


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
    for number, run in enumerate(wanted):
        if run.measures:
            label = default_class_label(run.matrix, run.old_label)
            evidence = MapEvidence(matrix=run.matrix, result=run.result, label=label)
            session = session.with_changed(replace(run, evidence=evidence))
            continue

        def done(share: float, begun: int = number) -> None:
            report((begun + share) / len(wanted))

        session = session.with_changed(measured(run, done, check))
    report(1.0)
    return session
