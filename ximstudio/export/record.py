"""The record of a run: all it takes to make the same map again, as JSON."""

from __future__ import annotations

import json
import platform
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

from ximstudio import __version__
from ximstudio.model.params import Params
from ximstudio.model.result import Result
from ximstudio.prepare.input import Input, Opened

SCHEMA = 2
LIBRARIES = ("numpy", "numba", "scipy", "pandas", "scikit-learn")


def run_record(result: Result, opened: Opened, *, data: Input, start: str | None) -> dict[str, Any]:
    """Method, all parameters, seed, versions, data fingerprint and result hash.

    `data` says how the table was to be opened, `opened` is what came of it, and `start` names the
    file with the prototypes that training began with.
    """
    return {
        "schema": SCHEMA,
        "program": {"ximstudio": __version__},
        "method": result.method,
        **parameter_record(result.params, opened.matrix.n_items),
        "steps": {"done": result.step, "planned": result.n_steps},
        "seed": result.seed,
        "start": start,
        "data": data_record(opened, data),
        "result_hash": result.hash,
        **surroundings(),
    }


def parameter_record(params: Params, n_items: int) -> dict[str, Any]:
    """All parameters; those left open are given as they were chosen, and named as automatic."""
    given = params.as_values()
    parameters = params.resolved(n_items).as_values()
    automatic = [name for name, value in parameters.items() if value != given[name]]
    return {"parameters": parameters, "automatic": automatic}


def data_record(opened: Opened, data: Input) -> dict[str, Any]:
    """The table as it was read and how, what was done to it, and the fingerprint of what it became.

    `read` is what the file was found to be, `input` what a person chose: with the latter the same
    matrix can be had again.
    """
    read, matrix = opened.labelled.table, opened.matrix
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
        "items": matrix.n_items,
        "features": matrix.n_features,
        "missing_values": matrix.n_missing,
        "labels": list(matrix.item_labels),
        "notes": [
            {"key": note.key, "what": note.what, "where": note.where} for note in opened.notes
        ],
        "fingerprint": matrix.fingerprint,
    }


def surroundings() -> dict[str, Any]:
    """Versions and platform: what else numbers may depend on."""
    return {
        "versions": {
            "python": platform.python_version(),
            **{library: version(library) for library in LIBRARIES},
        },
        "platform": {"system": sys.platform, "machine": platform.machine()},
    }


def write_record(path: Path, record: dict[str, Any]) -> None:
    """The record as JSON for people and programs."""
    path.write_text(json.dumps(record, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
