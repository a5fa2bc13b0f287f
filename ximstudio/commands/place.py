"""`ximstudio place`: the items of another table on the map of a finished run."""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace
from pathlib import Path

from ximstudio.commands.console import say
from ximstudio.commands.further import frozen_file
from ximstudio.commands.input import Order, understood
from ximstudio.commands.watching import State, watch
from ximstudio.explore.newcomers import Newcomers, place_newcomers
from ximstudio.explore.novelty import TOLERANCE
from ximstudio.export import write_record
from ximstudio.export.newcomers import newcomers_record, write_newcomers
from ximstudio.files.folder import NewFolder
from ximstudio.jobs import Task
from ximstudio.load.run import RECORD, read_record
from ximstudio.model.problem import Severity, UserError
from ximstudio.model.words import counted
from ximstudio.prepare.input import Input
from ximstudio.prepare.recipe import Frozen
from ximstudio.session.words import Words
from ximstudio.train.finished import Finished, open_run

SHOWN = 5
"""How many items that do not belong are named in the terminal."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """Which items are to be placed, and on which map; `turned` if somebody said which way round."""

    run: Path
    data: str | None
    input: Input
    turned: bool
    tolerance: float


def place(options: argparse.Namespace) -> int:
    """Place the items as the options say, keep the folder and print a summary; the exit code."""
    tolerance = TOLERANCE if options.tolerance is None else options.tolerance
    if not tolerance > 0.0:
        raise UserError(
            key="place.tolerance",
            what=f"The tolerance cannot be {tolerance:g}.",
            where="option --tolerance",
            way_out="Give a number above 0.",
        )
    order = Order.of(options)
    plan = Plan(
        run=options.run,
        data=options.data,
        input=order.input,
        turned=options.items is not None,
        tolerance=tolerance,
    )
    # Before a folder is made in what may be no run at all.
    read_record(plan.run)
    out = plan.run / "placed" if options.out is None else options.out
    needed = [plan.run / RECORD, *order.needed, *([] if plan.data is None else [Path(plan.data)])]
    with NewFolder(out, replace=options.force, needed=needed) as folder:
        found = watch(
            lambda task: _work(plan, folder.path, task), quiet=options.quiet, discard=folder.discard
        )
        folder.keep()
    if not options.quiet:
        say(f"{_summary(found)}\nWritten to {folder.place}")
    return 0


def _work(plan: Plan, folder: Path, task: Task[State, Newcomers]) -> Newcomers:
    task.report(State(doing="Opening the run"))
    finished = open_run(plan.run, plan.data)
    labelled = _input(plan, finished).read(
        lambda share: task.report(State(doing="Reading", fraction=share))
    )
    state = State(understood=understood(labelled.table))
    task.report(state)
    path = frozen_file(finished)
    newcomers = place_newcomers(
        finished.result,
        finished.matrix,
        labelled.table,
        frozen=None if path is None else Frozen.read(Path(path)),
        tolerance=plan.tolerance,
        report=lambda share: task.report(replace(state, doing="Placing", fraction=share)),
    )
    notes = (*labelled.reading.notes, *labelled.joins, *newcomers.notes)
    warnings = tuple(note for note in notes if note.severity is not Severity.NOTE)
    task.report(replace(state, warnings=warnings))
    write_newcomers(folder / "positions.csv", finished.result, newcomers)
    record = newcomers_record(
        newcomers, finished.record, source=plan.input.name, notes=notes, tolerance=plan.tolerance
    )
    write_record(folder / "place.json", record)
    task.check()
    return newcomers


def _input(plan: Plan, finished: Finished) -> Input:
    """The table, read the way round in which the run's was unless somebody says otherwise."""
    if plan.turned:
        return plan.input
    choices = plan.input.choices.replace(items=finished.input.choices.items)
    return replace(plan.input, choices=choices)


def _summary(newcomers: Newcomers) -> str:
    text = f"{counted(len(newcomers), Words.of_matrix(newcomers.matrix).item)} placed"
    ranked = sorted(
        (row for row, strange in enumerate(newcomers.strange) if strange),
        key=lambda row: -newcomers.novelty[row],
    )
    if not ranked:
        return f"{text}; all belong to the map"
    names = [f"{newcomers.ids[row]} ({newcomers.novelty[row]:.2f})" for row in ranked[:SHOWN]]
    more = ", …" if len(ranked) > SHOWN else ""
    do = counted(len(ranked), "does", "do")
    return f"{text}; {do} not belong to the map (novelty): {', '.join(names)}{more}"
