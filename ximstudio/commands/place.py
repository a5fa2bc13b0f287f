"""`ximstudio place`: project the items of another table onto a finished map."""

from __future__ import annotations

import argparse
from dataclasses import replace
from functools import partial
from pathlib import Path

from ximstudio.commands.console import say
from ximstudio.commands.derived import frozen_file
from ximstudio.commands.input import TableRequest, understood
from ximstudio.commands.watching import State, fill_folder, needed_of
from ximstudio.explore.novelty import TOLERANCE
from ximstudio.explore.projection import ProjectedItems, project_items
from ximstudio.export.projection import projection_record, write_projection
from ximstudio.jobs import Task
from ximstudio.load.run import read_record
from ximstudio.model.problem import Severity, UserError
from ximstudio.model.words import counted
from ximstudio.prepare.input import Input
from ximstudio.prepare.recipe import Frozen
from ximstudio.session.words import Words
from ximstudio.train.finished import open_run
from ximstudio.train.record import write_record

SHOWN = 5
"""Maximum number of non-fitting items named in the terminal."""


def place(options: argparse.Namespace) -> int:
    """Place the items, write the folder and print a summary; return the exit code."""
    tolerance = TOLERANCE if options.tolerance is None else options.tolerance
    if not tolerance > 0.0:
        raise UserError(
            key="place.tolerance",
            what=f"The tolerance cannot be {tolerance:g}.",
            where="option --tolerance",
            way_out="Give a number above 0.",
        )
    given = TableRequest.of(options)
    # Check that it is a run before a folder is created in it.
    read_record(options.run)
    found, place = fill_folder(
        options.out or options.run / "placed",
        partial(_work, options, given.input, tolerance),
        options,
        needed=[*needed_of(options.run, options.data), *given.needed],
    )
    if not options.quiet:
        say(f"{_summary(found)}\nWritten to {place}")
    return 0


def _work(
    options: argparse.Namespace,
    given: Input,
    tolerance: float,
    folder: Path,
    task: Task[State, ProjectedItems],
) -> ProjectedItems:
    task.report(State(doing="Opening the run"))
    finished = open_run(options.run, options.data)
    if options.items is None:
        # In the orientation of the run's table.
        choices = given.choices.replace(items=finished.input.choices.items)
        given = replace(given, choices=choices)
    labelled = given.read(lambda share: task.report(State(doing="Reading", fraction=share)))
    state = State(understood=understood(labelled.table))
    task.report(state)
    path = frozen_file(finished)
    projected = project_items(
        finished.result,
        finished.matrix,
        labelled.table,
        frozen=None if path is None else Frozen.read(Path(path)),
        tolerance=tolerance,
        report=lambda share: task.report(replace(state, doing="Placing", fraction=share)),
    )
    notes = (*labelled.reading.notes, *labelled.joins, *projected.notes)
    warnings = tuple(note for note in notes if note.severity is not Severity.NOTE)
    task.report(replace(state, warnings=warnings))
    write_projection(folder / "positions.csv", finished.result, projected)
    record = projection_record(
        projected, finished.values, source=given.name, notes=notes, tolerance=tolerance
    )
    write_record(folder / "place.json", record)
    task.check()
    return projected


def _summary(projected: ProjectedItems) -> str:
    text = f"{counted(len(projected), Words.of_matrix(projected.matrix).item)} placed"
    ranked = sorted(
        (row for row, strange in enumerate(projected.strange) if strange),
        key=lambda row: -projected.novelty[row],
    )
    if not ranked:
        return f"{text}; all fit the map"
    names = [f"{projected.ids[row]} ({projected.novelty[row]:.2f})" for row in ranked[:SHOWN]]
    more = ", …" if len(ranked) > SHOWN else ""
    do = counted(len(ranked), "does", "do")
    return f"{text}; {do} not fit the map (novelty): {', '.join(names)}{more}"
