"""`ximstudio report`: write a session or a finished run as one HTML page."""

from __future__ import annotations

import argparse
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ximstudio.commands.console import say
from ximstudio.commands.watching import State, free_file, watch
from ximstudio.files.atomic import appearing
from ximstudio.jobs import Task
from ximstudio.kernels.parallel import checking
from ximstudio.load import Report
from ximstudio.load.run import RECORD, read_record
from ximstudio.model.problem import UserError
from ximstudio.report.opening import measured_session, session_of_folder
from ximstudio.report.page import report_html
from ximstudio.session.session import Session
from ximstudio.store import Missing, read_session

SUFFIXES = (".html", ".htm")


@dataclass(frozen=True, kw_only=True)
class ReportPlan:
    """Plan of a report."""

    path: Path
    data: str | None
    measure: bool
    title: str
    date: str


def report(options: argparse.Namespace) -> int:
    """Write the page; return the exit code."""
    path = options.path.parent if options.path.name == RECORD else options.path
    plan = ReportPlan(
        path=path,
        data=options.data,
        measure=options.measure,
        title=options.title,
        date=options.date,
    )
    _refuse_unless_there(plan.path)
    place = _file(options.out, plan, replaced=options.force)
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(
            key="export.unwritable",
            what=f"The output cannot be written: {error.strerror}.",
            where=str(place),
            way_out="Give a file in a folder where you may write, with --out.",
        ) from None
    # Created in the background and written here, so that an interruption leaves no partial file.
    text = watch(lambda task: _work(plan, task), quiet=options.quiet, discard=lambda: None)
    with appearing(place) as unfinished:
        unfinished.write_text(text, encoding="utf-8", newline="\n")
    if not options.quiet:
        say(f"Written to {place}")
    return 0


def _refuse_unless_there(path: Path) -> None:
    if path.is_dir():
        # Check the path before anything takes long.
        read_record(path)
    elif not path.is_file():
        raise UserError(
            key="report.missing",
            what="There is no such file or folder.",
            where=str(path),
            way_out="Give a session (.xims) or a folder written by 'ximstudio run'.",
        )


def _file(path: Path, plan: ReportPlan, *, replaced: bool) -> Path:
    if path.suffix.lower() not in SUFFIXES:
        raise UserError(
            key="report.name",
            what=f"A report cannot be called '{path.name}'.",
            where="option --out",
            way_out="Give a file name that ends in .html.",
        )
    path = path.resolve()
    with suppress(OSError):
        if path.samefile(plan.path) or (plan.data is not None and path.samefile(plan.data)):
            replaced = False
    return free_file(path, replaced=replaced)


def _work(plan: ReportPlan, task: Task[State, str]) -> str:
    def progress_of(doing: str) -> Report:
        def progress(fraction: float) -> None:
            task.check()
            task.report(State(doing=doing, fraction=fraction))

        return progress

    session = _session(plan, progress_of("Reading"))
    if plan.measure:
        session = measured_session(session, progress_of("Measuring"), task.check)
    progress = progress_of("Writing the report")
    # Curves of measured maps are computed when they are drawn.
    with checking(task.check):
        return report_html(session, progress, title=plan.title, date=plan.date)


def _session(plan: ReportPlan, progress: Report) -> Session:
    """Return the session at the path; a missing table is left out."""
    if plan.path.is_dir():
        return session_of_folder(plan.path, plan.data, progress)
    stored = read_session(plan.path, progress)
    if plan.data is None or not stored.missing:
        return stored.session
    return _with_table(stored.missing, plan, progress)


def _with_table(missing: tuple[Missing, ...], plan: ReportPlan, progress: Report) -> Session:
    """Return the session with the table from a given file."""
    assert plan.data is not None
    table = Path(plan.data)
    same = [each.file.name for each in missing if Path(each.file.name).name == table.name]
    name = same[0] if same else missing[0].file.name
    return read_session(plan.path, progress, moved={name: table}).session
