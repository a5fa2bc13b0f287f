"""The record of how a map was made, for run folders, figures, scripts, sessions and reports.

`MapRecord` reads what the functions below write as plain values of JSON.
"""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, Protocol, Self

import numpy as np

from ximstudio import __version__
from ximstudio.model.identity import DataIdentity, Likeness
from ximstudio.model.made_with import MadeWith
from ximstudio.model.matrix import Matrix
from ximstudio.model.method_params import MethodParams
from ximstudio.model.params import Params
from ximstudio.model.parent import Parent
from ximstudio.model.problem import UserError
from ximstudio.model.result import Result
from ximstudio.prepare.input import Input, Opened
from ximstudio.train import Method, method_named

SCHEMA = 2
LANDMARKS = 24
"""Items whose positions a record has, spread evenly over the table."""
LANDMARK_DIGITS = 6
"""Digits of these positions: more than rounding on another machine leaves."""
START_HASH = "start_hash"
"""Under this a record tells which map a training had its prototypes from, if it was a run's."""
LIBRARIES = ("numpy", "numba", "scipy", "pandas", "scikit-learn")


@dataclass(frozen=True, kw_only=True)
class MapRecord:
    """Everything needed to make a map again, and to judge the map that was made.

    Parameters
    ----------
    name
        Name of the run; empty in run folders.
    method, params, seed
        How it was trained. Parameters that depend on the data stand as they were chosen.
    automatic
        Names of the parameters that the user left to the program.
    step, n_steps
        Last step of the training, and the number of steps that was planned.
    input, data
        The files of the table and how to open them, and the identity of the data they gave.
    result_hash
        Result.hash of the map.
    parent
        The map that it descends from; None for a map of its own.
    start, start_hash
        The file or run folder with its initial prototypes, and Result.hash of that run.
    landmarks
        Some items with their positions, to compare where bits may differ.
    measures
        Key of a measure → its value.
    made_with
        Versions and platform that made it.
    """

    name: str = ""
    method: Method
    params: MethodParams
    seed: int
    automatic: tuple[str, ...] = ()
    step: int
    n_steps: int
    input: Input
    data: DataIdentity
    result_hash: str
    parent: Parent | None = None
    start: str | None = None
    start_hash: str | None = None
    landmarks: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    measures: Mapping[str, float] = field(default_factory=dict)
    made_with: MadeWith

    @property
    def stop_after(self) -> int | None:
        """Step after which training was stopped; None if it reached the planned end."""
        return self.step if self.step < self.n_steps else None

    @property
    def earlier_hash(self) -> str:
        """Hash of the map that it began from; empty for none."""
        return (self.start_hash or "") if self.parent is None else self.parent.result_hash

    @property
    def elsewhere(self) -> list[str]:
        """Versions and hardware that differ from this process: "numpy 2.1", "processor zen4"."""
        return made_here(self.method.key).differences(self.made_with)

    def likeness(self, matrix: Matrix) -> Likeness:
        """Compare data with those that the map was made of."""
        if matrix.fingerprint == self.data.fingerprint:
            return Likeness.SAME
        return self.data.likeness(matrix, elsewhere=bool(self.elsewhere))

    @classmethod
    def from_values(
        cls,
        values: Any,
        *,
        damaged: Callable[[str | UserError], UserError],
        common: Mapping[str, Any] | None = None,
    ) -> Self:
        """Read a record from plain values, which may come from anywhere.

        Parameters
        ----------
        values
            A record as `run_record` writes it, or an earlier version.
        damaged
            Builds the refusal of what is no record, from the reason.
        common
            Versions and platform for records that do not name their own.
        """
        try:
            return cls._from(values, {} if common is None else common)
        except UserError as error:
            raise damaged(error) from None
        except (KeyError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError):
            raise damaged("an entry is missing or of another kind") from None

    @classmethod
    def _from(cls, values: Any, common: Mapping[str, Any]) -> Self:
        method = method_named(values["method"])
        data, steps, parent = values["data"], values["steps"], values.get("parent")
        return cls(
            name=str(values.get("name", "")),
            method=method,
            params=method.params.from_values(values["parameters"]),
            seed=int(values["seed"]),
            automatic=tuple(map(str, values.get("automatic", ()))),
            step=int(steps["done"]),
            n_steps=int(steps["planned"]),
            input=Input.from_first_schema(data)
            if values.get("schema") == 1
            else Input.from_values(data["input"]),
            data=DataIdentity.from_values(data),
            result_hash=str(values["result_hash"]),
            parent=None if parent is None else Parent.from_values(parent),
            start=_text(values.get("start")),
            start_hash=_text(values.get(START_HASH)),
            landmarks={
                str(item): tuple(map(float, place))
                for item, place in values.get("landmarks", {}).items()
            },
            measures={str(key): float(value) for key, value in values.get("measures", {}).items()},
            made_with=MadeWith.from_record({**common, **values}),
        )


def _text(value: object) -> str | None:
    return None if value is None else str(value)


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
    """Return the record of a run of the window.

    A session knows what was trained on and how it can be had again, but no longer what the file
    looked like; so there is nothing about the reading.
    """
    data = {"source": run.input.name, "input": run.input.as_values(), **_matrix_record(run.matrix)}
    record = run_record(run.result, data, start=None, made_with=run.made_with)
    return {"name": run.name, **record, "landmarks": landmarks_of(run.result)}


def landmarks_of(result: Result) -> dict[str, list[float]]:
    """Return some items, spread evenly over the table, with their positions."""
    n_items = len(result.item_ids)
    rows = np.unique(np.linspace(0, n_items - 1, min(LANDMARKS, n_items)).round().astype(int))
    return {
        result.item_ids[row]: [
            float(f"{value:.{LANDMARK_DIGITS}g}") for value in result.positions[row]
        ]
        for row in rows.tolist()
    }


def parameter_record(params: Params, n_items: int) -> dict[str, Any]:
    """Return all parameters, with the values chosen for open ones, and the names of these."""
    given = params.as_values()
    parameters = params.resolved(n_items).as_values()
    automatic = [name for name, value in parameters.items() if value != given[name]]
    return {"parameters": parameters, "automatic": automatic}


def data_record(opened: Opened, data: Input, matrix: Matrix | None = None) -> dict[str, Any]:
    """Record a table: how it was read and prepared, and the fingerprint of the result.

    `read` is what the file was found to be, `input` what the user chose: the latter reproduces the
    matrix. `matrix` is what was trained on, if earlier items were added.
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
    """Return the parent's record of its table, with the part that was trained on."""
    return {**parent, "input": data.as_values(), **_matrix_record(matrix)}


def _matrix_record(matrix: Matrix) -> dict[str, Any]:
    """Return the record of the training data."""
    return {
        "missing_values": matrix.n_missing,
        "labels": list(matrix.item_labels),
        **DataIdentity.of(matrix).as_values(),
    }


def surroundings(*methods: str) -> dict[str, Any]:
    """Versions and platform: what else the numbers of these methods may depend on, made here."""
    values = made_here(*methods).as_values()
    return {"versions": values["versions"], "platform": values["platform"]}


def write_record(path: Path, record: dict[str, Any]) -> None:
    """Write the record as JSON."""
    path.write_text(json.dumps(record, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


@cache
def made_here(*methods: str) -> MadeWith:
    """Describe the versions and platform for maps of these methods, made in this process."""
    # Imported late, so that reading a record does not wait for numba.
    from ximstudio.kernels.compiler import processor

    packages = [method_named(key).package for key in methods]
    used = [package.distribution for package in packages if package is not None]
    return MadeWith(
        program=__version__,
        versions={
            "python": platform.python_version(),
            **{library: version(library) for library in (*LIBRARIES, *dict.fromkeys(used))},
        },
        platform={
            "system": sys.platform,
            "machine": platform.machine(),
            "processor": processor(),
        },
    )
