"""`ximstudio report`: write a session or a finished run as one HTML page."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from ximstudio.commands.console import say
from ximstudio.commands.watching import State, free_file, refusing_unwritable, watch
from ximstudio.files.atomic import appearing
from ximstudio.jobs import Task
from ximstudio.kernels.parallel import checking
from ximstudio.load import Report
from ximstudio.load.run import RECORD, read_record
from ximstudio.model.problem import UserError
from ximstudio.report.opening import measured_session, session_of_folder
from ximstudio.report.page import report_html
from ximstudio.session.session import Session
from ximstudio.store import read_session

SUFFIXES = (".html", ".htm")


def report(options: argparse.Namespace) -> int:
    """Write the page; return the exit code."""
    path = options.path.parent if options.path.name == RECORD else options.path
    _refuse_unless_there(path)
    place = _file(options.out, [path, *filter(None, [options.data])], replaced=options.force)
    with refusing_unwritable(place):
        place.parent.mkdir(parents=True, exist_ok=True)
    # Created in the background and written here, so that an interruption leaves no partial file.
    text = watch(lambda task: _work(options, path, task), quiet=options.quiet, discard=lambda: None)
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


def _file(path: Path, needed: Iterable[Path | str], *, replaced: bool) -> Path:
    """Return the full path of the page, which replaces none of the `needed` files."""
    if path.suffix.lower() not in SUFFIXES:
        raise UserError(
            key="report.name",
            what=f"A report cannot be called '{path.name}'.",
            where="option --out",
            way_out="Give a file name that ends in .html.",
        )
    path = path.resolve()
    with suppress(OSError):
        replaced = replaced and not any(path.samefile(each) for each in needed)
    return free_file(path, replaced=replaced)


def _work(options: argparse.Namespace, path: Path, task: Task[State, str]) -> str:
    def progress_of(doing: str) -> Report:
        def progress(fraction: float) -> None:
            task.check()
            task.report(State(doing=doing, fraction=fraction))

        return progress

    session = _session(path, options.data, progress_of("Reading"))
    if options.measure:
        session = measured_session(session, progress_of("Measuring"), task.check)
    progress = progress_of("Writing the report")
    # Curves of measured maps are computed when they are drawn.
    with checking(task.check):
        return report_html(session, progress, title=options.title, date=options.date)


def _session(path: Path, data: str | None, progress: Report) -> Session:
    """Return the session at the path; a missing table is left out, or taken from a given file."""
    if path.is_dir():
        return session_of_folder(path, data, progress)
    stored = read_session(path, progress)
    if data is None or not stored.missing:
        return stored.session
    table = Path(data)
    names = [each.file.name for each in stored.missing]
    name = next((name for name in names if Path(name).name == table.name), names[0])
    return read_session(path, progress, moved={name: table}).session
