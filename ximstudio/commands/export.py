"""`ximstudio export`: write the tables of a finished run."""

from __future__ import annotations

import argparse
import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import mkdtemp

from ximstudio.commands.console import say, show
from ximstudio.commands.options import useless
from ximstudio.commands.watching import State, free_file, watch
from ximstudio.export.table_files import (
    FILES,
    GMT,
    H5AD,
    TableFile,
    file_named,
    write_folder,
    write_tables,
)
from ximstudio.export.table_kinds import table_named, tables_of
from ximstudio.export.wanted import TableOptions
from ximstudio.files.atomic_folder import NewFolder
from ximstudio.jobs import Task
from ximstudio.kernels.parallel import checking
from ximstudio.load.run import RECORD, read_record
from ximstudio.maps.label_kinds import default_class_label
from ximstudio.measure.catalogue import MEASURES
from ximstudio.measure.evidence import MapEvidence
from ximstudio.model.params import known
from ximstudio.model.problem import Problem, UserError
from ximstudio.session import Run, Session
from ximstudio.train.finished import open_run

FORMATS = tuple(file.key for file in FILES if file.key != GMT)
"""Formats of tables; a run folder has no gene sets."""
Cut = tuple[Problem, ...]
"""Keys of notes about values that did not fit into cells."""


@dataclass(frozen=True, kw_only=True)
class ExportPlan:
    """Plan of an export, checked as far as possible without the run."""

    run: Path
    data: str | None
    keys: tuple[str, ...] | None
    file: TableFile
    measure: bool
    wanted: TableOptions


def export(options: argparse.Namespace) -> int:
    """Write the tables; return the exit code."""
    known("format", options.format, FORMATS)
    keys = None
    if options.tables is not None:
        keys = tuple(dict.fromkeys(key.strip() for key in options.tables.split(",")))
        for key in keys:
            table_named(key)
        if options.format == H5AD:
            raise useless("--tables", "Leave it out: an h5ad file has one layout.")
    plan = ExportPlan(
        run=options.run,
        data=options.data,
        keys=keys,
        file=file_named(options.format),
        measure=options.measure,
        wanted=TableOptions(with_values=options.values),
    )
    # Check that it is a run before anything is written.
    read_record(plan.run)
    if not plan.file.alone:
        place = free_file(options.out, replaced=options.force)
        show(_write_file(plan, place, quiet=options.quiet))
    else:
        needed = [plan.run / RECORD, *([] if plan.data is None else [Path(plan.data)])]
        with NewFolder(options.out, replace=options.force, needed=needed) as folder:
            watch(
                lambda task: _work(plan, folder.path, task),
                quiet=options.quiet,
                discard=folder.discard,
            )
            folder.keep()
            place = folder.place
    if not options.quiet:
        say(f"Written to {place}")
    return 0


def _write_file(plan: ExportPlan, place: Path, *, quiet: bool) -> Cut:
    """Write one file via a temporary folder that is always removed."""
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        folder = Path(mkdtemp(prefix=".", suffix=".part", dir=place.parent))
    except OSError as error:
        raise UserError(
            key="export.unwritable",
            what=f"The output cannot be written: {error.strerror}.",
            where=str(place),
            way_out="Give a file in a folder where you may write, with --out.",
        ) from None

    def discard() -> None:
        shutil.rmtree(folder, ignore_errors=True)

    try:
        made = folder / place.name
        cut = watch(lambda task: _work(plan, made, task), quiet=quiet, discard=discard)
        made.replace(place)
    finally:
        discard()
    return cut


def _work(plan: ExportPlan, place: Path, task: Task[State, Cut]) -> Cut:
    finished = open_run(plan.run, plan.data)
    result = finished.result
    run = Run(
        key="run",
        name=plan.run.resolve().name,
        result=result,
        matrix=finished.matrix,
        input=finished.input,
        made_with=finished.record.made_with,
    )
    if plan.measure:
        run = _measured(run, task)
    session = Session().with_run(run)
    keys = plan.keys or tuple(table.key for table in tables_of(session))

    def report(fraction: float) -> None:
        task.check()
        task.report(State(doing="Writing tables", fraction=fraction))

    if plan.file.alone:
        write_folder(place, session, keys, file=plan.file, wanted=plan.wanted, report=report)
        return ()
    made = write_tables(place, session, keys, file=plan.file, wanted=plan.wanted, report=report)
    return made.notes


def _measured(run: Run, task: Task[State, Cut]) -> Run:
    evidence = MapEvidence(
        matrix=run.matrix, result=run.result, label=default_class_label(run.matrix, run.told_by)
    )
    found = {}
    with checking(task.check):
        for number, measure in enumerate(MEASURES):
            doing = f"Measuring: {measure.name}"
            task.report(State(doing=doing, fraction=number / len(MEASURES)))
            estimate = measure.of(evidence)
            if estimate is not None:
                found[measure.key] = estimate
    return replace(run, measures=found, evidence=evidence)
