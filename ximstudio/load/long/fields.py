"""Columns of a long table, each as codes of its distinct cells."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ximstudio.model.arrays import Bools, Floats, Ints

NOTHING = -1
"""Code of a blank cell."""

ROOMY = 16
"""Bytes per number up to which a lookup table is faster than sorting."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Coded:
    """A column of repeating cells: one code per row, and the texts of the codes.

    Parameters
    ----------
    codes
        One per row, from 0 in the order in which texts come first; −1 for a blank cell.
    levels
        The texts that the codes stand for, stripped.
    """

    codes: Ints
    levels: tuple[str, ...]

    @property
    def n(self) -> int:
        """Number of distinct texts."""
        return len(self.levels)


@dataclass(frozen=True, kw_only=True, eq=False)
class Fields:
    """All columns of a file with the same number of rows.

    Parameters
    ----------
    names
        What the columns are called, all different.
    numeric
        Numbers of the columns, from 0, that were read as numbers.
    texts, numbers
        The cells of a column as they are spelt, and the numbers of a column of numbers.
    n_rows
        Rows of the file.
    """

    names: tuple[str, ...]
    numeric: frozenset[int]
    texts: Callable[[int], Sequence[str]]
    numbers: Callable[[int], Floats]
    n_rows: int
    _coded: dict[int, Coded] = field(default_factory=dict)
    _alike: dict[int, Ints] = field(default_factory=dict)
    grids: dict[tuple[int, ...], Any] = field(default_factory=dict)
    """Cached grids of names, by column."""

    def coded(self, column: int) -> Coded:
        """Return a column as codes of its texts."""
        if column not in self._coded:
            self._coded[column] = coded(self.texts(column))
        return self._coded[column]

    def codes(self, column: int) -> Ints:
        """Return codes that are equal where cells are equal, −1 where they are blank.

        Those of numbers are in no particular order: their spelling is not looked at.
        """
        if column not in self.numeric:
            return self.coded(column).codes
        if column not in self._alike:
            numbers = self.numbers(column)
            _, codes = np.unique(numbers, return_inverse=True)
            self._alike[column] = np.where(np.isnan(numbers), NOTHING, codes.astype(np.int64))
        return self._alike[column]

    def joined(self, columns: Sequence[int]) -> Coded:
        """Join several columns to one, with underscores; blank where all are blank."""
        parts = [self.coded(column) for column in columns]
        if len(parts) == 1:
            return parts[0]
        keys = pair_keys(*((part.codes + 1, part.n + 1) for part in parts))
        _, firsts, codes = np.unique(keys, return_index=True, return_inverse=True)
        order = np.argsort(firsts, kind="stable")
        ranks = np.empty_like(order)
        ranks[order] = np.arange(len(order))
        levels = []
        for row in firsts[order].tolist():
            texts = (part.levels[part.codes[row]] for part in parts if part.codes[row] >= 0)
            levels.append("_".join(texts))
        codes = ranks[codes].astype(np.int64)
        if "" in levels:
            blank = levels.index("")
            del levels[blank]
            codes = np.where(codes == blank, NOTHING, codes - (codes > blank))
        return Coded(codes=codes, levels=tuple(levels))


def coded(texts: Sequence[str]) -> Coded:
    """Encode texts as codes in order of first occurrence."""
    known = {text: code for code, text in enumerate(dict.fromkeys(texts))}
    raw = np.fromiter(map(known.__getitem__, texts), np.int64, len(texts))
    # Only distinct texts are stripped: they are few, the cells many.
    levels: dict[str, int] = {}
    new = [levels.setdefault(text.strip(), len(levels)) if text.strip() else -1 for text in known]
    if len(levels) == len(known):
        return Coded(codes=raw, levels=tuple(levels))
    return Coded(codes=np.array(new, dtype=np.int64)[raw], levels=tuple(levels))


def pair_keys(*parts: tuple[Ints, int]) -> Ints:
    """Return one number per combination of codes; each part is codes and their count."""
    keys = np.zeros(len(parts[0][0]), dtype=np.int64)
    total = 1
    for codes, n in parts:
        if total > np.iinfo(np.int64).max // max(n, 1):
            # The product would overflow: number only the combinations that occur.
            keys = np.unique(keys, return_inverse=True)[1].astype(np.int64)
            total = int(keys.max(initial=0)) + 1
        keys = keys * max(n, 1) + codes
        total *= max(n, 1)
    return keys


def n_different(keys: Ints) -> int:
    """Count the distinct numbers, all of them at least 0."""
    if not len(keys):
        return 0
    if bool((keys[1:] > keys[:-1]).all()):
        return len(keys)
    most = int(keys.max()) + 1
    if most <= ROOMY * len(keys):
        seen = np.zeros(most, dtype=bool)
        seen[keys] = True
        return int(seen.sum())
    return len(np.unique(keys))


def follows(codes: Ints, other: Ints) -> bool:
    """Return whether every code of the first always comes with the same code of the other."""
    there = codes >= 0
    codes, other = codes[there], other[there]
    if not len(codes):
        return False
    first = np.full(int(codes.max()) + 1, NOTHING - 1, dtype=np.int64)
    # Written from the end, so that the first row of every code stays.
    first[codes[::-1]] = other[::-1]
    same: Bools = first[codes] == other
    return bool(same.all())
