"""Read a long table from the rows of a text, with an account of how it was found."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain

import numpy as np

from ximstudio.load.account import CHOSEN, no_such
from ximstudio.load.long.account import guesses_of, layout_guess, may_be_long_note, notes_of
from ximstudio.load.long.fields import Fields
from ximstudio.load.long.pivoted import pivoted_table
from ximstudio.load.long.roles import (
    LongRoles,
    WantedRoles,
    guessed_roles,
    known_roles,
    may_be_long,
)
from ximstudio.load.reading import Choices, Guess
from ximstudio.load.text.account import notes_of as text_notes
from ximstudio.load.text.block import Odd
from ximstudio.load.text.headings import join_cells
from ximstudio.load.text.reader import Reader
from ximstudio.load.text.roles import separated
from ximstudio.load.text.row_notes import uneven_guess
from ximstudio.load.text.understood import RowNames, Understood
from ximstudio.model.arrays import Floats
from ximstudio.model.problem import Problem, SettingsForm, UserError
from ximstudio.model.table import Table

MOST_COLUMNS = 300
"""Number of columns above which a table is not checked for being long."""


def is_asked(choices: Choices) -> bool:
    """Return whether the user says that the table is long."""
    return choices.layout == "long" or choices.sample is not None or choices.value is not None


def long_reading(
    reader: Reader, found: Understood
) -> tuple[Table, Iterator[Guess], Iterator[Problem]] | None:
    """Return the table, its guesses and notes if every row is a single value of it, else None."""
    choices = reader.choices
    asked = is_asked(choices)
    if choices.layout == "wide" or (len(found.columns.names) > MOST_COLUMNS and not asked):
        return None
    if not found.layout.header or not len(found.block.lines):
        return None
    wanted = _wanted(found, choices, reader.name) if asked else WantedRoles(gene=_chosen_id(found))
    named = _named(found, wanted, asked=asked)
    if named is None:
        if asked:
            raise unknown_columns(_fields(found), wanted, reader.name)
        return None
    fields, roles = named
    # Names that look like numbers keep their spelling; cells beside them may be anything.
    names = {roles.gene, *roles.samples}
    odd = {column for column in found.block.odd if column != roles.value}
    again = (names & fields.numeric) | odd
    if again:
        found = replace(reader, as_texts=frozenset(again)).read()
        fields = _fields(found, fields.names)
    _refuse_texts(reader, found, roles)
    made = pivoted_table(fields, roles, choices, name=reader.name, report=reader.report)
    bare = replace(found, id=None, labels=())
    # Rows are values here: a million of them need no names.
    bare.__dict__["row_names"] = RowNames(names=())
    noted = text_notes(bare, reader.rows, name=reader.name, word=reader.word)
    guesses = guesses_of(found, made, choices), uneven_guess(found, choices, reader.word)
    return made.table, chain(*guesses), chain(noted, notes_of(made, name=reader.name))


def wide_guesses(found: Understood, choices: Choices) -> Iterator[Guess]:
    """Yield the guess that a table is wide, where it could be long."""
    if choices.layout is not None:
        yield layout_guess("wide", CHOSEN)
    elif _may_ask(found):
        doubt = _doubt(found, choices)
        reason = doubt.reason if doubt else "Names and values do not repeat as in a long table."
        yield layout_guess("wide", reason, sure=doubt is None)


def wide_notes(found: Understood, choices: Choices, name: str) -> Iterator[Problem]:
    """Yield a note where a table that was read as wide may be long."""
    doubt = _doubt(found, choices)
    if doubt is not None:
        yield may_be_long_note(doubt, found.columns.called(doubt.value), name)


def _doubt(found: Understood, choices: Choices) -> LongRoles | None:
    """Return the possible roles of a table that was read as wide; None if it cannot be long."""
    if choices.layout is not None or not _may_ask(found):
        return None
    return may_be_long(_fields(found))


def _may_ask(found: Understood) -> bool:
    """Return whether a table could be long: names of two kinds, and no known quantity."""
    few = len(found.columns.names) <= MOST_COLUMNS
    return few and bool(found.layout.header and found.labels) and found.picked is None


def _named(
    found: Understood, wanted: WantedRoles, *, asked: bool
) -> tuple[Fields, LongRoles] | None:
    """Return the columns under names that reveal their roles, and these roles."""
    spelt = [_fields(found, names) for names in _spellings(found)]
    for find in (known_roles, partial(guessed_roles, asked=asked)):
        for fields in spelt:
            roles = find(fields, wanted)
            if roles is not None:
                return fields, roles
    return None


def _spellings(found: Understood) -> Iterator[tuple[str, ...]]:
    """Yield the names of columns: as they are, then with header rows joined, the last first.

    Groups of columns have a header row of their own: "Sample" over "Name".
    """
    yield tuple(map(found.columns.called, range(len(found.columns.names))))
    header = found.layout.header
    for begin in range(len(header) - 2, -1, -1):
        columns = zip(*header[begin:], strict=True)
        yield tuple(
            join_cells(cells) or found.columns.called(column)
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
        numbers=lambda column: (
            block.values[:, places[column]] if column in places else _numbers_in(found, column)
        ),
        n_rows=len(block.lines),
    )


def _numbers_in(found: Understood, column: int) -> Floats:
    """Return the numbers in a column that was kept as texts beside picked features."""
    values = map(found.notation.value, found.block.texts[column])
    return np.array([math.nan if value is None else value for value in values])


def _chosen_id(found: Understood) -> int | None:
    return found.id if found.id_found.reason == CHOSEN else None


def _wanted(found: Understood, choices: Choices, name: str) -> WantedRoles:
    """Return the columns that the user chose; refuse names that do not exist."""
    where = f"{name}, header"
    samples = None
    if choices.sample is not None:
        known = {text for names in _spellings(found) for text in names}
        texts = separated(choices.sample, known)
        samples = tuple(_column(found, text, where, "sample") for text in texts)
    value = None if choices.value is None else _column(found, choices.value, where, "value")
    return WantedRoles(gene=_chosen_id(found), samples=samples or None, value=value)


def _column(found: Understood, text: str, where: str, key: str) -> int:
    column = found.columns.find(text, key=f"load.ambiguous_{key}", where=where)
    spelt = [_fields(found, names).names for names in _spellings(found)]
    places = [names.index(text) for names in spelt if text in names]
    if column is None and not places:
        raise no_such(
            key, text, spelt[0], f"There is no column '{text}' that could be the {key}.", where
        )
    return places[0] if column is None else column


def unknown_columns(fields: Fields, wanted: WantedRoles, name: str) -> UserError:
    """Return the error for a table said to be long whose columns are not recognised."""
    roles = {
        "id": ("genes", wanted.gene),
        "sample": ("samples", wanted.samples),
        "value": ("values", wanted.value),
    }
    unknown = {name: word for name, (word, known) in roles.items() if known is None}
    listed = ", ".join(f"'{called}'" for called in fields.names[:12])
    return UserError(
        key="load.long_columns",
        what="It is not clear which columns of this long table name genes and samples and hold"
        " values.",
        where=f"{name}, columns {listed}",
        way_out=f"Choose the columns of {' and '.join(unknown.values())}, or read it as wide.",
        fields=(*unknown, "layout"),
        form=SettingsForm.READING,
    )


def _refuse_texts(reader: Reader, found: Understood, roles: LongRoles) -> None:
    """Refuse texts among the values; other columns may hold anything."""
    block, value = found.block, roles.value
    odd = block.odd.get(value, Odd())
    if value not in block.columns:
        # More texts than numbers: read as numbers, the texts are refused.
        texts = block.texts[value]
        rows = [row for row, text in enumerate(texts) if found.notation.value(text) is None]
        odd.add(rows, [texts[row] for row in rows])
    if odd.count:
        only = replace(found, block=replace(block, odd={value: odd}))
        raise UserError.of(reader.texts_among_numbers(only))
