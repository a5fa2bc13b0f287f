"""Clusters of a map as classes of its items."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ximstudio.maps.classes import MOST_CLASSES, OTHER, Classes
from ximstudio.model.arrays import frozen

if TYPE_CHECKING:
    from ximstudio.maps.clusters import Clustering
    from ximstudio.model.arrays import Ints

NO_CLUSTER = "no cluster"


def cluster_classes(clustering: Clustering, of_item: Ints) -> Classes:
    """Return the clusters of items as classes: the largest with colours of their own."""
    n_own = min(len(clustering), MOST_CLASSES)
    names = list(clustering.names[:n_own])
    codes = np.array(of_item, dtype=np.int64)
    if len(clustering) > n_own:
        codes[codes >= n_own] = n_own
        names.append(OTHER)
    outside = codes < 0
    if outside.any():
        codes[outside] = len(names)
        names.append(NO_CLUSTER)
    return Classes(
        names=tuple(names),
        counts=frozen(np.bincount(codes, minlength=len(names))),
        codes=frozen(codes),
        n_own=n_own,
    )
