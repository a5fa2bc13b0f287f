"""Map quality: measures, curves, and the least trustworthy items."""

from __future__ import annotations

import numpy as np

from ximstudio.export.measures import item_values
from ximstudio.model.words import counted
from ximstudio.pictures.measure_table import (
    MeasureTable,
    measure_table,
    repeated_table,
    table_text,
    value_text,
)
from ximstudio.pictures.ticks import number_text
from ximstudio.report.context import ReportContext, absent
from ximstudio.report.html import Content, Html, bullets, folded, joined, paragraph, table, tag
from ximstudio.report.sections.maps import WIDE_MM
from ximstudio.session.run import Run
from ximstudio.views.compare.state import STABILITY, CompareState
from ximstudio.views.quality.state import QualityState

MOST_COLUMNS = 5
"""Most runs side by side in a table of measures; others follow below."""
MOST_RUNS = 60
WORST = 5
"""Number of least trustworthy items that are named."""
SECONDS = "seconds"
"""Key of the row with the time that training took."""


def write_quality(context: ReportContext) -> Html:
    """Write measures of all runs, T and C over k, the worst items of drawn runs, and stability."""
    session = context.session
    measured = [run for run in session.runs if run.measures]
    if not measured:
        return absent("The maps were not measured.")
    parts: list[Content] = []
    tables = []
    for alike in _alike(measured[:MOST_RUNS]):
        tables.append(measure_table(alike, context.words))
        parts.append(_measures(tables[-1]))
    if len(measured) > MOST_RUNS:
        parts.append(paragraph(f"{counted(len(measured) - MOST_RUNS, 'run')} more are not listed."))
    if len(tables) > 1:
        parts.append(
            paragraph(
                "Runs of other data, of the same data prepared differently, or with another"
                " distance have separate tables, because their measures are not comparable."
            )
        )
    parts.append(_meanings(tables))
    parts += [_repeated(context), _curves(context), _worst(context), _stability(context)]
    return joined(parts)


def _alike(runs: list[Run]) -> list[tuple[Run, ...]]:
    """Group runs whose measures are comparable."""
    groups: list[list[Run]] = []
    for run in runs:
        group = next((each for each in groups if each[0].is_comparable(run)), [])
        if not group:
            groups.append(group)
        group.append(run)
    return [tuple(group) for group in groups]


def _measures(made: MeasureTable) -> Html:
    """Return tables of measures by row and runs by column, the best in bold."""
    rows = [
        (number_, row)
        for number_, row in enumerate(made.rows)
        # Run folders do not record the training time.
        if row.key != SECONDS or made.values[number_].any()
    ]
    parts = []
    for begin in range(0, len(made.names), MOST_COLUMNS):
        columns = range(begin, min(begin + MOST_COLUMNS, len(made.names)))
        lines = []
        for place, row in rows:
            title = f"{row.title} {row.arrow}" if row.arrow else row.title
            cells = [_value(made, place, column) for column in columns]
            lines.append([title, *cells])
        heads = ["Measure", *(made.names[column] for column in columns)]
        parts.append(
            table(heads, lines, numbers=range(1, len(heads)), caption=f"{table_text(made)}.")
        )
    return joined(parts)


def _value(made: MeasureTable, row: int, column: int) -> Content:
    text = value_text(made, row, column)
    return tag("b", text) if made.best[row, column] else text


def _meanings(tables: list[MeasureTable]) -> Html:
    rows = {row.key: row for made in tables for row in made.rows}
    entries = [joined([tag("b", row.title), f": {row.meaning}"]) for row in rows.values()]
    return folded(
        "Meaning of the measures (↑ higher is better, ↓ lower is better)", bullets(entries)
    )


def _repeated(context: ReportContext) -> Html:
    """Return means over repetitions, where compared runs were repeated."""
    session = context.session
    if session.judged is None:
        return Html()
    runs = tuple(run for run in session.runs if session.judged.number_of(run) is not None)
    made = repeated_table(session.judged, runs, context.words)
    if made is None:
        return Html()
    return joined([tag("h3", "Repeated runs"), _measures(made)])


def _curves(context: ReportContext) -> Html:
    run = next((run for run in context.drawn if run.evidence is not None), None)
    if run is None:
        return absent("Curves over the neighbourhood size were not computed.")
    legend = (
        "(a) Trustworthiness T(k) and (b) continuity C(k) as functions of the number of neighbours"
        " k, for all comparable runs; (c) Shepard diagram: distances on the map against distances"
        " in the data, with the monotonic fit; (d) co-ranking matrix: ranks of neighbours on the"
        " map against ranks in the data."
    )
    return joined(
        [
            tag("h3", "Preservation of neighbourhoods"),
            context.figure(run, QualityState(), width_mm=WIDE_MM, legend=legend),
        ]
    )


def _worst(context: ReportContext) -> Html:
    """Write the items with the least trustworthy neighbours on the map, run by run."""
    parts: list[Content] = []
    for run in context.drawn:
        if run.evidence is None:
            continue
        values = item_values(run.evidence)
        trust, continuity = values["trust"], values["continuity"]
        known = np.flatnonzero(np.isfinite(trust))
        worst = known[np.argsort(trust[known], kind="stable")][:WORST]
        rows = [
            [
                run.matrix.item_ids[item],
                number_text(float(trust[item])),
                number_text(float(continuity[item])),
            ]
            for item in worst.tolist()
        ]
        heads = [context.words.item.capitalize(), "Trustworthiness", "Continuity"]
        parts.append(table(heads, rows, numbers=(1, 2), caption=run.name))
    if not parts:
        return Html()
    items = context.words.items
    about = (
        f"The {WORST} {items} of each map with the lowest trustworthiness: some of their neighbours"
        f" on the map are not neighbours in the data. The best value is 1."
    )
    return joined(
        [
            tag("h3", f"Least trustworthy {items}"),
            paragraph(about),
            tag("div", *parts, class_="side-by-side"),
        ]
    )


def _stability(context: ReportContext) -> Html:
    """Write the stability of the drawn runs that were tested."""
    parts: list[Content] = []
    for run in context.drawn:
        if run.stability is None:
            continue
        wander = run.stability.wander
        known = np.flatnonzero(np.isfinite(wander))
        far = known[np.argsort(-wander[known], kind="stable")][:WORST]
        named = ", ".join(
            f"{run.matrix.item_ids[n]} ({number_text(float(wander[n]))})" for n in far
        )
        mean = number_text(float(wander[known].mean())) if len(known) else "–"
        about = (
            f"{run.name} was retrained {counted(run.stability.n_made, 'time')}. Mean wander of the"
            f" items: {mean} (0: always the same position, 1: any position). Largest: {named}."
        )
        state = CompareState(page=STABILITY)
        parts += [
            paragraph(context.words.said(about)),
            context.figure(run, state, width_mm=WIDE_MM),
        ]
    return joined([tag("h3", "Stability"), *parts]) if parts else Html()
