"""Long tables in typed columns: Parquet reports of DIA-NN, melted data frames."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import isnan

from ximstudio.load.account import CHOSEN, no_such
from ximstudio.load.arrow.roles import UNUSABLE, Typed, column_notes, roles_of, table_guesses
from ximstudio.load.long.account import layout_guess, may_be_long_note, notes_of, role_guesses
from ximstudio.load.long.fields import Fields
from ximstudio.load.long.pivoted import pivoted_table
from ximstudio.load.long.reading import MOST_COLUMNS, is_asked, unknown_columns
from ximstudio.load.long.roles import (
    LongRoles,
    WantedRoles,
    guessed_roles,
    known_roles,
    may_be_long,
)
from ximstudio.load.reading import Choices, Reading, Report
from ximstudio.load.text.roles import Columns, separated
from ximstudio.model.problem import Problem


def reading_of(
    typed: Typed,
    choices: Choices,
    *,
    name: str,
    format: str,  # noqa: A002
    report: Report,
) -> Reading:
    """Return the table: pivoted if every row is a single value, as it lies otherwise."""
    if not _may_ask(typed, choices):
        return roles_of(typed, choices, name=name, format=format)
    columns = [place for place, kind in enumerate(typed.kinds) if kind != UNUSABLE]
    fields = _fields(typed, columns)
    asked = is_asked(choices)
    wanted = _wanted(fields, choices, f"{name}, columns")
    roles = None
    if choices.layout != "wide":
        roles = known_roles(fields, wanted) or guessed_roles(fields, wanted, asked=asked)
    if roles is not None:
        made = pivoted_table(fields, roles, choices, name=name, report=report)
        return Reading(
            table=made.table.transposed if choices.items == "columns" else made.table,
            format=format,
            guesses=(*role_guesses(made, choices), *table_guesses(made.table, choices)),
            notes=(*notes_of(made, name=name), *_notes(typed, columns, roles, name)),
        )
    if asked:
        raise unknown_columns(fields, wanted, name)
    wide = roles_of(typed, choices, name=name, format=format)
    if choices.layout is not None:
        return replace(wide, guesses=(*wide.guesses, layout_guess("wide", CHOSEN)))
    doubt = may_be_long(fields)
    if doubt is None:
        return wide
    return replace(
        wide,
        guesses=(*wide.guesses, layout_guess("wide", doubt.reason, sure=False)),
        notes=(*wide.notes, may_be_long_note(doubt, fields.names[doubt.value], name)),
    )


def _notes(typed: Typed, columns: Sequence[int], roles: LongRoles, name: str) -> Iterator[Problem]:
    """Yield notes about values that the types of the columns could not keep."""
    named = Columns(names=typed.names, numeric=frozenset(typed.numeric))
    used = [columns[column] for column in (roles.gene, *roles.samples, roles.value)]
    return column_notes(typed, named, used, name)


def _may_ask(typed: Typed, choices: Choices) -> bool:
    """Return whether a table could be long: it has rows, numbers, and names beside them."""
    if is_asked(choices):
        return bool(len(typed.values))
    texts = [place for place in typed.texts if place not in typed.numeric]
    few = len(typed.names) <= MOST_COLUMNS
    return few and bool(len(typed.values) and len(typed.numeric) and texts)


def _fields(typed: Typed, columns: Sequence[int]) -> Fields:
    """Return the columns under unique names; numbers become texts only where they are names."""
    places = {place: number for number, place in enumerate(typed.numeric)}
    called: list[str] = []
    for place in columns:
        header = typed.names[place].strip() or f"column {place + 1}"
        called.append(f"{header} (column {place + 1})" if header in called else header)

    def texts(column: int) -> Sequence[str]:
        place = columns[column]
        if place in typed.texts:
            return typed.texts[place]
        numbers = typed.values[:, places[place]].tolist()
        return ["" if isnan(number) else f"{number:.15g}" for number in numbers]

    return Fields(
        names=tuple(called),
        numeric=frozenset(n for n, place in enumerate(columns) if place in places),
        texts=texts,
        numbers=lambda column: typed.values[:, places[columns[column]]],
        n_rows=len(typed.values),
    )


def _wanted(fields: Fields, choices: Choices, where: str) -> WantedRoles:
    """Return the columns that the user chose; refuse names that do not exist."""
    columns = Columns(names=fields.names, numeric=fields.numeric)

    def found(text: str, key: str) -> int:
        column = columns.find(text, key=f"load.ambiguous_{key}", where=where)
        if column is None:
            what = f"There is no column '{text}' that could be the {key}."
            raise no_such(key, text, fields.names, what, where)
        return column

    samples = separated(choices.sample or (), set(fields.names))
    return WantedRoles(
        gene=found(choices.id, "id") if choices.id else None,
        samples=tuple(found(text, "sample") for text in samples) or None,
        value=None if choices.value is None else found(choices.value, "value"),
    )
