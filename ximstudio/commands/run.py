"""`ximstudio run`: train a map of a table and write it to a folder."""

from __future__ import annotations

import argparse
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ximstudio.commands.console import say
from ximstudio.commands.options import useless
from ximstudio.commands.ready import FreshRun, Given, RunStart, risks
from ximstudio.commands.watching import State, fill_folder
from ximstudio.jobs import Task
from ximstudio.model.problem import Problem, UserError, refuse
from ximstudio.model.result import ItemMap, PrototypeMap, Result
from ximstudio.model.words import counted
from ximstudio.session.words import Words
from ximstudio.train import checkpoints, method_named
from ximstudio.train.record import run_record, write_record
from ximstudio.train.run_tables import write_history, write_model, write_positions

if TYPE_CHECKING:
    from ximstudio.commands.figures import RunFigures

FIGURE_OPTIONS = (
    "figure",
    "view",
    "like",
    "table",
    "width_mm",
    "font_size",
    "dpi",
    "palette",
    "title",
    "color_by",
)
"""Options that are about figures."""


Outcome = tuple[str, tuple[Problem, ...]]
"""A line about the map, and why figures could not be drawn."""


def run(options: argparse.Namespace) -> int:
    """Train as the options say and keep the folder; the exit code."""
    figures, beginning = _figures(options), beginning_of(options)
    (summary, refused), place = fill_folder(
        options.out, partial(_work, options, figures, beginning), options, needed=beginning.needed
    )
    if not options.quiet:
        say(f"{summary}\nWritten to {place}")
    refuse(refused)
    return 0


def _figures(options: argparse.Namespace) -> RunFigures | None:
    """The figures that are asked for; None, and no drawing code imported, without such options."""
    given = (getattr(options, name) for name in FIGURE_OPTIONS)
    if all(value is None or value is False or value == [] for value in given):
        return None
    from ximstudio.commands.figures import RunFigures

    return RunFigures.of(options)


def _work(
    options: argparse.Namespace,
    figures: RunFigures | None,
    beginning: RunStart,
    folder: Path,
    task: Task[State, Outcome],
) -> Outcome:
    ready = beginning.ready(task)
    matrix, method, params, state = ready.matrix, ready.method, ready.params, ready.state
    task.report(state)
    if figures is not None:
        figures.check(matrix)
    from ximstudio.kernels.compiler import cache_problems  # brings numba

    found = risks(matrix, [(method, params)])
    state = replace(state, warnings=(*state.warnings, *found, *cache_problems()))
    last = None
    for last in checkpoints(
        matrix, method, params, seed=options.seed, start=ready.start, parent=ready.parent
    ):
        doing = f"Training, step {last.step} of {last.n_steps}"
        task.report(replace(state, doing=doing, fraction=last.fraction))
    assert last is not None
    result = last.result()
    task.check()
    write_positions(folder / "positions.csv", result, matrix)
    write_model(folder, result)
    # A map of items is read with its history, even if training recorded none.
    if len(result.history.step) or isinstance(result.model, ItemMap):
        write_history(folder / "history.csv", result.history)
    task.check()
    start_file = None if options.start is None else str(options.start)
    record = run_record(result, ready.data, start=start_file, start_hash=ready.start_hash)
    refused: tuple[Problem, ...] = ()
    if figures is not None:
        refused = figures.write(folder, result, ready, record, task)
    ready.write_preparation(folder)
    write_record(folder / "run.json", record)
    task.check()
    return _summary(result, Words.of_matrix(matrix).item), refused


def _summary(result: Result, word: str) -> str:
    placed = counted(len(result.item_ids), word)
    text = f"{method_named(result.method).name}: {placed} placed"
    if isinstance(result.model, PrototypeMap):
        grid = result.model.grid
        size = f"{grid.rows}×{grid.columns}" if grid.structure.in_rows else str(grid.n_nodes)
        size += f"×{grid.depth}" if grid.depth > 1 else ""
        text += f" on {size} nodes after {result.step} steps"
    return f"{text}, seed {result.seed}"


def beginning_of(options: argparse.Namespace) -> RunStart:
    """Return how a run starts, checked as far as possible without the data."""
    given = Given.of(options)
    if options.parent is not None:
        from ximstudio.commands.derived import PartialRun

        return PartialRun.of(options, given)
    _refuse_without(options, "--parent", ("choose", "nodes"))
    if options.input is None:
        raise UserError(
            key="cli.no_input",
            what="No table is given.",
            where="ximstudio run",
            way_out="Give a file or sample:yeast, or a run with --parent to map a part of it.",
        )
    if options.continued is not None:
        from ximstudio.commands.derived import ContinuedRun

        return ContinuedRun.of(options, given)
    _refuse_without(options, "--continue", ("only_new",))
    return FreshRun.of(options, given)


def _refuse_without(options: argparse.Namespace, needed: str, names: tuple[str, ...]) -> None:
    for name in names:
        if getattr(options, name):
            raise useless(f"--{name.replace('_', '-')}", f"It only works with {needed}.")
