"""A torus has no seam: move its prototypes round, and every layer moves along."""

from __future__ import annotations

import numpy as np
import pytest

from tests.maps.results import evidence_of, result_of
from tests.place.maps import TORI, smooth_map
from ximstudio.maps import LAYERS, LayerEvidence
from ximstudio.maps.cells import shifted
from ximstudio.maps.layer import Layer
from ximstudio.model import Grid, PrototypeMap

OPTIONS = {"plane": "feature 3", "classes": "kind", "label_mean": "dose"}
MOVES = [(2, 0), (0, 1), (4, 3), (-2, -5)]


def moved(evidence: LayerEvidence, rows: int, columns: int) -> LayerEvidence:
    """The same items on a map whose prototypes went so many rows and columns on."""
    prototypes = shifted(evidence.grid, evidence.model.prototypes, rows, columns)
    model = PrototypeMap(grid=evidence.grid, prototypes=prototypes)
    return evidence.at(result_of(model, evidence.items))


@pytest.mark.parametrize("blanks", [False, True], ids=["complete", "blanks"])
@pytest.mark.parametrize("move", MOVES, ids=str)
@pytest.mark.parametrize("grid", TORI, ids=str)
@pytest.mark.parametrize("layer", LAYERS, ids=lambda layer: layer.key)
def test_that_layers_move_with_the_prototypes_of_a_torus(
    layer: Layer, grid: Grid, move: tuple[int, int], blanks: bool
) -> None:
    evidence = evidence_of(smooth_map(grid), blanks=blanks)
    option = OPTIONS.get(layer.key, "")
    before, after = layer.of(evidence, option), layer.of(moved(evidence, *move), option)
    np.testing.assert_allclose(after, shifted(grid, before, *move), rtol=1e-9, atol=1e-12)
    assert len(np.unique(before[np.isfinite(before)])) > 1


def test_that_a_map_with_borders_does_have_a_seam() -> None:
    torus, flat = TORI[0], Grid(TORI[0].rows, TORI[0].columns)
    prototypes = smooth_map(torus).prototypes
    moved_prototypes = shifted(torus, prototypes, 2, 3)
    u_matrix = LAYERS[0]
    before, after = (
        u_matrix.of(evidence_of(PrototypeMap(grid=flat, prototypes=each)), "")
        for each in (prototypes, moved_prototypes)
    )
    assert np.abs(after - shifted(torus, before, 2, 3)).max() > 0.1 * before.max()
