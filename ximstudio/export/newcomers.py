"""New items on a trained map, as a table and a record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ximstudio import __version__
from ximstudio.explore.novelty import PERCENTILE
from ximstudio.explore.projection import ProjectedItems
from ximstudio.export.record import surroundings
from ximstudio.files.csv_table import write_table
from ximstudio.model.problem import Problem
from ximstudio.model.result import PrototypeMap, Result
from ximstudio.train.run_tables import blanked, coordinates, label_columns

SCHEMA = 1


def write_newcomers(path: Path, result: Result, newcomers: ProjectedItems) -> None:
    """A CSV file of what `newcomers_table` says."""
    write_table(path, *newcomers_table(result, newcomers))


def newcomers_table(
    result: Result, newcomers: ProjectedItems
) -> tuple[list[str], list[tuple[object, ...]]]:
    """id, x, y and the winner as in a run's table, then how strange every item is, and its labels.

    `does_not_belong` and `in_training` are 1 or 0.
    """
    positions, winners, model = newcomers.positions, newcomers.winners, result.model
    columns: dict[str, Sequence[object]] = {"id": newcomers.ids}
    columns |= dict(zip(coordinates(positions.shape[1]), positions.T.tolist(), strict=True))
    if winners is not None and isinstance(model, PrototypeMap):
        rows, numbers = np.divmod(winners, model.grid.columns)
        columns |= {
            "winner": winners.tolist(),
            "winner_row": rows.tolist(),
            "winner_column": numbers.tolist(),
        }
    known = set(newcomers.known)
    columns |= {
        "distance": blanked(newcomers.errors.tolist()),
        "novelty": blanked(newcomers.novelty.tolist()),
        "percentile": blanked(newcomers.percentiles.tolist()),
        "does_not_belong": newcomers.strange.astype(np.int64).tolist(),
        "in_training": [int(name in known) for name in newcomers.ids],
    }
    columns |= label_columns(newcomers.matrix.item_labels, columns)
    return list(columns), list(zip(*columns.values(), strict=True))


def newcomers_record(
    newcomers: ProjectedItems,
    run: Mapping[str, Any],
    *,
    source: str,
    notes: Sequence[Problem],
    tolerance: float,
) -> dict[str, Any]:
    """What was placed on which run's map (its own record), by which rule, and all mismatches."""
    return {
        "schema": SCHEMA,
        "program": {"ximstudio": __version__},
        "run": {name: run[name] for name in ("method", "seed", "result_hash")},
        "data": {
            "source": source,
            "items": len(newcomers),
            "fingerprint": newcomers.matrix.fingerprint,
        },
        "novelty": {"percentile": PERCENTILE, "tolerance": tolerance},
        "do_not_belong": [
            name for name, strange in zip(newcomers.ids, newcomers.strange, strict=True) if strange
        ],
        "in_training": list(newcomers.known),
        "unplaced": list(newcomers.unplaced),
        "absent_features": list(newcomers.absent),
        "extra_features": list(newcomers.extra),
        "notes": [{"key": note.key, "what": note.what, "where": note.where} for note in notes],
        **surroundings(),
    }
