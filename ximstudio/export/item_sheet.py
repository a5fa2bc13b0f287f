"""All that is known about the items of a map, one row each."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ximstudio.export.sheet import Sheet, label
from ximstudio.export.wanted import ALL, Wanted, rows_of, the_matrix
from ximstudio.files.columns import Column, feature_columns, numbers, texts, wholes
from ximstudio.model.arrays import Floats, Ints
from ximstudio.model.grid import Grid
from ximstudio.model.matrix import Labels, Matrix
from ximstudio.model.named_set import SetSide
from ximstudio.model.result import PrototypeMap
from ximstudio.session import Run, Session
from ximstudio.train.run_tables import coordinates, label_columns

ABOUT_MEASURES = {
    "trust": "Whether its neighbours on the map are neighbours in the data; 1 if all of them are.",
    "continuity": "Whether its neighbours in the data are neighbours on the map; 1 if all are.",
    "quantisation_error": "How far it is from its node's prototype.",
    "topographic_error": "1 if its two best nodes are no neighbours on the map.",
    "kaski_lagus": "How far it is to its second best prototype along the map.",
    "cost": "What it adds to the cost that training lowers.",
    "attraction": "The part of the cost that draws prototypes towards it.",
    "repulsion": "The part of the cost that keeps prototypes from it.",
}
"""What every value of `export.measures.item_values` says, for an item."""


def item_sheet(session: Session, wanted: Wanted = ALL) -> Sheet:
    """id, labels, place, node, cluster, measures, wander, sets, and maybe values of every item.

    As far as they are known: without a map there are names, labels and sets.
    """
    rows = rows_of(session, wanted)
    matrix, run = the_matrix(session), session.run
    known: list[Column] = []
    if run is not None:
        known += [*place_columns(run), *node_columns(run), *cluster_columns(run)]
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
    """Labels, renamed where another column has their name."""
    for name, values in label_columns(labels, taken).items():
        yield label(name, values)


def place_columns(run: Run) -> Iterator[Column]:
    """Where the items lie on the map."""
    positions = run.result.positions
    for name, values in zip(coordinates(positions.shape[1]), positions.T, strict=True):
        yield numbers(name, values)


def node_columns(run: Run) -> Iterator[Column]:
    """The node of every item, on maps that have nodes."""
    result = run.result
    if isinstance(result.model, PrototypeMap) and result.winners is not None:
        yield from name_columns(result.model.grid, result.winners)


def name_columns(grid: Grid, nodes: Ints) -> Iterator[Column]:
    """What nodes are called in the window: number, and where they lie in rows layer, row, column.

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
    """The cluster of every item; blank for those of none."""
    if run.clustering is None:
        return
    from ximstudio.maps.clusters import items_of  # brings SciPy

    yield from cluster_names(items_of(run.clustering, run.result.winners), run.clustering.names)


def cluster_names(clusters: Ints, names: tuple[str, ...]) -> Iterator[Column]:
    """Clusters by number, from 1, and by name; blank for none."""
    known = np.where(clusters < 0, np.nan, clusters + 1.0)
    # Those of no cluster have −1, the last of the names.
    called = (*names, "")
    yield wholes("cluster", known, "Number of the cluster, from 1; blank for none.")
    yield texts("cluster_name", [called[number] for number in clusters.tolist()])


def measure_columns(run: Run) -> Iterator[Column]:
    """How far the place of every item is to be believed, once that was measured."""
    if run.evidence is None:
        return
    from ximstudio.export.measures import item_values

    for name, values in item_values(run.evidence).items():
        yield numbers(name, values, ABOUT_MEASURES[name])


def wander_columns(session: Session, run: Run) -> Iterator[Column]:
    """How far every item strays when the map is made again, as far as that was asked for."""
    about = "How far it strays when the map is made again; 0 always the same place, 1 anywhere"
    n_items = run.matrix.n_items
    if run.steadiness is not None and len(run.steadiness.wander) == n_items:
        yield numbers("wander", run.steadiness.wander, f"{about} (Stability).")
    judged = None if session.judged is None else session.judged.wander_of(run)
    if judged is not None and len(judged) == n_items:
        yield numbers("wander_repeated", judged, f"{about} (Compare, runs repeated).")


def set_columns(session: Session, matrix: Matrix) -> Iterator[Column]:
    """1 for members of each set of items, 0 for others; sets with no member here are left out."""
    for one in session.sets:
        if one.side is not SetSide.ITEMS:
            continue
        inside = one.selection.mask(matrix.item_ids)
        if inside.any():
            about = f"1 for members of the set '{one.name}'."
            yield wholes(f"in {one.name}", inside.astype(np.int64), about)


def value_columns(matrix: Matrix, rows: Ints) -> list[Column]:
    """The values of some items, a column per feature."""
    chosen = matrix.values if len(rows) == matrix.n_items and _in_order(rows) else None
    values: Floats = matrix.values[rows] if chosen is None else chosen
    return feature_columns(matrix.feature_names, values)


def _in_order(rows: Ints) -> bool:
    return bool((np.diff(rows) > 0).all())
