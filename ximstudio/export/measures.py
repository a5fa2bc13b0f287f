"""How far a map is to be believed, as tables: all in all, by neighbourhood, item and node."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan
from pathlib import Path
from typing import Any

import numpy as np

from ximstudio import __version__
from ximstudio.export.record import surroundings
from ximstudio.files.csv_table import write_table
from ximstudio.measure.catalogue import Measure
from ximstudio.measure.divergence import Costs
from ximstudio.measure.estimate import Estimate
from ximstudio.measure.evidence import MapEvidence
from ximstudio.measure.neighbourhoods import (
    continuity,
    intruders,
    item_continuity,
    item_trust,
    label_agreement,
    lcmc,
    lost_neighbours,
    q_nx,
    r_nx,
    trustworthiness,
)
from ximstudio.measure.nodes import kaski_lagus, per_node, topographic_errors
from ximstudio.model.arrays import Floats
from ximstudio.model.result import PrototypeMap
from ximstudio.train.run_tables import blanked

SCHEMA = 1
NAMED = 3
"""Intruders and lost neighbours that are named of every item."""

Found = Sequence[tuple[Measure, Estimate]]
"""The measures that apply, with their values."""
Columns = dict[str, Sequence[object]]


def write_measures(path: Path, found: Found) -> None:
    """One line per measure that applies: its value, sampling error, range and reference."""
    header = ["key", "name", "value", "error", "low", "high", "better", "reference"]
    rows = [
        [
            measure.key,
            measure.name,
            *blanked([estimate.value, estimate.error, measure.low, measure.high]),
            str(measure.better),
            measure.reference,
        ]
        for measure, estimate in found
    ]
    write_table(path, header, rows)


def write_neighbourhoods(path: Path, evidence: MapEvidence) -> None:
    """One line per number k of neighbours: every measure of neighbourhoods at this k."""
    k = range(1, evidence.ranks.k + 1)
    _write_columns(path, {"k": k, **_as_columns(neighbourhood_curves(evidence))})


def neighbourhood_curves(evidence: MapEvidence) -> Mapping[str, Floats]:
    """Every measure of neighbourhoods, for 1, 2, … neighbours."""
    ranks = evidence.ranks
    curves = {
        "trustworthiness": trustworthiness(ranks),
        "continuity": continuity(ranks),
        "q_nx": q_nx(ranks),
        "lcmc": lcmc(ranks),
        "r_nx": r_nx(ranks),
    }
    if evidence.labels is not None:
        curves["label_agreement"] = label_agreement(ranks, evidence.labels)
    return curves


def write_items(path: Path, evidence: MapEvidence) -> None:
    """One line per item: how far its place is to be believed, and who is wrongly near or far."""
    ranks, ids = evidence.ranks, evidence.result.item_ids
    columns: Columns = {"id": ids, **_as_columns(item_values(evidence))}
    for name, (items, of_rank) in (
        ("intruder", intruders(ranks, NAMED)),
        ("lost_neighbour", lost_neighbours(ranks, NAMED)),
    ):
        for number in range(items.shape[1]):
            chosen = items[:, number].tolist()
            columns[f"{name}_{number + 1}"] = [ids[item] if item >= 0 else "" for item in chosen]
            columns[f"{name}_{number + 1}_rank"] = [
                rank if item >= 0 else ""
                for item, rank in zip(chosen, of_rank[:, number].tolist(), strict=True)
            ]
    _write_columns(path, columns)


def write_nodes(path: Path, evidence: MapEvidence) -> None:
    """One line per node: how many items it wins, and the mean of every value of theirs."""
    model, winners = evidence.result.model, evidence.result.winners
    assert isinstance(model, PrototypeMap)
    assert winners is not None
    n_nodes = model.grid.n_nodes
    rows, numbers = np.divmod(np.arange(n_nodes), model.grid.columns)
    columns: Columns = {
        "node": range(n_nodes),
        "row": rows.tolist(),
        "column": numbers.tolist(),
        "hits": np.bincount(winners, minlength=n_nodes).tolist(),
    }
    means = {
        name: per_node(values, winners, n_nodes) for name, values in item_values(evidence).items()
    }
    _write_columns(path, {**columns, **_as_columns(means)})


def item_values(evidence: MapEvidence) -> Mapping[str, Floats]:
    """Every value that an item has, the means of which over its items a node has."""
    values = {"trust": item_trust(evidence.ranks), "continuity": item_continuity(evidence.ranks)}
    model, best = evidence.result.model, evidence.best_nodes
    if best is not None and isinstance(model, PrototypeMap):
        values["quantisation_error"] = best.distances
        values["topographic_error"] = topographic_errors(model.grid, best)
        values["kaski_lagus"] = kaski_lagus(model, best)
    costs: Costs | None = evidence.costs
    if costs is not None:
        values["cost"] = costs.total
        values["attraction"] = costs.attraction
        values["repulsion"] = costs.repulsion
    return values


def measures_record(evidence: MapEvidence, found: Found, run: Mapping[str, Any]) -> dict[str, Any]:
    """What was measured, of which run (its own record), and all that the numbers depend on."""
    return {
        "schema": SCHEMA,
        "program": {"ximstudio": __version__},
        "run": {name: run[name] for name in ("method", "seed", "result_hash")},
        "data": {
            "source": evidence.matrix.source,
            "items": evidence.matrix.n_items,
            "features": evidence.matrix.n_features,
            "fingerprint": evidence.matrix.fingerprint,
        },
        "label": evidence.label,
        "seed": evidence.seed,
        "neighbours": evidence.ranks.k,
        "pairs": {
            "all": evidence.pairs.all_pairs,
            "looked_at": evidence.pairs.n_pairs,
            "same_in_data": evidence.pairs.n_same,
            "without_distance": evidence.pairs.n_without,
        },
        "measures": {
            measure.key: {
                # JSON knows no NaN.
                "value": None if isnan(estimate.value) else estimate.value,
                "error": None if isnan(estimate.error) else estimate.error,
            }
            for measure, estimate in found
        },
        **surroundings(),
    }


def _write_columns(path: Path, columns: Columns) -> None:
    write_table(path, list(columns), zip(*columns.values(), strict=True))


def _as_columns(values: Mapping[str, Floats]) -> Columns:
    return {name: blanked(column.tolist()) for name, column in values.items()}
