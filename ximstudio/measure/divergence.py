"""Costs of items at the end of training (TR 7–9): how far data and map neighbourhood differ."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ximstudio.kernels.divergence import KL
from ximstudio.measure.nodes import item_blocks, squared_distances
from ximstudio.model.arrays import Floats
from ximstudio.model.result import PrototypeMap, Result
from ximstudio.train import method_named
from ximstudio.train.divergences import parts, value
from ximstudio.train.last_forces import last_force, last_reaches
from ximstudio.train.online import LOG_KERNELS

NEIGHBOURHOODS = 2**22
"""Values of h between nodes held at once: 32 MB."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Costs:
    """The cost of every item and its two parts, each of shape (N,).

    Parameters
    ----------
    attraction
        Large where prototypes of nodes near the winner are far from the item.
    repulsion
        Large where many prototypes are near the item, anywhere on the map: the sum of the forces
        that repel them; 0 for a self-organizing map.
    """

    attraction: Floats
    repulsion: Floats

    @property
    def total(self) -> Floats:
        return self.attraction + self.repulsion


def item_costs(result: Result, values: Floats) -> Costs | None:
    """Return the divergence of every item, by default Σ_j h ln(h/g) − h + g (TR 9), or its energy.

    Width σ and reach γ are the last of the training, the winner is the nearest prototype's node.
    Repulsion is Σ_j b_j, which is Σ_j g_j by default, and attraction the rest, by default Σ_j h_j
    (ln h_j − 1 + d_j/2γ²). Where nothing repels, as in a self-organizing map, there is no γ and the
    cost is ½ Σ_j h_j d_j (Heskes 1999), all of it attraction. None where there are no nodes, or no
    history with σ and γ.
    """
    model, winners, history = result.model, result.winners, result.history
    kernel = method_named(result.method).map_kernel
    if kernel is None or not len(history.step):
        return None
    assert isinstance(model, PrototypeMap)
    assert winners is not None
    grid, scale = model.grid, result.params.length_scale
    width, reach = float(history.width[-1]), last_reaches(result, values)
    force = last_force(result.params)
    every = np.arange(grid.n_nodes)
    attraction, repulsion = np.zeros(len(values)), np.zeros(len(values))
    # In the order of their winners, so that the items of a block share few rows of h.
    order = np.argsort(winners, kind="stable")
    for block in item_blocks(len(values), grid.n_nodes):
        items = order[block]
        nodes, which = np.unique(winners[items], return_inverse=True)
        log_h = LOG_KERNELS[kernel](grid.squared_distances(nodes, every) / scale**2, width)
        distances = 0.5 * squared_distances(values[items], model)
        if reach is None:
            attraction[items] = np.einsum("ij,ij->i", np.exp(log_h)[which], distances)
            continue
        # In two steps, because γ² may underflow.
        distances /= reach[items, None]
        distances /= reach[items, None]
        if force == KL:
            h = np.exp(log_h)
            attraction[items] = (h * (log_h - 1.0)).sum(axis=1)[which]
            attraction[items] += np.einsum("ij,ij->i", h[which], distances)
            repulsion[items] = np.exp(-distances).sum(axis=1)
        else:
            repulsion[items] = parts(force, log_h[which], -distances)[1].sum(axis=1)
            attraction[items] = value(force, log_h[which], -distances) - repulsion[items]
    return Costs(attraction=attraction, repulsion=repulsion)


def heskes_energy(result: Result, values: Floats) -> float | None:
    """Return Heskes' energy, the mean over all items of ½ Σ_j h(d_O(r*, r_j)) d_E(x, w_j) (TR 7).

    The winner r* is the node with the least sum (TR 6), whichever best match trained the map, and
    the width σ is the last of the training. It is what a self-organizing map with that best match
    lowers (Heskes 1999). None where there are no nodes, or no history to tell σ.
    """
    model, kernel = result.model, method_named(result.method).map_kernel
    if kernel is None or not len(result.history.step):
        return None
    assert isinstance(model, PrototypeMap)
    grid, scale, width = model.grid, result.params.length_scale, float(result.history.width[-1])
    every, least = np.arange(grid.n_nodes), np.full(len(values), np.inf)
    at_once = max(1, NEIGHBOURHOODS // grid.n_nodes)
    for begin in range(0, grid.n_nodes, at_once):
        nodes = every[begin : begin + at_once]
        h = np.exp(LOG_KERNELS[kernel](grid.squared_distances(nodes, every) / scale**2, width))
        for items in item_blocks(len(values), grid.n_nodes):
            sums = squared_distances(values[items], model) @ h.T
            np.minimum(least[items], sums.min(axis=1), out=least[items])
    return 0.5 * float(least.mean())


def generalised_kl(p: Floats, q: Floats) -> Floats:
    """Return ∫ p ln(p/q) − ∫ (p − q) over the last axis (TR 8), infinite where q is 0 and p is not.

    p and q are the masses of two measures on the same places and need not sum to 1: TR 9 is this
    divergence of h and g.
    """
    from scipy.special import kl_div  # 0.1 s

    return np.asarray(kl_div(p, q).sum(axis=-1))
