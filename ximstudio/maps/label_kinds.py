"""Kinds of item labels: classes, numbers, or mere names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isinf
from weakref import WeakKeyDictionary

import numpy as np

from ximstudio.model.arrays import Floats
from ximstudio.model.matrix import Matrix

MOST_CLASSES = 20
"""Most different texts that count as classes; more numbers than this are a scale."""
LEAST_MEMBERS = 3.0
"""Items that a class has on average, where the texts are classes rather than names."""


@dataclass(frozen=True, kw_only=True)
class LabelKinds:
    """The labels of a table by what they are good for.

    Parameters
    ----------
    classes
        Labels whose texts are drawn as classes.
    scales
        Labels whose texts are all numbers, and many: ages, doses, counts.
    class_label
        The label that is shown first; '' if none puts the items into classes.
    """

    classes: tuple[str, ...] = ()
    scales: tuple[str, ...] = ()
    class_label: str = ""


_KNOWN: WeakKeyDictionary[Matrix, LabelKinds] = WeakKeyDictionary()


def label_kinds(matrix: Matrix) -> LabelKinds:
    """Return the kinds of the labels of a table, computed once, as maps are drawn many times."""
    known = _KNOWN.get(matrix)
    if known is None:
        labels = matrix.item_labels
        scales = tuple(name for name, texts in labels.items() if is_scale(texts))
        unlabelled = {name: texts.count("") for name, texts in labels.items() if has_classes(texts)}
        known = _KNOWN[matrix] = LabelKinds(
            classes=tuple(name for name in labels if name not in scales),
            scales=scales,
            # That leaves fewest items without a class; of equals the first.
            class_label=min(unlabelled, key=unlabelled.__getitem__, default=""),
        )
    return known


def default_class_label(matrix: Matrix, earlier: str = "") -> str | None:
    """Return the label whose classes are shown by default; None if no label has classes.

    Among a few items a label may have one class only: the one that had classes on an `earlier` map
    still does, or they would lose their colours.
    """
    kept = earlier if earlier in matrix.item_labels else ""
    return label_kinds(matrix).class_label or kept or None


def is_scale(texts: Sequence[str]) -> bool:
    """Return whether all texts but blanks are numbers, too many different ones to be classes."""
    distinct = set(texts) - {""}
    return len(distinct) > MOST_CLASSES and all(_is_number(text) for text in distinct)


def numbers_of(texts: Sequence[str]) -> Floats:
    """The numbers of a label that is a scale, shape (N,); NaN where there is no text."""
    return np.array([float(text) if text else np.nan for text in texts])


def has_classes(texts: Sequence[str]) -> bool:
    """Return whether texts form classes: several, not too many, each with members."""
    n_classes = len(set(texts) - {""})
    n_labelled = len(texts) - texts.count("")
    return 2 <= n_classes <= MOST_CLASSES and n_labelled >= LEAST_MEMBERS * n_classes


def _is_number(text: str) -> bool:
    # Python reads 1_2 as 12, but that is a name.
    if "_" in text:
        return False
    try:
        return not isinf(float(text))
    except ValueError:
        return False
