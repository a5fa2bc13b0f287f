"""Receipts: the expected results of retrained runs, as plain values, and records in files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ximstudio import __version__
from ximstudio.export.places import named, with_files
from ximstudio.load.samples import PREFIX
from ximstudio.model.identity import DataIdentity
from ximstudio.model.params import known
from ximstudio.model.parent import Parent
from ximstudio.model.problem import UserError, because
from ximstudio.prepare.input import Input
from ximstudio.reproduce.ticks import AS_GOOD
from ximstudio.session.descent import earlier_of, line_of
from ximstudio.session.run import Run
from ximstudio.train.record import (
    MapRecord,
    landmarks_of,
    made_here,
    parameter_record,
    surroundings,
)

if TYPE_CHECKING:
    from ximstudio.export.provenance import Provenance

SCHEMA = 1
Receipt = dict[str, Any]


def receipt_of(runs: Sequence[Run], chosen: Sequence[str] = ()) -> Receipt:
    """Return the receipt of the chosen runs, by their keys, and of their ancestors.

    Without keys, of all runs. They are called run_1, run_2, …, ancestors first. A run whose start
    is unknown is refused.
    """
    by_key = {run.key: run for run in runs}
    for key in chosen:
        known("run", key, by_key)
    ordered: dict[str, Run] = {}
    for key in chosen or by_key:
        for run in _line(by_key[key], runs):
            ordered.setdefault(run.key, run)
    names = {key: f"run_{number}" for number, key in enumerate(ordered, start=1)}
    methods = dict.fromkeys(run.result.method for run in ordered.values())
    return {
        "schema": SCHEMA,
        "program": {"ximstudio": __version__},
        **surroundings(*methods),
        "runs": {names[key]: _entry(run, runs, names) for key, run in ordered.items()},
    }


def _line(run: Run, runs: Sequence[Run]) -> tuple[Run, ...]:
    """Return a run after all its ancestors."""
    line = line_of(run, runs)
    first = line[0]
    if first.result.parent is not None:
        raise _no_beginning(first, "is derived from a run that has been removed")
    if first.result.params.as_values().get("init") == "given":
        raise _no_beginning(first, "started from given prototypes")
    return line


def _no_beginning(run: Run, why: str) -> UserError:
    return UserError(
        key="script.no_beginning",
        what=f"The run '{run.name}' cannot be written as a script: it {why}.",
        where=f"run '{run.name}'",
        way_out="Undo the removal of that run, or export another one.",
    )


def _entry(run: Run, runs: Sequence[Run], names: Mapping[str, str]) -> dict[str, Any]:
    result, matrix, earlier = run.result, run.matrix, earlier_of(run, runs)
    return {
        "name": run.name,
        "method": result.method,
        **parameter_record(result.params, len(result.item_ids)),
        "seed": result.seed,
        "steps": {"done": result.step, "planned": result.n_steps},
        "parent": _parent(result.parent, "" if earlier is None else names[earlier.key]),
        "data": {
            "input": placed(run.input).as_values(),
            "missing_values": matrix.n_missing,
            **DataIdentity.of(matrix).as_values(),
        },
        "result_hash": result.hash,
        "measures": {
            key: run.measures[key].value
            for key in AS_GOOD
            if key in run.measures and not isnan(run.measures[key].value)
        },
        "landmarks": landmarks_of(result),
        **_elsewhere(run),
    }


def _elsewhere(run: Run) -> dict[str, Any]:
    """Return the versions and platform of a run, if they differ from the receipt's."""
    made_with = run.made_with
    if made_with is None or made_with == made_here(run.result.method):
        return {}
    return made_with.as_values()


def _parent(parent: Parent | None, name: str) -> dict[str, Any] | None:
    if parent is None:
        return None
    origin = {"run": name, "kind": parent.kind, "item_ids": list(parent.item_ids)}
    return origin if parent.folder is None else {**origin, "folder": named(parent.folder)}


def placed(given: Input) -> Input:
    """Return the same input with absolute paths, so that a script runs from anywhere."""

    def whole(name: str) -> str:
        return name if name.startswith(PREFIX) else str(Path(name).absolute())

    return with_files(given, whole)


def records_in(receipt: Mapping[str, Any], where: str) -> dict[str, MapRecord]:
    """Return the records of a receipt by the names of their runs.

    A receipt names the run that another one descends from; a record has its hashes.
    """
    runs = receipt["runs"]
    return {
        name: MapRecord.from_values(
            _with_hashes(name, values, runs, where),
            damaged=partial(damaged, f"{where}, {name}"),
            common=receipt,
        )
        for name, values in runs.items()
    }


def _with_hashes(name: str, values: Any, runs: Mapping[str, Any], where: str) -> Any:
    parent = values.get("parent") if isinstance(values, Mapping) else None
    if parent is None:
        return values
    try:
        earlier = runs[parent["run"]]
        if list(runs).index(parent["run"]) >= list(runs).index(name):
            raise KeyError(parent["run"])
        now = {
            "folder": None,
            **parent,
            "result_hash": earlier["result_hash"],
            "data_fingerprint": earlier["data"]["fingerprint"],
        }
    except (KeyError, TypeError):
        why = "it descends from a run that does not come before it"
        raise damaged(f"{where}, {name}", why) from None
    return {**values, "parent": now}


def damaged(where: str, why: str | UserError) -> UserError:
    """Return the refusal of a file whose records cannot be read."""
    return UserError(
        key="verify.damaged",
        what=because("The expected results cannot be read", why),
        where=where,
        way_out="Export the file again from the run, or use an unchanged copy.",
    )


def understood(values: Any, where: str) -> Receipt:
    """Check that plain values are a receipt; anything else is refused."""
    if not isinstance(values, dict) or not isinstance(values.get("runs"), dict):
        raise damaged(where, "it has no list of runs")
    schema = values.get("schema")
    if isinstance(schema, bool) or not isinstance(schema, int) or schema < 1:
        raise damaged(where, "it does not say which schema it follows")
    if schema > SCHEMA:
        raise UserError(
            key="verify.newer",
            what=f"It was written by a newer version of the program (schema {schema}).",
            where=where,
            way_out="Update XIM Studio.",
        )
    if not values["runs"]:
        raise damaged(where, "it has no runs")
    return values


def records_in_provenance(provenance: Provenance, path: Path) -> dict[str, MapRecord]:
    """Return the records of all maps in a file, named run_1, run_2, … as in a script.

    Maps that others descend from come first, whether the figure shows them or not. A file that does
    not describe all of them is refused.
    """
    if not provenance.runs:
        raise _impossible(path, f"{path.name} shows no map")
    waiting = [
        MapRecord.from_values(values, damaged=partial(damaged, str(path)))
        for values in (*provenance.ancestors, *provenance.runs)
    ]
    ordered: list[MapRecord] = []
    while waiting:
        there = {record.result_hash for record in ordered} | {""}
        ready = [record for record in waiting if record.earlier_hash in there]
        if not ready:
            raise _impossible(path, "it does not describe the map that another one began from")
        ordered += ready
        waiting = [record for record in waiting if record not in ready]
    return {f"run_{number}": record for number, record in enumerate(ordered, start=1)}


def _impossible(path: Path, why: str) -> UserError:
    return UserError(
        key="verify.not_enough",
        what=f"The maps of this file cannot be made again: {why}.",
        where=str(path),
        way_out="Use a script that XIM Studio exported, or the folder of a run.",
    )
