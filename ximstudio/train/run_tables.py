"""CSV files of a run folder: positions, model and training history."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import fields
from pathlib import Path

import numpy as np

from ximstudio.files.columns import Column, feature_columns, numbers, texts, wholes
from ximstudio.files.csv_table import write_csv
from ximstudio.load.run import PROTOTYPE_DIGITS
from ximstudio.model.arrays import Floats, Ints
from ximstudio.model.grid import Grid
from ximstudio.model.matrix import Labels, Matrix
from ximstudio.model.relational import RelationalMap
from ximstudio.model.result import (
    ItemMap,
    LinearMap,
    Model,
    PrototypeMap,
    Result,
    TrainingHistory,
)


def label_columns(labels: Labels, taken: Container[str]) -> dict[str, Sequence[str]]:
    """Return labels by column name, renamed where another column has their name."""
    return {name if name not in taken else f"label_{name}": texts for name, texts in labels.items()}


def labels_behind(columns: Sequence[Column], labels: Labels) -> list[Column]:
    """Return the columns with labels, as they were read, behind them."""
    taken = {column.name for column in columns}
    return [*columns, *(texts(*each) for each in label_columns(labels, taken).items())]


def position_columns(
    ids: Sequence[str], positions: Floats, winners: Ints | None, model: Model
) -> list[Column]:
    """Return id, x, y, and for maps with nodes number, row and column of the winner, from 0."""
    columns = [texts("id", ids), *map(numbers, coordinates(positions.shape[1]), positions.T)]
    if winners is not None and isinstance(model, PrototypeMap):
        rows, places = np.divmod(winners, model.grid.columns)
        columns += [
            wholes("winner", winners),
            wholes("winner_row", rows),
            wholes("winner_column", places),
        ]
    return columns


def write_positions(path: Path, result: Result, matrix: Matrix) -> None:
    """Write the positions, winners and labels of the items."""
    columns = position_columns(result.item_ids, result.positions, result.winners, result.model)
    write_csv(path, labels_behind(columns, matrix.item_labels))


def write_model(folder: Path, result: Result) -> Path | None:
    """Write prototypes.csv (node, row, column, x, y, features), or components.csv of a projection.

    Prototypes that are mixtures of items have their coefficients beside them in coefficients.csv.
    For a map without a model there is no file.
    """
    model, features = result.model, result.feature_names
    if isinstance(model, ItemMap):
        return None
    if isinstance(model, LinearMap):
        path = folder / "components.csv"
        write_csv(path, component_columns(model, features))
        return path
    path = folder / "prototypes.csv"
    grid = model.grid
    places = [*number_columns(grid), *map(numbers, coordinates(grid.n_axes), grid.nodes.T)]
    write_csv(path, [*places, *feature_columns(features, model.prototypes, PROTOTYPE_DIGITS)])
    if isinstance(model, RelationalMap):
        values = feature_columns(features, model.coefficients, PROTOTYPE_DIGITS)
        write_csv(folder / "coefficients.csv", [*places, *values])
    return path


def number_columns(grid: Grid) -> list[Column]:
    """Return number, row and column of every node, all from 0."""
    nodes = np.arange(grid.n_nodes)
    return [*map(wholes, ("node", "row", "column"), (nodes, *np.divmod(nodes, grid.columns)))]


def component_columns(model: LinearMap, features: Sequence[str]) -> list[Column]:
    """Return centre and components of a projection, one row each."""
    names = [f"component {number}" for number in range(1, len(model.components) + 1)]
    shares = np.array([np.nan, *model.explained.tolist()])
    return [
        texts("part", ["centre", *names]),
        numbers("explained", shares, "Share of the variance along the component."),
        *feature_columns(features, np.vstack([model.centre, model.components])),
    ]


def history_columns(history: TrainingHistory) -> list[Column]:
    """Return the course of training: one row per recorded step."""
    step, *others = (field.name for field in fields(history))
    found = (numbers(name, getattr(history, name)) for name in others)
    return [wholes(step, getattr(history, step)), *found]


def write_history(path: Path, history: TrainingHistory) -> None:
    """Write the course of training."""
    write_csv(path, history_columns(history))


def coordinates(n: int) -> list[str]:
    """Return the names of `n` coordinates."""
    return list("xyz"[:n]) if n <= 3 else [f"x{number}" for number in range(1, n + 1)]
