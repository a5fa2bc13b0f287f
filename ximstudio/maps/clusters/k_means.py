"""k-means of the prototypes, each as heavy as its node has items."""

from __future__ import annotations

import numpy as np

from ximstudio.kernels.parallel import check_here, one_thread
from ximstudio.maps.clusters.clustering import ClusteredUnit
from ximstudio.maps.clusters.method import VESANTO, ClusterMethod, ClusterTask, FoundClusters
from ximstudio.maps.clusters.number import NumberParams, choose, number_text
from ximstudio.model.arrays import Ints

STARTS = 5
"""Random starts, of which the best is taken."""


def _find(task: ClusterTask) -> FoundClusters:
    from sklearn.cluster import KMeans  # 1 s

    prototypes, hits = task.prototypes, task.hits
    filled = np.flatnonzero(hits)
    # Moved to the middle: no digits are lost on data far from 0.
    centred = prototypes - np.average(prototypes, axis=0, weights=hits)
    values = centred[filled]
    n_distinct = len(np.unique(values, axis=0))

    def grouped(number: int) -> Ints:
        best, least = None, np.inf
        with one_thread():
            for start in range(STARTS):
                check_here()
                seed = np.random.RandomState([task.seed % 2**32, number, start])
                tried = KMeans(number, n_init=1, random_state=seed)
                tried.fit(values, sample_weight=hits[filled])
                if tried.inertia_ < least:
                    best, least = tried, tried.inertia_
            assert best is not None
            return np.asarray(best.predict(centred), dtype=np.int64)

    return choose(task, grouped, n_distinct)


K_MEANS = ClusterMethod(
    key="k_means",
    name="k-means",
    about="Groups of nodes around as many means: compact in the data, wherever on the map they"
    " lie. Nodes without items go to the nearest mean.",
    over=ClusteredUnit.NODES,
    params=NumberParams,
    number_text=number_text,
    find=_find,
    reference="MacQueen 1967; Vesanto and Alhoniemi 2000",
    in_text="k-means",
    works=(
        "J. MacQueen, Some methods for classification and analysis of multivariate"
        " observations, Proceedings of the Fifth Berkeley Symposium on Mathematical Statistics"
        " and Probability 1:281–297 (1967).",
        VESANTO,
    ),
)
