"""Pick the features of a table: the columns of one quantity, or of the user's patterns."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from ximstudio.load.account import CHOSEN
from ximstudio.load.headers import key_of, ranked
from ximstudio.load.proteomics.names import short_runs
from ximstudio.load.proteomics.quantities import (
    DESCRIPTIONS,
    GROUPED,
    ID_LISTS,
    NEVER,
    PEPTIDE_IDS,
    PROTEIN_IDS,
    QUANTITIES,
    READOUTS,
    TELLING,
    TOTALS,
    Quantity,
    quantity_of,
    repeated_readouts,
)
from ximstudio.load.reading import Choices
from ximstudio.model.params import closest
from ximstudio.model.problem import UserError

MOST_LABELS = 60
"""Maximum number of numeric columns beside the features that become labels."""

FEWEST_READOUTS = 2
"""Minimum number of quantities, and of samples, in columns that repeat per sample."""

MOST_COLUMNS = 20_000
"""Number of columns above which quantities are not searched for, unless patterns are given."""


@dataclass(frozen=True, kw_only=True)
class Family:
    """One quantity of several samples: column → name of its sample."""

    quantity: Quantity
    samples: Mapping[int, str]

    @property
    def shown(self) -> str:
        """Display text: the quantity and its number of samples."""
        return f"{self.quantity.name} ({len(self.samples)})"


@dataclass(frozen=True, kw_only=True)
class Picked:
    """The chosen features of a table that has other numeric columns, too.

    Parameters
    ----------
    names
        Column of a feature → its name, in the order of the file.
    family
        The quantity that all of them belong to; None if patterns or the rest of the columns give
        them.
    families
        All quantities that could be chosen, the best first.
    ids
        Columns that name rows by their meaning, the best first.
    left_out
        Columns that are neither features nor labels.
    reason
        Why these are the features.
    files
        Column → name of its file, where names were shortened.
    """

    names: Mapping[int, str]
    reason: str
    family: Family | None = None
    families: tuple[Family, ...] = ()
    ids: tuple[int, ...] = ()
    left_out: tuple[int, ...] = ()
    pattern: tuple[str, ...] = ()
    sure: bool = True
    is_proteins: bool = False
    files: Mapping[int, str] = field(default_factory=dict)


def picked(
    headers: Sequence[str],
    numeric: frozenset[int],
    choices: Choices,
    *,
    where: str,
    labels: frozenset[int] = frozenset(),
) -> Picked | None:
    """Return the features by the user's patterns or by quantity; None if all numbers are features.

    `numeric` are columns that seem to hold numbers, `labels` those that the user calls labels.
    """
    if choices.features is None and len(headers) > MOST_COLUMNS:
        return None
    keys = [key_of(header) for header in headers]
    families = _families(headers, labels)
    is_proteins = any(TELLING.fullmatch(key) for key in keys) or any(
        each.quantity.is_telling and len(each.samples) > 1 for each in families
    )
    readouts = () if is_proteins else _readouts(headers, labels)
    chosen: Picked | None = None
    if choices.features is not None:
        chosen = _chosen(headers, readouts or families, choices.features, labels, where)
    elif is_proteins:
        chosen = _best(families) or _rest(headers, keys, numeric - labels)
    chosen = chosen or _best(readouts) or _beside_readouts(headers, numeric - labels)
    if chosen is None:
        return None
    families = families if is_proteins else readouts
    columns = {*chosen.names}
    others = [column for column in range(len(keys)) if column not in columns]
    # Peptides before proteins.
    ids = tuple(ranked(keys, (*PEPTIDE_IDS, *PROTEIN_IDS), others)) if is_proteins else ()
    samples = {number: name for family in families for number, name in family.samples.items()}
    bare = {*samples.values()}
    useless = {
        column
        for column, header in enumerate(headers)
        if column in samples or header in bare or (is_proteins and ID_LISTS.fullmatch(keys[column]))
    }
    numbers = numeric - columns - useless - labels - {*ids}
    if len(numbers) > MOST_LABELS:
        useless |= numbers
    left_out = tuple(sorted(useless - columns - labels - {*ids[:1]}))
    if short := short_runs(tuple(chosen.names.values())):
        names = dict(zip(chosen.names, short, strict=True))
        chosen = replace(chosen, names=names, files=chosen.names)
    return replace(chosen, families=families, ids=ids, left_out=left_out, is_proteins=is_proteins)


def _chosen(
    headers: Sequence[str],
    families: Sequence[Family],
    patterns: tuple[str, ...],
    labels: frozenset[int],
    where: str,
) -> Picked:
    """Return the columns that match the user's patterns; one quantity's are named by sample.

    A pattern that is a quantity's means that alone: '* Intensity' is not '* MaxLFQ Intensity'.
    """
    for family in families:
        if [_plain(pattern) for pattern in patterns] == [_plain(family.quantity.glob)]:
            return Picked(names=family.samples, family=family, reason=CHOSEN, pattern=patterns)
    columns = _matching(headers, patterns, where) - labels
    for family in families:
        samples = {*family.samples}
        if samples <= columns <= _with_total(family, headers):
            return Picked(names=family.samples, family=family, reason=CHOSEN, pattern=patterns)
    names = {column: headers[column] for column in sorted(columns)}
    return Picked(names=names, reason=CHOSEN, pattern=patterns)


def _plain(pattern: str) -> str:
    """Normalise a pattern for comparison with those of quantities."""
    return re.sub(r"[^a-z0-9*]+", "", pattern.lower())


def _best(families: Sequence[Family]) -> Picked | None:
    """Return the columns of the quantity that is usually compared."""
    quantities = [family for family in families if family.quantity.rank < NEVER]
    if not quantities:
        return None
    best, *others = quantities
    rather = ", ".join(each.quantity.name for each in others)
    return Picked(
        names=best.samples,
        family=best,
        reason=f"Of {best.quantity.name}, {rather} it is the one that is usually compared."
        if others
        else "It is the only quantity in the table.",
        pattern=(best.quantity.glob,),
        sure=not others,
    )


def _rest(headers: Sequence[str], keys: Sequence[str], numeric: frozenset[int]) -> Picked | None:
    """Return all numeric columns that describe no protein, if ids show that rows are proteins."""
    columns = [
        column
        for column in sorted(numeric)
        if not DESCRIPTIONS.fullmatch(keys[column]) and not ID_LISTS.fullmatch(keys[column])
    ]
    if not columns or not any(GROUPED.fullmatch(key) for key in keys):
        return None
    names = {column: headers[column] for column in columns}
    return Picked(names=names, reason="Of all numbers these describe no protein.")


def _families(
    headers: Sequence[str], labels: frozenset[int], among: Sequence[Quantity] = QUANTITIES
) -> tuple[Family, ...]:
    """Return the quantities that columns belong to, best first; totals are left out."""
    samples: dict[str, dict[int, str]] = {}
    quantities: dict[str, Quantity] = {}
    for column, header in enumerate(headers):
        known = quantity_of(header, among) if column not in labels else None
        if known is None or known[1].strip().lower() in TOTALS:
            continue
        quantities[known[0].name] = known[0]
        samples.setdefault(known[0].name, {})[column] = known[1].strip()
    found = [Family(quantity=quantities[name], samples=some) for name, some in samples.items()]
    # Repeated sample names would make columns ambiguous.
    found = [each for each in found if len({*each.samples.values()}) == len(each.samples)]
    return tuple(sorted(found, key=lambda each: each.quantity.rank))


def _readouts(headers: Sequence[str], labels: frozenset[int]) -> tuple[Family, ...]:
    """Return quantities of arrays and sequencing with the same samples, if there are several."""
    families = _families(headers, labels, READOUTS)
    often = Counter(frozenset(each.samples.values()) for each in families)
    most = max(often, key=lambda some: (often[some], len(some)), default=frozenset())
    if often[most] < FEWEST_READOUTS or len(most) < FEWEST_READOUTS:
        return ()
    return tuple(each for each in families if frozenset(each.samples.values()) == most)


def _beside_readouts(headers: Sequence[str], numeric: frozenset[int]) -> Picked | None:
    """Return samples, each followed by a column of the same name: "s1, Detection Pval, …"."""
    beside = repeated_readouts(headers)
    samples = sorted({*beside.values()} & numeric)
    names = [headers[column] for column in samples]
    if not {*beside} & numeric or len(samples) < FEWEST_READOUTS or not all(names):
        return None
    followed = headers[min(beside)]
    return Picked(
        names=dict(zip(samples, names, strict=True)),
        reason=f"'{followed}' follows each of them, and is no value.",
        sure=False,
    )


def _matching(headers: Sequence[str], patterns: Sequence[str], where: str) -> set[int]:
    """Return the columns whose headers match any pattern; refuse a pattern without a match."""
    found: set[int] = set()
    named = [(n, header) for n, header in enumerate(headers) if header]
    for pattern in patterns:
        exact = {column for column, header in enumerate(headers) if header == pattern}
        parts = ({"*": ".*", "?": "."}.get(letter, re.escape(letter)) for letter in pattern)
        form = re.compile("".join(parts), re.DOTALL)
        matching = exact or {n for n, header in named if form.fullmatch(header)}
        if not matching:
            raise UserError(
                key="load.no_such_features",
                what=f"No column matches '{pattern}'.",
                where=where,
                way_out=f"{closest(pattern, [each for _, each in named])} * stands for any text.",
            )
        found |= matching
    return found


def _with_total(family: Family, headers: Sequence[str]) -> set[int]:
    """Return the columns of a family and their total: "Intensity" beside "Intensity s1"."""
    total = {family.quantity.name, *(f"{word.title()} {family.quantity.name}" for word in TOTALS)}
    return {*family.samples} | {n for n, header in enumerate(headers) if header.strip() in total}
