"""Records of the maps in a figure or a report, in an order in which they can be made."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from ximstudio.export.provenance import Provenance
from ximstudio.model.problem import UserError
from ximstudio.reproduce.receipt import damaged
from ximstudio.train.record import MapRecord


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
