"""`ximstudio run`: a table in, a folder with the trained map out."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import nan
from pathlib import Path
from typing import Any

from ximstudio.commands.beginning import beginning_of
from ximstudio.commands.console import say
from ximstudio.commands.figure_options import asked_of
from ximstudio.commands.ready import Beginning, Ready, useless
from ximstudio.commands.risks import risks
from ximstudio.commands.watching import State, watch
from ximstudio.export import (
    run_record,
    write_history,
    write_model,
    write_positions,
    write_record,
)
from ximstudio.export.images import VIEWS, Asked, write_run_figures
from ximstudio.export.record import START_HASH
from ximstudio.files.folder import NewFolder
from ximstudio.jobs import Task
from ximstudio.load import Report
from ximstudio.model.params import known
from ximstudio.model.problem import Problem, UserError, refuse
from ximstudio.model.result import PrototypeMap, Result
from ximstudio.model.words import counted
from ximstudio.pictures.states import CompareState
from ximstudio.prepare.input import Input
from ximstudio.session import Run
from ximstudio.session.ahead import unkept
from ximstudio.session.measuring import measured
from ximstudio.session.words import Words
from ximstudio.train import checkpoints, method_named


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What is to be done, checked as far as it can be without the data."""

    beginning: Beginning
    seed: int
    start: Path | None
    asked: Asked


@dataclass(frozen=True, kw_only=True, eq=False)
class Outcome:
    """The map, what one of its items is called, and why figures of it could not be drawn."""

    result: Result
    word: str
    refused: tuple[Problem, ...]


Running = Task[State, Outcome]


def run(options: argparse.Namespace) -> int:
    """Train as the options say and keep the folder; the exit code."""
    _refuse_compared(options.view)
    asked = asked_of(options, VIEWS, label=options.color_by)
    if options.table and not asked.measured:
        raise useless("--table", "It belongs to --view quality.")
    if options.like is not None and options.color_by is not None:
        raise useless("--color-by", "A figure that is like another has its colours.")
    plan = Plan(
        beginning=beginning_of(options),
        seed=options.seed,
        start=options.start,
        asked=asked,
    )
    with NewFolder(options.out, replace=options.force, needed=plan.beginning.needed) as folder:
        outcome = watch(
            lambda task: _work(plan, folder.path, task), quiet=options.quiet, discard=folder.discard
        )
        folder.keep()
    if not options.quiet:
        say(f"{_summary(outcome)}\nWritten to {folder.place}")
    refuse(outcome.refused)
    return 0


def _refuse_compared(views: Sequence[str]) -> None:
    if CompareState.view in views:
        raise UserError(
            key="cli.compared",
            what="A run is one map, and there is nothing to compare it with.",
            where=f"option --view {CompareState.view}",
            way_out="Take 'ximstudio compare', which draws maps of several methods side by side.",
        )


def _work(plan: Plan, folder: Path, task: Running) -> Outcome:
    ready = plan.beginning.ready(task)
    matrix, method, params, state = ready.matrix, ready.method, ready.params, ready.state
    task.report(state)
    if plan.asked.label:
        known("label", plan.asked.label, matrix.item_labels)
    found = risks(matrix, [(method, params)])
    state = replace(state, warnings=(*state.warnings, *found, *unkept()))
    last = None
    for last in checkpoints(
        matrix, method, params, seed=plan.seed, start=ready.start, parent=ready.parent
    ):
        doing = f"Training, step {last.step} of {last.n_steps}"
        task.report(replace(state, doing=doing, fraction=last.fraction))
    assert last is not None
    result = last.result()
    task.check()
    write_positions(folder / "positions.csv", result, matrix)
    write_model(folder, result)
    if len(result.history.step):
        write_history(folder / "history.csv", result.history)
    task.check()
    start_file = None if plan.start is None else str(plan.start)
    record = run_record(result, ready.data, start=start_file, start_hash=ready.start_hash)
    refused = _write_figures(plan, folder, result, ready, record, task)
    ready.write_preparation(folder)
    write_record(folder / "run.json", record)
    task.check()
    return Outcome(result=result, word=Words.of_matrix(matrix).item, refused=refused)


def _write_figures(
    plan: Plan,
    folder: Path,
    result: Result,
    ready: Ready,
    record: Mapping[str, Any],
    task: Running,
) -> tuple[Problem, ...]:
    """Measure the map if a figure shows that, and draw all; why some could not be drawn."""

    def telling(doing: str) -> Report:
        return lambda fraction: task.report(replace(ready.state, doing=doing, fraction=fraction))

    run = Run(
        key="run",
        name=ready.method.name,
        result=result,
        matrix=ready.matrix,
        input=Input.from_values(ready.data["input"]),
        # A figure is the same whenever it is made.
        seconds=nan,
    )
    if plan.asked.measured:
        run = measured(run, telling("Measuring"), task.check)
    return write_run_figures(
        folder,
        plan.asked,
        run,
        began={name: record[name] for name in ("start", START_HASH) if name in record},
        ancestors=ready.ancestors,
        report=telling("Drawing"),
    )


def _summary(outcome: Outcome) -> str:
    result = outcome.result
    placed = counted(len(result.item_ids), outcome.word)
    text = f"{method_named(result.method).name}: {placed} placed"
    if isinstance(result.model, PrototypeMap):
        grid = result.model.grid
        size = f"{grid.rows}×{grid.columns}" if grid.structure.in_rows else str(grid.n_nodes)
        size += f"×{grid.depth}" if grid.depth > 1 else ""
        text += f" on {size} nodes after {result.step} steps"
    return f"{text}, seed {result.seed}"
