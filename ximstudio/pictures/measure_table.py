"""The table of measures as values, and the texts of its cells and its note."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ximstudio.model.arrays import Bools, Floats
from ximstudio.pictures.ticks import number_text
from ximstudio.session.run import Judged, Run
from ximstudio.session.words import Words

if TYPE_CHECKING:
    from ximstudio.measure.catalogue import Definition

ARROWS = {"higher": "↑", "lower": "↓", "neither": ""}
"""Direction in which a measure improves."""


@dataclass(frozen=True, kw_only=True)
class MeasureRow:
    """A row of the table: its title, the better direction, and its meaning."""

    key: str
    title: str
    arrow: str
    meaning: str
    definition: str
    reference: str


@dataclass(frozen=True, kw_only=True, eq=False)
class MeasureTable:
    """Measures by row, runs by column; NaN where a measure does not apply or is missing."""

    rows: tuple[MeasureRow, ...]
    keys: tuple[str, ...]
    names: tuple[str, ...]
    values: Floats
    errors: Floats
    best: Bools
    """The best of a row, where there are several and one can be better."""
    waiting: Bools
    """Runs that are not measured yet."""
    repeats: int = 0
    """Number of repetitions that values are means of, with deviations; 0 for one run each."""
    n_made: tuple[int, ...] = ()
    """Number of repetitions that succeeded, for every run."""


def measure_table(runs: tuple[Run, ...], words: Words | None = None) -> MeasureTable:
    """Return all measures that any of the runs has, explained in the words of their table."""
    from ximstudio.measure.catalogue import MEASURES, SECONDS, Better
    from ximstudio.measure.estimate import Estimate

    used = [one for one in MEASURES if any(one.key in run.measures for run in runs)]
    timed = used and not all(np.isnan(run.seconds) for run in runs)
    rows = (*used, SECONDS) if timed else tuple(used)
    shape = (len(rows), len(runs))
    values, errors = np.full(shape, np.nan), np.zeros(shape)
    best = np.zeros(shape, dtype=np.bool_)
    for row, measure in enumerate(rows):
        for column, run in enumerate(runs):
            estimate = (
                Estimate(run.seconds) if measure is SECONDS else run.measures.get(measure.key)
            )
            if estimate is not None:
                values[row, column], errors[row, column] = estimate.value, estimate.error
        known = np.isfinite(values[row])
        if measure.better is not Better.NEITHER and known.sum() > 1:
            sign = 1.0 if measure.better is Better.HIGHER else -1.0
            best[row] = known & (sign * values[row] == (sign * values[row])[known].max())
    return MeasureTable(
        rows=tuple(_row(measure, words or Words()) for measure in rows),
        keys=tuple(run.key for run in runs),
        names=tuple(run.name for run in runs),
        values=values,
        errors=errors,
        best=best,
        waiting=np.array([not run.measures for run in runs], dtype=np.bool_),
    )


def repeated_table(judged: Judged, runs: tuple[Run, ...], words: Words) -> MeasureTable | None:
    """Return means and deviations of runs that were repeated; None unless all were."""
    numbers = [judged.number_of(run) for run in runs]
    columns = [number for number in numbers if number is not None]
    if len(columns) < len(runs) or not runs:
        return None
    summaries = [
        replace(one, means=one.means[columns], deviations=one.deviations[columns])
        for one in judged.comparison.summaries
    ]
    return MeasureTable(
        rows=tuple(_row(one.definition, words) for one in summaries),
        keys=tuple(run.key for run in runs),
        names=tuple(run.name for run in runs),
        values=np.array([one.means for one in summaries]),
        errors=np.array([one.deviations for one in summaries]),
        best=np.array([one.best for one in summaries], dtype=np.bool_),
        waiting=np.zeros(len(runs), dtype=np.bool_),
        repeats=judged.comparison.n_runs,
        n_made=tuple(judged.comparison.n_made[number] for number in columns),
    )


def _row(measure: Definition, words: Words) -> MeasureRow:
    return MeasureRow(
        key=measure.key,
        title=measure.title,
        arrow=ARROWS[measure.better.value],
        meaning=words.said(measure.meaning),
        definition=words.said(measure.definition),
        reference=measure.reference,
    )


def value_text(table: MeasureTable, row: int, column: int) -> str:
    """Format a value, with its error where it was estimated from a sample and is visible."""
    value, error = float(table.values[row, column]), float(table.errors[row, column])
    if np.isnan(value):
        return "…" if table.waiting[column] else "–"
    text = number_text(value)
    decimals = len(text.partition(".")[2])
    if table.repeats:
        # As in the report; powers of ten have their own digits. A single run has no deviation.
        spread = number_text(error) if "·" in text else f"{error:.{decimals}f}"
        return text if np.isnan(error) else f"{text} ({spread})"
    # For powers of ten, only the tool tip shows the error.
    rounded = 0.0 if "·" in text else round(error, decimals)
    return f"{text} ± {rounded:.{decimals}f}" if rounded else text


def table_text(table: MeasureTable) -> str:
    """Explain the table: what values are, and what bold means."""
    several = len(table.names) > 1
    best = "the best value in each row is bold" if several else "arrows point to better values"
    if table.waiting.any():
        return "Not all runs are measured yet"
    if not table.repeats:
        return best.capitalize()
    said = f"Means of {table.repeats} runs on parts of the data (standard deviation)"
    fewer = [
        f"{name} {made}"
        for name, made in zip(table.names, table.n_made, strict=True)
        if made < table.repeats
    ]
    if fewer:
        said += f"; fewer succeeded for {', '.join(fewer)}"
    return f"{said}; {best}" if several else said
