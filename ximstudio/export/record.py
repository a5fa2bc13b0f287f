"""The record of a run: all it takes to make the same map again, as JSON."""

from __future__ import annotations

import json
import platform
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

from ximstudio import __version__
from ximstudio.model.matrix import Matrix
from ximstudio.model.params import Params
from ximstudio.model.result import Result

SCHEMA = 1
LIBRARIES = ("numpy", "numba", "scipy", "pandas", "scikit-learn")


def run_record(
    result: Result, loaded: Matrix, *, reading: dict[str, Any], start: str | None
) -> dict[str, Any]:
    """Method, all parameters, seed, versions, data fingerprint and result hash.

    `loaded` is the table as it was read, `reading` says how, and `start` names the file with the
    prototypes that training began with.
    """
    return {
        "schema": SCHEMA,
        "program": {"ximstudio": __version__},
        "method": result.method,
        **parameter_record(result.params, loaded.n_items),
        "steps": {"done": result.step, "planned": result.n_steps},
        "seed": result.seed,
        "start": start,
        "data": data_record(loaded, reading=reading, fingerprint=result.data_fingerprint),
        "result_hash": result.hash,
        **surroundings(),
    }


def parameter_record(params: Params, n_items: int) -> dict[str, Any]:
    """All parameters; those left open are given as they were chosen, and named as automatic."""
    given = params.as_values()
    parameters = params.resolved(n_items).as_values()
    automatic = [name for name, value in parameters.items() if value != given[name]]
    return {"parameters": parameters, "automatic": automatic}


def data_record(loaded: Matrix, *, reading: dict[str, Any], fingerprint: str) -> dict[str, Any]:
    """The table as it was read, how, and the fingerprint of what it was made into."""
    return {
        "source": loaded.source,
        "items": loaded.n_items,
        "features": loaded.n_features,
        "missing_values": loaded.n_missing,
        "labels": list(loaded.item_labels),
        "reading": reading,
        "fingerprint": fingerprint,
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
