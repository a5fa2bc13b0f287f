"""One attempt to read a file, and its preview in the dialog; runs in the background, no Qt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import isnan
from pathlib import Path

from ximstudio.load import Choices, Reading, Report, Source, read, read_source, sample_named
from ximstudio.load.samples import PREFIX
from ximstudio.load.sides import decided
from ximstudio.model.problem import Problem, Severity, UserError
from ximstudio.model.table import FEATURES, ITEMS, Axis, Table
from ximstudio.model.words import number

MOST_ROWS, MOST_COLUMNS = 100, 50
"""Largest number of rows and columns in a preview."""

MOST_LETTERS = 200
"""Maximum length of a cell in a preview; a label may be a sequence or an essay."""


@dataclass(frozen=True, kw_only=True)
class Preview:
    """The top left corner of a table, as it lies in the file.

    Parameters
    ----------
    rows, columns
        Names of the rows and columns that are shown.
    row_numbers
        Where in the file the rows are; empty where the file has no such places.
    row_labels, column_labels
        Label → one text for each row, or column, that is shown.
    cells
        The values as texts, row by row; empty where a value is missing.
    n_rows, n_columns
        Of the whole table.
    row_word, column_word
        What one of them is called: "gene", "sample", …
    items_in
        "rows" or "columns": which of them are mapped.
    """

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    row_numbers: tuple[str, ...]
    row_labels: Mapping[str, tuple[str, ...]]
    column_labels: Mapping[str, tuple[str, ...]]
    cells: tuple[tuple[str, ...], ...]
    n_rows: int
    n_columns: int
    row_word: str
    column_word: str
    items_in: str


@dataclass(frozen=True, kw_only=True)
class Attempt:
    """Outcome of reading a file with some choices: a reading and its preview, or problems."""

    choices: Choices
    reading: Reading | None = None
    preview: Preview | None = None
    problems: tuple[Problem, ...] = ()
    formats: Mapping[str, str] = field(default_factory=dict)
    """Key → name of every format there is."""

    @property
    def is_clear(self) -> bool:
        """True if a table was read and no answer needs checking."""
        if self.reading is None:
            return False
        doubts = (not guess.sure and guess.key in Choices.specs() for guess in self.reading.guesses)
        changes = (note.severity is not Severity.NOTE for note in self.reading.notes)
        return not any(doubts) and not any(changes)


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """A request to read a file, a sample, or a pasted text."""

    name: str
    text: str | None = None

    @property
    def title(self) -> str:
        """Display name: the file's name without its folders."""
        if self.text is not None:
            return "Pasted text"
        if self.name.startswith(PREFIX):
            return sample_named(self.name.removeprefix(PREFIX)).title
        return Path(self.name).name

    def attempt(self, choices: Choices, report: Report) -> Attempt:
        """Read it; return problems instead of raising them."""
        from ximstudio.load.format import every_format

        formats = {one.key: one.name for one in every_format()}
        try:
            if self.text is None:
                reading = read(self.name, choices, report)
            else:
                reading = read_source(Source.pasted(self.text), choices, report)
        except UserError as error:
            return Attempt(choices=choices, problems=error.problems, formats=formats)
        shown = preview_of(reading.table, choices.items)
        return Attempt(choices=choices, reading=reading, preview=shown, formats=formats)


def preview_of(table: Table, items_in: str) -> Preview:
    """Return the corner of a table, oriented as in the file."""
    in_rows = items_in == "rows"
    most = (MOST_ROWS, MOST_COLUMNS) if in_rows else (MOST_COLUMNS, MOST_ROWS)
    corner = decided(table).take(ITEMS, range(min(most[0], table.n_items)))
    corner = corner.take(FEATURES, range(min(most[1], table.n_features)))
    corner = corner if in_rows else corner.transposed
    rows, columns = corner.items, corner.features
    sizes = (table.n_items, table.n_features)
    n_rows, n_columns = sizes if in_rows else sizes[::-1]
    return Preview(
        rows=_short(rows.names),
        columns=_short(columns.names),
        row_numbers=() if rows.numbers is None else tuple(str(each) for each in rows.numbers),
        row_labels=_labels(rows),
        column_labels=_labels(columns),
        cells=tuple(tuple(map(number_text, line)) for line in corner.dense.tolist()),
        n_rows=n_rows,
        n_columns=n_columns,
        row_word=rows.kind,
        column_word=columns.kind,
        items_in=items_in,
    )


def number_text(value: float) -> str:
    """Format a value for a narrow column; "" if it is missing."""
    return "" if isnan(value) else number(value, 6)


def _labels(axis: Axis) -> dict[str, tuple[str, ...]]:
    return {label: _short(texts) for label, texts in axis.labels.items()}


def _short(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(" ".join(text[:MOST_LETTERS].split()) for text in texts)
