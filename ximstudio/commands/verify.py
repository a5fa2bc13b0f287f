"""`ximstudio verify`: train recorded maps again and compare them."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Iterator
from pathlib import Path

from ximstudio.commands.console import EXIT_DIFFERENT, say
from ximstudio.commands.watching import State, watch
from ximstudio.export.provenance import read_provenance
from ximstudio.jobs import Task
from ximstudio.load.run import RECORD
from ximstudio.model.problem import Problem, Severity, UserError
from ximstudio.reproduce.again import Compared, Doing, verify_folder, verify_records
from ximstudio.reproduce.receipt import records_in, records_in_provenance
from ximstudio.reproduce.script_file import read_script
from ximstudio.reproduce.ticks import Verdict

PAGES = (".html", ".htm")
"""File name suffixes of reports."""

Verifying = Task[State, tuple[Compared, ...]]


def verify(options: argparse.Namespace) -> int:
    """Train the maps again and print the comparison; return 1 if something differs, else 0."""
    found = watch(
        lambda task: _work(options.file, options.data, task),
        quiet=options.quiet,
        discard=lambda: None,
    )
    verdicts = {tick.verdict for one in found for tick in one.ticks}
    if not options.quiet:
        for one in found:
            say(f"{one.name.replace('_', ' ')}: {one.about}")
            for tick in one.ticks:
                say(f"  {tick}")
        say(_conclusion(verdicts))
    return 0 if all(verdict.holds for verdict in verdicts) else EXIT_DIFFERENT


def _conclusion(verdicts: Collection[Verdict]) -> str:
    if Verdict.DIFFERENT in verdicts:
        return "Some results are not as expected."
    if Verdict.UNKNOWN in verdicts:
        return "Some results cannot be compared on this computer."
    return "All results are as expected."


def _work(file: Path, data: str | None, task: Verifying) -> tuple[Compared, ...]:
    warnings: list[Problem] = []

    def tell(doing: str, fraction: float) -> None:
        task.report(State(doing=doing, fraction=fraction, warnings=tuple(warnings)))

    return tuple(_compared(file, data, warnings, tell))


def _compared(
    file: Path, data: str | None, warnings: list[Problem], tell: Doing
) -> Iterator[Compared]:
    if file.name == RECORD:
        file = file.parent
    if file.is_dir():
        yield from verify_folder(file, data=data, tell=tell)
        return
    if not file.exists():
        raise UserError(
            key="verify.missing",
            what="There is no such file.",
            where=str(file),
            way_out="Give a script, figure or report of XIM Studio, or a run folder.",
        )
    provenance = read_provenance(file)
    if provenance is None and file.suffix.lower() in PAGES:
        # Imported only here: reports import figures.
        from ximstudio.report.page import read_report

        provenance = read_report(file)
    if provenance is None:
        script = read_script(file)
        if script.edited:
            warnings.append(_edited(file))
        records = records_in(script.receipt, str(file))
    else:
        records = records_in_provenance(provenance, file)
    yield from verify_records(records, folder=file.absolute().parent, data=data, tell=tell)


def _edited(file: Path) -> Problem:
    return Problem(
        key="verify.edited",
        what="The code of the script does not match its expected results: it was edited, or "
        "written by another version. Only the expected results were verified.",
        where=str(file),
        way_out="Export the script again so that both match.",
        severity=Severity.WARNING,
    )
