"""A long table in the rows of a text → genes × samples, and the account of how it was found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from ximstudio.load.headers import key_of
from ximstudio.load.long.account import guesses_of, layout_guess, may_be_long_note, notes_of
from ximstudio.load.long.fields import Coded, Fields, follows
from ximstudio.load.long.kinds import BLANK, COUNTS, FIRST, MEAN, SUM, ZERO
from ximstudio.load.long.pivot import Pairs, labels_along, pivoted
from ximstudio.load.long.roles import (
    LongRoles,
    Wanted,
    grid_of,
    guessed_roles,
    known_roles,
    may_be_long,
)
from ximstudio.load.reading import Choices, Guess
from ximstudio.load.text.account import notes_of as text_notes
from ximstudio.load.text.block import Odd
from ximstudio.load.text.reader import Reader
from ximstudio.load.text.roles import separated
from ximstudio.load.text.row_names import RowNames
from ximstudio.load.text.rows import Rows
from ximstudio.load.text.understood import Understood
from ximstudio.model.arrays import Floats
from ximstudio.model.params import closest
from ximstudio.model.problem import Problem, UserError
from ximstudio.model.table import Axis, Table

MOST_COLUMNS = 300
"""Columns of a table above which nobody is asked whether it is long."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Pivoted:
    """What a long table became.

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


@dataclass(frozen=True, kw_only=True, eq=False)
class LongReading:
    """A long table, and what is to be told about it."""

    found: Understood
    made: Pivoted

    @property
    def table(self) -> Table:
        """Genes × samples."""
        return self.made.table

    def guesses(self, choices: Choices) -> Iterator[Guess]:
        """What was found out, and how it can be chosen otherwise."""
        return guesses_of(self.found, self.made, choices)

    def notes(self, rows: Rows, word: str) -> Iterator[Problem]:
        """Everything that is not in the table as it was in the file."""
        name = self.table.source
        bare = replace(self.found, id=None, labels=())
        # Rows are values here: a million of them need no names.
        bare.__dict__["row_names"] = RowNames(names=())
        yield from text_notes(bare, rows, name=name, word=word)
        yield from notes_of(self.made, name=name)


def long_reading(reader: Reader, found: Understood) -> LongReading | None:
    """The table if every row is one value of it; None if rows are rows of the table."""
    choices = reader.choices
    asked = choices.layout == "long" or choices.sample is not None or choices.value is not None
    if choices.layout == "wide" or (len(found.columns.names) > MOST_COLUMNS and not asked):
        return None
    if not found.layout.header or not len(found.block.lines):
        return None
    wanted = _wanted(found, choices, reader.name) if asked else Wanted(gene=_chosen_id(found))
    named = _named(found, wanted, asked=asked)
    if named is None:
        if asked:
            raise _unknown(_fields(found), wanted, reader.name)
        return None
    fields, roles = named
    # Names that look like numbers keep their spelling; what stands beside them may be anything.
    names = {roles.gene, *roles.samples}
    odd = {column for column in found.block.odd if column != roles.value}
    again = (names & fields.numeric) | odd
    if again:
        found = replace(reader, as_texts=frozenset(again)).read()
        fields = _fields(found, fields.names)
    _refuse_texts(reader, found, roles)
    return LongReading(found=found, made=_pivoted(fields, roles, choices, reader))


def wide_guesses(found: Understood, choices: Choices) -> Iterator[Guess]:
    """Whether a table that was read as it lies could be long, where that could be asked."""
    if choices.layout is not None:
        yield layout_guess("wide", "You chose it.")
    elif _may_ask(found):
        doubt = _doubt(found, choices)
        reason = doubt.reason if doubt else "Names and values do not repeat as in a long table."
        yield layout_guess("wide", reason, sure=doubt is None)


def wide_notes(found: Understood, choices: Choices, name: str) -> Iterator[Problem]:
    """A note where a table that was read as it lies may be long."""
    doubt = _doubt(found, choices)
    if doubt is not None:
        yield may_be_long_note(doubt, found.columns.called(doubt.value), name)


def _doubt(found: Understood, choices: Choices) -> LongRoles | None:
    """The roles that a table might have if it is long, though it was read as it lies."""
    if choices.layout is not None or not _may_ask(found):
        return None
    return may_be_long(_fields(found))


def _may_ask(found: Understood) -> bool:
    """Whether a table could be long at all: it has names of two kinds, and no known quantity."""
    few = len(found.columns.names) <= MOST_COLUMNS
    return few and bool(found.layout.header and found.labels) and found.picked is None


def _named(found: Understood, wanted: Wanted, *, asked: bool) -> tuple[Fields, LongRoles] | None:
    """The columns under the names by which their roles are told, and these roles."""
    spelt = [_fields(found, names) for names in _spellings(found)]
    for find in (known_roles, partial(guessed_roles, asked=asked)):
        for fields in spelt:
            roles = find(fields, wanted)
            if roles is not None:
                return fields, roles
    return None


def _spellings(found: Understood) -> Iterator[tuple[str, ...]]:
    """The names of the columns: as they are, and of header rows joined, the last ones first.

    Groups of columns have a header row of their own: "Sample" over "Name".
    """
    yield tuple(map(found.columns.called, range(len(found.columns.names))))
    header = found.layout.header
    for begin in range(len(header) - 2, -1, -1):
        columns = zip(*header[begin:], strict=True)
        yield tuple(
            " ".join(dict.fromkeys(cell.strip() for cell in cells if cell.strip()))
            or found.columns.called(column)
            for column, cells in enumerate(columns)
        )


def _fields(found: Understood, names: Sequence[str] | None = None) -> Fields:
    block = found.block
    places = {column: place for place, column in enumerate(block.columns)}
    called: list[str] = []
    for column, name in enumerate(next(_spellings(found)) if names is None else names):
        again = f"{name} (column {found.columns.place(column)})"
        called.append(again if name in called else name)
    return Fields(
        names=tuple(called),
        numeric=frozenset(places),
        texts=lambda column: block.texts[column],
        numbers=lambda column: block.values[:, places[column]],
        n_rows=len(block.lines),
    )


def _chosen_id(found: Understood) -> int | None:
    return found.id if found.id_found.reason == "You chose it." else None


def _wanted(found: Understood, choices: Choices, name: str) -> Wanted:
    """The columns that were chosen; what is not there is refused."""
    where = f"{name}, header"
    samples = None
    if choices.sample is not None:
        known = {text for names in _spellings(found) for text in names}
        texts = separated(choices.sample, known)
        samples = tuple(_column(found, text, where, "sample") for text in texts)
    value = None if choices.value is None else _column(found, choices.value, where, "value")
    return Wanted(gene=_chosen_id(found), samples=samples or None, value=value)


def _column(found: Understood, text: str, where: str, key: str) -> int:
    column = found.columns.find(text, key=f"load.ambiguous_{key}", where=where)
    spelt = [_fields(found, names).names for names in _spellings(found)]
    places = [names.index(text) for names in spelt if text in names]
    if column is None and not places:
        raise UserError(
            key=f"load.no_such_{key}",
            what=f"There is no column '{text}' that could be the {key}.",
            where=where,
            way_out=closest(text, spelt[0]),
        )
    return places[0] if column is None else column


def _unknown(fields: Fields, wanted: Wanted, name: str) -> UserError:
    """What to raise when a table is said to be long and nobody can tell its columns."""
    open_ones = [
        option
        for option, known in (
            ("--id COLUMN (genes)", wanted.gene),
            ("--read sample=COLUMN", wanted.samples),
            ("--read value=COLUMN", wanted.value),
        )
        if known is None
    ]
    listed = ", ".join(f"'{called}'" for called in fields.names[:12])
    return UserError(
        key="load.long_columns",
        what="It is not clear which columns of this long table name genes and samples and hold"
        " values.",
        where=f"{name}, columns {listed}",
        way_out=f"Say it with {', '.join(open_ones)}; or read rows as they lie with"
        " --read layout=wide.",
    )


def _refuse_texts(reader: Reader, found: Understood, roles: LongRoles) -> None:
    """Refuse texts among the values; what stands in other columns does not matter."""
    block = found.block
    if roles.value not in block.columns:
        # More texts than numbers: read as numbers, they are what is refused.
        found = _as_numbers(found, roles.value)
        block = found.block
    odd = {roles.value: block.odd[roles.value]} if roles.value in block.odd else {}
    if odd:
        raise UserError.of(
            reader.texts_among_numbers(replace(found, block=replace(block, odd=odd)))
        )


def _as_numbers(found: Understood, column: int) -> Understood:
    """The same with a column of texts as one of numbers that has texts among them."""
    texts = found.block.texts[column]
    rows = [row for row, text in enumerate(texts) if found.notation.value(text) is None]
    odd = Odd()
    odd.add(rows, [texts[row] for row in rows])
    block = replace(found.block, odd={column: odd} if rows else {})
    return replace(found, block=block)


def _pivoted(fields: Fields, roles: LongRoles, choices: Choices, reader: Reader) -> Pivoted:
    genes, samples = fields.coded(roles.gene), fields.joined(roles.samples)
    roles = replace(roles, grid=grid_of(fields, roles.gene, roles.samples))
    values = fields.numbers(roles.value)
    reader.report(1.0)
    is_code = np.isin(values, list(_codes(roles, choices)))
    n_coded = int(is_code.sum())
    if n_coded:
        values = np.where(is_code, np.nan, values)
    pairs = Pairs.of(genes, samples, values)
    repeats = _repeats(fields, roles, pairs, choices)
    joined = pairs.joined(repeats[0])
    absent = _absent(fields, roles, joined, choices)
    reader.report(1.0)
    beside = _beside(fields, roles, genes, samples, choices)
    table = Table(
        values=pivoted(pairs, joined, (genes.n, samples.n), absent[0], reader.name),
        items=Axis(names=genes.levels, labels=labels_along(fields, genes, beside[0])),
        features=Axis(names=samples.levels, labels=labels_along(fields, samples, beside[1])),
        source=reader.name,
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


def _codes(roles: LongRoles, choices: Choices) -> frozenset[float]:
    if roles.kind is None or choices.missing is not None:
        return frozenset()
    return roles.kind.codes


def _repeats(
    fields: Fields, roles: LongRoles, pairs: Pairs, choices: Choices
) -> tuple[str, str, bool]:
    if choices.repeats is not None:
        return choices.repeats, "You chose it.", True
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
        return choices.absent, "You chose it.", True
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
    """Columns that label the genes, those that label the samples, and those that are left out."""
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
