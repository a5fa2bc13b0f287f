"""Columns that describe the rows or columns of a matrix in an HDF5 file, as texts."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ximstudio.load.account import note
from ximstudio.load.single_cell.hdf5 import Branch, Leaf, decoded
from ximstudio.model.matrix import Labels, some_of
from ximstudio.model.problem import Problem, UserError
from ximstudio.model.words import counted, plural

LEVELS = "; "
"""Separator between the levels of a taxonomy."""


def texts_of(leaf: Leaf) -> tuple[str, ...] | None:
    """Return the cells of a list of texts, numbers or truth values; None if it is no list.

    Of rows of texts each becomes one text.
    """
    shape = leaf.shape
    if leaf.is_text and len(shape) == 1:
        return tuple(leaf.strings())
    if leaf.is_text and len(shape) == 2:
        rows = (map(decoded, row) for _, piece in leaf.pieces() for row in piece)
        return tuple(LEVELS.join(str(text) for text in row if text) for row in rows)
    if len(shape) != 1 or not leaf.is_number:
        return None
    return tuple(map(_shown, leaf.whole().tolist()))


def _shown(value: float | bool) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    return "" if np.isnan(value) else f"{value:.15g}"


def labels_of(
    group: Branch, length: int, *, without: Iterable[str] = ()
) -> tuple[Labels, list[Problem]]:
    """Return all columns in a group that are lists of this length, and a note of the others."""
    labels: dict[str, tuple[str, ...]] = {}
    left_out = []
    for name in (name for name in group.names() if name not in without):
        try:
            texts = texts_of(group.leaf(name))
        except UserError:
            # A group or a link: no column.
            texts = None
        if texts is None or len(texts) != length:
            left_out.append(name)
        else:
            labels[name] = texts
    entries, are = counted(len(left_out), "entry", "entries"), plural(len(left_out), "is", "are")
    left_note = note(
        "not_read",
        f"{entries} left out that {are} no list of one text or number each.",
        f"{group.address}: {some_of(left_out)}",
        "Write what is needed of them as columns of their own.",
    )
    return labels, [left_note] if left_out else []


def names_among(labels: Labels, candidates: Iterable[str]) -> str | None:
    """Return the first candidate that is a label, ignoring case; None if there is none."""
    known = {name.lower().replace("_", "").replace(" ", ""): name for name in labels}
    return next((known[each] for each in candidates if each in known), None)
