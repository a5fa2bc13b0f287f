"""Decide which side of a table holds the genes, which the samples, and what both are called.

The decision is about the rows and columns of the file, so that it does not depend on which of them
is mapped. What a format says, or a user, comes first; then names, then the shape.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ximstudio.load.account import CHOSEN
from ximstudio.load.format import Format, format_named
from ximstudio.load.headers import key_of
from ximstudio.load.names import LOOKED_AT, looks_like_genes, looks_like_samples
from ximstudio.load.reading import Choices, Guess, Reading
from ximstudio.model.table import FEATURES, GENES, ITEMS, SAMPLES, Axis, Table, opposite
from ximstudio.model.words import plural

SIDE_KEYS = ("rows", "columns")
"""Keys of the guesses, and of the choices that override them."""
ENOUGH = 0.5
"""Minimum difference between the sides' shares of names that look like genes or samples."""
MANY = 100
"""Number from which on quantities measured in samples are genes, even under unknown names."""

SYMBOLS = "gene symbols"
"""Kind of names that other things may have, too."""

LONGER = 10
"""Ratio of numbers of symbols above which the larger side holds genes."""

_BARCODE = re.compile(r"(?:.*[_:#-])?[ACGT]{12,}(?:-\d+)?(?:[_-].*)?")
_NUMBER = re.compile(r"(?:(?:row|column|item|feature) )?(\d+)", re.I)


@dataclass(frozen=True)
class Kind:
    """A word for what a side holds, and which side that is; "" if it can be either."""

    one: str
    side: str = ""

    @property
    def several(self) -> str:
        return plural(2, self.one)


KINDS: tuple[Kind, ...] = (
    *(Kind(one, GENES) for one in ("gene", "transcript", "protein", "peptide", "probe")),
    *(Kind(one, GENES) for one in ("metabolite", "taxon", "marker", "measurement")),
    *(Kind(one, SAMPLES) for one in ("sample", "cell", "patient", "condition", "time point")),
    *(Kind(one) for one in ("row", "column")),
)
"""Kinds to choose from; any other word is accepted as well."""

_IRREGULAR = {"taxa": "taxon", "assays": "assay", "species": "species"}
_BY_ONE = {kind.one: kind for kind in KINDS}
GENE, PROTEIN, SAMPLE, CELL, MEASUREMENT, ROW, COLUMN = (
    _BY_ONE[one] for one in ("gene", "protein", "sample", "cell", "measurement", "row", "column")
)
METABOLITE, TAXON = _BY_ONE["metabolite"], _BY_ONE["taxon"]

_SAID = {
    key_of(header): kind
    for kind, headers in (
        (METABOLITE, "metabolite|metabolites|metabolite name|compound|compound name|lipid|lipids"),
        (TAXON, "otu|otu id|asv|asv id|taxon|taxa|clade name"),
    )
    for header in headers.split("|")
}
_OF_PEAKS = re.compile(r"(?:(?:row|average|precursor|reference)[ _.]?)?m/?z(?:med)?", re.I)


@dataclass(frozen=True)
class Sides:
    """Kinds of the rows and columns of a file, the reason, and whether the user should check."""

    rows: Kind
    columns: Kind
    reason: str
    sure: bool = True

    @property
    def exchanged(self) -> Sides:
        """Return the same for the table with its rows as columns."""
        return replace(self, rows=self.columns, columns=self.rows)


def called_genes(one: str) -> bool:
    """Return whether a word stands for genes or their molecules; measurements may be anything."""
    return _BY_ONE.get(one, MEASUREMENT).side == GENES and one != MEASUREMENT.one


def kind_named(text: str) -> Kind:
    """Return the kind that a user names: "genes", "cell", "wines"."""
    word = " ".join(text.split())
    lower = word.lower()
    one = _IRREGULAR.get(lower)
    if one is None and lower.endswith("s") and not lower.endswith("ss"):
        one = lower[:-1]
    one = one or lower
    return _BY_ONE.get(one, Kind(one if lower != word.upper() else word))


def guessed(rows: Sequence[str], columns: Sequence[str]) -> Sides:
    """Guess the kinds of rows and columns from their names and numbers."""
    genes = _more_like_genes(rows, columns)
    if genes >= ENOUGH:
        return _genes_found(rows, "rows")
    if genes <= -ENOUGH:
        return _genes_found(columns, "columns").exchanged
    cells = _are_cells(columns) - _are_cells(rows)
    if not cells and _unnamed(rows) and not _unnamed(columns) and len(columns) < MANY:
        reason = "The rows have no names of their own, and the columns have."
        return Sides(SAMPLE, MEASUREMENT, reason, sure=False)
    samples = cells or looks_like_samples(columns) - looks_like_samples(rows)
    if samples >= ENOUGH:
        return _measured(rows, columns)
    if samples <= -ENOUGH:
        return _measured(columns, rows, word="rows").exchanged
    return _by_shape(len(rows), len(columns))


def _more_like_genes(rows: Sequence[str], columns: Sequence[str]) -> float:
    """Return by how much rows look more like genes than columns, as a share; negative if less.

    Tissues and quantities are spelt as gene symbols are ("Liver", "FPKM"): ids outweigh these, and
    so do many symbols beside few.
    """
    (share, kind), (other_share, other_kind) = looks_like_genes(rows), looks_like_genes(columns)
    if min(share, other_share) >= ENOUGH:
        ids, other_ids = kind != SYMBOLS, other_kind != SYMBOLS
        if ids != other_ids:
            return share if ids else -other_share
        fewer, more = sorted((len(rows), len(columns)))
        if not ids and more >= max(MANY, LONGER * fewer):
            return share if len(rows) == more else -other_share
    return share - other_share


def _genes_found(names: Sequence[str], word: str) -> Sides:
    """Return the sides of a table whose rows have names of genes."""
    kind = looks_like_genes(names)[1]
    gene = PROTEIN if kind == "UniProt ids" else GENE
    return Sides(gene, SAMPLE, f"The names of the {word} look like {kind}.")


def _measured(measured: Sequence[str], samples: Sequence[str], word: str = "columns") -> Sides:
    """Return the sides of a table whose columns have names of samples."""
    kind = CELL if _are_cells(samples) else SAMPLE
    many = len(measured) >= MANY
    return Sides(
        GENE if many else MEASUREMENT, kind, f"The {word} are named like {kind.several}.", many
    )


def _are_cells(names: Sequence[str]) -> bool:
    """Return whether names are the barcodes of cells."""
    some = names[:LOOKED_AT]
    return 2 * sum(bool(_BARCODE.fullmatch(name)) for name in some) >= max(len(some), 1)


def _by_shape(n_rows: int, n_columns: int) -> Sides:
    """Treat the longer side as genes, if no names decide, but do not call it so."""
    rows, columns = (GENES, SAMPLES) if n_rows >= n_columns else (SAMPLES, GENES)
    return Sides(
        Kind(ROW.one, rows),
        Kind(COLUMN.one, columns),
        "Names do not tell genes from samples; the longer side is treated as the genes.",
        sure=False,
    )


def _unnamed(names: Sequence[str]) -> bool:
    """Return whether names are only running numbers."""
    first = _NUMBER.fullmatch(names[0]) if names else None
    if first is None or int(first[1][:9]) > 1:
        return False
    start = int(first[1])
    found = (_NUMBER.fullmatch(name) for name in names[:LOOKED_AT])
    return all(
        match is not None and int(match[1][:9]) == start + place
        for place, match in enumerate(found)
    )


def sides_of(
    rows: Axis, columns: Axis, said: tuple[Kind, Kind] | None = None, reason: str = ""
) -> Sides:
    """Return the kinds of rows and columns: as stated, else as guessed."""
    given = tuple(
        Kind(axis.kind, axis.side or kind_named(axis.kind).side) for axis in (rows, columns)
    )
    first, second = (
        each if each.one else known for each, known in zip(said or given, given, strict=True)
    )
    if first.one and second.one and first.side == opposite(second.side) != "":
        return Sides(first, second, reason)
    found = guessed(rows.names, columns.names)
    if first == second == Kind(""):
        return found
    # Genes by genes are two words for one side, and the guess decides which is which.
    side = "" if first.side == second.side else first.side or opposite(second.side)
    side = side or found.rows.side
    if side != found.rows.side and found.rows.one != ROW.one:
        found = found.exchanged
    return Sides(
        Kind(first.one or found.rows.one, side),
        Kind(second.one or found.columns.one, opposite(side)),
        reason,
    )


def _said(
    choices: Choices, form: Format, reading: Reading, rows: Axis
) -> tuple[tuple[Kind, Kind], str]:
    """Return the kinds stated by the user, the file or the format, and who stated them."""
    if choices.rows or choices.columns:
        chosen = (choices.rows or "", choices.columns or "")
        return (kind_named(chosen[0]), kind_named(chosen[1])), CHOSEN
    if any(guess.key == "layout" and guess.value == "long" for guess in reading.guesses):
        return _pivoted(reading, choices), "A long table names both in columns of their own."
    kinds = (kind_named(form.rows or ""), kind_named(form.columns or ""))
    if kinds == (Kind(""), Kind("")) and (named := _by_header(reading, rows)):
        return (named[0], SAMPLE), named[1]
    if kinds[0] == SAMPLE and _are_cells(rows.names):
        kinds = (CELL, kinds[1])
    return kinds, "The format says so."


def _by_header(reading: Reading, rows: Axis) -> tuple[Kind, str] | None:
    """Return the kind stated by the header over the names or labels of the rows.

    Not genes and samples: "sample" stands over genes where it is meant for the columns.
    """
    header = next((guess.value for guess in reading.guesses if guess.key == "id"), "")
    if kind := _SAID.get(key_of(header)):
        return kind, f"'{header}' names the rows."
    peaks = next((label for label in rows.labels if _OF_PEAKS.fullmatch(label)), None)
    return (METABOLITE, f"The rows have a label '{peaks}'.") if peaks else None


def _pivoted(reading: Reading, choices: Choices) -> tuple[Kind, Kind]:
    """Return the words for genes and samples of a long table."""
    table = reading.table if choices.items == "rows" else reading.table.transposed
    proteins = looks_like_genes(table.items.names)[1] == "UniProt ids"
    cells = _are_cells(table.features.names)
    return PROTEIN if proteins else GENE, CELL if cells else SAMPLE


def with_sides(reading: Reading, choices: Choices, form: Format) -> Reading:
    """Return the reading with both sides of its table decided, and the guesses about them."""
    table = _with_kinds(reading.table, Kind(""), Kind(""))
    in_rows = choices.items == "rows"
    rows, columns = (table.items, table.features) if in_rows else (table.features, table.items)
    found = sides_of(rows, columns, *_said(choices, form, reading, rows))
    options = {kind.several: kind.several for kind in KINDS}
    guesses = tuple(
        Guess(
            key=key,
            label=f"{key.capitalize()} are",
            value=kind.several,
            reason=found.reason,
            options=options,
            # One answer to check is enough: it settles both.
            sure=found.sure or key == "columns",
        )
        for key, kind in (("rows", found.rows), ("columns", found.columns))
    )
    kinds = (found.rows, found.columns)
    return replace(
        reading,
        table=_with_kinds(table, *(kinds if in_rows else kinds[::-1])),
        guesses=(*(each for each in reading.guesses if each.key not in SIDE_KEYS), *guesses),
    )


def sided_again(reading: Reading, choices: Choices) -> Reading:
    """Return an earlier reading with sides by the present choices; unchanged if they agree."""
    form = format_named(reading.format)
    if form is None:
        return reading
    sided = with_sides(reading, choices, form)
    new, old = (
        [(axis.side, axis.kind) for axis in (each.table.items, each.table.features)]
        for each in (sided, reading)
    )
    return reading if new == old and sided.guesses == reading.guesses else sided


def decided(table: Table) -> Table:
    """Return the table with both sides decided; unchanged if they are."""
    if table.genes is not None and table.items.kind and table.features.kind:
        return table
    found = sides_of(table.items, table.features)
    if table.is_sparse and not found.sure and table.genes is None:
        # Cells come as the items of a sparse table.
        found = Sides(SAMPLE, GENE, "The table is sparse.", sure=False)
    return _with_kinds(table, found.rows, found.columns)


def genes_of(table: Table) -> str:
    """Return the side that holds the genes, "items" or "features"; guess it if undecided."""
    return table.genes or decided(table).genes or ITEMS


def with_genes(table: Table, where: str) -> Table:
    """Return the table with its genes on the given side: "items" or "features"."""
    if table.genes == where:
        return table
    found = sides_of(table.items, table.features)
    side = GENES if where == ITEMS else SAMPLES
    if ROW.one not in (found.rows.one, found.columns.one) and found.rows.side != side:
        found = found.exchanged
    items, features = Kind(found.rows.one, side), Kind(found.columns.one, opposite(side))
    return _with_kinds(table, items, features)


def _with_kinds(table: Table, items: Kind, features: Kind) -> Table:
    for which, kind in ((ITEMS, items), (FEATURES, features)):
        axis = replace(table.axis(which), side=kind.side, kind=kind.one)
        table = table.with_axis(which, axis)
    return table
