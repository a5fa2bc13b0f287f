"""What every item costs at the end of training: how far data and map neighbourhood differ."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ximstudio.measure.nodes import item_blocks, squared_distances
from ximstudio.model.arrays import Floats
from ximstudio.model.result import PrototypeMap, Result
from ximstudio.train import method_named
from ximstudio.train.map_kernels import LOG_KERNELS
from ximstudio.train.params import OnlineParams


@dataclass(frozen=True, kw_only=True, eq=False)
class Costs:
    """The cost of every item and its two parts, each of shape (N,).

    Parameters
    ----------
    attraction
        Large where prototypes of nodes near the winner are far from the item.
    repulsion
        How many prototypes are near the item, anywhere on the map; 0 for a self-organizing map.
    """

    attraction: Floats
    repulsion: Floats

    @property
    def total(self) -> Floats:
        return self.attraction + self.repulsion


def item_costs(result: Result, values: Floats) -> Costs | None:
    """The divergence Σ_j h ln(h/g) − h + g of every item (TR 9), or its energy without repulsion.

    Width σ and reach γ are the last of the training, the winner is the nearest prototype's node.
    Attraction is Σ_j h_j (ln h_j − 1 + d_j/2γ²), repulsion Σ_j g_j. Where nothing repels, as in a
    self-organizing map, there is no γ and the cost is ½ Σ_j h_j d_j (Heskes 1999), all of it
    attraction. None where there are no nodes, or no history to tell σ and γ.
    """
    model, winners, history = result.model, result.winners, result.history
    kernel = method_named(result.method).map_kernel
    if kernel is None or not len(history.step):
        return None
    assert isinstance(model, PrototypeMap)
    assert isinstance(result.params, OnlineParams)
    assert winners is not None
    grid, scale = model.grid, result.params.length_scale
    width, reach = float(history.width[-1]), float(history.reach[-1])
    every = np.arange(grid.n_nodes)
    attraction, repulsion = np.zeros(len(values)), np.zeros(len(values))
    # In the order of their winners, so that the items of a block share few rows of h.
    order = np.argsort(winners, kind="stable")
    for block in item_blocks(len(values), grid.n_nodes):
        items = order[block]
        nodes, which = np.unique(winners[items], return_inverse=True)
        log_h = LOG_KERNELS[kernel](grid.squared_distances(nodes, every) / scale**2, width)
        h = np.exp(log_h)
        # Halved d_E, over γ² if there is one; in two steps, because γ² may underflow.
        distances = 0.5 * squared_distances(values[items], model)
        if not np.isnan(reach):
            distances /= reach
            distances /= reach
            attraction[items] = (h * (log_h - 1.0)).sum(axis=1)[which]
            repulsion[items] = np.exp(-distances).sum(axis=1)
        attraction[items] += np.einsum("ij,ij->i", h[which], distances)
    return Costs(attraction=attraction, repulsion=repulsion)
