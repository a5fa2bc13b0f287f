"""`ximstudio run`: a table in, a folder with the trained map out."""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace
from pathlib import Path

from ximstudio.commands.beginning import beginning_of
from ximstudio.commands.console import say
from ximstudio.commands.figure_options import look_of
from ximstudio.commands.ready import Beginning
from ximstudio.commands.watching import State, watch
from ximstudio.export import (
    NewFolder,
    run_record,
    write_history,
    write_model,
    write_positions,
    write_record,
)
from ximstudio.export.images import VIEWS, figure_names, write_figures
from ximstudio.figures.look import Look
from ximstudio.jobs import Task
from ximstudio.model.params import known
from ximstudio.model.result import PrototypeMap, Result
from ximstudio.train import checkpoints, method_named, problems


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What is to be done, checked as far as it can be without the data."""

    beginning: Beginning
    seed: int
    start: Path | None
    figures: tuple[str, ...]
    look: Look
    view: str
    color_by: str | None


Running = Task[State, Result]


def run(options: argparse.Namespace) -> int:
    """Train as the options say and keep the folder; the exit code."""
    known("view", options.view, VIEWS)
    plan = Plan(
        beginning=beginning_of(options),
        seed=options.seed,
        start=options.start,
        figures=figure_names(options.figure),
        look=look_of(options),
        view=options.view,
        color_by=options.color_by,
    )
    with NewFolder(options.out, replace=options.force, needed=plan.beginning.needed) as folder:
        result = watch(
            lambda task: _work(plan, folder.path, task), quiet=options.quiet, discard=folder.discard
        )
        folder.keep()
    if not options.quiet:
        say(f"{_summary(result)}\nWritten to {folder.place}")
    return 0


def _work(plan: Plan, folder: Path, task: Running) -> Result:
    ready = plan.beginning.ready(task)
    matrix, method, params, state = ready.matrix, ready.method, ready.params, ready.state
    task.report(state)
    if plan.color_by is not None:
        known("label", plan.color_by, matrix.item_labels)
    found = problems(matrix, method, params)
    state = replace(state, warnings=(*state.warnings, *found))
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
    write_figures(
        folder,
        plan.figures,
        result,
        matrix,
        name=method.name,
        color_by=plan.color_by,
        record=record,
        ancestors=ready.ancestors,
        look=plan.look,
        view=plan.view,
    )
    ready.write_preparation(folder)
    write_record(folder / "run.json", record)
    task.check()
    return result


def _summary(result: Result) -> str:
    text = f"{method_named(result.method).name}: {len(result.item_ids)} items placed"
    if isinstance(result.model, PrototypeMap):
        grid = result.model.grid
        size = f"{grid.rows}×{grid.columns}" if grid.structure.in_rows else str(grid.n_nodes)
        size += f"×{grid.depth}" if grid.depth > 1 else ""
        text += f" on {size} nodes after {result.step} steps"
    return f"{text}, seed {result.seed}"
