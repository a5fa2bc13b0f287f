"""`ximstudio run`: a table in, a folder with the trained map out."""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from tqdm import tqdm

from ximstudio.commands.console import EXIT_INTERRUPTED, say, say_interrupted, show
from ximstudio.export import (
    NewFolder,
    run_record,
    write_history,
    write_model,
    write_positions,
    write_record,
)
from ximstudio.export.images import figure_names, write_figures
from ximstudio.jobs import Lane, Task
from ximstudio.load import Roles, load
from ximstudio.load.prototypes import load_prototypes
from ximstudio.model.arrays import Floats
from ximstudio.model.matrix import Matrix
from ximstudio.model.params import Params, known
from ximstudio.model.problem import Problem, UserError
from ximstudio.model.result import PrototypeMap, Result
from ximstudio.prepare import FILLINGS, KEEP, fill_missing
from ximstudio.train import Method, checkpoints, method_named, problems
from ximstudio.train.params import MapParams

POLL_SECONDS = 0.05
GRACE_SECONDS = 0.5
"""How long an interrupted computation may take to end by itself."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What is to be done, checked as far as it can be without the data."""

    input: str
    roles: Roles
    missing: str
    method: Method
    params: Params
    seed: int
    start: Path | None
    figures: tuple[str, ...]
    color_by: str | None


@dataclass(frozen=True, kw_only=True)
class State:
    """How far the work has come, all of it: the mailbox keeps only the newest one."""

    matrix: Matrix
    warnings: tuple[Problem, ...] = ()
    step: int = 0
    n_steps: int = 0


Running = Task[State, Result]


def run(options: argparse.Namespace) -> int:
    """Train as the options say and keep the folder; the exit code."""
    plan = _plan(options)
    needed = [Path(name) for name in (options.input, options.start) if name is not None]
    with NewFolder(options.out, replace=options.force, needed=needed) as folder:
        # In the lane, so that Ctrl-C is answered at once, whatever library is at work.
        task: Running = Lane().start(lambda running: _work(plan, folder.path, running))
        try:
            result = _watch(task, quiet=options.quiet)
            folder.keep()
        except KeyboardInterrupt:
            task.stop()
            if not _ends_soon(task):
                _leave_at_once(folder)
            raise
    if not options.quiet:
        say(f"{_summary(result, plan)}\nWritten to {folder.place}")
    return 0


def _ends_soon(task: Running) -> bool:
    """Whether an interrupted task ends by itself, and nobody interrupts again."""
    try:
        return task.wait(GRACE_SECONDS)
    except KeyboardInterrupt:
        return False


def _plan(options: argparse.Namespace) -> Plan:
    method = method_named(options.method)
    known("filling", options.missing, [KEEP, *FILLINGS])
    texts: dict[str, str] = {}
    for setting in options.set:
        name, equals, text = setting.partition("=")
        if not equals:
            raise UserError(
                key="cli.setting",
                what=f"'{setting}' is not a setting.",
                where="option --set",
                way_out="Write --set name=value, for instance --set shape=20x30.",
            )
        texts[name.strip()] = text
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
        input=options.input,
        roles=Roles(id=options.id, labels=tuple(options.labels), items=options.items),
        missing=options.missing,
        method=method,
        params=method.params.from_texts(texts),
        seed=options.seed,
        start=options.start,
        figures=figure_names(options.figure),
        color_by=options.color_by,
    )


def _work(plan: Plan, folder: Path, task: Running) -> Result:
    loaded = load(plan.input, plan.roles)
    if plan.color_by is not None:
        known("label", plan.color_by, loaded.item_labels)
    state = State(matrix=loaded)
    task.report(state)
    matrix = fill_missing(loaded, plan.missing)
    start: Floats | None = None
    if plan.start is not None:
        assert isinstance(plan.params, MapParams)
        start = load_prototypes(plan.start, matrix.feature_names, plan.params.grid)
    state = replace(state, warnings=tuple(problems(matrix, plan.method, plan.params)))
    last = None
    for last in checkpoints(matrix, plan.method, plan.params, seed=plan.seed, start=start):
        task.report(replace(state, step=last.step, n_steps=last.n_steps))
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
    reading = {**asdict(plan.roles), "missing": plan.missing}
    start_file = None if plan.start is None else str(plan.start)
    write_record(folder / "run.json", run_record(result, loaded, reading=reading, start=start_file))
    task.check()
    return result


def _watch(task: Running, *, quiet: bool) -> Result:
    """Say what was understood and show progress until the task ends."""
    understood, warned = quiet, False
    # tqdm stays silent by itself where nobody watches a terminal.
    with tqdm(total=1.0, disable=True if quiet else None, leave=False) as bar:
        bar.bar_format = "{desc}: {percentage:3.0f}%|{bar}| {elapsed}<{remaining}"
        bar.set_description("Preparing")
        ended = False
        while not ended:
            ended = task.wait(POLL_SECONDS)
            state = task.newest()
            if state is None:
                continue
            if not understood:
                bar.clear()
                say(_understood(state.matrix))
                understood = True
            if state.warnings and not warned:
                bar.clear()
                show(state.warnings)
                warned = True
            if state.n_steps:
                bar.set_description(
                    f"Training, step {state.step} of {state.n_steps}", refresh=False
                )
                bar.n = state.step / state.n_steps
                bar.refresh()
    return task.outcome()


def _understood(matrix: Matrix) -> str:
    labels = ", ".join(matrix.item_labels) or "none"
    items, features = ("; ".join(names[:2]) for names in (matrix.item_ids, matrix.feature_names))
    return (
        f"{matrix.source}: {matrix.n_items} items ({items}; …) × {matrix.n_features} features"
        f" ({features}; …), {matrix.n_missing} blanks, labels: {labels}"
    )


def _summary(result: Result, plan: Plan) -> str:
    text = f"{plan.method.name}: {len(result.item_ids)} items placed"
    if isinstance(result.model, PrototypeMap):
        grid = result.model.grid
        text += f" on {grid.rows}×{grid.columns} nodes after {result.step} steps"
    return f"{text}, seed {result.seed}"


def _leave_at_once(folder: NewFolder) -> None:
    """End the process although the lane is inside a call that cannot be interrupted."""
    folder.__exit__()
    say_interrupted()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(EXIT_INTERRUPTED)
