"""Pinned nodes: keep their prototypes at items before, during and after training."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ximstudio.model.arrays import Floats, Ints, frozen
from ximstudio.model.matrix import Matrix
from ximstudio.model.params import closest
from ximstudio.model.problem import Problem
from ximstudio.train.anchor_params import AnchorParams


@dataclass(frozen=True, kw_only=True, eq=False)
class Pinned:
    """Nodes (P,) whose prototypes do not move, and their prototypes, (P, D); NaN if missing."""

    nodes: Ints
    values: Floats

    def put(self, prototypes: Floats) -> Floats:
        """Return the prototypes (M, D) with the pinned ones in their places.

        Values missing in an item stay as they are: they do not move in training either.
        """
        if not len(self.nodes):
            return prototypes
        held = prototypes.copy()
        held[self.nodes] = np.where(np.isnan(self.values), held[self.nodes], self.values)
        return held


def pinned(matrix: Matrix, params: Any) -> Pinned:
    """Find the pinned nodes, ascending, and their items; none by default."""
    anchored = params.anchored if isinstance(params, AnchorParams) else {}
    row_of = {item: row for row, item in enumerate(matrix.item_ids)} if anchored else {}
    nodes = sorted(anchored)
    rows = [row_of[anchored[node]] for node in nodes]
    return Pinned(
        nodes=frozen(np.array(nodes, dtype=np.int64)), values=frozen(matrix.values[rows].copy())
    )


def anchor_problems(matrix: Matrix, params: Any) -> Iterator[Problem]:
    """Report anchors that name no item of these data."""
    if not isinstance(params, AnchorParams) or not params.anchors:
        return
    known = set(matrix.item_ids)
    for item in params.anchored.values():
        if item not in known:
            yield Problem(
                key="params.anchor_item",
                what=f"There is no item '{item}' to pin a node to.",
                where="parameter 'anchors'",
                fields=("anchors",),
                way_out=closest(item, matrix.item_ids),
            )
