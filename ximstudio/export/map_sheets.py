"""Tables of a map: prototypes, components, clusters, training and projected items."""

from __future__ import annotations

import numpy as np

from ximstudio.export.item_sheet import cluster_names, labels_beside, name_columns
from ximstudio.export.projection import novelty_columns
from ximstudio.export.sheet import Sheet
from ximstudio.export.wanted import the_run
from ximstudio.files.columns import Column, feature_columns, numbers, texts, wholes
from ximstudio.model.matrix import Labels
from ximstudio.model.result import LinearMap, PrototypeMap
from ximstudio.session import Session
from ximstudio.train.run_tables import component_columns, coordinates, history_columns

BETWEEN = "; "
"""Separator of the members of a cluster."""


def prototype_sheet(session: Session) -> Sheet:
    """One row per node: name, position, items, cluster, means of measures, and prototype."""
    run = the_run(session)
    model, winners = run.result.model, run.result.winners
    assert isinstance(model, PrototypeMap)
    assert winners is not None
    grid = model.grid
    hits = np.bincount(winners, minlength=grid.n_nodes)
    columns = [
        *name_columns(grid, np.arange(grid.n_nodes)),
        *map(numbers, coordinates(grid.n_axes), grid.nodes.T),
        wholes("hits", hits, "Items whose nearest prototype is this one."),
    ]
    clustering = run.clustering
    if clustering is not None and len(clustering.clusters) == grid.n_nodes:
        from ximstudio.maps.clusters import ClusteredUnit

        if clustering.over is ClusteredUnit.NODES:
            columns += cluster_names(clustering.clusters, clustering.names)
    if run.evidence is not None:
        from ximstudio.export.measures import item_values
        from ximstudio.measure.nodes import per_node

        columns += [
            numbers(f"mean_{name}", per_node(values, winners, grid.n_nodes), "Mean of its items.")
            for name, values in item_values(run.evidence).items()
        ]
    return Sheet(
        name="Prototypes",
        columns=(*columns, *feature_columns(run.result.feature_names, model.prototypes)),
    )


def component_sheet(session: Session) -> Sheet:
    """The centre and the components of a projection, with their share of the variance."""
    result = the_run(session).result
    assert isinstance(result.model, LinearMap)
    columns = component_columns(result.model, result.feature_names)
    return Sheet(name="Components", columns=tuple(columns))


def cluster_sheet(session: Session) -> Sheet:
    """One row per cluster: number, name, sizes and members; last, items without one, if any."""
    run = the_run(session)
    clustering = run.clustering
    assert clustering is not None
    from ximstudio.maps.clusters import ClusteredUnit, items_of

    of_item = items_of(clustering, run.result.winners)
    found = [*range(len(clustering)), *([-1] if (of_item < 0).any() else [])]
    members = [np.flatnonzero(of_item == cluster).tolist() for cluster in found]
    sizes = np.array([len(each) for each in members], dtype=np.int64)
    ids = run.result.item_ids
    columns = [
        *cluster_names(np.array(found, dtype=np.int64), clustering.names),
        wholes("items", sizes),
        numbers("share", sizes / len(of_item), "Share of all items."),
    ]
    if clustering.over is ClusteredUnit.NODES:
        nodes = [int((clustering.clusters == cluster).sum()) for cluster in found]
        columns.append(wholes("nodes", nodes))
    listed = [BETWEEN.join(ids[item] for item in each) for each in members]
    columns.append(texts("members", listed, f"Ids of its items, separated by '{BETWEEN}'."))
    return Sheet(name="Clusters", columns=tuple(columns))


def history_sheet(session: Session) -> Sheet:
    """History of training, one row per stretch."""
    return Sheet(name="Training", columns=tuple(history_columns(the_run(session).result.history)))


def curve_sheet(session: Session) -> Sheet:
    """Trustworthiness and continuity measured during training."""
    curves = the_run(session).curves
    sample = f"Of a sample of {curves.n_sampled} items." if curves.n_sampled else ""
    return Sheet(
        name="Live curves",
        columns=(
            wholes("step", curves.steps),
            numbers("trustworthiness", np.array(curves.trust)),
            numbers("continuity", np.array(curves.continuity)),
        ),
        note=sample,
    )


def projection_sheet(session: Session) -> Sheet:
    """Projected items by file: position, node, novelty and labels."""
    run = the_run(session)
    parts = [each.items for each in run.projected]
    files = [each.name for each in run.projected for _ in range(len(each))]
    positions = np.concatenate([part.positions for part in parts])
    columns: list[Column] = [
        texts("id", [name for part in parts for name in part.ids]),
        texts("file", files, "The file that it came from."),
        *map(numbers, coordinates(positions.shape[1]), positions.T),
    ]
    model = run.result.model
    winners = [part.winners for part in parts if part.winners is not None]
    if isinstance(model, PrototypeMap) and len(winners) == len(parts):
        columns += name_columns(model.grid, np.concatenate(winners))
    columns += novelty_columns(parts)
    labels = _joined_labels([(part.matrix.item_labels, len(part)) for part in parts])
    columns += labels_beside(labels, [column.name for column in columns])
    return Sheet(name="New items", columns=tuple(columns))


def _joined_labels(parts: list[tuple[Labels, int]]) -> Labels:
    """Concatenate labels of several tables, blank where one lacks them."""
    names = dict.fromkeys(name for labels, _ in parts for name in labels)
    return {
        name: tuple(text for labels, n in parts for text in labels.get(name, ("",) * n))
        for name in names
    }
