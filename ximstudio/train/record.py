"""The record of a run: all it takes to make the same map again, as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from ximstudio.model.made_with import MadeWith
from ximstudio.model.matrix import Matrix
from ximstudio.model.params import Params
from ximstudio.model.result import Result
from ximstudio.prepare.input import Input, Opened
from ximstudio.train.surroundings import made_here

SCHEMA = 2
START_HASH = "start_hash"
"""Under this a record tells which map a training had its prototypes from, if it was a run's."""


def run_record(
    result: Result,
    data: Mapping[str, Any],
    *,
    start: str | None,
    start_hash: str | None = None,
    made_with: MadeWith | None = None,
) -> dict[str, Any]:
    """Method, all parameters, seed, versions, data fingerprint and result hash.

    `data` is what `data_record` or `part_record` says about the table, and `start` names the file
    or run with the prototypes that training began with; of a run, `start_hash` is Result.hash. A
    map that may come from elsewhere says what it was `made_with`; else it was made by this process.
    """
    made = (made_with or made_here(result.method)).as_values()
    return {
        "schema": SCHEMA,
        "program": made["program"],
        "method": result.method,
        **parameter_record(result.params, len(result.item_ids)),
        "steps": {"done": result.step, "planned": result.n_steps},
        "seed": result.seed,
        "start": start,
        **({} if start_hash is None else {START_HASH: start_hash}),
        "parent": None if result.parent is None else result.parent.as_values(),
        "data": data,
        "result_hash": result.hash,
        "versions": made["versions"],
        "platform": made["platform"],
    }


class RecordedRun(Protocol):
    """A run of a session, as far as its record goes."""

    @property
    def name(self) -> str:
        """Name that the user sees."""

    @property
    def result(self) -> Result:
        """The map."""

    @property
    def matrix(self) -> Matrix:
        """The data that it was trained on."""

    @property
    def input(self) -> Input:
        """The files of its table, and how to open them."""

    @property
    def made_with(self) -> MadeWith | None:
        """Versions and platform; None for a run of this process."""


def record_of_run(run: RecordedRun) -> dict[str, Any]:
    """The record of a run of the window.

    A session knows what was trained on and how it can be had again, but no longer what the file
    looked like; so there is nothing about the reading.
    """
    data = {"source": run.input.name, "input": run.input.as_values(), **_matrix_record(run.matrix)}
    record = run_record(run.result, data, start=None, made_with=run.made_with)
    return {"name": run.name, **record}


def parameter_record(params: Params, n_items: int) -> dict[str, Any]:
    """All parameters; those left open are given as they were chosen, and named as automatic."""
    given = params.as_values()
    parameters = params.resolved(n_items).as_values()
    automatic = [name for name, value in parameters.items() if value != given[name]]
    return {"parameters": parameters, "automatic": automatic}


def data_record(opened: Opened, data: Input, matrix: Matrix | None = None) -> dict[str, Any]:
    """The table as it was read and how, what was done to it, and the fingerprint of what it became.

    `read` is what the file was found to be, `input` what a person chose: with the latter the same
    matrix can be had again. `matrix` is what was trained on, if earlier items were added.
    """
    read = opened.labelled.table
    return {
        "source": data.name,
        "read": {
            "format": opened.reading.format,
            "items": read.n_items,
            "features": read.n_features,
            "missing_values": read.n_missing,
            "found": {guess.key: guess.value for guess in opened.reading.guesses},
        },
        "input": data.as_values(),
        "notes": [
            {"key": note.key, "what": note.what, "where": note.address} for note in opened.notes
        ],
        **_matrix_record(opened.matrix if matrix is None else matrix),
    }


def part_record(parent: Mapping[str, Any], data: Input, matrix: Matrix) -> dict[str, Any]:
    """What the parent's record says about its table, and what of it a part was trained on."""
    return {**parent, "input": data.as_values(), **_matrix_record(matrix)}


def _matrix_record(matrix: Matrix) -> dict[str, Any]:
    """What training saw."""
    return {
        "items": matrix.n_items,
        "features": matrix.n_features,
        "missing_values": matrix.n_missing,
        "labels": list(matrix.item_labels),
        "fingerprint": matrix.fingerprint,
    }


def surroundings(*methods: str) -> dict[str, Any]:
    """Versions and platform: what else the numbers of these methods may depend on, made here."""
    values = made_here(*methods).as_values()
    return {"versions": values["versions"], "platform": values["platform"]}


def write_record(path: Path, record: dict[str, Any]) -> None:
    """The record as JSON for people and programs."""
    path.write_text(json.dumps(record, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
