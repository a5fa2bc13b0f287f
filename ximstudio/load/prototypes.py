"""prototypes.csv of an earlier run → a start for the next."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ximstudio.load.text import read_text_table
from ximstudio.model.arrays import Floats
from ximstudio.model.grid import Grid
from ximstudio.model.problem import UserError

PLACES = ["node", "row", "column", "x", "y"]
"""The first columns of prototypes.csv; features, which may have any name, follow."""


def load_prototypes(path: Path, feature_names: Sequence[str], grid: Grid) -> Floats:
    """Prototypes (M, D) in the order of the grid's nodes, features in the order given."""
    table = read_text_table(path, str(path))
    features = {name: number for number, name in enumerate(table.header[len(PLACES) :])}
    cells = list(csv.reader(io.StringIO(table.text), delimiter=table.delimiter))[1:]
    try:
        if list(table.header[: len(PLACES)]) != PLACES or not cells:
            raise ValueError("no prototypes")
        numbers = np.array(cells, dtype=np.float64)
        order = np.argsort(numbers[:, 0])
        rows, columns = (int(numbers[:, place].max()) + 1 for place in (1, 2))
        complete = np.array_equal(numbers[order, 0], np.arange(rows * columns))
    except ValueError:
        complete = False
    if not complete:
        raise UserError(
            key="load.not_prototypes",
            what="This is not the table of prototypes of a run.",
            where=str(path),
            way_out="Give prototypes.csv from the folder of an earlier run.",
        )
    if (rows, columns) != (grid.rows, grid.columns):
        raise UserError(
            key="load.start_shape",
            what=f"The start has {rows}×{columns} nodes, the map {grid.rows}×{grid.columns}.",
            where=str(path),
            way_out=f"Add --set shape={rows}x{columns}.",
        )
    absent = [name for name in feature_names if name not in features]
    if absent:
        raise UserError(
            key="load.start_features",
            what=f"{len(absent)} feature(s) of the data are not in the start prototypes.",
            where=f"{path}: {', '.join(absent[:5])}",
            way_out="Start from prototypes.csv of a run on data with the same features.",
        )
    return numbers[order][:, [len(PLACES) + features[name] for name in feature_names]]
