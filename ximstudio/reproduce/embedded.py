"""Convert the record in a figure or report to a receipt of its maps."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ximstudio.export.provenance import Provenance
from ximstudio.model.problem import UserError
from ximstudio.reproduce.receipt import Receipt
from ximstudio.reproduce.records import STARTED
from ximstudio.train.record import START_HASH


def receipt_from_provenance(provenance: Provenance, path: Path) -> Receipt:
    """Return the receipt of all maps in a file; refused if one cannot be retrained from it.

    Maps are called run_1, run_2, …, as in a script; ancestors come first,
    whether the figure shows them or not.
    """
    if not provenance.runs:
        raise _impossible(path, f"{path.name} shows no map that could be retrained")
    waiting = [*provenance.ancestors, *provenance.runs]
    hashes = {str(run.get("result_hash")) for run in waiting}
    names: dict[str, str] = {}
    runs: dict[str, Any] = {}
    while waiting:
        ready = [run for run in waiting if _parent(run) in names or _parent(run) not in hashes]
        for run in ready or waiting:
            name = f"run_{len(runs) + 1}"
            runs[name] = {**run, "parent": _named(run, names, path)}
            names.setdefault(str(run.get("result_hash")), name)
        waiting = [run for run in waiting if run not in ready] if ready else []
    return {"runs": runs}


def _parent(run: Mapping[str, Any]) -> str:
    """Return the hash of the map that a map is derived from or started from; '' for none."""
    parent = run.get("parent")
    if isinstance(parent, Mapping):
        return str(parent.get("result_hash", ""))
    return str(run.get(START_HASH) or "")


def _named(run: Mapping[str, Any], names: Mapping[str, str], path: Path) -> Any:
    """Return the parent of a record, with its name in the receipt."""
    parent = run.get("parent")
    if parent is None and _parent(run):
        parent = {"kind": STARTED, "item_ids": [], "folder": run.get("start")}
    if not isinstance(parent, Mapping):
        return parent
    if _parent(run) not in names:
        raise _impossible(path, "one of its maps is derived from a map that is not recorded in it")
    return {**parent, "run": names[_parent(run)]}


def _impossible(path: Path, why: str) -> UserError:
    return UserError(
        key="verify.not_enough",
        what=f"The file does not contain enough to retrain its maps: {why}.",
        where=str(path),
        way_out="Give a script that XIM Studio exported, or the folder of a run.",
    )
