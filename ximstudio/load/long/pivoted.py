"""Pivot a long table to genes × samples: join repeated values, fill in absent ones, add labels."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import isnan
from typing import TYPE_CHECKING

import numpy as np
import psutil

from ximstudio.load.account import CHOSEN
from ximstudio.load.headers import key_of
from ximstudio.load.long.fields import Coded, Fields, follows, pair_keys
from ximstudio.load.long.kinds import BLANK, COUNTS, FIRST, MAX, MEAN, MEDIAN, SUM, ZERO
from ximstudio.load.long.roles import LongRoles, grid_of
from ximstudio.load.reading import Choices, Report
from ximstudio.load.source import refuse_too_large
from ximstudio.load.text.roles import separated
from ximstudio.model.arrays import Floats, Ints
from ximstudio.model.table import Axis, Table

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
    labels = {}
    for column in columns:
        if column in fields.numeric:
            numbers = fields.numbers(column)[firsts].tolist()
            found = tuple("" if isnan(number) else f"{number:.15g}" for number in numbers)
        else:
            texts = fields.texts(column)
            found = tuple(texts[row].strip() for row in firsts.tolist())
        labels[fields.names[column]] = found
    return labels


@dataclass(frozen=True, kw_only=True, eq=False)
class Pivoted:
    """Result of pivoting a long table.

    Parameters
    ----------
    table
        Genes × samples.
    roles
        The columns it was made of, and why.
    repeats, absent
        How values were joined and what fills the gaps, each with its reason and whether it is sure.
    pairs
        The values of every gene in every sample.
    n_unnamed
        Rows without a gene or a sample, which are left out.
    n_coded
        Values that are a code for a missing one.
    left_out
        Columns that are neither in the table nor beside it.
    """

    table: Table
    fields: Fields
    roles: LongRoles
    repeats: tuple[str, str, bool]
    absent: tuple[str, str, bool]
    pairs: Pairs
    n_unnamed: int
    n_coded: int
    left_out: tuple[int, ...]


def pivoted_table(
    fields: Fields, roles: LongRoles, choices: Choices, *, name: str, report: Report
) -> Pivoted:
    """Build the table from the columns in these roles."""
    genes, samples = fields.coded(roles.gene), fields.joined(roles.samples)
    roles = replace(roles, grid=grid_of(fields, roles.gene, roles.samples))
    values = fields.numbers(roles.value)
    report(1.0)
    codes = roles.kind.codes if roles.kind and choices.missing is None else ()
    is_code = np.isin(values, list(codes))
    n_coded = int(is_code.sum())
    if n_coded:
        values = np.where(is_code, np.nan, values)
    pairs = Pairs.of(genes, samples, values)
    repeats = _repeats(fields, roles, pairs, choices)
    joined = pairs.joined(repeats[0])
    absent = _absent(fields, roles, joined, choices)
    report(1.0)
    beside = _beside(fields, roles, genes, samples, choices)
    table = Table(
        values=pivoted(pairs, joined, (genes.n, samples.n), absent[0], name),
        items=Axis(names=genes.levels, labels=labels_along(fields, genes, beside[0])),
        features=Axis(names=samples.levels, labels=labels_along(fields, samples, beside[1])),
        source=name,
    )
    return Pivoted(
        table=table,
        fields=fields,
        roles=roles,
        repeats=repeats,
        absent=absent,
        pairs=pairs,
        n_unnamed=fields.n_rows - len(pairs.values),
        n_coded=n_coded,
        left_out=beside[2],
    )


def _repeats(
    fields: Fields, roles: LongRoles, pairs: Pairs, choices: Choices
) -> tuple[str, str, bool]:
    if choices.repeats is not None:
        return choices.repeats, CHOSEN, True
    if not roles.grid.n_repeats:
        return MEAN, "No gene has several values in one sample.", True
    if pairs.agree:
        return FIRST, "Repeated values are always the same.", True
    if roles.kind is not None and roles.kind.repeats:
        how = MEAN if roles.kind.repeats == FIRST else roles.kind.repeats
        return how, f"As is usual for the {roles.kind.name}.", False
    if COUNTS.fullmatch(key_of(fields.names[roles.value])):
        return SUM, "Counts add up.", False
    return MEAN, "Values differ, and nothing says how to join them.", False


def _absent(
    fields: Fields, roles: LongRoles, values: Floats, choices: Choices
) -> tuple[str, str, bool]:
    if choices.absent is not None:
        return choices.absent, CHOSEN, True
    if roles.grid.share == 1:
        return BLANK, "Every gene has a value in every sample.", True
    counts = bool(COUNTS.fullmatch(key_of(fields.names[roles.value])))
    known = values[~np.isnan(values)]
    if counts and len(known) and bool((known == np.rint(known)).all()) and known.min() > 0:
        return ZERO, "Counts without a single zero: what was not found has no row.", True
    if roles.kind is not None and roles.kind.absent == ZERO:
        return ZERO, f"As is usual for the {roles.kind.name}.", True
    if counts and len(known) and known.min() == 0:
        return BLANK, "Zeros have rows of their own, so what has none was not measured.", False
    return BLANK, "What has no row was not measured, or not found.", True


def _beside(
    fields: Fields, roles: LongRoles, genes: Coded, samples: Coded, choices: Choices
) -> tuple[list[int], list[int], tuple[int, ...]]:
    """Return the columns that label genes, those that label samples, and those left out."""
    used = {roles.gene, roles.value} | ({*roles.samples} if len(roles.samples) == 1 else set())
    wanted = None if choices.labels is None else set(separated(choices.labels, set(fields.names)))
    of_genes, of_samples, left_out = [], [], []
    for column in range(len(fields.names)):
        if column in used:
            continue
        codes = fields.codes(column)
        if codes.max(initial=-1) < 0:
            continue
        several = int(codes.max()) > 0 or bool((codes < 0).any())
        if wanted is not None and fields.names[column] not in wanted:
            left_out.append(column)
        elif several and follows(genes.codes, codes):
            of_genes.append(column)
        elif several and follows(samples.codes, codes):
            of_samples.append(column)
        else:
            left_out.append(column)
    return of_genes, of_samples, tuple(left_out)
