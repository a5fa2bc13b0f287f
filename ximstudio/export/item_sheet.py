"""The table of items: one row for each, with everything known about it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ximstudio.export.sheet import Sheet, label
from ximstudio.export.wanted import ALL, TableOptions, rows_of, the_matrix
from ximstudio.files.columns import Column, feature_columns, numbers, texts, wholes
from ximstudio.model.arrays import Ints
from ximstudio.model.grid import Grid
from ximstudio.model.matrix import Labels, Matrix
from ximstudio.model.named_set import SetSide
from ximstudio.model.result import PrototypeMap
from ximstudio.session import Run, Session
from ximstudio.train.run_tables import coordinates, label_columns

ABOUT_MEASURES = {
    "trust": "Trustworthiness; 1 if all of its neighbours on the map are true neighbours.",
    "continuity": "Continuity; 1 if all of its true neighbours are neighbours on the map.",
    "quantisation_error": "Distance from its node's prototype.",
    "topographic_error": "1 if its two best nodes are not neighbours on the map.",
    "kaski_lagus": "Distance to its second-best prototype along the map.",
    "cost": "Its contribution to the cost that training minimises.",
    "attraction": "Part of the cost that attracts prototypes to it.",
    "repulsion": "Part of the cost that repels prototypes from it.",
}
"""Explanations of the values of `export.measures.item_values`, for an item."""


def item_sheet(session: Session, wanted: TableOptions = ALL) -> Sheet:
    """Build the table: id, labels, position, node, cluster, measures, sets, optional values.

    Everything that is known: without a map these are names, labels and sets.
    """
    rows = rows_of(session, wanted)
    matrix, run = the_matrix(session), session.run
    known: list[Column] = []
    if run is not None:
        positions = run.result.positions
        known += map(numbers, coordinates(positions.shape[1]), positions.T)
        known += [*node_columns(run), *cluster_columns(run)]
        known += [*measure_columns(run), *wander_columns(session, run)]
    columns = [
        texts("id", matrix.item_ids),
        *labels_beside(matrix.item_labels, ["id", *(column.name for column in known)]),
        *known,
    ]
    columns = [column.take(rows) for column in columns]
    if wanted.with_sets:
        columns += [column.take(rows) for column in set_columns(session, matrix)]
    if wanted.with_values:
        columns += value_columns(matrix, rows)
    return Sheet(name="Items", columns=tuple(columns))


def labels_beside(labels: Labels, taken: list[str]) -> Iterator[Column]:
    """Yield labels, renamed if another column has their name."""
    for name, values in label_columns(labels, taken).items():
        yield label(name, values)


def node_columns(run: Run) -> Iterator[Column]:
    """Yield the node of every item, on maps with nodes."""
    result = run.result
    if isinstance(result.model, PrototypeMap) and result.winners is not None:
        yield from name_columns(result.model.grid, result.winners)


def name_columns(grid: Grid, nodes: Ints) -> Iterator[Column]:
    """Yield the names of nodes as in the window: number, and layer, row, column if in rows.

    All are counted from 1.
    """
    yield wholes("node", nodes + 1, "Number of the node, row by row, from 1.")
    if not grid.structure.in_rows:
        return
    rows, columns = np.divmod(nodes, grid.columns)
    if grid.depth > 1:
        layers, rows = np.divmod(rows, grid.rows)
        yield wholes("layer", layers + 1, "Layer of the node, from 1.")
    yield wholes("row", rows + 1, "Row of the node, from 1.")
    yield wholes("column", columns + 1, "Column of the node, from 1.")


def cluster_columns(run: Run) -> Iterator[Column]:
    """Yield the cluster of every item; blank for none."""
    if run.clustering is None:
        return
    from ximstudio.maps.clusters import items_of  # brings SciPy

    yield from cluster_names(items_of(run.clustering, run.result.winners), run.clustering.names)


def cluster_names(clusters: Ints, names: tuple[str, ...]) -> Iterator[Column]:
    """Yield clusters by number, from 1, and by name; blank for none."""
    known = np.where(clusters < 0, np.nan, clusters + 1.0)
    # Items without a cluster have −1, the last of the names.
    called = (*names, "")
    yield wholes("cluster", known, "Number of the cluster, from 1; blank for none.")
    yield texts("cluster_name", [called[number] for number in clusters.tolist()])


def measure_columns(run: Run) -> Iterator[Column]:
    """Yield the measures of every item, if they were computed."""
    if run.evidence is None:
        return
    from ximstudio.export.measures import item_values

    for name, values in item_values(run.evidence).items():
        yield numbers(name, values, ABOUT_MEASURES[name])


def wander_columns(session: Session, run: Run) -> Iterator[Column]:
    """Yield how far every item moves when the map is retrained, if that was computed."""
    about = "How far it moves when the map is retrained; 0 not at all, 1 anywhere"
    n_items = run.matrix.n_items
    if run.steadiness is not None and len(run.steadiness.wander) == n_items:
        yield numbers("wander", run.steadiness.wander, f"{about} (Stability).")
    judged = None if session.judged is None else session.judged.wander_of(run)
    if judged is not None and len(judged) == n_items:
        yield numbers("wander_repeated", judged, f"{about} (Compare, runs repeated).")


def set_columns(session: Session, matrix: Matrix) -> Iterator[Column]:
    """Yield 1 for members of each set of items, 0 for others; skip sets without members."""
    for one in session.sets:
        if one.side is not SetSide.ITEMS:
            continue
        inside = one.selection.mask(matrix.item_ids)
        if inside.any():
            about = f"1 for members of the set '{one.name}'."
            yield wholes(f"in {one.name}", inside.astype(np.int64), about)


def value_columns(matrix: Matrix, rows: Ints) -> list[Column]:
    """Values of some items, a column per feature."""
    whole = len(rows) == matrix.n_items and (np.diff(rows) > 0).all()
    return feature_columns(matrix.feature_names, matrix.values if whole else matrix.values[rows])
