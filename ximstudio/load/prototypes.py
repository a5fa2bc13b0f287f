"""Read prototypes.csv of an earlier run as initial prototypes for the next."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ximstudio.load.reading import Choices, silent
from ximstudio.load.source import Source
from ximstudio.load.text.delimited import FORMAT
from ximstudio.model.arrays import Floats, Ints
from ximstudio.model.grid import Grid
from ximstudio.model.problem import UserError
from ximstudio.model.table import Table
from ximstudio.model.words import counted

PLACES = ["node", "row", "column"]
"""The first columns of prototypes.csv; x, y and maybe z follow, then features of any name."""
AXES = ["x", "y", "z"]


def axes_of(grid: Grid) -> list[str]:
    """Return the names of the coordinates of its nodes."""
    return AXES[: grid.n_axes]


def load_prototypes(path: Path, feature_names: Sequence[str], grid: Grid) -> Floats:
    """Read prototypes (M, D) in the order of the grid's nodes, features in the order given."""
    table, order = _table(path, [*PLACES, *axes_of(grid)])
    rows, columns = (
        1 + max(int(text) for text in table.items.labels[side]) for side in ("row", "column")
    )
    if (rows, columns) != (grid.n_nodes // grid.columns, grid.columns):
        raise UserError(
            key="load.start_shape",
            what=f"The start has {rows}×{columns} nodes, the map"
            f" {grid.n_nodes // grid.columns}×{grid.columns}.",
            where=str(path),
            way_out=f"Set the map size to {rows}x{columns}.",
            fields=("shape",),
        )
    features = {name: number for number, name in enumerate(table.features.names)}
    absent = [name for name in feature_names if name not in features]
    if absent:
        raise UserError(
            key="load.start_features",
            what=f"{counted(len(absent), 'feature of the data is', 'features of the data are')}"
            " not in the start prototypes.",
            where=f"{path}: {', '.join(absent[:5])}",
            way_out="Start from prototypes.csv of a run on data with the same features.",
        )
    return np.asarray(table.dense[order][:, [features[name] for name in feature_names]])


def _table(path: Path, places: Sequence[str]) -> tuple[Table, Ints]:
    """Return the table of prototypes, and the order of its rows by node."""
    source = Source.at(path)
    # By position: features may have the same names.
    labels = tuple(f"column {number}" for number in range(2, len(places) + 1))
    choices = Choices(id="column 1", labels=labels, header_rows=1, skip=0, comment="", decimal=".")
    try:
        table = FORMAT.read(source, choices, silent).table
        nodes = np.array([int(name) for name in table.items.names])
        rows, columns = (
            np.array([int(text) for text in table.items.labels[side]]) for side in ("row", "column")
        )
    except (KeyError, ValueError):
        # UserError too: whatever is wrong with it as a table, it is not the one that was asked for.
        raise _no_prototypes(path) from None
    order = np.argsort(nodes)
    complete = np.array_equal(nodes[order], np.arange(len(nodes)))
    if not complete or not np.array_equal(nodes, rows * (columns.max() + 1) + columns):
        raise _no_prototypes(path)
    if not np.isfinite(table.dense).all():
        raise _no_prototypes(path)
    return table, order


def _no_prototypes(path: Path) -> UserError:
    return UserError(
        key="load.not_prototypes",
        what="This is not the table of prototypes of a run.",
        where=str(path),
        way_out="Give prototypes.csv from the folder of an earlier run.",
    )
