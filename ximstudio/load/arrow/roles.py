"""Guess the role of typed columns: names, labels or numbers, each with its reason."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from ximstudio.load.account import CHOSEN, items_guess, listed, no_such, note, scale_guess
from ximstudio.load.names import looks_like_genes
from ximstudio.load.reading import Choices, Guess, Reading
from ximstudio.load.single_cell.genes import numbered, stripped
from ximstudio.load.text.dialect import Found
from ximstudio.load.text.roles import MOST_CODES, Columns, chosen_id, separated
from ximstudio.model.arrays import Floats
from ximstudio.model.matrix import some_of
from ximstudio.model.problem import Problem, SettingsForm, UserError
from ximstudio.model.table import Axis, Table
from ximstudio.model.words import counted, plural

NUMBER, TEXT, UNUSABLE = "number", "text", "unusable"
"""Kinds of columns; tables cannot hold the last."""


@dataclass(frozen=True, kw_only=True)
class Typed:
    """The columns of a file as read, each with its type.

    Parameters
    ----------
    names, kinds
        Of all columns, in the order of the file.
    index
        Columns that pandas kept as the names of the rows.
    values
        Rows × columns of numbers; `numeric` says which these are.
    texts
        Columns that are texts, or may be needed as such.
    changed
        Whole numbers that float64 cannot hold, by column.
    """

    names: tuple[str, ...]
    kinds: tuple[str, ...]
    types: tuple[str, ...]
    index: tuple[int, ...]
    numeric: tuple[int, ...]
    values: Floats
    texts: dict[int, list[str]]
    changed: dict[int, list[int]] = field(default_factory=dict)


def roles_of(typed: Typed, choices: Choices, *, name: str, format: str) -> Reading:  # noqa: A002
    """Build the table from the columns, with the reason for each role."""
    where = f"{name}, columns"
    headers = stripped(typed.names, where)
    columns = Columns(names=headers.names, numeric=frozenset(typed.numeric))
    chosen = _chosen_labels(typed, columns, choices, where)
    id_, id_found = _id(typed, columns, choices, chosen, where)
    coded = _coded(typed, id_) if choices.labels is None else []
    labels = [place for place in typed.texts if place not in typed.numeric and place != id_]
    labels += [place for place in (*chosen, *typed.index, *coded) if place not in labels]
    labels = sorted({place for place in labels if place != id_})
    values = [
        number for number, place in enumerate(typed.numeric) if place not in labels and place != id_
    ]
    _refuse_nothing(typed, values, name)
    names, notes = _names(typed, id_, columns, name)
    places = [typed.numeric[number] for number in values]
    table = Table(
        values=typed.values[:, values] if len(values) < len(typed.numeric) else typed.values,
        items=Axis(
            names=names,
            labels=_labels(typed, columns, labels),
            numbers=np.arange(1, len(names) + 1),
            word="row",
        ),
        features=Axis(
            names=tuple(columns.called(place) for place in places),
            numbers=np.array(places, dtype=np.int64) + 1,
            word="column",
        ),
        source=name,
    )
    return Reading(
        table=table.transposed if choices.items == "columns" else table,
        format=format,
        guesses=(
            *_guesses(typed, columns, choices, id_found, labels, coded),
            *table_guesses(table, choices),
        ),
        notes=(*headers.notes, *notes, *column_notes(typed, columns, places, name)),
    )


def _chosen_labels(typed: Typed, columns: Columns, choices: Choices, where: str) -> list[int]:
    found = []
    for label in separated(choices.labels or (), set(columns.names)):
        place = columns.find(label, key="load.ambiguous_label", where=where)
        if place is None or typed.kinds[place] == UNUSABLE:
            known = [text for text in columns.names if text]
            what = f"There is no column '{label}' to take as a label."
            raise no_such("label", label, known, what, where)
        found.append(place)
    return found


def _id(
    typed: Typed, columns: Columns, choices: Choices, labels: Sequence[int], where: str
) -> tuple[int | None, Found]:
    """Return the column that names the rows, or None to number them, and the reason."""
    if choices.id is not None:
        unusable = [place for place, kind in enumerate(typed.kinds) if kind == UNUSABLE]
        return chosen_id(columns, choices.id, where, unusable)
    for place in typed.index:
        if place not in labels:
            reason = "pandas wrote this column as the names of the rows."
            return place, Found(value=columns.called(place), reason=reason)
    candidates = [
        place
        for place in typed.texts
        if place not in typed.numeric and place not in labels and typed.types[place] != "bool"
    ]
    for place in candidates:
        texts = typed.texts[place]
        if len(set(texts)) == len(texts) and all(text.strip() for text in texts):
            reason = "It is the first column of texts that are all different."
            return place, Found(value=columns.called(place), reason=reason)
    reason = "No column holds texts that are all different."
    return None, Found(value="", reason=reason, sure=not candidates)


def _coded(typed: Typed, id_: int | None) -> list[int]:
    """Return the columns with few different integers whose name suggests codes."""
    found = [
        place
        for place, texts in typed.texts.items()
        if place in typed.numeric
        and place not in (*typed.index, id_)
        and len(set(texts)) <= min(MOST_CODES, len(texts) - 1)
    ]
    # Something must be left to map.
    return found if len(found) < len(typed.numeric) else []


def _refuse_nothing(typed: Typed, values: Sequence[int], name: str) -> None:
    if not len(typed.values):
        raise UserError(
            key="load.no_rows",
            what="The table has columns, but no rows.",
            where=name,
            way_out="Choose a file with rows.",
        )
    if not values:
        kinds = [f"'{text}' ({kind})" for text, kind in zip(typed.names, typed.types, strict=True)]
        raise UserError(
            key="load.no_numbers",
            what="No column holds numbers.",
            where=f"{name}, columns: {some_of(kinds) or 'none'}",
            way_out="Write the columns of numbers as numbers, not as texts.",
        )


def _names(
    typed: Typed, id_: int | None, columns: Columns, name: str
) -> tuple[tuple[str, ...], tuple[Problem, ...]]:
    if id_ is None:
        return numbered("row", len(typed.values)), ()
    where = f"{name}, column '{columns.called(id_)}'"
    named = stripped(typed.texts[id_], where)
    blank = [str(number) for number, text in enumerate(named.names, 1) if not text]
    if blank:
        raise UserError(
            key="load.blank_id",
            what=f"{counted(len(blank), 'row has', 'rows have')} no name.",
            where=f"{where}, {plural(len(blank), 'row')} {some_of(blank)}",
            way_out="Fill in the names, take them from another column, or from none to number the"
            " rows.",
            fields=("id",),
            form=SettingsForm.READING,
        )
    return named.names, named.notes


def _labels(typed: Typed, columns: Columns, labels: Sequence[int]) -> dict[str, tuple[str, ...]]:
    """Return texts by label name; repeated names after the first get the column number."""
    found: dict[str, tuple[str, ...]] = {}
    for place in labels:
        called = columns.called(place)
        name = called if called not in found else f"{called} (column {place + 1})"
        found[name] = tuple(typed.texts[place])
    return found


def _guesses(
    typed: Typed,
    columns: Columns,
    choices: Choices,
    id_found: Found,
    labels: Sequence[int],
    coded: Sequence[int],
) -> Iterator[Guess]:
    offered = [place for place in typed.texts if typed.kinds[place] != UNUSABLE]
    yield Guess(
        key="id",
        label="Names in",
        value=id_found.value,
        reason=id_found.reason,
        shown=id_found.value or "none",
        options={"": "none: number the rows"}
        | {
            columns.called(place): f"column {place + 1}: {columns.called(place)}"
            for place in offered
        },
        sure=id_found.sure,
    )
    called = [columns.called(place) for place in labels]
    reason = f"{counted(len(labels), 'column holds', 'columns hold')} texts, truth values or dates."
    if coded:
        reason = f"{some_of([repr(columns.called(place)) for place in coded])} by name holds codes."
    yield Guess(
        key="labels",
        label="Labels",
        value=listed(called),
        reason=reason if choices.labels is None else CHOSEN,
        shown=", ".join(called) or "none",
        sure=not coded,
    )


def table_guesses(table: Table, choices: Choices) -> Iterator[Guess]:
    """Yield the guesses about the mapped side and the scale of the values."""
    rows, _ = looks_like_genes(table.items.names)
    features, kind = looks_like_genes(table.features.names)
    doubtful = features >= 0.5 and features > rows
    size = f"{table.n_items} rows and {table.n_features} columns"
    yield items_guess(
        choices,
        f"The names of the columns look like {kind} ({features:.0%}); {size}."
        if doubtful
        else f"Rows are items as they lie; {size}.",
        sure=not doubtful,
    )
    yield scale_guess(table)


def column_notes(
    typed: Typed, columns: Columns, used: Sequence[int], name: str
) -> Iterator[Problem]:
    """Yield notes about unsupported columns, and about used numbers that were changed."""
    left_out = [
        f"'{columns.called(place)}' ({typed.types[place]})"
        for place, kind in enumerate(typed.kinds)
        if kind == UNUSABLE
    ]
    if left_out:
        yield note(
            "nested_columns",
            f"{counted(len(left_out), 'column')} of lists, records or bytes left out.",
            f"{name}, columns {some_of(left_out)}",
            "Write what is needed of them into columns of their own.",
        )
    for place in used:
        if changed := typed.changed.get(place):
            yield note(
                "rounded",
                f"{counted(len(changed), 'whole number')} too large to be kept exactly, and"
                " rounded.",
                f"{name}, column '{columns.called(place)}' (first: {changed[0]})",
                "If they are ids, add the column to the labels.",
                fields=("labels",),
            )
