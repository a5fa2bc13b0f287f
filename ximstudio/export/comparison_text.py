"""A comparison of methods as a page of Markdown, for reading and pasting."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from ximstudio.measure.comparison import Comparison
from ximstudio.model.matrix import Matrix
from ximstudio.model.params import Params
from ximstudio.prepare.input import Opened
from ximstudio.session.words import Words


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
