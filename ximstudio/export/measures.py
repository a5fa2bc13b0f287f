"""Tables of the quality of a map: overall, by neighbourhood, item and node."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import starmap
from math import isnan
from pathlib import Path
from typing import Any

import numpy as np

from ximstudio import __version__
from ximstudio.files.columns import Column, numbers, texts, wholes
from ximstudio.files.csv_table import write_csv
from ximstudio.measure import neighbourhoods
from ximstudio.measure.catalogue import Measure
from ximstudio.measure.divergence import Costs
from ximstudio.measure.estimate import Estimate
from ximstudio.measure.evidence import MapEvidence
from ximstudio.measure.nodes import kaski_lagus, per_node, topographic_errors
from ximstudio.model.arrays import Floats
from ximstudio.model.result import PrototypeMap
from ximstudio.train.record import surroundings, write_record
from ximstudio.train.run_tables import number_columns

SCHEMA = 1
NAMED = 3
"""Number of intruders and lost neighbours named for every item."""

Found = Sequence[tuple[Measure, Estimate]]
"""The measures that apply, with their values."""


def write_measures(
    folder: Path, found: Found, evidence: MapEvidence, run: Mapping[str, Any]
) -> None:
    """Write tables of all measures of a map, and their record; `run` is that of the map."""
    _write_summary(folder / "measures.csv", found)
    write_csv(folder / "neighbourhoods.csv", neighbourhood_columns(evidence))
    _write_items(folder / "items.csv", evidence)
    if evidence.result.winners is not None:
        _write_nodes(folder / "nodes.csv", evidence)
    write_record(folder / "measures.json", measures_record(evidence, found, run))


def _write_summary(path: Path, found: Found) -> None:
    """Write one line per measure that applies: value, sampling error, range and reference."""
    measures = [measure for measure, _ in found]
    columns = [
        texts("key", [each.key for each in measures]),
        texts("name", [each.name for each in measures]),
        numbers("value", np.array([estimate.value for _, estimate in found])),
        numbers("error", np.array([estimate.error for _, estimate in found])),
        numbers("low", np.array([each.low for each in measures])),
        numbers("high", np.array([each.high for each in measures])),
        texts("better", [str(each.better) for each in measures]),
        texts("reference", [each.reference for each in measures]),
    ]
    write_csv(path, columns)


def neighbourhood_columns(evidence: MapEvidence) -> list[Column]:
    """Return every measure of neighbourhoods by the number k of neighbours."""
    k = wholes("k", range(1, evidence.ranks.k + 1), "Number of neighbours.")
    return [k, *starmap(numbers, neighbourhood_curves(evidence).items())]


def neighbourhood_curves(evidence: MapEvidence) -> Mapping[str, Floats]:
    """Every measure of neighbourhoods, for 1, 2, … neighbours."""
    ranks = evidence.ranks
    curves = {
        "trustworthiness": neighbourhoods.trustworthiness(ranks),
        "continuity": neighbourhoods.continuity(ranks),
        "q_nx": neighbourhoods.q_nx(ranks),
        "lcmc": neighbourhoods.lcmc(ranks),
        "r_nx": neighbourhoods.r_nx(ranks),
    }
    if evidence.labels is not None:
        curves["label_agreement"] = neighbourhoods.label_agreement(ranks, evidence.labels)
    return curves


def _write_items(path: Path, evidence: MapEvidence) -> None:
    """Write one line per item: its measures, intruders and lost neighbours."""
    ranks, ids = evidence.ranks, evidence.result.item_ids
    columns = [texts("id", ids), *starmap(numbers, item_values(evidence).items())]
    # Items without such a neighbour have −1, the last of the names.
    names = (*ids, "")
    for name, (items, of_rank) in (
        ("intruder", neighbourhoods.intruders(ranks, NAMED)),
        ("lost_neighbour", neighbourhoods.lost_neighbours(ranks, NAMED)),
    ):
        known = np.where(items >= 0, of_rank, np.nan)
        for number in range(items.shape[1]):
            title = f"{name}_{number + 1}"
            columns.append(texts(title, [names[item] for item in items[:, number].tolist()]))
            columns.append(wholes(f"{title}_rank", known[:, number]))
    write_csv(path, columns)


def _write_nodes(path: Path, evidence: MapEvidence) -> None:
    """Write one line per node: how many items it wins, and the means of their measures."""
    model, winners = evidence.result.model, evidence.result.winners
    assert isinstance(model, PrototypeMap)
    assert winners is not None
    n_nodes = model.grid.n_nodes
    means = (
        numbers(name, per_node(values, winners, n_nodes))
        for name, values in item_values(evidence).items()
    )
    hits = wholes("hits", np.bincount(winners, minlength=n_nodes))
    write_csv(path, [*number_columns(model.grid), hits, *means])


def item_values(evidence: MapEvidence) -> Mapping[str, Floats]:
    """Every value of an item; nodes have their means."""
    values = {
        "trust": neighbourhoods.item_trust(evidence.ranks),
        "continuity": neighbourhoods.item_continuity(evidence.ranks),
    }
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
    """Record of the measures, the run (its own record), and all that the numbers depend on."""
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
                # JSON has no NaN.
                "value": None if isnan(estimate.value) else estimate.value,
                "error": None if isnan(estimate.error) else estimate.error,
            }
            for measure, estimate in found
        },
        **surroundings(),
    }
