"""All distance measures of 2467 items × 79, every pair looked at | scipy's distances and Spearman.

The size of the yeast data of Eisen et al. (1998), with random values, on a map of two of their
features. Ours is `pairs_of`, which keeps both distances of every pair, and all that
`ximstudio.measure.distances` makes of them. scipy's is `pdist` for both and `spearmanr`.
"""

from __future__ import annotations

import numpy as np
from scipy.spatial.distance import pdist
from scipy.stats import spearmanr

from benchmarks.timing import Contestant, Row, interleaved, show
from ximstudio.measure import distances
from ximstudio.measure.pairs import DistancePairs, pairs_of
from ximstudio.model.arrays import Floats

ROUNDS = 7
N_ITEMS = 2467
N_FEATURES = 79
MEASURES = (
    distances.sammon,
    distances.spearman,
    distances.kendall,
    distances.normalised_stress,
    distances.kruskal_stress,
    distances.shepard,
)


def main() -> None:
    """Print the table."""
    values = np.random.default_rng(0).normal(size=(N_ITEMS, N_FEATURES))
    positions = values[:, :2].copy()

    def paired() -> DistancePairs:
        return pairs_of(values, positions, (np.inf, np.inf))

    def spearman() -> float:
        return distances.spearman(paired()).value

    def everything() -> None:
        pairs = paired()
        for measure in MEASURES:
            measure(pairs)

    def scipy_pairs() -> tuple[Floats, Floats]:
        return pdist(values), pdist(positions)

    def scipy_spearman() -> float:
        return float(spearmanr(*scipy_pairs()).statistic)

    assert paired().all_pairs
    assert abs(spearman() - scipy_spearman()) < 1e-12
    our_pairs, our_rho, ours, their_pairs, their_rho = interleaved(
        Contestant(name="pairs", run=paired),
        Contestant(name="ρ", run=spearman),
        Contestant(name="all measures", run=everything),
        Contestant(name="scipy, pdist twice", run=scipy_pairs),
        Contestant(name="scipy, pdist twice and spearmanr", run=scipy_spearman),
        rounds=ROUNDS,
    )
    rows = [
        Row(work="both distances of all pairs", ours=our_pairs, theirs=their_pairs),
        Row(work="the same and Spearman's ρ", ours=our_rho, theirs=their_rho),
        Row(work="the same and all six measures", ours=ours, theirs=their_rho),
    ]
    show("Distance measures, all pairs of 2467 × 79", rows)


if __name__ == "__main__":
    main()
