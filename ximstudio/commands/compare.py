"""`ximstudio compare`: train several methods repeatedly and compare their measures."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

from ximstudio.commands.console import say
from ximstudio.commands.figures import asked_of
from ximstudio.commands.input import TableRequest
from ximstudio.commands.options import given_settings
from ximstudio.commands.ready import risks
from ximstudio.commands.watching import State, fill_folder
from ximstudio.export.comparison import FIGURES, VIEWS, write_comparison
from ximstudio.export.images import Asked
from ximstudio.jobs import Task
from ximstudio.measure.comparison import Comparison
from ximstudio.measure.protocol import Entry, plan_problems
from ximstudio.measure.protocol import compare as progress_of
from ximstudio.model.params import known
from ximstudio.model.problem import Problem, refuse
from ximstudio.train import METHODS, Method, method_named

BEST = "*"

Outcome = tuple[Comparison, tuple[Problem, ...]]
"""A comparison, and why figures could not be drawn."""


def compare(options: argparse.Namespace) -> int:
    """Compare methods, write the folder and print the table; return the exit code."""
    request = TableRequest.of(options)
    entries = _entries(options.methods, given_settings(options.set))
    asked = asked_of(options, VIEWS, label=options.label, names=FIGURES)
    refuse(plan_problems(entries, runs=options.runs, share=options.share, seed=options.seed))
    (comparison, refused), place = fill_folder(
        options.out,
        partial(_work, options, request, entries, asked),
        options,
        needed=request.needed,
    )
    if not options.quiet:
        say(f"{plain_table(comparison)}\nWritten to {place}")
    refuse(refused)
    return 0


def _entries(names: Sequence[str], settings: dict[str, str]) -> tuple[Entry, ...]:
    """Return the methods with their parameters; settings of one method take precedence."""
    keys = [key.strip() for text in names for key in text.split(",")]
    methods = [method_named(key) for key in keys] or list(METHODS)
    own: dict[str, dict[str, str]] = {method.key: {} for method in methods}
    shared: dict[str, str] = {}
    for name, text in settings.items():
        owner, dot, own_name = name.partition(".")
        if dot:
            known("method", owner, own)
            own[owner][own_name] = text
        else:
            shared[name] = text
    anywhere = {name for method in methods for name in method.params.specs()}
    for name in shared:
        known("parameter", name, anywhere)

    def texts(method: Method) -> dict[str, str]:
        there = method.params.specs()
        return {name: text for name, text in shared.items() if name in there} | own[method.key]

    return tuple((method, method.params.from_texts(texts(method))) for method in methods)


def _work(
    options: argparse.Namespace,
    request: TableRequest,
    entries: tuple[Entry, ...],
    asked: Asked,
    folder: Path,
    task: Task[State, Outcome],
) -> Outcome:
    delivery = request.carry_out_well(task)
    opened, state = delivery.opened, delivery.state
    task.report(state)
    matrix = opened.matrix
    state = replace(state, warnings=(*state.warnings, *risks(matrix, entries)))
    last = None
    steps = progress_of(
        matrix,
        entries,
        runs=options.runs,
        share=options.share,
        seed=options.seed,
        label=options.label,
        with_maps=True,
    )
    # Closed even if interrupted: its threads end before the folder is removed.
    with closing(steps):
        for last in steps:
            doing = f"{last.done} of {last.total} maps"
            if last.doing:
                doing += f", now {last.doing}"
            task.report(replace(state, doing=doing, fraction=last.fraction))
    assert last is not None
    assert last.comparison is not None

    def drawing(fraction: float) -> None:
        task.report(replace(state, doing="Drawing", fraction=fraction))

    refused = write_comparison(
        folder,
        last.comparison,
        opened,
        data=delivery.input,
        maps=last.maps,
        asked=asked,
        report=drawing,
    )
    task.check()
    return last.comparison, refused


def plain_table(comparison: Comparison) -> str:
    """Return the table in columns for a terminal, with the best means marked."""
    rows = [["measure", "better is", *(method.name for method in comparison.methods)]]
    for summary in comparison.summaries:
        cells = [
            summary.text(number) + (BEST if best else " ")
            for number, best in enumerate(summary.best)
        ]
        rows.append([summary.definition.name, summary.definition.direction, *cells])
    rows[0][2:] = [f"{name} " for name in rows[0][2:]]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(
            cell.ljust(width) if number < 2 else cell.rjust(width)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    return "\n".join([*lines, f"Mean (standard deviation over the runs); {BEST} marks the best."])
