"""A slow float64 twin of XOM's steps, written from the definitions and from nothing else."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tests.twins import annealed
from ximstudio.model.arrays import Floats

Pair = tuple[float, float]


@dataclass(frozen=True, kw_only=True)
class Rule:
    """What a training does; σ in data units, γ in sides of the map."""

    kernel: str
    annealing: str
    step: Pair
    width: Pair
    reach: Pair
    repulsion: float


def squared_distances(values: Floats) -> Floats:
    """Of all pairs of items, over the features known of both and scaled up to all of them."""
    n_items, n_features = values.shape
    table = np.empty((n_items, n_items))
    for i in range(n_items):
        for j in range(n_items):
            apart = values[i] - values[j]
            known = ~np.isnan(apart)
            table[i, j] = (apart[known] ** 2).sum() * n_features / known.sum()
    return table


def map_kernel(name: str, d: Floats, gamma: float) -> tuple[Floats, Floats]:
    """g, and the factor that its slope brings to the force."""
    if name == "gaussian":
        return np.exp(-d / (2.0 * gamma**2)), np.ones_like(d)
    if name == "t":
        return (1.0 + d / gamma) ** (-(gamma + 1.0) / 2.0), 1.0 / (1.0 + d / gamma)
    if name == "cauchy":
        return 1.0 / (1.0 + d / gamma**2), 1.0 / (1.0 + d / gamma**2)
    assert name == "none"
    return np.zeros_like(d), np.ones_like(d)


@dataclass(frozen=True, kw_only=True, eq=False)
class Step:
    """What one drawn point did."""

    positions: Floats
    winner: int
    error: float
    cost: float


def xom_step(rule: Rule, v: Floats, positions: Floats, d_data: Floats, fraction: float) -> Step:
    """w_i ← w_i + ε f_i (v − w_i), f = (1−η) h − η g, times the factor of a heavy tail."""
    epsilon = annealed(rule.annealing, rule.step, fraction)
    sigma = annealed(rule.annealing, rule.width, fraction)
    gamma = annealed(rule.annealing, rule.reach, fraction)
    d = ((v - positions) ** 2).sum(axis=1)
    winner = int(np.argmin(d))
    h = np.exp(-d_data[winner] / (2.0 * sigma**2))
    g, factor = map_kernel(rule.kernel, d, gamma)
    force = ((1.0 - rule.repulsion) * h - rule.repulsion * g) * factor
    with np.errstate(divide="ignore", invalid="ignore"):
        cost = np.where(h > 0.0, h * np.log(h / g), 0.0) - h + g
    return Step(
        positions=positions + epsilon * force[:, None] * (v - positions),
        winner=winner,
        error=float(np.sqrt(d[winner])),
        cost=0.5 * float((h * d).sum()) if rule.kernel == "none" else float(cost.sum()),
    )
