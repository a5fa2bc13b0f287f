"""All measures of a map: meaning, definition, direction and reference. `MEASURES` lists them.

The table of a comparison, the tooltips and the documentation all read these entries; nothing about
a measure is written elsewhere. `WANDER` is another one, of several maps of the same items.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from math import inf

import numpy as np

from ximstudio.measure import distances, neighbourhoods, nodes
from ximstudio.measure.estimate import Estimate
from ximstudio.measure.evidence import MapEvidence
from ximstudio.measure.neighbourhoods import r_nx_area
from ximstudio.measure.nodes import BestNodes
from ximstudio.measure.pairs import DistancePairs
from ximstudio.measure.ranks import Ranks
from ximstudio.measure.silhouette import silhouette
from ximstudio.model.arrays import Floats
from ximstudio.model.params import known
from ximstudio.model.result import PrototypeMap

VENNA = (
    "J. Venna and S. Kaski, Neighborhood preservation in nonlinear projection methods: an"
    " experimental study, Artificial Neural Networks (ICANN 2001), Lecture Notes in Computer"
    " Science 2130:485–491 (2001)."
)


class Better(StrEnum):
    """Direction in which a measure improves."""

    HIGHER = "higher"
    LOWER = "lower"
    NEITHER = "neither"


@dataclass(frozen=True, kw_only=True)
class Definition:
    """Definition of a number about maps.

    Parameters
    ----------
    key, name, symbol
        Names for programs, users and formulas.
    meaning
        Explanation in a sentence.
    definition
        The formula; d data distance, e map distance, N items. Means over k go over 1 … 50
        neighbours, or up to half of the items.
    low, high
        Its range, from 0 to 1 if left out; infinite where there is no bound.
    better
        Direction of improvement among maps of the same data, upwards if left out.
    reference
        Reference.
    """

    key: str
    name: str
    symbol: str = ""
    meaning: str
    definition: str
    low: float = 0.0
    high: float = 1.0
    better: Better = Better.HIGHER
    reference: str

    @property
    def title(self) -> str:
        return f"{self.name} ({self.symbol})" if self.symbol else self.name

    @property
    def direction(self) -> str:
        """Direction of improvement, in a word."""
        return "–" if self.better is Better.NEITHER else self.better.value


@dataclass(frozen=True, kw_only=True)
class Measure(Definition):
    """A number about one map.

    Parameters
    ----------
    of
        Returns the number, or None where it does not apply (no nodes, no labels).
    in_text
        Its name and symbol in the methods text, with "{}" where works are cited; empty for a
        measure that the text leaves out.
    works
        Works that the methods text cites.
    over_k
        True for a mean over neighbourhoods of several sizes, which the text names.
    of_labels
        True if it depends on the label of the classes.
    """

    of: Callable[[MapEvidence], Estimate | None]
    in_text: str = ""
    works: tuple[str, ...] = ()
    over_k: bool = False
    of_labels: bool = False


def _over_pairs(function: Callable[[DistancePairs], Estimate]) -> Callable[[MapEvidence], Estimate]:
    return lambda evidence: function(evidence.pairs)


def _mean_over_k(curve: Callable[[Ranks], Floats]) -> Callable[[MapEvidence], Estimate]:
    return lambda evidence: Estimate(float(curve(evidence.ranks).mean()))


def _mean(values: Floats) -> Estimate:
    return Estimate(float(values.mean()))


def _r_nx_area(evidence: MapEvidence) -> Estimate | None:
    result = evidence.result
    return r_nx_area(
        evidence.seen.values,
        result.positions,
        result.periods,
        seed=evidence.seed,
        table=evidence.table,
    )


def _label_agreement(evidence: MapEvidence) -> Estimate | None:
    if evidence.labels is None:
        return None
    curve = neighbourhoods.label_agreement(evidence.ranks, evidence.labels)
    return None if np.isnan(curve).all() else Estimate(float(np.nanmean(curve)))


def _silhouette(evidence: MapEvidence) -> Estimate | None:
    if evidence.labels is None:
        return None
    result = evidence.result
    return silhouette(result.positions, result.periods, evidence.labels, seed=evidence.seed)


def _over_items(
    function: Callable[[PrototypeMap, BestNodes], Floats],
) -> Callable[[MapEvidence], Estimate | None]:
    def of(evidence: MapEvidence) -> Estimate | None:
        model, best = evidence.result.model, evidence.best_nodes
        if best is None or not isinstance(model, PrototypeMap):
            return None
        return _mean(function(model, best))

    return of


def _cost(part: str) -> Callable[[MapEvidence], Estimate | None]:
    def of(evidence: MapEvidence) -> Estimate | None:
        costs = evidence.costs
        return None if costs is None else _mean(getattr(costs, part))

    return of


def _hit_entropy(evidence: MapEvidence) -> Estimate | None:
    model, winners = evidence.result.model, evidence.result.winners
    if winners is None or not isinstance(model, PrototypeMap):
        return None
    return Estimate(nodes.hit_entropy(winners, model.grid.n_nodes))


MEASURES: tuple[Measure, ...] = (
    Measure(
        key="sammon",
        name="Sammon's error",
        symbol="E",
        meaning="Difference between distances on the map and in the data; errors at small distances"
        " in the data weigh more.",
        definition="Σ (d − a·e)²/d / Σ d over pairs of items; the map is scaled by"
        " a = Σ e / Σ (e²/d), which minimises the error",
        better=Better.LOWER,
        reference="Sammon 1969",
        of=_over_pairs(distances.sammon),
        in_text="Sammon's error E{}, after scaling the map to minimise it",
        works=(
            "J. W. Sammon, A nonlinear mapping for data structure analysis, IEEE Transactions on"
            " Computers C-18:401–409 (1969).",
        ),
    ),
    Measure(
        key="spearman",
        name="Spearman's correlation",
        symbol="ρ",
        meaning="Agreement in order: pairs that are farther apart in the data are farther apart on"
        " the map.",
        definition="correlation of the ranks of d and e over pairs of items",
        low=-1.0,
        reference="Spearman 1904",
        of=_over_pairs(distances.spearman),
        in_text="Spearman's rank correlation ρ between distances in the data and on the map{}",
        works=(
            "C. Spearman, The proof and measurement of association between two things, American"
            " Journal of Psychology 15:72–101 (1904).",
        ),
    ),
    Measure(
        key="trustworthiness",
        name="Trustworthiness",
        symbol="T",
        meaning="Extent to which neighbours on the map are neighbours in the data: low if there are"
        " many intruders.",
        definition="mean over k of 1 − Σ (r − k) / worst, over neighbours on the map with"
        " rank r > k in the data",
        reference="Venna and Kaski 2001",
        of=_mean_over_k(neighbourhoods.trustworthiness),
        in_text="trustworthiness T",
        works=(VENNA,),
        over_k=True,
    ),
    Measure(
        key="continuity",
        name="Continuity",
        symbol="C",
        meaning="Extent to which neighbours in the data are neighbours on the map: low if many were"
        " lost.",
        definition="mean over k of 1 − Σ (r − k) / worst, over neighbours in the data with"
        " rank r > k on the map",
        reference="Venna and Kaski 2001",
        of=_mean_over_k(neighbourhoods.continuity),
        in_text="continuity C",
        works=(VENNA,),
        over_k=True,
    ),
    Measure(
        key="r_nx_area",
        name="Neighbourhoods of all sizes",
        symbol="AUC",
        meaning="Preservation of neighbourhoods of every size beyond chance; small ones count as"
        " much as large ones.",
        definition="Σ R_NX(k)/k / Σ 1/k over k = 1 … N − 2 with"
        " R_NX(k) = ((N − 1) Q_NX(k) − k) / (N − 1 − k)",
        low=-inf,
        reference="Lee et al. 2015",
        of=_r_nx_area,
    ),
    Measure(
        key="neighbours_kept",
        name="Neighbours kept",
        symbol="Q_NX",
        meaning="The share of an item's nearest neighbours in the data that are nearest on the map,"
        " too.",
        definition="mean over k of the share of the k nearest in the data among the k"
        " nearest on the map",
        reference="Lee and Verleysen 2009",
        of=_mean_over_k(neighbourhoods.q_nx),
    ),
    Measure(
        key="lcmc",
        name="Local continuity",
        symbol="LCMC",
        meaning="The share of nearest neighbours kept, minus the share that a random map keeps.",
        definition="mean over k of Q_NX(k) − k/(N − 1)",
        low=-1.0,
        reference="Chen and Buja 2009",
        of=_mean_over_k(neighbourhoods.lcmc),
    ),
    Measure(
        key="kendall",
        name="Kendall's correlation",
        symbol="τ",
        meaning="Excess of pairs of distances that are in the same order in data and map over"
        " those in opposite order.",
        definition="τ_b of d and e over pairs of items, at most 500 000 of them",
        low=-1.0,
        reference="Kendall 1945",
        of=lambda evidence: distances.kendall(evidence.pairs, seed=evidence.seed),
    ),
    Measure(
        key="normalised_stress",
        name="Normalised stress",
        symbol="S",
        meaning="Difference between distances on the map and in the data; large distances count"
        " most.",
        definition="√(Σ (d − a·e)² / Σ d²); the map is scaled by a = Σ de / Σ e², which makes the"
        " stress least",
        better=Better.LOWER,
        reference="Borg and Groenen 2005",
        of=_over_pairs(distances.normalised_stress),
    ),
    Measure(
        key="kruskal_stress",
        name="Kruskal's stress",
        symbol="S₁",
        meaning="Difference between distances on the map and the closest ones that are in the"
        " order of those in the data.",
        definition="√(Σ (e − f)² / Σ e²) with f the best values that rise with d",
        better=Better.LOWER,
        reference="Kruskal 1964",
        of=_over_pairs(distances.kruskal_stress),
    ),
    Measure(
        key="quantisation_error",
        name="Quantisation error",
        symbol="QE",
        meaning="Distance of items from their nearest prototype, in the unit of the data.",
        definition="mean over the items of |x − w| for the winner's prototype w",
        high=inf,
        better=Better.LOWER,
        reference="Kohonen 2001",
        of=_over_items(lambda _, best: best.distances),
    ),
    Measure(
        key="topographic_error",
        name="Topographic error",
        symbol="TE",
        meaning="The share of items whose two best nodes are not neighbours on the map: the map is"
        " folded or torn there.",
        definition="share of items whose best and second best node are not joined by an edge of the"
        " lattice",
        better=Better.LOWER,
        reference="Kiviluoto 1996",
        of=_over_items(lambda model, best: nodes.topographic_errors(model.grid, best)),
    ),
    Measure(
        key="kaski_lagus",
        name="Kaski–Lagus error",
        symbol="KL",
        meaning="Length of the path along the map from an item to its second best prototype, in"
        " the unit of the data.",
        definition="mean of |x − w_best| + the shortest path along edges of the lattice from best"
        " to second best, an edge as long as its prototypes are apart",
        high=inf,
        better=Better.LOWER,
        reference="Kaski and Lagus 1996",
        of=_over_items(nodes.kaski_lagus),
    ),
    Measure(
        key="hit_entropy",
        name="Spread over nodes",
        symbol="H",
        meaning="Evenness of the use of nodes: 1 if every node wins equally many items, 0 if one"
        " node wins them all.",
        definition="Σ p ln(1/p) / ln min(N, M) with p the share of items that a node wins",
        better=Better.NEITHER,
        reference="Shannon 1948",
        of=_hit_entropy,
    ),
    Measure(
        key="cost",
        name="Cost",
        symbol="D",
        meaning="Quantity that training minimises, at its end, per item: compare only maps of the"
        " same method with the same parameters.",
        definition="the divergence trained with, by default generalised Kullback–Leibler"
        " Σ h ln(h/g) − h + g (TR 9), mean over the items; ½ Σ h d² for a method that does not"
        " repel (Heskes 1999)",
        low=-inf,
        high=inf,
        better=Better.NEITHER,
        reference="TR 9",
        of=_cost("total"),
    ),
    Measure(
        key="attraction",
        name="Cost of attraction",
        meaning="The part of the cost that decreases as prototypes near on the map come near in"
        " the data.",
        definition="Σ h (ln h − 1 + d²/2γ²), mean over the items; of other divergences the cost"
        " less the repulsion",
        low=-inf,
        high=inf,
        better=Better.NEITHER,
        reference="TR 9",
        of=_cost("attraction"),
    ),
    Measure(
        key="repulsion",
        name="Cost of repulsion",
        meaning="The part of the cost that decreases as prototypes leave the neighbourhood of an"
        " item.",
        definition="Σ g = Σ exp(−d²/2γ²), mean over the items; of other divergences the sum of"
        " the repulsive forces",
        high=inf,
        better=Better.NEITHER,
        reference="TR 9",
        of=_cost("repulsion"),
    ),
    Measure(
        key="label_agreement",
        name="Label agreement",
        symbol="NH",
        meaning="The share of an item's neighbours on the map that carry its own label.",
        definition="mean over k and over the items with a label of the share of the same among"
        " those of their k nearest on the map that have one",
        reference="Paulovich et al. 2008",
        of=_label_agreement,
        of_labels=True,
    ),
    Measure(
        key="silhouette",
        name="Silhouette of labels",
        meaning="Separation of labels: high if items lie nearer to those of their own label than"
        " to those of the next.",
        definition="mean of (b − a)/max(a, b) with a the mean map distance to items of the same"
        " label and b that to the nearest other label",
        low=-1.0,
        reference="Rousseeuw 1987",
        of=_silhouette,
        of_labels=True,
    ),
)

WANDER = Definition(
    key="wander",
    name="Wander",
    meaning="Average displacement of an item between the runs of a method: 0 if it is always in"
    " the same place, 1 if it may be anywhere.",
    definition="root mean square distance of an item's places in two runs, once the maps are"
    " aligned, over that of two random items (on a torus: of two random places); mean over the"
    " items",
    high=inf,
    better=Better.LOWER,
    reference="after Gower 1975",
)
"""The measure that needs several runs."""

SECONDS = Definition(
    key="seconds",
    name="Training time",
    symbol="s",
    meaning="Duration of training on this machine.",
    definition="seconds from the first step to the last, without pauses; maps trained in parallel"
    " take longer than alone",
    high=inf,
    better=Better.LOWER,
    reference="by the clock",
)
"""The measure that is not about the map."""


def measure_named(key: str) -> Measure:
    """Return the measure with this key; refuse unknown ones with a proposal."""
    by_key = {measure.key: measure for measure in MEASURES}
    known("measure", key, by_key)
    return by_key[key]
