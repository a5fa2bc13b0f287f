"""Write a comparison of methods as tables, a page of Markdown, figure and record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import nan
from pathlib import Path
from typing import Any

import numpy as np

from ximstudio import __version__
from ximstudio.export.images import Asked, Drawn, write_asked
from ximstudio.export.measure_sheets import mean_columns, repetition_columns
from ximstudio.export.places import without_places
from ximstudio.export.planned_figure import provenance_of
from ximstudio.files.columns import numbers, texts
from ximstudio.files.csv_table import write_csv
from ximstudio.load import Report, silent
from ximstudio.load.samples import called
from ximstudio.measure.comparison import Comparison
from ximstudio.measure.trials import TrialResult
from ximstudio.model.arrays import digest
from ximstudio.model.matrix import Matrix
from ximstudio.model.params import Params
from ximstudio.model.problem import Problem
from ximstudio.prepare.input import Input, Opened
from ximstudio.prepare.run_files import write_preparation
from ximstudio.session import Run, Session
from ximstudio.session.measuring import measures_of
from ximstudio.session.run import Judged
from ximstudio.session.shown import Shown
from ximstudio.session.words import Words
from ximstudio.train.record import data_record, parameter_record, surroundings, write_record
from ximstudio.train.run_tables import labels_behind
from ximstudio.views.compare.state import BOTH, MAPS, MEASURES, CompareState
from ximstudio.views.figure import figure_of

SCHEMA = 2
RECORD = "compare.json"
FIGURES = ("comparison.pdf", "comparison.png")
VIEWS = (BOTH, MAPS, MEASURES)
"""Views that a figure of a comparison can show."""


def write_comparison(
    folder: Path,
    comparison: Comparison,
    opened: Opened,
    *,
    data: Input,
    maps: Sequence[TrialResult] = (),
    asked: Asked,
    report: Report = silent,
) -> tuple[Problem, ...]:
    """Write all files of a comparison; return why figures could not be drawn.

    `data` is the input that the table was opened from, and `maps` are those that figures show.
    """
    matrix = opened.matrix
    write_means(folder / "table.csv", comparison)
    write_runs(folder / "runs.csv", comparison)
    write_wander(folder / "wander.csv", comparison, matrix)
    text = markdown(comparison, opened)
    (folder / "table.md").write_text(text, encoding="utf-8", newline="\n")
    record = comparison_record(comparison, opened, data=data)
    shown = shown_comparison(comparison, maps, data)
    refused = write_comparison_figures(folder, asked, shown, record=record, report=report)
    write_preparation(folder, opened)
    write_record(folder / RECORD, record)
    return refused


def write_means(path: Path, comparison: Comparison) -> None:
    """Write one line per method: mean and standard deviation of every measure."""
    methods = texts("method", [method.key for method in comparison.methods])
    write_csv(path, [methods, *mean_columns(comparison)])


def write_runs(path: Path, comparison: Comparison) -> None:
    """Write one line per method and run: seed, number of items, and every measure.

    Measures of a sample have their standard error beside them.
    """
    methods = [each.key for each in comparison.methods for _ in range(comparison.n_runs)]
    write_csv(path, [texts("method", methods), *repetition_columns(comparison, "run")])


def write_wander(path: Path, comparison: Comparison, matrix: Matrix) -> None:
    """Write how far every item wanders between the runs of each method, and its labels."""
    names = [method.key for method in comparison.methods]
    columns = [texts("id", matrix.item_ids), *map(numbers, names, comparison.wander)]
    write_csv(path, labels_behind(columns, matrix.item_labels))


def shown_comparison(comparison: Comparison, maps: Sequence[TrialResult], data: Input) -> Shown:
    """Return a comparison for display: a map of every method, and its repetitions."""
    runs = tuple(
        Run(
            key=f"run-{number}",
            name=found.trial.method.name,
            result=found.result,
            matrix=found.trial.matrix,
            input=data,
            # Side by side with others, and unique.
            seconds=nan,
            measures=measures_of(found),
        )
        for number, found in enumerate(maps, start=1)
        if found.result is not None
    )
    session = Session(
        runs=runs,
        shown=runs[0].key,
        compared=tuple(run.key for run in runs),
        judged=Judged(
            results=tuple((run.result, number) for number, run in enumerate(runs)),
            comparison=comparison,
        ),
    )
    return Shown.of(runs[0], session)


def write_comparison_figures(
    folder: Path, asked: Asked, shown: Shown, *, record: Mapping[str, Any], report: Report = silent
) -> tuple[Problem, ...]:
    """Write the figures of a comparison with its record; return why some could not be drawn."""
    assert shown.judged is not None
    n_runs, n_drawn = shown.judged.comparison.items.shape
    runs = "1 run" if n_runs == 1 else f"{n_runs} runs"
    name = called(shown.matrix.source)
    items = Words.of_matrix(shown.matrix).items
    title = f"{name}: {runs} on {n_drawn} of {shown.matrix.n_items} {items}"

    def drawn(view: str) -> Drawn:
        plan = asked.plan(CompareState.for_command(asked.label), title=title, dots=view != MAPS)
        assert isinstance(plan.state, CompareState)
        page = MEASURES if view == MEASURES else MAPS
        plan = replace(plan, state=replace(plan.state, page=page))
        provenance = provenance_of(shown, plan)
        figure = {**provenance.figure, "comparison": without_places(record)}
        return figure_of(shown, plan), replace(provenance, figure=figure)

    return write_asked(folder, asked, drawn, report)


def comparison_record(comparison: Comparison, opened: Opened, *, data: Input) -> dict[str, Any]:
    """Record that reproduces the comparison."""
    n_runs, n_drawn = comparison.items.shape
    return {
        "schema": SCHEMA,
        "program": {"ximstudio": __version__},
        "methods": [
            {"method": method.key, **parameter_record(params, n_drawn)}
            for method, params in comparison.entries
        ],
        "runs": n_runs,
        "share": comparison.share,
        "items_per_run": n_drawn,
        "seed": comparison.seed,
        "label": comparison.label,
        "measures": [measure.key for measure in comparison.measures],
        "data": data_record(opened, data),
        "result_hash": digest(comparison.values, comparison.wander),
        **surroundings(*(method.key for method in comparison.methods)),
    }


def markdown(comparison: Comparison, opened: Opened) -> str:
    """Write the page: protocol, table with the best in bold, meaning of the measures."""
    words = Words.of_matrix(opened.matrix)
    parts = [
        [f"# Comparison of methods: {_plain(Path(opened.matrix.source).name)}"],
        [_protocol(comparison, opened.matrix, words)],
        _preparation(opened),
        _table(comparison),
        _notes(comparison),
        ["## Parameters"],
        [f"- {method.name}: {_changed(params)}" for method, params in comparison.entries],
        ["## Meaning of the measures"],
        list(_legend(comparison, words)),
    ]
    return "\n\n".join("\n".join(lines) for lines in parts if lines) + "\n"


def _preparation(opened: Opened) -> list[str]:
    """Describe the preparation of the table; nothing without any."""
    steps = [stage for stage in opened.prepared.stages if stage.planned.on]
    if not steps:
        return []
    table = opened.reading.table
    size = f"{table.n_items} × {table.n_features}, {table.n_missing} missing values"
    return [
        f"Prepared from the table as read ({size}):",
        *(
            f"{number}. {_plain(stage.planned.sentence)}"
            for number, stage in enumerate(steps, start=1)
        ),
    ]


def _protocol(comparison: Comparison, matrix: Matrix, words: Words) -> str:
    n_runs, n_drawn = comparison.items.shape
    blanks = f", {matrix.n_missing} missing values" if matrix.n_missing else ""
    label = "" if comparison.label is None else f" Classes: label “{_plain(comparison.label)}”."
    last = comparison.seed + n_runs - 1
    seeds = f"seed {last}" if n_runs == 1 else f"seeds {comparison.seed} to {last}"
    spread = (
        "standard deviations over the runs in brackets"
        if n_runs > 1
        else "without standard deviations, as there was one run"
    )
    return (
        f"Data: {words.size(matrix.n_items, matrix.n_features)}{blanks}.{label}\n"
        f"Every method was trained {_times(n_runs)} on {n_drawn} of the {matrix.n_items}"
        f" {words.items}"
        f" (share {comparison.share:g}), drawn at random and the same for all methods, with"
        f" {seeds}. Means, {spread}; best in bold."
    )


def _table(comparison: Comparison) -> list[str]:
    names = [method.name for method in comparison.methods]
    lines = [
        f"| Measure | better is | {' | '.join(names)} |",
        "|---|---" + "|--:" * len(names) + "|",
    ]
    for summary in comparison.summaries:
        cells = [
            f"**{summary.text(number)}**" if best else summary.text(number)
            for number, best in enumerate(summary.best)
        ]
        lines.append(
            f"| {summary.definition.title} | {summary.definition.direction} | {' | '.join(cells)} |"
        )
    return lines


def _notes(comparison: Comparison) -> list[str]:
    """Notes that the table does not show: runs without a value, and samples."""
    notes = []
    for number, measure in enumerate(comparison.measures):
        counts = (~np.isnan(comparison.values[:, :, number])).sum(axis=1)
        for method, count in zip(comparison.methods, counts.tolist(), strict=True):
            if 0 < count < comparison.n_runs:
                notes.append(
                    f"- {measure.name}, {method.name}: from {count} of {comparison.n_runs} runs;"
                    " it does not apply to the others."
                )
    for measure in comparison.measures:
        if measure.key in comparison.sampled:
            error = comparison.sampled[measure.key]
            notes.append(
                f"- {measure.name}: from a sample, standard error up to {error:.1g} per run."
            )
    return notes


def _changed(params: Params) -> str:
    """List the parameters that differ from their defaults."""
    defaults, specs = params.defaults(), params.specs()
    changed = [
        f"{name}={specs[name].show(value)}"
        for name in specs
        if (value := getattr(params, name)) != defaults[name]
    ]
    if not specs:
        return "none"
    return "defaults" + (f", except {', '.join(changed)}" if changed else "")


def _legend(comparison: Comparison, words: Words) -> Iterator[str]:
    for summary in comparison.summaries:
        entry = summary.definition
        yield f"- **{entry.title}**: {words.said(entry.meaning)} {entry.reference}."


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


def _plain(text: str) -> str:
    """Escape text for Markdown."""
    return "".join(f"\\{letter}" if letter in "\\`*_[]<>|#" else letter for letter in text)
