"""Split cells into header, names, labels and numbers, each with its evidence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from ximstudio.load.long.reading import long_reading, wide_guesses, wide_notes
from ximstudio.load.proteomics.account import finished
from ximstudio.load.reading import Choices, Guess, Reading, Report, silent
from ximstudio.load.text.account import guesses_of, notes_of
from ximstudio.load.text.block import rows_of_cells
from ximstudio.load.text.reader import Reader
from ximstudio.load.text.rows import Rows, WrittenRows
from ximstudio.load.text.understood import Understood
from ximstudio.model.arrays import frozen
from ximstudio.model.problem import Problem
from ximstudio.model.table import Axis, Table


@dataclass(frozen=True, kw_only=True)
class Cells:
    """A table of texts, including blank rows.

    Parameters
    ----------
    rows
        The cells of every row; rows need not be as long.
    numbers
        The place of each row in the file, as people count.
    word
        What those places are called: "row", "line".
    first_column
        The place of the first column in the file.
    """

    rows: Sequence[list[str]]
    numbers: Sequence[int]
    word: str = "row"
    first_column: int = 1


def interpret(
    cells: Cells,
    choices: Choices,
    *,
    name: str,
    format: str,  # noqa: A002  (what a reading calls it)
    guesses: Sequence[Guess] = (),
    notes: Sequence[Problem] = (),
    report: Report = silent,
) -> Reading:
    """Interpret cells as a table; the given guesses and notes come before those made here.

    Rows that end early are filled up with blanks, as spreadsheets do not write empty cells.
    """
    return understood(
        cells.rows.rows.filled() if isinstance(cells.rows, WrittenRows) else _written(cells),
        choices,
        name=name,
        format=format,
        word=cells.word,
        first_column=cells.first_column,
        guesses=guesses,
        notes=notes,
        report=report,
    )


def _written(cells: Cells) -> Rows:
    """Return the cells as one text."""
    width = max((len(row) for row in cells.rows), default=0)
    filled = [
        [cell.replace("\r\n", "\n").replace("\r", "\n") for cell in row] + [""] * (width - len(row))
        for row in cells.rows
    ]
    return rows_of_cells(filled, cells.numbers)


def understood(
    rows: Rows,
    choices: Choices,
    *,
    name: str,
    format: str,  # noqa: A002
    word: str = "line",
    first_column: int = 1,
    guesses: Sequence[Guess] = (),
    notes: Sequence[Problem] = (),
    report: Report = silent,
) -> Reading:
    """Interpret the rows of a text as a table, with an account of how it was found."""
    reader = Reader(
        rows=rows, choices=choices, name=name, word=word, first_column=first_column, report=report
    )
    found = reader.read()
    # Here and below: reports allow the user to cancel.
    report(1.0)
    table, made, noted = long_reading(reader, found) or _wide_reading(reader, found)
    found_guesses = []
    for guess in made:
        found_guesses.append(guess)
        report(1.0)
    reading = Reading(
        table=table.transposed if choices.items == "columns" else table,
        format=format,
        guesses=(*guesses, *found_guesses),
        notes=(*notes, *noted),
    )
    report(1.0)
    return reading


def _wide_reading(
    reader: Reader, found: Understood
) -> tuple[Table, Iterator[Guess], Iterator[Problem]]:
    """Return the table whose rows are rows of the file, with its guesses and notes."""
    choices, name, word = reader.choices, reader.name, reader.word
    reader.refuse(found)
    reader.report(1.0)
    assert found.row_names
    reader.report(1.0)
    table = _table(found, name=name, word=word)
    guesses = guesses_of(found, table, choices)
    notes = notes_of(found, reader.rows, name=name, word=word)
    if found.picked is not None:
        id_name = "" if found.id is None else found.columns.called(found.id)
        proteins = finished(table, found.picked, id_name, found.columns.names, choices)
        table = proteins.table
        guesses, notes = chain(guesses, proteins.guesses), chain(notes, proteins.notes)
    return (
        table,
        chain(guesses, wide_guesses(found, choices)),
        chain(notes, wide_notes(found, choices, name)),
    )


def _table(found: Understood, *, name: str, word: str) -> Table:
    """Return the table; columns without a name and without a value are left out."""
    block, columns, features = found.block, found.columns, found.features
    values = block.values
    if len(features) < len(block.columns):
        values = values[:, np.isin(block.columns, features)]
    labels: dict[str, tuple[str, ...]] = {}
    for column in found.labels:
        called = columns.called(column)
        unique = called if called not in labels else f"{called} (column {columns.place(column)})"
        labels[unique] = block.texts[column]
    feature_labels = {
        label: tuple(texts[column] for column in features)
        for label, texts in (*found.headings.labels.items(), *found.label_rows.items())
    }
    return Table(
        values=frozen(values),
        items=Axis(names=found.row_names.names, labels=labels, numbers=block.lines, word=word),
        features=Axis(
            names=tuple(
                found.picked.names[column] if found.picked else columns.called(column)
                for column in features
            ),
            labels=feature_labels,
            numbers=np.array([columns.place(column) for column in features], dtype=np.int64),
            word="column",
        ),
        source=name,
    )
