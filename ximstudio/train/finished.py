"""A finished run's folder → its Result and the Matrix it was trained on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ximstudio.load.prototypes import load_prototypes
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
from ximstudio.model.arrays import Floats
from ximstudio.model.grid import Grid, Lattice
from ximstudio.model.matrix import Matrix
from ximstudio.model.metric import PRECOMPUTED, in_metric, metric_of
from ximstudio.model.params import Params
from ximstudio.model.parent import CONTINUED, CONTINUED_AGAIN, PART, Parent
from ximstudio.model.problem import SettingsForm, UserError
from ximstudio.model.result import ItemMap, LinearMap, Model, Result, TrainingHistory
from ximstudio.place.item_params import ItemPlacingParams
from ximstudio.prepare.input import Input
from ximstudio.train import method_named
from ximstudio.train.continued import joined, with_features
from ximstudio.train.params import MapParams
from ximstudio.train.warm import start_from


@dataclass(frozen=True, kw_only=True, eq=False)
class Finished:
    """A run read back.

    Parameters
    ----------
    folder
        Where it was read from.
    record
        Its run.json.
    matrix
        The table that training saw, blanks filled as they were then.
    input
        How the table was to be opened; for a part of another map, how that map's was.
    result
        Positions and winners to the last bit; prototypes to nine digits. Parameters that were left
        open stand as they were chosen.
    """

    folder: Path
    record: Mapping[str, Any]
    matrix: Matrix
    input: Input
    result: Result

    def as_parent(self, parent: Parent) -> Parent:
        """What is kept of this run with a map that descends from it.

        Its hash is the recorded one: prototypes lost their last bits in the file.
        """
        recorded = str(self.record["result_hash"])
        return replace(parent, result_hash=recorded, folder=str(self.folder))


@dataclass(frozen=True, kw_only=True)
class _Recorded:
    """What of run.json is needed to read the rest."""

    method: str
    params: Params
    seed: int
    step: int
    n_steps: int
    input: Input
    fingerprint: str
    result_hash: str
    parent: Parent | None


def open_run(folder: Path, data: str | None = None) -> Finished:
    """The run in `folder`; `data` names the table, should it no longer be where it was.

    A map that descends from another needs the folder of that one too.
    """
    record = read_record(folder)
    recorded = _recorded(record, folder / RECORD)
    matrix = _matrix(recorded, folder, data)
    result = _result(recorded, folder, matrix)
    return Finished(
        folder=folder, record=record, matrix=matrix, input=recorded.input, result=result
    )


def began_with(finished: Finished) -> Floats | None:
    """The prototypes that a run began with; None where its method chose them itself.

    Those of the run that it descends from, or of the file or run that its record names.
    """
    params, parent, folder = finished.result.params, finished.result.parent, finished.folder
    if not isinstance(params, MapParams):
        return None
    if parent is not None:
        earlier = _parent(parent, folder, None).result
        around = None
        if parent.kind == PART:
            rows = {name: row for row, name in enumerate(earlier.item_ids)}
            around = earlier.positions[[rows[name] for name in parent.item_ids]]
        return start_from(earlier, finished.matrix, params, around=around)
    start = finished.record.get("start")
    if start is None:
        return None
    place = Path(_existing(str(start), folder))
    if place.is_dir():
        return start_from(open_run(place).result, finished.matrix, params)
    return load_prototypes(place, finished.matrix.feature_names, params.grid)


def records_of(folder: Path) -> tuple[Mapping[str, Any], ...]:
    """The record of a run after those of all runs that it began from, as far as they are there.

    How their tables are to be opened is told in the present form, whichever version wrote them.
    """
    record = read_record(folder)
    recorded = _recorded(record, folder / RECORD)
    before: tuple[Mapping[str, Any], ...] = ()
    with suppress(UserError):
        earlier = _began_in(recorded, record.get("start"), folder)
        before = () if earlier is None else records_of(earlier)
    data = {**record["data"], "input": recorded.input.as_values()}
    return (*before, {**record, "data": data})


def _began_in(recorded: _Recorded, start: object, folder: Path) -> Path | None:
    """The folder of the run that another one began from; None if it was no run."""
    if recorded.parent is not None:
        return _folder_of(recorded.parent, folder)
    place = None if start is None else Path(_existing(str(start), folder))
    return place if place is not None and place.is_dir() else None


def _recorded(record: Mapping[str, Any], path: Path) -> _Recorded:
    try:
        data, steps, parent = record["data"], record["steps"], record.get("parent")
        method = method_named(record["method"])
        return _Recorded(
            method=method.key,
            params=method.params.from_values(record["parameters"]),
            seed=int(record["seed"]),
            step=int(steps["done"]),
            n_steps=int(steps["planned"]),
            input=Input.from_first_schema(data)
            if record["schema"] == 1
            else Input.from_values(data["input"]),
            fingerprint=str(data["fingerprint"]),
            result_hash=str(record["result_hash"]),
            parent=None if parent is None else Parent.from_values(parent),
        )
    except UserError as error:
        raise damaged(path, error) from None
    except (KeyError, TypeError, ValueError, AttributeError):
        raise damaged(path, "an entry is missing or of another kind") from None


def _matrix(recorded: _Recorded, folder: Path, data: str | None) -> Matrix:
    parent = recorded.parent
    if parent is None:
        matrix = _table(recorded.input, folder, data)
    elif parent.kind == PART:
        matrix = _some_items(_parent(parent, folder, data).matrix, parent, folder / RECORD)
    elif parent.kind == CONTINUED_AGAIN:
        matrix = _parent(parent, folder, data).matrix
    else:
        before = _parent(parent, folder, None)
        further = with_features(_table(recorded.input, folder, data), before.result.feature_names)
        matrix = joined(before.matrix, further) if parent.kind == CONTINUED else further
    if matrix.fingerprint != recorded.fingerprint:
        raise UserError(
            key="run.data_changed",
            what="The table is not the one that the run was trained on, or has changed since.",
            where=matrix.source,
            way_out="Choose the table as it was, or train a new map with this one.",
            fields=("data",),
            form=SettingsForm.COMMAND,
        )
    return matrix


def _table(given: Input, folder: Path, data: str | None) -> Matrix:
    """The table of an input, with its files where they are now."""
    return _placed(given, folder, data).open().matrix


def input_at_hand(finished: Finished, data: str | None = None) -> Input:
    """How the table of a run can be opened now: its files are where they were, or beside it.

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
    """The run that another one descends from."""
    return open_run(_folder_of(parent, folder), data)


def _folder_of(parent: Parent, folder: Path) -> Path:
    """Where the run is that another one descends from; refused if it is gone."""
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
    """The chosen items of the parent's table."""
    rows = {name: row for row, name in enumerate(matrix.item_ids)}
    if any(name not in rows for name in parent.item_ids):
        raise damaged(path, "it names items that the earlier run does not have")
    return matrix.items([rows[name] for name in parent.item_ids])


def _existing(source: str, folder: Path) -> str:
    """The name of a file that the run was made from, where it was or beside the run."""
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
    """Where the table may be: from here, and from where the run's folder lies."""
    yield Path.cwd() / source
    yield folder.absolute().parent / source


def _grid(params: Params, folder: Path, n_features: int) -> Grid | None:
    """The map's nodes, if it has any; those from a table lie in the folder, too."""
    if not isinstance(params, MapParams):
        return None
    return read_nodes(folder, n_features) if params.lattice == Lattice.TABLE else params.grid


def _result(recorded: _Recorded, folder: Path, matrix: Matrix) -> Result:
    params = recorded.params
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
        method=recorded.method,
        params=params,
        seed=recorded.seed,
        data_fingerprint=recorded.fingerprint,
        item_ids=matrix.item_ids,
        feature_names=matrix.feature_names,
        model=model,
        winners=placed.winners,
        positions=placed.positions,
        history=history,
        step=recorded.step,
        n_steps=recorded.n_steps,
        parent=recorded.parent,
    )
    # Prototypes were not written to the last bit, all else was: their hash cannot be compared.
    if isinstance(model, ItemMap | LinearMap) and result.hash != recorded.result_hash:
        if isinstance(model, ItemMap):
            raise damaged(folder / POSITIONS, "it does not give the recorded map")
        raise damaged(folder / COMPONENTS, f"it and {POSITIONS} do not give the recorded map")
    return result
