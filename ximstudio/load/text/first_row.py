"""Decide whether a first row of numbers names the columns."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from ximstudio.load.headers import heads_texts, is_id_name
from ximstudio.load.text.edges import Edges
from ximstudio.model.arrays import Ints

YEARS = (1900, 2100)
"""Range of integers that are years if they increase."""


def names_columns(
    edges: Edges, cells: Sequence[str], numbers: Ints, first: int
) -> tuple[bool, str, bool]:
    """Return whether a first row of numbers names the columns, why, and whether that is sure."""
    corner = cells[0].strip()
    if is_id_name(corner) or (0 not in edges.numeric and not corner):
        return True, f"The first row begins with {cells[0]!r}, which is no name of a row.", True
    if any(map(heads_texts, edges.beside(cells))) and _counts(edges, cells):
        return True, "The first row names columns of texts, and numbers the others.", True
    if corner == "" and _is_index(edges, numbers, first):
        return True, "The first row has nothing over a first column that is full.", True
    if why := _grows(edges, cells, next_row(numbers, first)):
        return True, why, False
    if 0 in edges.numeric:
        return False, "The first row holds numbers, as all others do.", True
    return False, "The first row holds a name and numbers, as all others do.", False


def next_row(numbers: Ints, row: int) -> int:
    """Return the row after another one."""
    after = numbers[numbers > row]
    return int(after[0]) if len(after) else row + 1


def _grows(edges: Edges, cells: Sequence[str], following: int) -> str:
    """Return why increasing integers are names of columns; "" if they are not."""
    values = [edges.notation.value(cell) for cell in edges.filled(cells)]
    known = [value for value in values if value is not None and math.isfinite(value)]
    if not len(known) == len(values) == len(edges.looked_at) > 2 or any(x % 1 for x in known):
        return ""
    if not all(one < other for one, other in pairwise(known)):
        return ""
    below = edges.filled(edges.rows.cut(following)) if following < len(edges.rows) else []
    if any(value is not None and value % 1 for value in map(edges.notation.value, below)):
        return "The first row holds increasing whole numbers: times or doses."
    if 0 not in edges.numeric and _are_numbers_of_columns(known):
        return "The first row counts, as names of columns may."
    return ""


def _are_numbers_of_columns(values: Sequence[float]) -> bool:
    """Return whether increasing numbers count from 0 or 1, or are consecutive years."""
    if values[0] in (0, 1):
        return all(other == one + 1 for one, other in pairwise(values))
    first, last = YEARS
    return first <= values[0] and values[-1] <= last


def _counts(edges: Edges, cells: Sequence[str]) -> bool:
    """Return whether numbers can be names: whole and unique."""
    texts = [cell.strip() for cell in edges.filled(cells)]
    return all(map(str.isdecimal, texts)) and len(set(texts)) == len(texts)


def _is_index(edges: Edges, numbers: Ints, first: int) -> bool:
    """Return whether the first column, blank in the first row, is full and unique.

    Only the first row lacks a cell there, and it lacks no other.
    """
    if 0 not in edges.numeric or not all(cell.strip() for cell in edges.rows.cut(first)[1:]):
        return False
    below = numbers[numbers > first]
    spread = np.unique(np.linspace(0, len(below) - 1, min(200, len(below))).astype(np.int64))
    cells = [edges.rows.cut(int(row))[0].strip() for row in below[spread]]
    return bool(cells) and all(cells) and len(set(cells)) == len(cells)
