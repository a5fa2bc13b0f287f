"""Warnings about settings of XIM, t-XIM and c-XIM before training."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ximstudio.kernels.divergence import KL, NOTHING
from ximstudio.model.arrays import Floats
from ximstudio.model.dissimilarities import Dissimilarities
from ximstudio.model.matrix import Matrix
from ximstudio.model.problem import Problem, Severity
from ximstudio.train import annealing
from ximstudio.train.xim_family import XimParams

TINY = 1e-300
MEDIANS_REPEL = 0.05
"""Largest repulsion of median prototypes; from 0.1 on they fall on few items (yeast sample)."""
FAR_IN_EPOCHS = 20.0
"""Largest ratio of the attraction at the median distance to that nearby, in epochs."""
STEEPEST_IN_EPOCHS = -0.5
"""The power of g in the attraction below which epochs gave no good map at any reach."""
MOST_EXPONENT = 700.0
"""Largest exponent of e that does not overflow."""


def xim_problems(matrix: Matrix, params: XimParams) -> Iterable[Problem]:
    """Report a reach that means nothing on these data, and forces that overshoot."""
    median = matrix.median_distance
    shared = not params.local_reach
    if shared and params.reach_unit == "median" and median == 0.0:
        yield Problem(
            key="params.reach_unit",
            what="More than half of all pairs of items are the same, so their median distance"
            " is 0 and cannot measure the reach.",
            where="parameter 'reach_unit'",
            fields=("reach_unit", "reach"),
            way_out="Set the reach in data units.",
        )
        return
    if params.in_epochs and params.repelled_by == "means" and not (shared and params.force == KL):
        yield Problem(
            key="params.means",
            what="Means of items can only repel where all items have the same reach, and where"
            " attraction does not depend on the distance.",
            where="parameters 'repelled_by', 'divergence' and 'reach_from'",
            fields=("repelled_by", "divergence", "reach_from"),
            way_out="Let items repel, or use the Kullback–Leibler divergence and a global reach.",
        )
    if params.in_epochs and params.repelling_share not in (None, 1.0) and params.force != KL:
        yield Problem(
            key="params.turns",
            what="Items can only take turns to repel where attraction does not depend on the"
            " distance.",
            where="parameters 'repelling_share' and 'divergence'",
            fields=("repelling_share", "divergence"),
            way_out="Let all items repel (a share of 1), or use the Kullback–Leibler divergence.",
        )
    yield from _forces_too_strong(matrix, params)


def _forces_too_strong(matrix: Matrix, params: XimParams) -> Iterable[Problem]:
    """Warn of settings that break a map although every number is allowed."""
    if isinstance(matrix, Dissimilarities) and params.relational == "median":
        if params.repulsion > MEDIANS_REPEL:
            yield Problem(
                key="params.medians",
                what=f"Median prototypes that repel by {params.repulsion:g} fall on few items: the"
                " map collapses.",
                where="parameters 'relational' and 'repulsion'",
                fields=("relational", "repulsion"),
                way_out="Lower the repulsion to 0.02, or use relational prototypes.",
                severity=Severity.WARNING,
            )
        return
    fractions = np.linspace(0.0, 1.0, 1001)
    reach = _reaches_ahead(matrix, params, fractions)
    step = annealing.annealed(params.annealing, params.step, fractions)
    if params.force.q < 0.0 and params.force.divisor == NOTHING:
        yield from _far_problems(matrix, params, reach, step)
    if params.rule != "gradient" or params.in_epochs:
        return
    factor = float((step / np.maximum(reach**2, TINY)).max())
    if factor > 1.0:
        yield Problem(
            key="params.overshoot",
            what=f"The gradient rule overshoots: step/reach² comes to {factor:.3g}, above 1.",
            where="parameters 'step' and 'reach'",
            fields=("step", "reach", "rule"),
            way_out="Use a smaller step, a larger reach, or the weighted learning rule.",
            severity=Severity.WARNING,
        )


def _reaches_ahead(matrix: Matrix, params: XimParams, fractions: Floats) -> Floats:
    """Reach in data units along training; approximate where every item has its own."""
    if params.local_reach:
        # The distance of that share of all pairs, before any neighbour is searched.
        counts = annealing.annealed(
            params.annealing, params.neighbours_for(matrix.n_items), fractions
        )
        return np.quantile(matrix.pair_distances, np.minimum(counts / matrix.n_items, 1.0))
    unit = matrix.median_distance if params.reach_unit == "median" else 1.0
    return unit * annealing.annealed(params.annealing, params.reach, fractions)


def _far_problems(
    matrix: Matrix, params: XimParams, reach: Floats, step: Floats
) -> Iterable[Problem]:
    """Report whether distant items attract so much more than near ones that they dominate the map.

    The attraction h^p g^q with q < 0 grows with the distance. At the median distance a step above 1
    goes all the way to every item; an epoch is a weighted mean of all items, whatever the step.
    """
    exponent = np.square(matrix.median_distance / np.maximum(reach, TINY)) / 2.0
    growth = np.exp(np.minimum(-params.force.q * exponent, MOST_EXPONENT))
    if params.in_epochs:
        far = float(growth.max()) > FAR_IN_EPOCHS or params.force.q < STEEPEST_IN_EPOCHS
        way_out = "Use the online algorithm, or another divergence."
    else:
        far = float((step * growth).max()) > 1.0
        way_out = "Use a longer reach, such as 0.7 → 0.4, and smaller steps, such as 0.05 → 0.005."
    if far:
        yield Problem(
            key="params.far_items",
            what="With this divergence, attraction grows with distance: at such a"
            " short reach distant items dominate the map, and it collapses.",
            where="parameters 'divergence', 'reach' and 'step'",
            fields=("divergence", "reach", "step"),
            way_out=way_out,
            severity=Severity.WARNING,
        )
