"""Runs that somebody has explored: with clusters, and with new items on the map."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from tests.ui.maps_to_show import run_of, showing
from ximstudio.explore.projection import project_items
from ximstudio.maps.clusters import clustering_named, find_clusters
from ximstudio.model import Matrix
from ximstudio.model.table import Table
from ximstudio.session import Run
from ximstudio.session.projection import ProjectedFile
from ximstudio.session.shown import Shown

WILD = 40.0
"""A value that no item has."""


def clustered(key: str = "som", *, n_clusters: int = 3, way: str = "ward", **changes: Any) -> Run:
    """A run with clusters."""
    run = run_of(key, state="finished", **changes)
    chosen = clustering_named(way)
    values = {"n_clusters": n_clusters} if "n_clusters" in chosen.params.specs() else {}
    found = find_clusters(
        run.result, run.matrix, way=chosen, params=chosen.params.from_values(values)
    )
    return replace(run, clustering=found)


def new_items(matrix: Matrix) -> Matrix:
    """Three items nearly as in a table, and one that is like none."""
    values = np.array(matrix.values[[0, 35, 55, 10]])
    values = np.where(np.isnan(values), 0.0, values)
    values[3] = WILD * np.array([1.0, -1.0, 1.0, -1.0, 1.0])
    return replace(
        Matrix.from_array(values),
        item_ids=("new 1", "new 2", "new 3", "odd"),
        feature_names=matrix.feature_names,
        source="new.csv",
    )


def with_new(run: Run) -> Run:
    """A run with new items on it."""
    placed = project_items(run.result, run.matrix, Table.of(new_items(run.matrix)))
    return replace(run, projected=(ProjectedFile(name="new.csv", items=placed),))


def shown(run: Run) -> Shown:
    """What views are asked to show of it."""
    return showing(run, (run,))


def new_file(folder: Path, matrix: Matrix, *, name: str = "new.csv") -> Path:
    """A file with items as in a table, its columns in another order, one of them missing."""
    values = np.array(matrix.values[:6])
    order = list(reversed(range(matrix.n_features)))[1:]
    rows = [",".join(["gene", *(matrix.feature_names[each] for each in order)])]
    for number, row in enumerate(values):
        cells = ("" if np.isnan(row[each]) else repr(float(row[each])) for each in order)
        rows.append(",".join([f"NEW{number}W", *cells]))
    wild = WILD * (-1.0) ** np.arange(matrix.n_features)
    rows.append(",".join(["ODD1W", *(repr(float(wild[each])) for each in order)]))
    path = folder / name
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path
