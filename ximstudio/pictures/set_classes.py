"""Sets and clusters as colours of items: by membership, or by the mean of a set of features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ximstudio.explore.sets import membership
from ximstudio.maps.classes import MOST_CLASSES, OTHER, Classes
from ximstudio.model.arrays import frozen
from ximstudio.model.matrix import Matrix
from ximstudio.model.named_set import NamedSet, SetSide

if TYPE_CHECKING:
    from ximstudio.maps.clusters import Clustering
    from ximstudio.model.arrays import Ints


SET, SET_MEAN = "set", "set_mean"
"""Subjects of the colours of items."""
ALL = "All sets"
"""The option that colours by every set at once."""
OTHERS, NO_CLUSTER = "in none", "no cluster"


def set_options(sets: Sequence[NamedSet], by: str) -> tuple[str, ...]:
    """Return the sets that items can be coloured by; several can be shown at once."""
    side = SetSide.ITEMS if by == SET else SetSide.FEATURES
    names = tuple(one.name for one in sets if one.side is side)
    return (ALL, *names) if by == SET and len(names) > 1 else names


def set_named(sets: Sequence[NamedSet], name: str) -> NamedSet | None:
    """Return the set with this name, if it exists."""
    return next((one for one in sets if one.name == name), None)


def seen_sets(sets: Sequence[NamedSet], by: str, name: str) -> tuple[NamedSet, ...]:
    """Return the sets that are coloured, each with the number of its colour; else none.

    Without one of that name these are all sets of items that have a colour of their own.
    """
    if by not in (SET, SET_MEAN):
        return ()
    numbered = tuple(
        replace(each, colour=number if each.colour is None else each.colour)
        for number, each in enumerate(sets)
    )
    one = set_named(numbered, name)
    if one is not None:
        return (one,)
    return tuple(each for each in numbered if each.side is SetSide.ITEMS)[:MOST_CLASSES]


def set_classes(sets: Sequence[NamedSet], name: str, matrix: Matrix) -> Classes:
    """Return members of a set, and the others, in its colour; or of all sets, each in its own.

    An item of several sets has the colour of the first of them.
    """
    wanted = seen_sets(sets, SET, name)
    codes = np.full(matrix.n_items, len(wanted), dtype=np.int64)
    for code, each in reversed(list(enumerate(wanted))):
        codes[membership(each, matrix)] = code
    n_classes = len(wanted) + 1
    return Classes(
        names=(*(each.name for each in wanted), OTHERS),
        counts=frozen(np.bincount(codes, minlength=n_classes)),
        codes=frozen(codes),
        n_own=len(wanted),
        colours=tuple(each.colour or 0 for each in wanted),
    )


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
