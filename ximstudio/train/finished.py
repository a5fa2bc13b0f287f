"""A finished run's folder → its Result and the Matrix it was trained on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ximstudio.load.run import (
    COMPONENTS,
    POSITIONS,
    RECORD,
    damaged,
    read_components,
    read_history,
    read_nodes,
    read_positions,
    read_prototypes,
    read_record,
    read_relational,
)
from ximstudio.load.samples import PREFIX
from ximstudio.model.grid import Grid, Lattice
from ximstudio.model.identity import Likeness
from ximstudio.model.matrix import Matrix
from ximstudio.model.method_params import MethodParams
from ximstudio.model.metric import PRECOMPUTED, in_metric, metric_of
from ximstudio.model.parent import CONTINUED, CONTINUED_AGAIN, PART, Parent
from ximstudio.model.problem import SettingsForm, UserError
from ximstudio.model.result import ItemMap, LinearMap, Model, Result, TrainingHistory
from ximstudio.place.items import place_items
from ximstudio.place.params import ItemPlacingParams
from ximstudio.prepare.input import Input
from ximstudio.train.continued import joined, with_features
from ximstudio.train.params import MapParams
from ximstudio.train.record import MapRecord

NEAR = 1e-4
"""Share of the map's longer side within which an item lies where it lay."""
MOST_ITEMS = 0.95
"""Share of the items that have to lie where they lay."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Finished:
    """A run read back.

    Parameters
    ----------
    folder
        Where it was read from.
    values
        Its run.json as plain values.
    record
        The same as a record.
    matrix
        The data that it was trained on, with missing values filled in as they were then.
    result
        Positions and winners to the last bit; prototypes to nine digits, under the hash of the map
        as it was trained. Parameters that were left to the program stand as they were chosen.
    """

    folder: Path
    values: Mapping[str, Any]
    record: MapRecord
    matrix: Matrix
    result: Result

    @property
    def input(self) -> Input:
        """The files of its table; for a part of another map, those of that map."""
        return self.record.input


def open_run(folder: Path, data: str | None = None) -> Finished:
    """Open the run in `folder`; `data` is the present path of the table, if it was moved.

    A map that descends from another needs the folder of that one too.
    """
    values = read_record(folder)
    record = _record(values, folder)
    matrix = _matrix(record, folder, data)
    result = _result(record, folder, matrix)
    return Finished(folder=folder, values=values, record=record, matrix=matrix, result=result)


def began_from(finished: Finished) -> Finished | Path | None:
    """Return the run that a run began from, or the file with its initial prototypes.

    None if it is a map of its own, with initial prototypes chosen by its method.
    """
    parent, start = finished.record.parent, finished.record.start
    if parent is not None:
        return open_run(_folder_of(parent, finished.folder))
    if start is None or not isinstance(finished.result.params, MapParams):
        return None
    place = Path(_existing(start, finished.folder))
    return open_run(place) if place.is_dir() else place


def records_of(folder: Path) -> tuple[Mapping[str, Any], ...]:
    """Return the record of a run after those of its ancestors, as far as they exist.

    Inputs of tables are converted to the present schema, whichever version wrote them.
    """
    values = read_record(folder)
    record = _record(values, folder)
    before: tuple[Mapping[str, Any], ...] = ()
    with suppress(UserError):
        earlier = _began_in(record, folder)
        before = () if earlier is None else records_of(earlier)
    data = {**values["data"], "input": record.input.as_values()}
    return (*before, {**values, "data": data})


def _began_in(record: MapRecord, folder: Path) -> Path | None:
    """Return the folder of the run that another one began from; None if it was no run."""
    if record.parent is not None:
        return _folder_of(record.parent, folder)
    place = None if record.start is None else Path(_existing(record.start, folder))
    return place if place is not None and place.is_dir() else None


def _record(values: Mapping[str, Any], folder: Path) -> MapRecord:
    return MapRecord.from_values(values, damaged=partial(damaged, folder / RECORD))


def _matrix(record: MapRecord, folder: Path, data: str | None) -> Matrix:
    parent = record.parent
    if parent is None:
        matrix = _table(record.input, folder, data)
    elif parent.kind == PART:
        matrix = _some_items(_parent(parent, folder, data).matrix, parent, folder / RECORD)
    elif parent.kind == CONTINUED_AGAIN:
        matrix = _parent(parent, folder, data).matrix
    else:
        before = _parent(parent, folder, None)
        further = with_features(_table(record.input, folder, data), before.result.feature_names)
        matrix = joined(before.matrix, further) if parent.kind == CONTINUED else further
    if record.likeness(matrix) is Likeness.DIFFERENT:
        raise _data_changed(matrix)
    return matrix


def _data_changed(matrix: Matrix) -> UserError:
    return UserError(
        key="run.data_changed",
        what="The table is not the one that the run was trained on, or has changed since.",
        where=matrix.source,
        way_out="Choose the table as it was, or train a new map with this one.",
        fields=("data",),
        form=SettingsForm.COMMAND,
    )


def _table(given: Input, folder: Path, data: str | None) -> Matrix:
    """Open the table of an input, with present paths of its files."""
    return _placed(given, folder, data).open().matrix


def input_at_hand(finished: Finished, data: str | None = None) -> Input:
    """Return the present input of a run: its files are where they were, or beside it.

    `data` names the table, should it be elsewhere.
    """
    return _placed(finished.input, finished.folder, data)


def _placed(given: Input, folder: Path, data: str | None) -> Input:
    return replace(
        given,
        name=_existing(given.name, folder) if data is None else data,
        joinings=tuple(
            replace(joining, name=_existing(joining.name, folder)) for joining in given.joinings
        ),
        frozen=None if given.frozen is None else _existing(given.frozen, folder),
    )


def _parent(parent: Parent, folder: Path, data: str | None) -> Finished:
    """Open the run that another one descends from."""
    return open_run(_folder_of(parent, folder), data)


def _folder_of(parent: Parent, folder: Path) -> Path:
    """Return the folder of the run that another one descends from; refuse if it is gone."""
    places = () if parent.folder is None else tuple(dict.fromkeys(_places(parent.folder, folder)))
    there = next((place for place in places if (place / RECORD).is_file()), None)
    if there is None:
        raise UserError(
            key="run.parent_missing",
            what="The run that this one descends from is not there.",
            where=", ".join(map(str, places)) or str(folder / RECORD),
            way_out="Put its folder back: some of the data are known only from there.",
        )
    if read_record(there).get("result_hash") != parent.result_hash:
        raise UserError(
            key="run.parent_changed",
            what="The run that this one descends from has been replaced by another.",
            where=str(there),
            way_out="Put the folder of the earlier run back, or run again from the new one.",
        )
    return there


def _some_items(matrix: Matrix, parent: Parent, path: Path) -> Matrix:
    """Return the chosen items of the parent's table."""
    rows = {name: row for row, name in enumerate(matrix.item_ids)}
    if any(name not in rows for name in parent.item_ids):
        raise damaged(path, "it names items that the earlier run does not have")
    return matrix.items([rows[name] for name in parent.item_ids])


def _existing(source: str, folder: Path) -> str:
    """Return the path of a file that the run was made from: where it was, or beside the run."""
    if source.startswith(PREFIX):
        return source
    places = dict.fromkeys(_places(source, folder))
    for place in places:
        if place.exists():
            return str(place)
    raise UserError(
        key="run.data_missing",
        what=f"The file '{source}' that the run was made from is not there.",
        where=", ".join(map(str, places)),
        way_out="Put it back. If it is the table itself, you can also choose where it is now.",
        fields=("data",),
        form=SettingsForm.COMMAND,
    )


def _places(source: str, folder: Path) -> Iterator[Path]:
    """Yield possible paths of the table: as given, and relative to the run's folder."""
    yield Path.cwd() / source
    yield folder.absolute().parent / source


def _grid(params: MethodParams, folder: Path, n_features: int) -> Grid | None:
    """Return the map's nodes, if it has any; those from a table lie in the folder, too."""
    if not isinstance(params, MapParams):
        return None
    return read_nodes(folder, n_features) if params.lattice == Lattice.TABLE else params.grid


def _result(record: MapRecord, folder: Path, matrix: Matrix) -> Result:
    params = record.params
    grid = _grid(params, folder, len(matrix.feature_names))
    placed = read_positions(folder, grid)
    if placed.item_ids != matrix.item_ids:
        raise damaged(folder / POSITIONS, "its rows are not the items of the data")
    model: Model
    history = TrainingHistory.empty()
    if grid is not None:
        read = read_relational if metric_of(params) == PRECOMPUTED else read_prototypes
        model, history = read(folder, matrix.feature_names, grid), read_history(folder)
    elif isinstance(params, ItemPlacingParams):
        seen = in_metric(matrix, params)
        model, history = ItemMap(items=seen, positions=placed.positions), read_history(folder)
    else:
        model = read_components(folder, matrix.feature_names)
    result = Result(
        method=record.method.key,
        params=params,
        seed=record.seed,
        data_fingerprint=record.data.fingerprint,
        item_ids=matrix.item_ids,
        feature_names=matrix.feature_names,
        model=model,
        winners=placed.winners,
        positions=placed.positions,
        history=history,
        step=record.step,
        n_steps=record.n_steps,
        parent=record.parent,
    )
    # Prototypes were not written to the last bit, all else was: their hash cannot be compared.
    if isinstance(model, ItemMap | LinearMap) and result.hash != record.result_hash:
        if isinstance(model, ItemMap):
            raise damaged(folder / POSITIONS, "it does not give the recorded map")
        raise damaged(folder / COMPONENTS, f"it and {POSITIONS} do not give the recorded map")
    if record.likeness(matrix) is Likeness.UNKNOWN and not _places_alike(result, matrix):
        raise _data_changed(matrix)
    result = replace(result, data_fingerprint=matrix.fingerprint)
    vars(result)["hash"] = record.result_hash
    return result


def _places_alike(result: Result, matrix: Matrix) -> bool:
    """Return whether the map places these items where the run has them.

    Records before version 0.2 have nothing else to recognise data by that were prepared on another
    processor. Maps by t-SNE and its like have no such rule; their items are recognised by name.
    """
    if isinstance(result.model, ItemMap):
        return True
    apart = np.linalg.norm(place_items(result, matrix).positions - result.positions, axis=1)
    side = float(np.ptp(result.positions, axis=0).max()) or 1.0
    # Rounding may move a few items that are as near to one node as to another.
    return float(np.mean(apart <= NEAR * side)) >= MOST_ITEMS
