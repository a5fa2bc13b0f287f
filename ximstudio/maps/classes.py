"""The classes of a label: in which order they are shown, and their shares of every node."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ximstudio.maps.evidence import MapEvidence
from ximstudio.maps.layer import Kind, Layer, Need
from ximstudio.model.arrays import Floats, Ints, frozen

MOST_CLASSES = 12
"""Classes with a colour of their own; the rest are drawn in grey as 'other'."""
OTHER, UNLABELLED = "other", "no label"


@dataclass(frozen=True, kw_only=True, eq=False)
class Classes:
    """The classes of a label as they are shown: the largest first, then the rest together.

    Parameters
    ----------
    names, counts
        What they are called and how many items each has. After `n_own` classes with a colour of
        their own come, if there are any, all other classes as one, and items without a label.
    codes
        The number of every item's class, shape (N,).
    n_own
        How many have a colour of their own; whatever follows is drawn in grey.
    colours
        The numbers of their own colours; 0, 1, 2, … if left out.
    """

    names: tuple[str, ...]
    counts: Ints
    codes: Ints
    n_own: int
    colours: tuple[int, ...] = ()


def classes_of(labels: Sequence[str]) -> Classes:
    """The classes of the items' labels, by falling size and then by name; '' is no label."""
    sizes = Counter(labels)
    unlabelled = sizes.pop("", 0)
    by_size = sorted(sizes, key=lambda name: (-sizes[name], name))
    own = by_size[:MOST_CLASSES]
    names = list(own)
    numbers = {name: number for number, name in enumerate(own)}
    if len(by_size) > len(own):
        numbers |= dict.fromkeys(by_size[len(own) :], len(names))
        names.append(OTHER)
    if unlabelled:
        numbers[""] = len(names)
        names.append(UNLABELLED)
    codes = np.array([numbers[text] for text in labels], dtype=np.int64)
    return Classes(
        names=tuple(names),
        counts=frozen(np.bincount(codes, minlength=len(names))),
        codes=frozen(codes),
        n_own=len(own),
    )


def class_shares(classes: Classes, winners: Ints, n_nodes: int) -> Floats:
    """The share of every class among every node's items, shape (M, classes); NaN without items."""
    n_classes = len(classes.names)
    pairs = winners * n_classes + classes.codes
    counts = np.bincount(pairs, minlength=n_nodes * n_classes).reshape(n_nodes, n_classes)
    totals = counts.sum(axis=1, keepdims=True)
    shares = np.full(counts.shape, np.nan)
    return np.asarray(np.divide(counts, totals, out=shares, where=totals > 0))


def _shares(evidence: MapEvidence, label: str) -> Floats:
    classes = classes_of(evidence.labels(label))
    return class_shares(classes, evidence.winners, evidence.grid.n_nodes)


CLASSES = Layer(
    key="classes",
    name="Label",
    about="Which classes of a label the items of every node belong to, as pies.",
    legend="share of the node's items",
    kind=Kind.SHARES,
    of=_shares,
    needs=frozenset({Need.MATRIX, Need.LABEL}),
)
