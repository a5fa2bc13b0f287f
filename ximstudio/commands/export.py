"""`ximstudio export`: write the tables of a finished run."""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from ximstudio.commands.console import say, show
from ximstudio.commands.options import useless
from ximstudio.commands.watching import (
    State,
    fill_folder,
    free_file,
    needed_of,
    refusing_unwritable,
    watch,
)
from ximstudio.export.table_files import FILES, GMT, H5AD, file_named, write_folder, write_tables
from ximstudio.export.table_kinds import table_named, tables_of
from ximstudio.export.wanted import TableOptions
from ximstudio.jobs import Task
from ximstudio.load.run import read_record
from ximstudio.measure.catalogue import MEASURES
from ximstudio.model.params import known
from ximstudio.model.problem import Problem
from ximstudio.session import Run, Session
from ximstudio.session.measuring import measured
from ximstudio.train.finished import open_run

FORMATS = tuple(file.key for file in FILES if file.key != GMT)
"""Formats of tables; a run folder has no gene sets."""
Cut = tuple[Problem, ...]
"""Keys of notes about values that did not fit into cells."""
Keys = tuple[str, ...] | None
"""Keys of tables; None for all."""


def export(options: argparse.Namespace) -> int:
    """Write the tables; return the exit code."""
    known("format", options.format, FORMATS)
    keys: Keys = None
    if options.tables is not None:
        keys = tuple(dict.fromkeys(key.strip() for key in options.tables.split(",")))
        for key in keys:
            table_named(key)
        if options.format == H5AD:
            raise useless("--tables", "Leave it out: an h5ad file has one layout.")
    # Check that it is a run before anything is written.
    read_record(options.run)
    if not file_named(options.format).alone:
        place = free_file(options.out, replaced=options.force)
        show(_write_file(options, keys, place))
    else:
        work = partial(_work, options, keys)
        needed = needed_of(options.run, options.data)
        _, place = fill_folder(options.out, work, options, needed=needed)
    if not options.quiet:
        say(f"Written to {place}")
    return 0


def _write_file(options: argparse.Namespace, keys: Keys, place: Path) -> Cut:
    """Write one file via a temporary folder that is always removed."""
    with refusing_unwritable(place):
        place.parent.mkdir(parents=True, exist_ok=True)
        folder = TemporaryDirectory(
            prefix=".", suffix=".part", dir=place.parent, ignore_cleanup_errors=True
        )
    with folder:
        made = Path(folder.name) / place.name
        cut = watch(
            lambda task: _work(options, keys, made, task),
            quiet=options.quiet,
            discard=folder.cleanup,
        )
        made.replace(place)
    return cut


def _work(options: argparse.Namespace, keys: Keys, place: Path, task: Task[State, Cut]) -> Cut:
    finished = open_run(options.run, options.data)
    run = Run(
        key="run",
        name=options.run.resolve().name,
        result=finished.result,
        matrix=finished.matrix,
        input=finished.input,
        made_with=finished.record.made_with,
    )
    if options.measure:
        run = _measured(run, task)
    session = Session().with_run(run)
    keys = keys or tuple(table.key for table in tables_of(session))

    def report(fraction: float) -> None:
        task.check()
        task.report(State(doing="Writing tables", fraction=fraction))

    file = file_named(options.format)
    wanted = TableOptions(with_values=options.values)
    if file.alone:
        write_folder(place, session, keys, file=file, wanted=wanted, report=report)
        return ()
    return write_tables(place, session, keys, file=file, wanted=wanted, report=report).notes


def _measured(run: Run, task: Task[State, Cut]) -> Run:
    def progress(fraction: float) -> None:
        # In steps of one measure.
        measure = MEASURES[round(fraction * len(MEASURES))]
        task.report(State(doing=f"Measuring: {measure.name}", fraction=fraction))

    return measured(run, progress, task.check)
