"""The classes of a label: in which order they are shown, and their shares of every node."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from ximstudio.maps.layer import Layer, LayerEvidence, LayerKind, LayerNeed
from ximstudio.model.arrays import Floats, Ints, frozen
from ximstudio.model.matrix import Labels

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
        Which colour each of those has, by its number. They are 0, 1, 2 … unless an earlier map has
        given some of them their colours.
    """

    names: tuple[str, ...]
    counts: Ints
    codes: Ints
    n_own: int
    colours: tuple[int, ...] = ()


def classes_of(labels: Sequence[str], coloured: Sequence[str] = ()) -> Classes:
    """The classes of the items' labels, by falling size and then by name; '' is no label.

    Classes that are `coloured` already, as `coloured_classes` tells of an earlier map, come first
    and keep their colours, whichever of them are missing; others get colours that none of them has.
    """
    sizes = Counter(labels)
    unlabelled = sizes.pop("", 0)
    colours = {
        name: number for number, name in enumerate(_coloured(sizes, coloured)) if name in sizes
    }
    own = list(colours)
    names = list(own)
    numbers = {name: number for number, name in enumerate(own)}
    rest = sizes.keys() - numbers.keys()
    if rest:
        numbers |= dict.fromkeys(rest, len(names))
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
        colours=tuple(colours.values()),
    )


def coloured_classes(
    labels: Labels, before: Mapping[str, Sequence[str]] = MappingProxyType({})
) -> Mapping[str, tuple[str, ...]]:
    """By label: the classes with a colour of their own, in the order of their colours.

    `before` are those of an earlier map; they stay, and others come behind them.
    """
    return {
        label: _coloured(Counter(text for text in texts if text), before.get(label, ()))
        for label, texts in labels.items()
    }


def _coloured(sizes: Mapping[str, int], before: Sequence[str]) -> tuple[str, ...]:
    known = set(before)
    new = sorted(sizes.keys() - known, key=lambda name: (-sizes[name], name))
    room = MOST_CLASSES - len(known & sizes.keys())
    return (*before, *new[: max(room, 0)])


def class_shares(classes: Classes, winners: Ints, n_nodes: int) -> Floats:
    """The share of every class among every node's items, shape (M, classes); NaN without items."""
    n_classes = len(classes.names)
    pairs = winners * n_classes + classes.codes
    counts = np.bincount(pairs, minlength=n_nodes * n_classes).reshape(n_nodes, n_classes)
    totals = counts.sum(axis=1, keepdims=True)
    shares = np.full(counts.shape, np.nan)
    return np.asarray(np.divide(counts, totals, out=shares, where=totals > 0))


def _shares(evidence: LayerEvidence, label: str) -> Floats:
    classes = classes_of(evidence.labels(label), evidence.coloured.get(label, ()))
    return class_shares(classes, evidence.winners, evidence.grid.n_nodes)


CLASSES = Layer(
    key="classes",
    name="Label",
    about="Which classes of a label the items of every node belong to, as pies.",
    legend="share of the node's items",
    kind=LayerKind.SHARES,
    of=_shares,
    needs=frozenset({LayerNeed.MATRIX, LayerNeed.LABEL}),
)
