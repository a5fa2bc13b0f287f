"""Tables of items: all that is known of each; the selection, its differences and labels; sets."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ximstudio.explore.profiles import pieces, summed
from ximstudio.export.sheet import Sheet, label
from ximstudio.export.wanted import ALL, TableOptions, rows_of, the_matrix
from ximstudio.files.columns import Column, chances, feature_columns, numbers, texts, wholes
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
    if run.stability is not None and len(run.stability.wander) == n_items:
        yield numbers("wander", run.stability.wander, f"{about} (Stability).")
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


def summary_sheet(session: Session) -> Sheet:
    """The selection in a few numbers, as in the panel."""
    from ximstudio.explore.statistics import statistics_of

    found = statistics_of(the_matrix(session), session.selection)
    summary = {
        "items": found.n_items,
        "items_in_table": found.n_all,
        "mean": found.mean,
        "sd": found.sd,
        "median": found.median,
        "values": found.n_values,
        "blank_values": found.n_blank,
    }
    return Sheet(
        name="Selection",
        columns=(
            texts("what", list(summary)),
            numbers("value", np.array(list(summary.values()), dtype=np.float64)),
        ),
    )


def difference_sheet(session: Session) -> Sheet:
    """One row per feature: how the selection differs from the rest, most distinctive first."""
    matrix, rows = the_matrix(session), rows_of(session, TableOptions(only_selected=True))
    from ximstudio.explore.statistics import NO_P_VALUES, statistics_of

    found = statistics_of(matrix, session.selection)
    parts = (matrix.values[some] for some in pieces(rows, matrix.n_features))
    n_known, means, _ = summed(parts, matrix.n_features)
    # Features that cannot be compared come last, in the order of the table.
    others = np.setdiff1d(np.arange(matrix.n_features), found.features)
    order = np.concatenate([found.features, others]).astype(np.int64)
    columns = [
        texts("feature", matrix.feature_names),
        wholes("known", n_known, "Selected items with a value."),
        numbers("mean", means, "Mean of the selection."),
        numbers("mean_of_rest", found.rest, "Mean of all others."),
        numbers("difference", found.differences, "Mean of the selection minus that of the rest."),
        numbers(
            "standardised",
            found.standardised,
            "The difference over the standard deviation within both (Cohen's d).",
        ),
    ]
    columns += labels_beside(matrix.feature_labels, [column.name for column in columns])
    sheet = Sheet(name="Features of the selection", columns=tuple(columns), note=NO_P_VALUES)
    return sheet.take(order)


def enrichment_sheet(session: Session) -> Sheet:
    """Texts of labels in the selection, most significant first."""
    from ximstudio.explore.statistics import enrichment_of

    found = enrichment_of(the_matrix(session), session.selection)
    return Sheet(
        name="Labels of the selection",
        columns=(
            texts("label", [each.label for each in found]),
            texts("text", [each.text for each in found]),
            wholes("chosen", [each.here for each in found], "Selected items with the text."),
            wholes("in_table", [each.everywhere for each in found], "All items with the text."),
            numbers(
                "expected",
                np.array([each.expected for each in found]),
                "Expected number in a random selection of this size.",
            ),
            chances(
                "p",
                np.array([each.p for each in found]),
                "Probability of at least as many (hypergeometric).",
            ),
            chances("q", np.array([each.q for each in found]), "p after Benjamini and Hochberg."),
        ),
    )


def set_sheet(session: Session) -> Sheet:
    """One row per member of every set; for gene-set programs, use GMT instead."""
    matrix = session.matrix
    here = {
        SetSide.ITEMS: set() if matrix is None else set(matrix.item_ids),
        SetSide.FEATURES: set() if matrix is None else set(matrix.feature_names),
    }
    members = [(one, member) for one in session.sets for member in one.members]
    return Sheet(
        name="Sets",
        columns=(
            texts("set", [one.name for one, _ in members]),
            texts("member", [member for _, member in members]),
            texts("of", [one.side.value for one, _ in members], "Items or features."),
            wholes(
                "in_table",
                (int(member in here[one.side]) for one, member in members),
                "1 if the table has it.",
            ),
            texts("note", [one.note for one, _ in members]),
        ),
    )
