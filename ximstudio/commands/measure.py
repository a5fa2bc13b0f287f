"""`ximstudio measure`: measure the quality of a finished map."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from math import isnan
from pathlib import Path
from types import MappingProxyType

from ximstudio.commands.console import say
from ximstudio.commands.input import understood
from ximstudio.commands.watching import State, fill_folder, needed_of
from ximstudio.export.measures import Found, write_measures
from ximstudio.jobs import Task
from ximstudio.load.run import read_record
from ximstudio.measure.catalogue import MEASURES
from ximstudio.measure.estimate import Estimate
from ximstudio.measure.evidence import MapEvidence
from ximstudio.model.params import known
from ximstudio.model.problem import UserError
from ximstudio.model.table import Table
from ximstudio.session.words import Words
from ximstudio.train.finished import open_run

WIDTH = 96

STAGES: Mapping[str, Callable[[MapEvidence], object]] = MappingProxyType(
    {
        "Ranking neighbours": lambda evidence: evidence.ranks,
        "Comparing distances": lambda evidence: evidence.pairs,
        "Finding the best nodes": lambda evidence: evidence.best_nodes,
        "Computing costs": lambda evidence: evidence.costs,
    }
)
"""Messages for the slow parts, each of which is computed once for all measures."""


def measure(options: argparse.Namespace) -> int:
    """Measure the run, write the folder and print the table; return the exit code."""
    if options.seed < 0:
        raise UserError(
            key="measure.seed",
            what=f"The seed cannot be {options.seed}.",
            where="option --seed",
            way_out="Give a whole number, 0 or larger.",
        )
    # Check that it is a run before a folder is created in it.
    read_record(options.run)
    (found, words), place = fill_folder(
        options.out or options.run / "measures",
        partial(_work, options),
        options,
        needed=needed_of(options.run, options.data),
    )
    if not options.quiet:
        say(f"{plain_table(found, words)}\nWritten to {place}")
    return 0


def _work(
    options: argparse.Namespace, folder: Path, task: Task[State, tuple[Found, Words]]
) -> tuple[Found, Words]:
    finished = open_run(options.run, options.data)
    matrix, result = finished.matrix, finished.result
    if options.label is not None:
        known("label", options.label, matrix.item_labels)
    state = State(understood=understood(Table.of(matrix)))
    task.report(state)
    evidence = MapEvidence(matrix=matrix, result=result, label=options.label, seed=options.seed)
    n_stages = len(STAGES) + len(MEASURES) + 1

    def begin(stage: int, doing: str) -> None:
        task.report(replace(state, doing=doing, fraction=stage / n_stages))

    for stage, (doing, look) in enumerate(STAGES.items()):
        begin(stage, doing)
        look(evidence)
    found = []
    for stage, one in enumerate(MEASURES, len(STAGES)):
        begin(stage, f"Measuring: {one.name}")
        estimate = one.of(evidence)
        if estimate is not None:
            found.append((one, estimate))
    begin(n_stages - 1, "Writing tables")
    write_measures(folder, found, evidence, finished.values)
    task.check()
    return found, Words.of_matrix(matrix)


def plain_table(found: Found, words: Words) -> str:
    """Return a table of measures with value, better direction and meaning, for a terminal."""
    rows = [("measure", "value", "better is", "")]
    for one, estimate in found:
        rows.append((one.name, value_text(estimate), one.direction, words.said(one.meaning)))
    widths = [max(map(len, column)) for column in list(zip(*rows, strict=True))[:-1]]
    lines = []
    for *cells, meaning in rows:
        padded = [cell.ljust(width) for cell, width in zip(cells, widths, strict=True)]
        begin = "  ".join([*padded, ""])
        lines += [
            begin + line if number == 0 else " " * len(begin) + line
            for number, line in enumerate(textwrap.wrap(meaning, WIDTH - len(begin)) or [""])
        ]
    return "\n".join(line.rstrip() for line in lines)


def value_text(estimate: Estimate) -> str:
    """Return a value with its sampling error, if any; "not defined" without a value."""
    if isnan(estimate.value):
        return "not defined"
    return f"{estimate.value:.4g}" + (f" ± {estimate.error:.1g}" if estimate.error else "")
