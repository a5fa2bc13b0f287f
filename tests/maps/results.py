"""Results made by hand: a map of given prototypes with items placed on it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tests.place.maps import items_near
from ximstudio.maps import LayerEvidence
from ximstudio.model import Matrix, PrototypeMap, Result, TrainingHistory
from ximstudio.model.arrays import Floats
from ximstudio.place.items import place_values
from ximstudio.train import method_named

KINDS = ("red", "green", "blue", "")


def matrix_of(values: Floats) -> Matrix:
    """Items with a label of four classes, one of them blank, and one of numbers."""
    kinds = tuple(KINDS[number % 7 % 4] for number in range(len(values)))
    doses = tuple(f"{number / 7}" for number in range(len(values)))
    return replace(Matrix.from_array(values), item_labels={"kind": kinds, "dose": doses})


def result_of(model: PrototypeMap, matrix: Matrix) -> Result:
    """The items on the map, as training would leave them."""
    params = method_named("som").params()
    placed = place_values(model, matrix.values, params)
    return Result(
        method="som",
        params=params,
        seed=0,
        data_fingerprint=matrix.fingerprint,
        item_ids=matrix.item_ids,
        feature_names=matrix.feature_names,
        model=model,
        winners=placed.winners,
        positions=placed.positions,
        history=TrainingHistory.empty(),
        step=1,
        n_steps=1,
    )


def evidence_of(model: PrototypeMap, *, blanks: bool = False, n_items: int = 60) -> LayerEvidence:
    """The map with items near its prototypes."""
    matrix = matrix_of(items_near(model, n_items, blanks=blanks))
    return LayerEvidence(result=result_of(model, matrix), matrix=matrix)


def members_of(evidence: LayerEvidence) -> list[list[int]]:
    """The items of every node."""
    assert evidence.result.winners is not None
    return [
        np.flatnonzero(evidence.result.winners == node).tolist()
        for node in range(evidence.grid.n_nodes)
    ]
