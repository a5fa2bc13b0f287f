"""Compute the next prototypes from the sums of an epoch: the stationary condition TR 26, two ways.

With f = (1−η) a − η b the condition is Σ_i f_ij (x_i − w_j) = 0. Taken literally as a fixed point
it divides by Σ_i f_ij (TR 27), which need not be positive; dividing by Σ_i (1−η) a + η b instead
leads to the same stationary states and is stable.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ximstudio.model.arrays import Floats, Floats32
from ximstudio.train.batch_items import BatchItems
from ximstudio.train.batch_sums import Sums

NOTHING = 1e-30
"""Sums of forces up to this count as 0: h underflows far from all winners."""
ROUNDING = 1e-6
"""Differences of sums up to this share of them count as rounding, not as positive."""


class Moved(NamedTuple):
    """Prototypes after an epoch (M, D), and the number of those that had to stay."""

    prototypes: Floats32
    n_stalled: int


def damped(
    items: BatchItems, prototypes: Floats32, sums: Sums, *, repulsion: float, relaxation: float
) -> Moved:
    """w_j + λ Σ_i f_ij (x_i − w_j) / Σ_i ((1−η) a_ij + η b_ij); prototypes without force stay."""
    pulled, pushed = _weighted(sums, repulsion)
    force, total = pulled - pushed, (pulled + pushed)[:, items.known]
    w = prototypes.astype(np.float64)
    step = force[:, : items.n_features] - force[:, items.known] * w
    some = np.broadcast_to(total > NOTHING, w.shape)
    step = np.divide(step, total, out=np.zeros_like(w), where=some)
    return Moved((w + relaxation * step).astype(np.float32), 0)


def literal(
    items: BatchItems, prototypes: Floats32, sums: Sums, *, repulsion: float, relaxation: float
) -> Moved:
    """w_j = Σ_i f_ij x_i / Σ_i f_ij (TR 27), or a share λ of the way there.

    Prototypes whose Σ_i f_ij is not positive stay, and are counted.
    """
    pulled, pushed = _weighted(sums, repulsion)
    force, total = pulled - pushed, (pulled + pushed)[:, items.known]
    w = prototypes.astype(np.float64)
    weight = force[:, items.known]
    positive = (weight > ROUNDING * total) & (total > NOTHING)
    goal = np.divide(
        force[:, : items.n_features],
        weight,
        out=w.copy(),
        where=np.broadcast_to(positive, w.shape),
    )
    return Moved(
        (w + relaxation * (goal - w)).astype(np.float32), int((~positive).any(axis=1).sum())
    )


RULES = {"damped": damped, "literal": literal}


def _weighted(sums: Sums, repulsion: float) -> tuple[Floats, Floats]:
    return (
        (1.0 - repulsion) * sums.pulled.astype(np.float64),
        repulsion * sums.pushed.astype(np.float64),
    )
