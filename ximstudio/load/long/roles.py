"""Find the columns for genes, samples and values of a table with one value per row."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations, islice

import numpy as np

from ximstudio.load.headers import key_of, rank, ranked
from ximstudio.load.long.fields import Fields, n_different, pair_keys
from ximstudio.load.long.kinds import (
    CONDITIONS,
    EITHER,
    GENES,
    LONG_KINDS,
    REPLICATES,
    SAMPLES,
    VALUES,
    LongKind,
)
from ximstudio.load.names import looks_like_genes
from ximstudio.model.words import counted, grouped

FEWEST_EACH = 2.0
"""Mean number of samples per gene needed where only headers suggest a long table."""

MOST_BESIDE = 6
"""Maximum number of numeric columns beside the value, for tables of unknown programs."""

HALF, FULL = 0.5, 0.8
"""Share of occurring combinations that suffices with matching headers, and without them."""

MOST_COLUMNS = 8
"""Maximum number of columns tried as names where no header helps."""

FEWEST_LEVELS = 3
"""Minimum number of distinct names in a column whose header is unknown."""

LOOKED_AT = 300
"""Rows in which a column of texts is searched for numbers."""


@dataclass(frozen=True, kw_only=True)
class NameGrid:
    """The repetition of names in a long table.

    Parameters
    ----------
    n_genes, n_samples
        Different names.
    n_pairs
        Different combinations of both that occur.
    n_rows
        Rows that have both names.
    """

    n_genes: int
    n_samples: int
    n_pairs: int
    n_rows: int

    @property
    def share(self) -> float:
        """Share of all combinations that occur."""
        return self.n_pairs / max(self.n_genes * self.n_samples, 1)

    @property
    def n_repeats(self) -> int:
        """Number of rows beyond the first of every combination."""
        return self.n_rows - self.n_pairs


@dataclass(frozen=True, kw_only=True)
class LongRoles:
    """The columns of a long table, and the reason for choosing them.

    Parameters
    ----------
    gene, samples, value
        Columns, from 0; those that name samples together.
    kind
        The program that writes such tables; None if headers or repeats revealed it.
    """

    gene: int
    samples: tuple[int, ...]
    value: int
    grid: NameGrid
    reason: str
    kind: LongKind | None = None
    sure: bool = True


@dataclass(frozen=True, kw_only=True)
class WantedRoles:
    """Columns that the user chose, or None where they are to be found."""

    gene: int | None = None
    samples: tuple[int, ...] | None = None
    value: int | None = None

    @property
    def columns(self) -> set[int]:
        """All columns that were chosen."""
        single = (column for column in (self.gene, self.value) if column is not None)
        return {*(self.samples or ()), *single}


def grid_of(fields: Fields, gene: int, samples: Sequence[int]) -> NameGrid:
    """Count how these names repeat, in rows that have both."""
    columns = (gene, *samples)
    if columns not in fields.grids:
        codes = [fields.codes(column) for column in columns]
        there = np.logical_and.reduce([each >= 0 for each in codes])
        parts = codes if there.all() else [each[there] for each in codes]
        sized = [(each, int(each.max(initial=-1)) + 1) for each in parts]
        fields.grids[columns] = NameGrid(
            n_genes=n_different(parts[0]),
            n_samples=n_different(pair_keys(*sized[1:])),
            n_pairs=n_different(pair_keys(*sized)),
            n_rows=int(there.sum()),
        )
    found: NameGrid = fields.grids[columns]
    return found


def known_roles(fields: Fields, wanted: WantedRoles) -> LongRoles | None:
    """Return the roles in a table of a known program; None for other tables."""
    keys = [key_of(name) for name in fields.names]
    for kind in LONG_KINDS:
        if any(_first(keys, (need,)) is None for need in kind.needs):
            continue
        gene = _or(wanted.gene, _first(keys, kind.genes, wanted.columns))
        value = _or(wanted.value, _first(keys, kind.values, wanted.columns | {gene}))
        found = _all(keys, kind.samples, wanted.columns | {gene, value})
        samples = wanted.samples or _varied(fields, found)
        if gene is None or value is None or not samples or gene == value:
            continue
        reason = f"It has the columns of the {kind.name}: "
        roles = replace(_roles(fields, gene, samples, value, reason), kind=kind)
        once = roles.grid.n_rows == roles.grid.n_genes and wanted == WantedRoles()
        if roles.grid.n_genes >= 2 and not once:
            return roles
    return None


def guessed_roles(fields: Fields, wanted: WantedRoles, *, asked: bool) -> LongRoles | None:
    """Guess the roles from headers, or from repeating cells; None if the table is not long.

    `asked` takes whatever is most likely: the user says that the table is long.
    """
    keys = [key_of(name) for name in fields.names]
    value = _or(wanted.value, _value(fields, keys, wanted))
    if value is None and asked:
        free = sorted(fields.numeric - wanted.columns)
        value = next((column for column in free if not _is_running(fields, column)), None)
    if value is None:
        return None
    for by_words in (_by_words, _by_repeats):
        found = by_words(fields, keys, wanted, value)
        if found is not None and (asked or (_convinces(found) and not _is_wide(fields, found))):
            return found
    return _anything(fields, wanted, value) if asked else None


def _anything(fields: Fields, wanted: WantedRoles, value: int) -> LongRoles | None:
    """Return the first columns that could be names, for the user to correct."""
    free = [
        column
        for column in range(len(fields.names))
        if column != value and column not in wanted.columns and _levels(fields, column) > 1
    ]
    names = iter(sorted(free, key=lambda column: column in fields.numeric))
    gene = next(names, None) if wanted.gene is None else wanted.gene
    samples = tuple(islice(names, 1)) if wanted.samples is None else wanted.samples
    if gene is None or not samples:
        return None
    found = _roles(fields, gene, samples, value, sure=False)
    return replace(found, reason="Nothing tells which columns are which.")


def may_be_long(fields: Fields) -> LongRoles | None:
    """Return roles that are worth asking about without proof."""
    keys = [key_of(name) for name in fields.names]
    value = _value(fields, keys, WantedRoles())
    if value is None:
        return None
    given = fields, keys, WantedRoles(), value
    found = _by_words(*given) or _by_repeats(*given)
    if found is None or _is_wide(fields, found):
        return None
    grid = found.grid
    once = not grid.n_repeats and grid.n_genes < grid.n_rows
    often = grid.n_pairs >= FEWEST_EACH * max(grid.n_genes, grid.n_samples)
    return found if once and often else None


def _is_wide(fields: Fields, found: LongRoles) -> bool:
    """Return whether there are more numeric columns beside the value than in a long table."""
    roles = {found.gene, *found.samples, found.value}
    return len(fields.numeric - roles) > MOST_BESIDE


def _convinces(found: LongRoles) -> bool:
    """Return whether enough combinations occur for rows to be single values."""
    grid = found.grid
    if min(grid.n_genes, grid.n_samples) < 2 or grid.n_pairs <= max(grid.n_genes, grid.n_samples):
        return False
    if not found.sure:
        levels = min(grid.n_genes, grid.n_samples)
        return grid.share >= FULL and grid.n_repeats == 0 and levels >= FEWEST_LEVELS
    return grid.share >= HALF or grid.n_pairs >= FEWEST_EACH * grid.n_genes


def _by_words(
    fields: Fields, keys: Sequence[str], wanted: WantedRoles, value: int
) -> LongRoles | None:
    """Return the roles if headers identify genes and samples."""
    taken = wanted.columns | {value}
    genes = [wanted.gene] if wanted.gene is not None else _all(keys, GENES, taken)
    identified = _all(keys, SAMPLES, taken | {*genes})
    conditions = _all(keys, CONDITIONS, taken | {*genes, *identified})
    either = _all(keys, (EITHER,), taken | {*genes, *identified, *conditions})
    samples = wanted.samples or ()
    if not genes and either:
        genes = either[:1]
    elif genes and not samples and not identified and not conditions:
        identified = either[:1]
    if not genes or not (samples or identified or conditions):
        return None
    # Of ids and symbols, those that distinguish more genes.
    gene = max(genes, key=lambda column: (_levels(fields, column), -genes.index(column)))
    replicates = _all(keys, REPLICATES, taken | {*genes, *identified, *conditions})
    if not samples:
        samples = _joined(fields, gene, identified, conditions, replicates)
    return _roles(fields, gene, samples, value, "By their headers, ")


def _joined(
    fields: Fields,
    gene: int,
    identified: Sequence[int],
    conditions: Sequence[int],
    replicates: Sequence[int],
) -> tuple[int, ...]:
    """Return the fewest columns that together name samples without repeated values.

    Replicates of a sample that has a name are joined as repeated values; those of a condition are
    samples.
    """
    first = _varied(fields, identified)
    others = (*conditions, *(() if first else replicates))
    samples = [*first] or [next(iter(others))]
    grid = grid_of(fields, gene, samples)
    for column in others:
        if not grid.n_repeats:
            break
        if column in samples:
            continue
        finer = grid_of(fields, gene, (*samples, column))
        if finer.n_pairs > grid.n_pairs:
            samples.append(column)
            grid = finer
    return tuple(sorted(samples))


def _by_repeats(
    fields: Fields, keys: Sequence[str], wanted: WantedRoles, value: int
) -> LongRoles | None:
    """Return the roles of two text columns that repeat like the sides of a table."""
    taken = wanted.columns | {value}
    free = [
        column
        for column in range(len(keys))
        if column not in taken and column not in fields.numeric
        if 1 < _levels(fields, column) < fields.n_rows
    ][:MOST_COLUMNS]
    genes = [wanted.gene] if wanted.gene is not None else free
    samples = [wanted.samples] if wanted.samples else [(column,) for column in free]
    scored = []
    for pair in _pairs(genes, samples):
        grid = grid_of(fields, *pair)
        if grid.n_pairs > max(grid.n_genes, grid.n_samples):
            scored.append(((grid.n_repeats == 0, grid.share, grid.n_genes), pair))
    if not scored:
        return None
    gene, some = max(scored, key=lambda each: each[0])[1]
    if wanted.gene is None and wanted.samples is None:
        ranks = [
            (looks_like_genes(fields.coded(column).levels)[0], _levels(fields, column))
            for column in (gene, some[0])
        ]
        if min(ranks)[0] >= HALF:
            # Genes beside genes: interactions, not measurements.
            return None
        # Genes by the names, else the one with more of them.
        if ranks[1] > ranks[0]:
            gene, some = some[0], (gene,)
    reason = "Cells repeat as the sides of a table do: "
    return _roles(fields, gene, some, value, reason, sure=False)


def _pairs(
    genes: Sequence[int], samples: Sequence[tuple[int, ...]]
) -> list[tuple[int, tuple[int, ...]]]:
    """Every gene column with every sample column; where both are free, each pair once."""
    if [(column,) for column in genes] == list(samples):
        return [(one, (other,)) for one, other in combinations(genes, 2)]
    return [(gene, some) for gene in genes for some in samples if gene not in some]


def _value(fields: Fields, keys: Sequence[str], wanted: WantedRoles) -> int | None:
    """Return the column of values: by its header, or the only numeric one."""
    others = [column for column in range(len(keys)) if column not in wanted.columns]
    named = ranked(keys, VALUES, others)
    numbers = (column for column in named if column in fields.numeric)
    mixed = (column for column in named if _holds_numbers(fields, column))
    if (value := next(chain(numbers, mixed), None)) is not None:
        return value
    words = (*GENES, *SAMPLES, *CONDITIONS, *REPLICATES, EITHER)
    left = [
        column
        for column in others
        if column in fields.numeric and rank(keys[column], words) is None
        if not _is_running(fields, column)
    ]
    return left[0] if len(left) == 1 else None


def _holds_numbers(fields: Fields, column: int) -> bool:
    """Return whether a text column begins like numbers with words for missing values."""
    cells = [cell.strip() for cell in fields.texts(column)[:LOOKED_AT] if cell.strip()]
    numbers = sum(
        cell.replace(",", ".").lstrip("-").replace(".", "", 1).isdigit() for cell in cells
    )
    return 10 * numbers >= len(cells) > 0


def _is_running(fields: Fields, column: int) -> bool:
    """Return whether numbers count the rows, from 0 or 1."""
    numbers = fields.numbers(column)
    return numbers[0] in (0, 1) and all(
        bool((np.diff(some) == 1).all()) for some in (numbers[:LOOKED_AT], numbers)
    )


def _levels(fields: Fields, column: int) -> int:
    codes = fields.codes(column)
    return int(codes.max(initial=-1)) + 1


def _varied(fields: Fields, columns: Sequence[int]) -> tuple[int, ...]:
    """Return the first column with several names; the first at all if none has."""
    several = [column for column in columns if _levels(fields, column) > 1]
    return tuple((several or list(columns))[:1])


def _first(
    keys: Sequence[str], patterns: tuple[str, ...], taken: Iterable[int | None] = ()
) -> int | None:
    return next(iter(_all(keys, patterns, taken)), None)


def _all(
    keys: Sequence[str], patterns: tuple[str, ...], taken: Iterable[int | None] = ()
) -> list[int]:
    """Return the columns whose headers match any pattern, by pattern and then by position."""
    apart = {*taken}
    return ranked(keys, patterns, [place for place in range(len(keys)) if place not in apart])


def _or(one: int | None, other: int | None) -> int | None:
    return other if one is None else one


def _roles(
    fields: Fields,
    gene: int,
    samples: tuple[int, ...],
    value: int,
    reason: str = "",
    *,
    sure: bool = True,
) -> LongRoles:
    """Return these roles, with how their names repeat after the reason."""
    grid = grid_of(fields, gene, samples)
    called = " and ".join(f"'{fields.names[column]}'" for column in samples)
    often = "each pair occurs once" if not grid.n_repeats else "pairs repeat"
    why = (
        f"'{fields.names[gene]}' names {counted(grid.n_genes, 'gene')} and {called}"
        f" {counted(grid.n_samples, 'sample')}, {grouped(grid.n_pairs)} of"
        f" {grouped(grid.n_genes * grid.n_samples)} pairs occur, and {often}"
    )
    return LongRoles(
        gene=gene, samples=samples, value=value, grid=grid, reason=f"{reason}{why}.", sure=sure
    )
