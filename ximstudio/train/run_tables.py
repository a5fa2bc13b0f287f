"""Write a result as CSV tables, which `load.run` reads."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import fields
from math import isnan
from pathlib import Path

import numpy as np

from ximstudio.files.csv_table import write_table
from ximstudio.load.run import PROTOTYPE_DIGITS
from ximstudio.model.arrays import Floats
from ximstudio.model.grid import Grid
from ximstudio.model.matrix import Labels, Matrix
from ximstudio.model.relational import RelationalMap
from ximstudio.model.result import ItemMap, LinearMap, PrototypeMap, Result, TrainingHistory


def blanked(values: Iterable[float]) -> list[object]:
    """Numbers, and nothing where there is none."""
    return ["" if isnan(value) else value for value in values]


def label_columns(labels: Labels, taken: Container[str]) -> dict[str, Sequence[str]]:
    """Labels by the names of their columns, so that none is that of another column."""
    return {name if name not in taken else f"label_{name}": texts for name, texts in labels.items()}


def write_positions(path: Path, result: Result, matrix: Matrix) -> None:
    """id, x, y, and for maps the winner's number, row and column, then the labels of the items."""
    winners, model = result.winners, result.model
    header = ["id", *coordinates(result.positions.shape[1])]
    columns: list[Sequence[object]] = [result.item_ids, *result.positions.T.tolist()]
    if winners is not None and isinstance(model, PrototypeMap):
        header += ["winner", "winner_row", "winner_column"]
        rows, numbers = np.divmod(winners, model.grid.columns)
        columns += [winners.tolist(), rows.tolist(), numbers.tolist()]
    labels = label_columns(matrix.item_labels, header)
    header, columns = [*header, *labels], [*columns, *labels.values()]
    write_table(path, header, zip(*columns, strict=True))


def write_model(folder: Path, result: Result) -> Path | None:
    """prototypes.csv (node, row, column, x, y, maybe z, features), or a projection's components.

    Prototypes that are mixtures of items have their coefficients beside them in coefficients.csv.
    Where items have positions of their own there is nothing more to write, and no file.
    """
    model = result.model
    features = result.feature_names
    if isinstance(model, ItemMap):
        return None
    if isinstance(model, LinearMap):
        path = folder / "components.csv"
        parts: list[tuple[str, object, Floats]] = [("centre", "", model.centre)]
        for number, (share, axis) in enumerate(zip(model.explained, model.components, strict=True)):
            parts.append((f"component {number + 1}", float(share), axis))
        write_table(
            path,
            ["part", "explained", *features],
            ([name, share, *axis.tolist()] for name, share, axis in parts),
        )
        return path
    path = folder / "prototypes.csv"
    header = ["node", "row", "column", *coordinates(model.grid.n_axes), *features]
    write_table(path, header, _node_rows(model.grid, model.prototypes))
    if isinstance(model, RelationalMap):
        rows = _node_rows(model.grid, model.coefficients)
        write_table(folder / "coefficients.csv", header, rows)
    return path


def _node_rows(grid: Grid, values: Floats) -> Iterable[list[object]]:
    for node, (place, of_node) in enumerate(zip(grid.nodes, values, strict=True)):
        row, column = divmod(node, grid.columns)
        numbers = (f"{value:.{PROTOTYPE_DIGITS}g}" for value in of_node)
        yield [node, row, column, *place.tolist(), *numbers]


def write_history(path: Path, history: TrainingHistory) -> None:
    """How training went: one line per stretch of it."""
    names = [field.name for field in fields(history)]
    columns = [getattr(history, name).tolist() for name in names]
    write_table(path, names, zip(*map(blanked, columns), strict=True))


def coordinates(n: int) -> list[str]:
    """What the columns of so many coordinates are called."""
    return list("xyz"[:n]) if n <= 3 else [f"x{number}" for number in range(1, n + 1)]
