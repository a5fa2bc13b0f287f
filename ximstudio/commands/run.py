"""`ximstudio run`: a table in, a folder with the trained map out."""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace
from pathlib import Path

from ximstudio.commands.console import say
from ximstudio.commands.input import Order
from ximstudio.commands.settings import given_settings
from ximstudio.commands.watching import State, watch
from ximstudio.export import (
    NewFolder,
    run_record,
    write_history,
    write_model,
    write_positions,
    write_preparation,
    write_record,
)
from ximstudio.export.images import figure_names, write_figures
from ximstudio.jobs import Task
from ximstudio.load.prototypes import load_prototypes
from ximstudio.model.arrays import Floats
from ximstudio.model.params import Params, known
from ximstudio.model.problem import UserError
from ximstudio.model.result import PrototypeMap, Result
from ximstudio.train import Method, checkpoints, method_named, problems
from ximstudio.train.params import MapParams


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What is to be done, checked as far as it can be without the data."""

    order: Order
    method: Method
    params: Params
    seed: int
    start: Path | None
    figures: tuple[str, ...]
    color_by: str | None


Running = Task[State, Result]


def run(options: argparse.Namespace) -> int:
    """Train as the options say and keep the folder; the exit code."""
    plan = _plan(options)
    needed = [*plan.order.needed, *([] if plan.start is None else [plan.start])]
    with NewFolder(options.out, replace=options.force, needed=needed) as folder:
        result = watch(
            lambda task: _work(plan, folder.path, task), quiet=options.quiet, discard=folder.discard
        )
        folder.keep()
    if not options.quiet:
        say(f"{_summary(result, plan)}\nWritten to {folder.place}")
    return 0


def _plan(options: argparse.Namespace) -> Plan:
    method = method_named(options.method)
    texts = given_settings(options.set)
    if options.start is not None:
        if "init" not in method.params.specs() or texts.get("init", "given") != "given":
            raise UserError(
                key="cli.start",
                what="Prototypes to start from are of no use here.",
                where="option --start",
                way_out="Leave --start out; or take a method with prototypes, without --set init.",
            )
        texts["init"] = "given"
    return Plan(
        order=Order.of(options),
        method=method,
        params=method.params.from_texts(texts),
        seed=options.seed,
        start=options.start,
        figures=figure_names(options.figure),
        color_by=options.color_by,
    )


def _work(plan: Plan, folder: Path, task: Running) -> Result:
    delivery = plan.order.carry_out_well(task)
    opened, state = delivery.opened, delivery.state
    task.report(state)
    matrix = opened.matrix
    if plan.color_by is not None:
        known("label", plan.color_by, matrix.item_labels)
    start: Floats | None = None
    if plan.start is not None:
        assert isinstance(plan.params, MapParams)
        start = load_prototypes(plan.start, matrix.feature_names, plan.params.grid)
    found = problems(matrix, plan.method, plan.params)
    state = replace(state, warnings=(*state.warnings, *found))
    last = None
    for last in checkpoints(matrix, plan.method, plan.params, seed=plan.seed, start=start):
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
    write_figures(
        folder, plan.figures, result, matrix, name=plan.method.name, color_by=plan.color_by
    )
    start_file = None if plan.start is None else str(plan.start)
    write_preparation(folder, opened)
    record = run_record(result, opened, data=delivery.input, start=start_file)
    write_record(folder / "run.json", record)
    task.check()
    return result


def _summary(result: Result, plan: Plan) -> str:
    text = f"{plan.method.name}: {len(result.item_ids)} items placed"
    if isinstance(result.model, PrototypeMap):
        grid = result.model.grid
        size = f"{grid.rows}×{grid.columns}" if grid.structure.in_rows else str(grid.n_nodes)
        size += f"×{grid.depth}" if grid.depth > 1 else ""
        text += f" on {size} nodes after {result.step} steps"
    return f"{text}, seed {result.seed}"
