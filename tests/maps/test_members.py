"""Means over the items of every node."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from tests import twins
from tests.maps.results import evidence_of, members_of
from tests.place.maps import FLAT_GRIDS, TORI, rough_map, smooth_map
from ximstudio.maps import LayerEvidence, layer_named
from ximstudio.maps.members import item_errors
from ximstudio.measure.neighbourhoods import continuity, trustworthiness
from ximstudio.measure.ranks import Ranks
from ximstudio.model import Grid
from ximstudio.model.arrays import Floats


@pytest.mark.parametrize("blanks", [False, True], ids=["complete", "blanks"])
@pytest.mark.parametrize("grid", [*FLAT_GRIDS, *TORI], ids=str)
def test_that_the_quantisation_error_is_the_mean_distance_of_a_nodes_items(
    grid: Grid, blanks: bool
) -> None:
    evidence = evidence_of(rough_map(grid, offset=1e6), blanks=blanks)
    found = layer_named("quantisation_error").of(evidence, "")
    for node, items in enumerate(members_of(evidence)):
        prototype = evidence.model.prototypes[node : node + 1]
        apart = [
            np.sqrt(twins.data_distances(evidence.items.values[item], prototype)[0])
            for item in items
        ]
        if items:
            assert found[node] == pytest.approx(np.mean(apart))
        else:
            assert np.isnan(found[node])


def test_that_item_errors_are_those_of_the_measures() -> None:
    evidence = evidence_of(smooth_map(Grid(5, 4)), blanks=True)
    best = evidence.measured.best_nodes
    assert best is not None
    np.testing.assert_allclose(item_errors(evidence), best.distances)


@pytest.mark.parametrize(("key", "curve"), [("trust", trustworthiness), ("continuity", continuity)])
def test_that_a_map_is_believed_as_far_as_its_nodes_are(
    key: str, curve: Callable[[Ranks], Floats]
) -> None:
    evidence = evidence_of(smooth_map(Grid(5, 4)))
    found = layer_named(key).of(evidence, "")
    hits = np.array([len(items) for items in members_of(evidence)])
    assert (np.isnan(found) == (hits == 0)).all()
    mean = np.nansum(found * hits) / hits.sum()
    assert mean == pytest.approx(curve(evidence.measured.ranks).mean())


def test_that_a_torn_group_is_seen_at_its_nodes_only() -> None:
    rng = np.random.default_rng(0)
    values = np.repeat(10.0 * np.eye(4, 7), 20, axis=0) + 0.1 * rng.normal(size=(80, 7))
    evidence = evidence_of(smooth_map(Grid(1, 8)), n_items=80)
    matrix = evidence.items.with_values(values)
    winners = np.repeat([0, 2, 4, 6], 20)
    # The last group lies half beside the first and half at the other end.
    winners[70:] = 1
    positions = np.column_stack([winners, np.zeros(80)]) + 0.05 * rng.normal(size=(80, 2))
    torn = replace(evidence.result, winners=winners, positions=positions)
    found = layer_named("continuity").of(LayerEvidence(result=torn, matrix=matrix), "")
    assert min(found[2], found[4]) > max(found[1], found[6])
