"""Pivot rows of values to genes × samples: join repeated values, fill in absent ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING

import numpy as np
import psutil

from ximstudio.load.long.fields import Coded, Fields, pair_keys
from ximstudio.load.long.kinds import FIRST, MAX, MEAN, MEDIAN, SUM, ZERO
from ximstudio.load.source import refuse_too_large
from ximstudio.model.arrays import Floats, Ints

if TYPE_CHECKING:
    from ximstudio.model.table import Values

MOST_STORED = 0.4
"""Share of non-zero cells above which a sparse table takes more memory than a dense one."""

LARGE = 100_000
"""Number of cells from which on a sparse table is worthwhile."""

ROOM = 0.7
"""Share of the free memory that a table may take."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Pairs:
    """The values of every combination of gene and sample that occurs, grouped.

    Parameters
    ----------
    genes, samples
        Codes of each combination.
    values
        All values in the order of the combinations, and within them as in the file.
    starts
        Where the values of each combination begin.
    """

    genes: Ints
    samples: Ints
    values: Floats
    starts: Ints

    @classmethod
    def of(cls, genes: Coded, samples: Coded, values: Floats) -> Pairs:
        """Group the rows that have both names."""
        there = np.flatnonzero((genes.codes >= 0) & (samples.codes >= 0))
        keys = pair_keys((genes.codes[there], genes.n), (samples.codes[there], samples.n))
        if len(keys) > 1 and not (keys[1:] > keys[:-1]).all():
            order = np.argsort(keys, kind="stable")
            there, keys = there[order], keys[order]
        is_first = np.concatenate((np.ones(min(len(keys), 1), bool), keys[1:] != keys[:-1]))
        starts = np.flatnonzero(is_first)
        firsts = there[starts]
        return cls(
            genes=genes.codes[firsts],
            samples=samples.codes[firsts],
            values=values[there],
            starts=starts,
        )

    @property
    def sizes(self) -> Ints:
        """Number of values of each combination, including blanks."""
        return np.diff(np.append(self.starts, len(self.values)))

    @property
    def agree(self) -> bool:
        """Return whether repeated values are always equal."""
        first = np.repeat(self.values[self.starts], self.sizes)
        same = (self.values == first) | (np.isnan(self.values) & np.isnan(first))
        return bool(same.all())

    def joined(self, how: str) -> Floats:
        """Return one value per combination; blanks count only where there is nothing else."""
        if len(self.starts) == len(self.values):
            return self.values
        values, starts = self.values, self.starts
        if how == FIRST:
            return _first(values, starts, self.sizes)
        if how == MAX:
            return np.fmax.reduceat(values, starts)
        if how == MEDIAN:
            return _median(values, starts, self.sizes)
        known = ~np.isnan(values)
        counts = np.add.reduceat(known.astype(np.int64), starts)
        sums = np.add.reduceat(np.where(known, values, 0.0), starts)
        divisor = {SUM: np.ones(1), MEAN: np.maximum(counts, 1)}[how]
        return np.where(counts > 0, sums / divisor, np.nan)


def pivoted(pairs: Pairs, joined: Floats, shape: tuple[int, int], absent: str, name: str) -> Values:
    """Return the table of all genes and samples; sparse if it is mostly zeros."""
    n_cells = shape[0] * shape[1]
    if absent == ZERO and n_cells >= LARGE and len(joined) <= MOST_STORED * n_cells:
        from scipy.sparse import csr_array

        return csr_array((joined, (pairs.genes, pairs.samples)), shape=shape)
    refuse_too_large(8.0 * n_cells, psutil.virtual_memory().available * ROOM, name)
    values = np.full(shape, 0.0 if absent == ZERO else np.nan)
    values[pairs.genes, pairs.samples] = joined
    return values


def _first(values: Floats, starts: Ints, sizes: Ints) -> Floats:
    """Return the first non-blank value of every group."""
    places = np.where(np.isnan(values), len(values), np.arange(len(values)))
    found = np.minimum.reduceat(places, starts)
    return np.where(found < starts + sizes, values[np.minimum(found, len(values) - 1)], np.nan)


def _median(values: Floats, starts: Ints, sizes: Ints) -> Floats:
    """Return the median of every group without its blanks, which sort to its end."""
    groups = np.repeat(np.arange(len(starts)), sizes)
    ordered = values[np.lexsort((values, groups))]
    counts = np.add.reduceat((~np.isnan(values)).astype(np.int64), starts)
    below = starts + np.maximum(counts - 1, 0) // 2
    above = starts + np.minimum(counts // 2, sizes - 1)
    return np.where(counts > 0, (ordered[below] + ordered[above]) / 2, np.nan)


def labels_along(
    fields: Fields, coded: Coded, columns: Iterable[int]
) -> dict[str, tuple[str, ...]]:
    """Return labels from columns that are constant for each name: label → one text per name."""
    firsts = np.zeros(coded.n, dtype=np.int64)
    there = np.flatnonzero(coded.codes >= 0)[::-1]
    firsts[coded.codes[there]] = there
    return {fields.names[column]: tuple(_texts_at(fields, column, firsts)) for column in columns}


def _texts_at(fields: Fields, column: int, rows: Ints) -> Iterator[str]:
    if column in fields.numeric:
        numbers = fields.numbers(column)[rows].tolist()
        yield from ("" if isnan(number) else f"{number:.15g}" for number in numbers)
        return
    texts = fields.texts(column)
    yield from (texts[row].strip() for row in rows.tolist())
