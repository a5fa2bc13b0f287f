"""New items on a trained map, as a table and a record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ximstudio import __version__
from ximstudio.explore.novelty import PERCENTILE
from ximstudio.explore.projection import ProjectedItems
from ximstudio.files.columns import Column, numbers, wholes
from ximstudio.files.csv_table import write_csv
from ximstudio.model.arrays import Floats
from ximstudio.model.problem import Problem
from ximstudio.model.result import Result
from ximstudio.train.record import surroundings
from ximstudio.train.run_tables import labels_behind, position_columns

SCHEMA = 1


def write_projection(path: Path, result: Result, projected: ProjectedItems) -> None:
    """Write the new items of one table as CSV."""
    write_csv(path, projection_columns(result, projected))


def projection_columns(result: Result, projected: ProjectedItems) -> list[Column]:
    """Return id, position and winner as in the table of a run, then novelty and labels."""
    places = position_columns(projected.ids, projected.positions, projected.winners, result.model)
    return labels_behind([*places, *novelty_columns([projected])], projected.matrix.item_labels)


def novelty_columns(parts: Sequence[ProjectedItems]) -> list[Column]:
    """Return how well new items fit the map, part after part."""

    def joined(name: str) -> Floats:
        return np.concatenate([getattr(part, name) for part in parts])

    known = [int(name in set(part.known)) for part in parts for name in part.ids]
    return [
        numbers(
            "distance",
            joined("errors"),
            "From its node's prototype; without nodes, from the nearest item of the map.",
        ),
        numbers("novelty", joined("novelty"), "Novelty to the map; above 1 is unusual."),
        numbers(
            "percentile",
            joined("percentiles"),
            "Percentage of the map's own items with a smaller novelty.",
        ),
        wholes(
            "does_not_belong",
            joined("strange").astype(np.int64),
            "1 if its novelty is above the tolerance.",
        ),
        wholes("in_training", known, "1 if the map was trained on an item with this id."),
    ]


def projection_record(
    projected: ProjectedItems,
    run: Mapping[str, Any],
    *,
    source: str,
    notes: Sequence[Problem],
    tolerance: float,
) -> dict[str, Any]:
    """Record of the items placed on a run's map (its own record), the rule, and all mismatches."""
    return {
        "schema": SCHEMA,
        "program": {"ximstudio": __version__},
        "run": {name: run[name] for name in ("method", "seed", "result_hash")},
        "data": {
            "source": source,
            "items": len(projected),
            "fingerprint": projected.matrix.fingerprint,
        },
        "novelty": {"percentile": PERCENTILE, "tolerance": tolerance},
        "do_not_belong": [
            name for name, strange in zip(projected.ids, projected.strange, strict=True) if strange
        ],
        "in_training": list(projected.known),
        "unplaced": list(projected.unplaced),
        "absent_features": list(projected.absent),
        "extra_features": list(projected.extra),
        "notes": [{"key": note.key, "what": note.what, "where": note.address} for note in notes],
        **surroundings(),
    }
