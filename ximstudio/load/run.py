"""Read the files of a finished run, and its prototypes to start the next from."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ximstudio.files.bounded import open_regular, parse_json, read_bounded
from ximstudio.files.leftovers import clear_leftovers
from ximstudio.load.reading import Choices, silent
from ximstudio.load.source import Source
from ximstudio.model.arrays import Floats, Ints, frozen
from ximstudio.model.grid import Grid
from ximstudio.model.problem import UserError, because
from ximstudio.model.relational import RelationalMap
from ximstudio.model.result import LinearMap, PrototypeMap, TrainingHistory
from ximstudio.model.words import counted

RECORD = "run.json"
POSITIONS = "positions.csv"
PROTOTYPES = "prototypes.csv"
COEFFICIENTS = "coefficients.csv"
COMPONENTS = "components.csv"
HISTORY = "history.csv"
LATER_COLUMNS = ("stalled",)
"""Columns of the history that earlier versions did not write."""

MOST_BYTES = 256 * 1024 * 1024
"""Size above which a file cannot be part of a run."""

NEWEST_SCHEMA = 2
"""Newest schema of the record that is supported."""

PROTOTYPE_DIGITS = 9
"""Digits of prototypes: the precision of float32."""

PLACES = ["node", "row", "column"]
"""The first columns of prototypes.csv; x, y and maybe z follow, then features of any name."""
AXES = ["x", "y", "z"]

WON = ["winner", "winner_row", "winner_column"]
"""Columns of positions.csv that follow id and coordinates of items on maps with nodes."""


class Positions(NamedTuple):
    """positions.csv: which item lies where, and which node won it."""

    item_ids: tuple[str, ...]
    positions: Floats
    winners: Ints | None


class _Table(NamedTuple):
    """A table written by this program, as texts."""

    path: Path
    header: list[str]
    rows: list[list[str]]

    def numbers(self, columns: slice) -> Floats:
        """Return some columns as finite numbers."""
        n_columns = len(self.header[columns])
        cells = [row[columns] for row in self.rows]
        try:
            numbers = np.array(cells, dtype=np.float64).reshape(len(cells), n_columns)
        except ValueError:
            raise self.damaged("it holds texts where there were numbers") from None
        if not np.isfinite(numbers).all():
            raise self.damaged("it holds numbers that are not finite")
        return numbers

    def whole_numbers(self, columns: slice) -> Ints:
        numbers = self.numbers(columns)
        if not (numbers == np.floor(numbers)).all():
            raise self.damaged("it holds fractions where there were whole numbers")
        return numbers.astype(np.int64)

    def damaged(self, why: str | UserError) -> UserError:
        return damaged(self.path, why)


def damaged(path: Path, why: str | UserError) -> UserError:
    """Return the error for a file of a run that was changed or damaged."""
    return UserError(
        key="run.damaged",
        what=because("This file was changed after the run had written it", why),
        where=str(path),
        way_out="Restore the run's folder, or run again; edit copies of the tables only.",
    )


def read_record(folder: Path) -> dict[str, Any]:
    """Read the record of the run in this folder."""
    path = folder / RECORD
    if not folder.exists():
        # A process may have been killed while it replaced the result.
        clear_leftovers(folder.absolute().parent)
    try:
        text = read_bounded(path, MOST_BYTES).decode("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        raise UserError(
            key="run.none",
            what="This is not the folder of a finished run.",
            where=str(folder),
            way_out=f"Give a folder that 'ximstudio run' has written: it has a {RECORD} in it.",
        ) from None
    except UnicodeDecodeError:
        raise damaged(path, "it is not text in UTF-8") from None
    except OSError as error:
        raise _unreadable(path, error) from None
    try:
        record = parse_json(text)
        schema = record["schema"]
        older = schema <= NEWEST_SCHEMA
    except (ValueError, KeyError, TypeError):
        raise damaged(path, "it is not the record of a run") from None
    if not older:
        raise UserError(
            key="run.newer",
            what=f"The run was written by a newer version of the program (schema {schema}).",
            where=str(path),
            way_out="Update XIM Studio, or run again with this version.",
        )
    assert isinstance(record, dict)
    return record


def read_positions(folder: Path, grid: Grid | None) -> Positions:
    """Read items, positions, and winners on the nodes of `grid`."""
    table = _read(folder / POSITIONS)
    placed = ["id", *(AXES[:2] if grid is None else axes_of(grid))]
    first = placed if grid is None else [*placed, *WON]
    if table.header[: len(first)] != first:
        raise table.damaged(f"its first columns are not {', '.join(first)}")
    positions = frozen(table.numbers(slice(1, len(placed))))
    winners = None
    if grid is not None:
        won = table.whole_numbers(slice(len(placed), len(placed) + len(WON)))
        winners, rows, columns = won.T
        apart = (winners != rows * grid.columns + columns) | (columns < 0)
        if (apart | (columns >= grid.columns) | (rows < 0) | (winners >= grid.n_nodes)).any():
            raise table.damaged("it names winners that are no nodes of the map")
        winners = frozen(winners.copy())
    return Positions(
        item_ids=tuple(row[0] for row in table.rows), positions=positions, winners=winners
    )


def read_nodes(folder: Path, n_features: int) -> Grid:
    """Read the nodes that a map from a table of nodes was trained on."""
    table = _read(folder / PROTOTYPES)
    end = len(table.header) - n_features
    if table.header[:end] not in ([*PLACES, *AXES[:2]], [*PLACES, *AXES]) or not table.rows:
        raise table.damaged("its columns are not the features of the data")
    return Grid.of_places(table.numbers(slice(len(PLACES), end)))


def read_prototypes(folder: Path, feature_names: Sequence[str], grid: Grid) -> PrototypeMap:
    """Read the prototypes, which were written to the nine digits of single precision.

    `as_written` gives the same of those that were never in a folder.
    """
    prototypes = _read_table_of_nodes(folder / PROTOTYPES, feature_names, grid)
    return PrototypeMap(grid=grid, prototypes=frozen(prototypes))


def as_written(prototypes: Floats) -> Floats:
    """Return prototypes as they are after writing and reading."""
    digits = [f"{value:.{PROTOTYPE_DIGITS}g}" for value in prototypes.ravel().tolist()]
    return frozen(np.array(digits, dtype=np.float64).reshape(prototypes.shape))


def read_relational(folder: Path, feature_names: Sequence[str], grid: Grid) -> RelationalMap:
    """Read prototypes that are mixtures of items, with their coefficients."""
    return RelationalMap(
        grid=grid,
        prototypes=frozen(_read_table_of_nodes(folder / PROTOTYPES, feature_names, grid)),
        coefficients=frozen(_read_table_of_nodes(folder / COEFFICIENTS, feature_names, grid)),
    )


def _read_table_of_nodes(path: Path, feature_names: Sequence[str], grid: Grid) -> Floats:
    """Read numbers for every node and feature, shape (M, D)."""
    table = _read(path)
    places = [*PLACES, *axes_of(grid)]
    if table.header != [*places, *feature_names]:
        raise table.damaged("its columns are not the features of the data")
    nodes = table.whole_numbers(slice(1)).ravel()
    if not np.array_equal(nodes, np.arange(grid.n_nodes)):
        raise table.damaged("its rows are not the nodes of the map")
    return table.numbers(slice(len(places), None))


def read_components(folder: Path, feature_names: Sequence[str]) -> LinearMap:
    """Read the centre and the components of a projection."""
    table = _read(folder / COMPONENTS)
    if table.header != ["part", "explained", *feature_names]:
        raise table.damaged("its columns are not the features of the data")
    n_components = len(table.rows) - 1
    parts = ["centre", *(f"component {number}" for number in range(1, n_components + 1))]
    if n_components < 1 or [row[0] for row in table.rows] != parts:
        raise table.damaged("its rows are not a centre and components")
    numbers = table.numbers(slice(2, None))
    components = table._replace(rows=table.rows[1:])
    return LinearMap(
        centre=frozen(numbers[0].copy()),
        components=frozen(numbers[1:].copy()),
        explained=frozen(components.numbers(slice(1, 2)).ravel()),
    )


def read_history(folder: Path) -> TrainingHistory:
    """Read the course of training; columns that an earlier version did not write are NaN."""
    table = _read(folder / HISTORY)
    names = list(TrainingHistory.__dataclass_fields__)
    if set(table.header) | set(LATER_COLUMNS) != set(names):
        raise table.damaged(f"its columns are not {', '.join(names)}")
    try:
        cells = np.full((len(table.rows), len(names)), np.nan)
        for column, name in enumerate(table.header):
            cells[:, names.index(name)] = [float(row[column] or "nan") for row in table.rows]
        columns = dict(zip(names[1:], (column.copy() for column in cells.T[1:]), strict=True))
        return TrainingHistory(step=cells[:, 0].astype(np.int64), **columns)
    except ValueError:
        raise table.damaged("it holds texts where there were numbers") from None


def _read(path: Path) -> _Table:
    """Read a table that this program wrote: commas, UTF-8, every row as long as the header."""
    try:
        with open_regular(path) as file:
            text = io.TextIOWrapper(file, encoding="utf-8", newline="")
            header, *rows = csv.reader(text, strict=True)
    except FileNotFoundError:
        raise UserError(
            key="run.file_missing",
            what="A file of the run is missing.",
            where=str(path),
            way_out="Restore it, or run again.",
        ) from None
    except OSError as error:
        raise _unreadable(path, error) from None
    except (ValueError, csv.Error):
        raise damaged(path, "it is not a table with commas in UTF-8") from None
    if any(len(row) != len(header) for row in rows):
        raise damaged(path, "its rows are not all as long as its header")
    return _Table(path, header, rows)


def _unreadable(path: Path, error: OSError) -> UserError:
    return UserError(
        key="load.unreadable",
        what=f"The file cannot be read: {error.strerror}.",
        where=str(path),
        way_out="Change its permissions, or copy the folder.",
    )


def axes_of(grid: Grid) -> list[str]:
    """Return the names of the coordinates of its nodes."""
    return AXES[: grid.n_axes]


def load_prototypes(path: Path, feature_names: Sequence[str], grid: Grid) -> Floats:
    """Read prototypes (M, D) in the order of the grid's nodes, features in the order given."""
    from ximstudio.load.text.delimited import FORMAT

    source = Source.at(path)
    # By position: features may have the same names.
    labels = tuple(f"column {2 + number}" for number in range(len(PLACES[1:]) + grid.n_axes))
    choices = Choices(id="column 1", labels=labels, header_rows=1, skip=0, comment="", decimal=".")
    try:
        table = FORMAT.read(source, choices, silent).table
        sides = (table.items.names, *(table.items.labels[side] for side in PLACES[1:]))
        nodes, rows, columns = (np.array([int(text) for text in texts]) for texts in sides)
        shape, order = (rows.max() + 1, columns.max() + 1), np.argsort(nodes)
        complete = np.array_equal(nodes[order], np.arange(len(nodes)))
        by_row = np.array_equal(nodes, rows * shape[1] + columns)
        if not (complete and by_row and np.isfinite(table.dense).all()):
            raise ValueError
    except (KeyError, ValueError):
        # UserError too: whatever is wrong with it as a table, it is not the one that was asked for.
        raise UserError(
            key="load.not_prototypes",
            what="This is not the table of prototypes of a run.",
            where=str(path),
            way_out="Give prototypes.csv from the folder of an earlier run.",
        ) from None
    wanted = grid.n_nodes // grid.columns, grid.columns
    if shape != wanted:
        raise UserError(
            key="load.start_shape",
            what=f"The start has {shape[0]}×{shape[1]} nodes, the map {wanted[0]}×{wanted[1]}.",
            where=str(path),
            way_out=f"Set the map size to {shape[0]}x{shape[1]}.",
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
