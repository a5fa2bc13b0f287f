"""`ximstudio verify`: maps made again from what a script, a run or a figure says of them."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ximstudio.commands.console import EXIT_DIFFERENT, say
from ximstudio.commands.watching import State, watch
from ximstudio.export.provenance import read_provenance
from ximstudio.jobs import Task
from ximstudio.load.run import RECORD
from ximstudio.model.problem import Problem, Severity, UserError
from ximstudio.reproduce.again import Compared, Doing, verify_folder, verify_records
from ximstudio.reproduce.script_file import read_script
from ximstudio.reproduce.told import receipt_told

PAGES = (".html", ".htm")
"""How files of reports end."""

Verifying = Task[State, tuple[Compared, ...]]


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What is to be made again, and with which table if it has moved."""

    file: Path
    data: str | None


def verify(options: argparse.Namespace) -> int:
    """Make the maps again and say what is as expected; 0 if all is, 1 if something differs."""
    plan = Plan(file=options.file, data=options.data)
    found = watch(lambda task: _work(plan, task), quiet=options.quiet, discard=lambda: None)
    holds = all(tick.verdict.holds for one in found for tick in one.ticks)
    if not options.quiet:
        for one in found:
            say(f"{one.name.replace('_', ' ')}: {one.about}")
            for tick in one.ticks:
                say(f"  {tick}")
        say("All is as expected." if holds else "Not all is as expected.")
    return 0 if holds else EXIT_DIFFERENT


def _work(plan: Plan, task: Verifying) -> tuple[Compared, ...]:
    warnings: list[Problem] = []

    def tell(doing: str, fraction: float) -> None:
        task.report(State(doing=doing, fraction=fraction, warnings=tuple(warnings)))

    return tuple(_compared(plan, warnings, tell))


def _compared(plan: Plan, warnings: list[Problem], tell: Doing) -> Iterator[Compared]:
    file = plan.file
    if file.name == RECORD:
        file = file.parent
    if file.is_dir():
        yield from verify_folder(file, data=plan.data, tell=tell)
        return
    if not file.exists():
        raise UserError(
            key="verify.missing",
            what="There is no such file.",
            where=str(file),
            way_out="Give a script, figure or report of XIM Studio, or the folder of a run.",
        )
    told = read_provenance(file)
    if told is None and file.suffix.lower() in PAGES:
        # Only then: reports bring figures with them.
        from ximstudio.report.files import read_report

        told = read_report(file)
    if told is None:
        script = read_script(file)
        if script.edited:
            warnings.append(_edited(file))
        receipt = script.receipt
    else:
        receipt = receipt_told(told, file)
    yield from verify_records(
        receipt, where=str(file), folder=file.absolute().parent, data=plan.data, tell=tell
    )


def _edited(file: Path) -> Problem:
    return Problem(
        key="verify.edited",
        what="The code of the script is not what its receipt gives: it was edited, or written by"
        " another version. Only the receipt was verified.",
        where=str(file),
        way_out="Export the script again to have both in agreement.",
        severity=Severity.WARNING,
    )
