"""Layers of named sets: share of a set in each node, or mean of its features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ximstudio.explore.sets import membership, scaling_of
from ximstudio.maps.layer import Layer, LayerEvidence, LayerNeed
from ximstudio.maps.palettes import PaletteScheme
from ximstudio.model.arrays import Floats
from ximstudio.model.matrix import Matrix
from ximstudio.model.named_set import NamedSet, SetSide
from ximstudio.model.result import Result

SHARE, MEAN = "set", "set_mean"


@dataclass(frozen=True, kw_only=True)
class SetLayer(Layer):
    """A layer whose options are the names of sets."""

    sets: tuple[NamedSet, ...] = ()

    def options(self, result: Result, matrix: Matrix | None = None) -> tuple[str, ...]:
        """Names of the sets."""
        del result, matrix
        return tuple(one.name for one in self.sets)


def set_layers(sets: Sequence[NamedSet]) -> tuple[Layer, ...]:
    """Layers for these sets; none without sets."""
    items = tuple(one for one in sets if one.side is SetSide.ITEMS)
    features = tuple(one for one in sets if one.side is SetSide.FEATURES)
    made: list[Layer] = []
    if items:
        made.append(
            SetLayer(
                key=SHARE,
                name="Set",
                about="Share of every node's items that are in a set.",
                legend="share of the node's items",
                of=lambda evidence, name: _share(evidence, _named(items, name)),
                needs=frozenset({LayerNeed.MATRIX}),
                sets=items,
            )
        )
    if features:
        made.append(
            SetLayer(
                key=MEAN,
                name="Mean of set",
                about="Mean z-score of all features of a set in every node.",
                legend="mean z-score",
                of=lambda evidence, name: _mean(evidence, _named(features, name)),
                needs=frozenset({LayerNeed.MATRIX}),
                scheme=PaletteScheme.DIVERGING,
                sets=features,
            )
        )
    return tuple(made)


def _named(sets: Sequence[NamedSet], name: str) -> NamedSet:
    return next(one for one in sets if one.name == name)


def _share(evidence: LayerEvidence, one: NamedSet) -> Floats:
    """Share of the set among every node's items, shape (M,); NaN without items."""
    inside = membership(one, evidence.items)
    n_nodes = evidence.grid.n_nodes
    counts = np.bincount(evidence.winners, minlength=n_nodes)
    members = np.bincount(evidence.winners[inside], minlength=n_nodes)
    return np.asarray(np.divide(members, counts, out=np.full(n_nodes, np.nan), where=counts > 0))


def _mean(evidence: LayerEvidence, one: NamedSet) -> Floats:
    """Mean over the set's features of the prototypes' z-scores, shape (M,).

    The z-scores are those of the items, so that the layer has the scale of the items' colours.
    """
    scaling = scaling_of(one, evidence.items)
    columns = scaling.columns
    if not len(columns):
        return np.full(evidence.grid.n_nodes, np.nan)
    scores = scaling.scores(evidence.model.prototypes[:, columns], np.arange(len(columns)))
    return np.asarray(scores.mean(axis=1))
