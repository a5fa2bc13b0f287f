"""Common parts of XIM, t-XIM and c-XIM: attraction in the map, repulsion in the data (TR 13–24)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Self

import numpy as np

from ximstudio.kernels.divergence import KL, NOTHING, Force
from ximstudio.model.arrays import Floats, Floats32
from ximstudio.model.condition import Fact, OneOf
from ximstudio.model.dissimilarities import Dissimilarities
from ximstudio.model.matrix import Matrix
from ximstudio.model.method_params import MethodParams
from ximstudio.model.problem import Problem, Severity
from ximstudio.model.spec import Choice, Number, param
from ximstudio.train import annealing
from ximstudio.train.anchors import AnchorParams
from ximstudio.train.batch import train_batch
from ximstudio.train.batch_params import BatchXimParams
from ximstudio.train.divergences import DIVERGENCES, divergence_named, force_of
from ximstudio.train.local_reach import LocalReachParams, local_reaches, reach_counts
from ximstudio.train.method import Checkpoint, TrainingJob
from ximstudio.train.online import Learning, train_online
from ximstudio.train.params import annealed
from ximstudio.train.space import TrainingSpace

SHARED_REACH = Fact(
    "shared_reach",
    "all items have the same reach (reach_from=global), and prototypes repel or"
    " best_match=divergence",
)
ORDERS = ", ".join(
    f"{each.usual:g} for {each.name}" for each in DIVERGENCES if each.order is not None
)
TINY = 1e-300
MEDIANS_REPEL = 0.05
"""Largest repulsion of median prototypes; from 0.1 on they fall on few items (yeast sample)."""
FAR_IN_EPOCHS = 20.0
"""Largest ratio of the attraction at the median distance to that nearby, in epochs."""
STEEPEST_IN_EPOCHS = -0.5
"""The power of g in the attraction below which epochs gave no good map at any reach."""
MOST_EXPONENT = 700.0
"""Largest exponent of e that does not overflow."""


@dataclass(frozen=True, kw_only=True)
class DivergenceParams(MethodParams):
    """Choice of the divergence between neighbourhoods."""

    divergence: str = param(
        "kl",
        Choice(
            label="Divergence",
            symbol="Div",
            help="Measure of the difference between an item's neighbourhood on the map and in the"
            " data: attraction and repulsion follow from it. Itakura–Saito needs a longer"
            " reach at the end and small steps.",
            equation="TR 9, TR 11, TR 12",
            advanced=True,
            options={each.key: f"{each.name}: {each.formula}" for each in DIVERGENCES},
        ),
    )
    order: float | None = param(
        None,
        Number(
            label="Order of the divergence",
            symbol="β, α, λ",
            help="Member of a family of divergences.",
            low=0.0,
            high=5.0,
            automatic=ORDERS,
            advanced=True,
            when=OneOf("divergence", *(each.key for each in DIVERGENCES if each.order is not None)),
        ),
    )

    @property
    def force(self) -> Force:
        """The chosen divergence in the form that kernels use."""
        return force_of(self.divergence, self.order)

    def conflicts(self) -> Iterable[Problem]:
        yield from super().conflicts()
        chosen = divergence_named(self.divergence)
        allowed = chosen.order
        if allowed is None or self.order is None or allowed.low <= self.order <= allowed.high:
            return
        yield Problem(
            key="params.order",
            what=f"The order {allowed.symbol} of the {chosen.name} divergence cannot be"
            f" {self.order:g}. {allowed.reason}",
            where="parameters 'divergence' and 'order'",
            fields=("divergence", "order"),
            way_out=f"Use a number from {allowed.low:g} to {allowed.high:g}.",
        )

    def resolved(self, n_items: int) -> Self:
        chosen = super().resolved(n_items)
        return chosen if self.order is not None else chosen.replace(order=self.force.order)


@dataclass(frozen=True, kw_only=True)
class XimParams(DivergenceParams, LocalReachParams, AnchorParams, BatchXimParams):
    """Parameters of the Exploratory Inspection Machine."""

    repulsion: float = param(
        0.25,
        Number(
            label="Repulsion",
            symbol="η",
            help="Weight of repulsion against attraction: 0 gives a self-organizing map, the"
            " report recommends 0.1 to 0.5.",
            equation="TR 24",
            low=0.0,
            high=0.95,
            when=OneOf("rule", "weighted"),
        ),
    )
    reach: tuple[float, float] = param(
        (1.5, 0.2),
        annealed(
            label="Data reach",
            symbol="γ",
            help="Reach of repulsion around an item, at the start and at the end.",
            unit="× median distance between items, or data units",
            equation="TR 12, TR 25",
            low=1e-140,
            high=1e15,
            when=SHARED_REACH,
        ),
    )
    reach_unit: str = param(
        "median",
        Choice(
            label="Unit of the reach",
            help="Unit of the data reach.",
            advanced=True,
            when=SHARED_REACH,
            options={
                "median": "multiples of the median distance between items",
                "data": "the unit of the data",
            },
        ),
    )
    rule: str = param(
        "weighted",
        Choice(
            label="Learning rule",
            help="Combination of attraction and repulsion into a force. Written for Kullback and"
            " Leibler's divergence, where they are h and g.",
            equation="TR 17, TR 24",
            advanced=True,
            options={
                "weighted": "(1−η) h − η g, without the factor 1/γ² (TR 24)",
                "gradient": "(h − g)/γ², the gradient of the divergence, literally (TR 17)",
            },
        ),
    )

    @property
    def rare(self) -> bool:
        return super().rare or self.local_reach or self.force != KL

    @property
    def repels(self) -> bool:
        """True if prototypes are repelled."""
        return self.rule == "gradient" or self.repulsion > 0.0 or self.force != KL

    @property
    def shared_reach(self) -> bool:
        """True if training uses the one reach for all items."""
        if self.repels:
            return not self.local_reach
        # Then only the best match of TR 10 knows a reach, and it is the same for all.
        return self.best_match == "divergence"

    def repelling_share_of(self, n_items: int) -> float:
        # For other divergences, attraction needs every pair of node and item, too: nothing is
        # saved.
        if self.repelling_share is None and self.force != KL:
            return 1.0
        return super().repelling_share_of(n_items)


def reaches_in(space: TrainingSpace, params: XimParams, seed: int) -> Floats32 | None:
    """Reach of every item in training units, or None if all share one."""
    if not params.local_reach or not params.repels:
        return None
    values = space.items
    if space.observed is not None:
        values = np.where(space.observed > 0.0, values, np.nan)
    counts = reach_counts(params.annealing, params.neighbours_for(len(values)))
    return local_reaches(values, counts, by=params.reach_from, seed=seed)


def learning(
    space: TrainingSpace, params: XimParams, *, map_kernel: str, seed: int = 0
) -> Learning:
    """Settings of a member of the family."""
    # The data reach in training units.
    unit = space.median if params.reach_unit == "median" else 1.0 / space.unit
    return Learning(
        map_kernel=map_kernel,
        rule=params.rule,
        repulsion=params.repulsion,
        reach=(params.reach[0] * unit, params.reach[1] * unit),
        length_scale=params.length_scale,
        force=params.force,
        reaches=reaches_in(space, params, seed),
    )


def train_xim(job: TrainingJob, *, map_kernel: str) -> Iterator[Checkpoint]:
    """Yield the checkpoints of a member of the family, online or in epochs."""

    def learn(space: TrainingSpace) -> Learning:
        return learning(space, job.params, map_kernel=map_kernel, seed=job.seed)

    return train_batch(job, learn) if job.params.in_epochs else train_online(job, learn)


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
