"""Clusters, the selection and saved sets: their members, and what distinguishes them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ximstudio.explore.statistics import NO_P_VALUES, enrichment_of, statistics_of
from ximstudio.export.item_sheet import item_sheet
from ximstudio.export.sheet import Sheet
from ximstudio.export.wanted import TableOptions
from ximstudio.files.columns import Cell, ColumnKind
from ximstudio.model.matrix import Matrix
from ximstudio.model.named_set import NamedSet, SetSide
from ximstudio.model.selection import Selection
from ximstudio.model.words import counted, grouped, number
from ximstudio.pictures.ticks import number_text
from ximstudio.report.context import ReportContext, absent
from ximstudio.report.html import Content, Html, first_of, folded, joined, paragraph, table, tag
from ximstudio.session.run import Run
from ximstudio.views.positions.picture import CLUSTERS
from ximstudio.views.positions.state import PositionsState

MOST_ROWS = 200
"""Most members that are listed with all their data."""
MOST_COLUMNS = 10
"""Most columns of that list."""
MOST_LETTERS = 60
"""Most letters of a text in a cell; annotations may be long."""
MOST_SETS, MOST_NAMED = 20, 500
"""Most sets that are described, and most that are named."""
MOST_FIGURES, WIDTH_MM = 4, 85.0
"""Most sets that are marked on the displayed map."""
MOST_FEATURES, MOST_TEXTS = 8, 8
"""Most features and labels that are listed as distinctive."""
MOST_CLUSTERS, MOST_MEMBERS = 60, 1000
"""Most clusters and members that are printed per run; the rest is counted."""
CLUSTERS_MM = 114.0


def write_clusters(context: ReportContext) -> Html:
    """Write the clusters of the drawn runs: method, sizes, and members."""
    parts = [_clusters(run, context) for run in context.drawn if run.clustering is not None]
    return joined(parts) if parts else absent("No clusters were computed.")


def _clusters(run: Run, context: ReportContext) -> Html:
    from ximstudio.maps.clusters import as_sets, clustering_named

    clustering = run.clustering
    assert clustering is not None
    sets = as_sets(clustering, run.matrix.item_ids, run.result.winners)
    way = clustering_named(clustering.method)
    params = clustering.params
    settings = ", ".join(
        f"{spec.label.lower()} {spec.show(getattr(params, name))}"
        for name, spec in params.specs().items()
    )
    inside, n_items = sum(map(len, sets)), run.matrix.n_items
    whom = f"{counted(inside, 'item')} of {grouped(n_items)}"
    if inside == n_items:
        whom = f"all {counted(n_items, 'item')}"
    about = f"{counted(len(sets), 'cluster')} by {way.name}"
    about += f" ({settings}), containing {whom}." if settings else f", containing {whom}."
    rows = [
        [one.name, grouped(len(one)), f"{100.0 * len(one) / n_items:.1f}\u202f%"]
        for one in sets[:MOST_CLUSTERS]
    ]
    heads = ["Cluster", context.words.items.capitalize(), "Share"]
    more = len(sets) - MOST_CLUSTERS
    parts: list[Content] = [
        tag("h3", run.name),
        paragraph(context.words.said(about)),
        context.figure(run, PositionsState(by=CLUSTERS), width_mm=CLUSTERS_MM),
        table(heads, rows, numbers=(1, 2)),
        paragraph(f"{counted(more, 'cluster')} more are not listed.") if more > 0 else None,
        *(members(one, context) for one in sets[:MOST_CLUSTERS]),
    ]
    return joined(parts)


def members(one: NamedSet, context: ReportContext) -> Html:
    """List the members of a set, folded."""
    word = context.words.item if one.side == "items" else context.words.feature
    listed = paragraph(first_of(one.members, MOST_MEMBERS), kind="members")
    return folded(f"{one.name}: {counted(len(one), word)}", listed)


def write_selections(context: ReportContext) -> Html:
    """Write the selection and the sets, each with annotations and distinctive features."""
    session = context.session
    parts: list[Content] = []
    if session.selection.ids:
        name = NamedSet.of("Selection", sorted(session.selection.ids))
        parts.append(_set(name, context, drawn=True))
    parts += [
        _set(one, context, drawn=place < MOST_FIGURES)
        for place, one in enumerate(session.sets[:MOST_SETS])
    ]
    more = session.sets[MOST_SETS:]
    if more:
        named = [f"{one.name} ({grouped(len(one))})" for one in more]
        parts.append(
            folded(f"{counted(len(more), 'further set')}", first_of(named, MOST_NAMED, "set"))
        )
    return joined(parts) if parts else absent("Nothing was selected, and no sets were saved.")


def _set(one: NamedSet, context: ReportContext, *, drawn: bool) -> Html:
    matrix, run = context.matrix, context.session.run
    parts: list[Content] = [tag("h3", one.name)]
    if one.note:
        parts.append(paragraph(context.said(one.note), kind="note"))
    if matrix is None or one.side is not SetSide.ITEMS:
        return joined([*parts, members(one, context)])
    here = np.flatnonzero(one.selection.mask(matrix.item_ids))
    missing = len(one) - len(here)
    said = f"{counted(len(here), context.words.item)} of {grouped(matrix.n_items)}"
    if missing:
        said += f"; {grouped(missing)} more are not in the table"
    parts.append(paragraph(f"{said}."))
    if len(here) and drawn and run is not None:
        figure = context.figure(run, PositionsState(), width_mm=WIDTH_MM, marked=one.selection)
        figure = tag("div", figure, class_="side-by-side")
        parts = [tag("div", *parts, figure, class_="together")]
    if len(here):
        parts.append(_listed(one.selection, context))
    if 0 < len(here) < matrix.n_items:
        parts += [_features(matrix, one.selection, context), _labels(matrix, one.selection)]
    return joined(parts)


def _listed(selection: Selection, context: ReportContext) -> Html:
    """List the members as in the table of items."""
    session = replace(context.session, selection=selection)
    sheet = item_sheet(session, TableOptions(only_selected=True, with_sets=False))
    n_rows, n_columns = min(sheet.n_rows, MOST_ROWS), min(len(sheet.columns), MOST_COLUMNS)
    shown = replace(sheet, columns=sheet.columns[:n_columns]).take(np.arange(n_rows))
    left = []
    if sheet.n_rows > n_rows:
        left.append(f"{grouped(sheet.n_rows - n_rows)} more are not listed")
    if len(sheet.columns) > n_columns:
        names = ", ".join(sheet.names[n_columns:])
        left.append(f"left out are the columns {names}")
    note = f"Listed: the first {grouped(n_rows)}; {'; '.join(left)}." if left else ""
    return folded(
        f"The {counted(n_rows, context.words.item)} with all their data",
        _table(shown),
        paragraph(note, kind="note") if note else None,
    )


def _table(sheet: Sheet) -> Html:
    rows = zip(*([_cell(cell) for cell in column.cells()] for column in sheet.columns), strict=True)
    right = [
        place for place, column in enumerate(sheet.columns) if column.kind is not ColumnKind.TEXT
    ]
    return table(sheet.names, list(rows), numbers=right)


def _cell(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, str):
        return cell if len(cell) <= MOST_LETTERS else f"{cell[: MOST_LETTERS - 1]}…"
    return number(float(cell), 4)


def _features(matrix: Matrix, selection: Selection, context: ReportContext) -> Html:
    found = statistics_of(matrix, selection)
    rows = [
        [
            matrix.feature_names[place],
            number_text(float(found.rest[place] + found.differences[place])),
            number_text(float(found.rest[place])),
            number_text(float(found.standardised[place])),
        ]
        for place in found.features[:MOST_FEATURES].tolist()
    ]
    if not rows:
        return Html()
    word = context.words.feature
    heads = [word.capitalize(), "Mean here", "Mean of the rest", "Standardised difference"]
    caption = f"The {context.words.features} that differ most from the rest"
    made = table(heads, rows, numbers=(1, 2, 3), caption=caption)
    return joined([made, paragraph(NO_P_VALUES, kind="note")])


def _labels(matrix: Matrix, selection: Selection) -> Html:
    found = enrichment_of(matrix, selection)[:MOST_TEXTS]
    if not found:
        return Html()
    rows = [
        [
            f"{each.label}: {each.text}",
            grouped(each.here),
            grouped(each.everywhere),
            number(each.expected),
            number(each.q, 2),
        ]
        for each in found
    ]
    heads = ["Label", "Here", "In the table", "Expected", "q"]
    caption = (
        "Enriched labels, the most significant first (q: hypergeometric test, Benjamini–Hochberg)"
    )
    return table(heads, rows, numbers=(1, 2, 3, 4), caption=caption)
