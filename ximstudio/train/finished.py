"""A finished run's folder → its Result and the Matrix it was trained on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

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
)
from ximstudio.load.samples import PREFIX
from ximstudio.model.grid import Grid, Lattice
from ximstudio.model.matrix import Matrix
from ximstudio.model.params import Params
from ximstudio.model.problem import UserError
from ximstudio.model.result import History, LinearMap, PrototypeMap, Result
from ximstudio.prepare.input import Input
from ximstudio.train import method_named
from ximstudio.train.params import MapParams


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
    result
        Positions and winners to the last bit; prototypes to nine digits. Parameters that were left
        open stand as they were chosen.
    """

    folder: Path
    record: Mapping[str, Any]
    matrix: Matrix
    result: Result


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


def open_run(folder: Path, data: str | None = None) -> Finished:
    """The run in `folder`; `data` names the table, should it no longer be where it was."""
    record = read_record(folder)
    recorded = _recorded(record, folder / RECORD)
    matrix = _matrix(recorded, folder, data)
    result = _result(recorded, folder, matrix)
    return Finished(folder=folder, record=record, matrix=matrix, result=result)


def _recorded(record: Mapping[str, Any], path: Path) -> _Recorded:
    try:
        data, steps = record["data"], record["steps"]
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
        )
    except UserError as error:
        raise damaged(path, error.problems[0].what.rstrip(".")) from None
    except (KeyError, TypeError, ValueError, AttributeError):
        raise damaged(path, "an entry is missing or of another kind") from None


def _matrix(recorded: _Recorded, folder: Path, data: str | None) -> Matrix:
    given = recorded.input
    name = _existing(given.name, folder) if data is None else data
    there = replace(
        given,
        name=name,
        joinings=tuple(
            replace(joining, name=_existing(joining.name, folder)) for joining in given.joinings
        ),
        frozen=None if given.frozen is None else _existing(given.frozen, folder),
    )
    matrix = there.open().matrix
    if matrix.fingerprint != recorded.fingerprint:
        raise UserError(
            key="run.data_changed",
            what="The table is not the one that the run was trained on, or has changed since.",
            where=name if name.startswith(PREFIX) else str(Path(name).absolute()),
            way_out="Give the table as it was with --data FILE, or run again with this one.",
        )
    return matrix


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
        way_out="Put it back. Of the table itself --data FILE can say where it is now.",
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
    model: PrototypeMap | LinearMap
    if grid is None:
        model, history = read_components(folder, matrix.feature_names), History.empty()
    else:
        model, history = read_prototypes(folder, matrix.feature_names, grid), read_history(folder)
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
    )
    # A projection was written to the last bit, prototypes were not: their hash cannot be compared.
    if isinstance(result.model, LinearMap) and result.hash != recorded.result_hash:
        raise damaged(folder / COMPONENTS, f"it and {POSITIONS} do not give the recorded map")
    return result
