"""Rows above and below a table's numbers, and notes among them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ximstudio.load.reading import Choices
from ximstudio.load.text.notation import Notation
from ximstudio.load.text.rows import Rows
from ximstudio.model.arrays import Ints

MOST_TOP = 120
MOST_BOTTOM = 60
"""Maximum number of rows examined before the first numbers, and after the last."""

MOST_REMARKS = 1000
"""Number of one-cell rows above which they are no remarks."""

MOST_NOTED = 2
"""Maximum number of filled cells of a note that holds a number: "Total genes; 6178"."""

MOST_COLUMNS = 2000
"""Maximum number of columns that a row is judged by."""

FOOTNOTE = re.compile(
    r"\s*(?:[*†‡§¹²³©#]|--|==|</?\w|n\s*=|p\s*[<=]|https?:|www\."
    r"|(?:sources?|notes?|legend|abbreviations?|values|data|total|generated|created|exported|end)\b)",
    re.I,
)


RULING = re.compile(r":?(?:--+|==+):?\+?")
"""A cell that is part of a line below a header."""

MOST_RULED = 20
"""Number of rows in which such a line is searched."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Edges:
    """Rows above and below a table's numbers, examined one by one.

    `numeric` are the columns that hold numbers, `width` the cells of a whole row, `usual` those of
    most rows, which may have been stripped of blanks at their ends.
    """

    rows: Rows
    width: int
    usual: int
    numeric: tuple[int, ...]
    notation: Notation
    choices: Choices

    @cached_property
    def looked_at(self) -> tuple[int, ...]:
        """Numeric columns that rows are judged by: all, or an even sample of very many."""
        return self.numeric[:: max(1, len(self.numeric) // MOST_COLUMNS)]

    def filled(self, cells: Sequence[str], *, shift: int = 0) -> list[str]:
        """Return the filled cells over the numbers, with the first `shift` columns left out."""
        places = (column - shift for column in self.looked_at)
        return [
            cells[place] for place in places if 0 <= place < len(cells) and cells[place].strip()
        ]

    def n_numbers(self, cells: Sequence[str]) -> int:
        """Count the cells over the numbers that are numbers or spellings of a missing value."""
        return sum(self.notation.value(cell) is not None for cell in self.filled(cells))

    def beside(self, cells: Sequence[str]) -> list[str]:
        """Return the filled cells that are not over the numbers, stripped."""
        over = set(self.numeric)
        found = (cell.strip() for column, cell in enumerate(cells) if column not in over)
        return [cell for cell in found if cell]

    def footer(self, numbers: Ints, *, after: int) -> list[int]:
        """Return the rows below the numbers that are notes: short, and worded or set apart."""
        found: list[int] = []
        for row in (int(row) for row in numbers[::-1][:MOST_BOTTOM]):
            if row <= after:
                break
            cells = self.rows.cut(row)
            if self.filled(cells) and len(cells) >= self.width:
                break
            if sum(bool(cell.strip()) for cell in cells) > MOST_NOTED and self.n_numbers(cells):
                break
            found.append(row)
        found.reverse()
        while found and not self._is_footnote(found[0], numbers):
            found.pop(0)
        return found

    def _is_footnote(self, row: int, numbers: Ints) -> bool:
        place = int(np.searchsorted(numbers, row))
        before = self.rows.ends[numbers[place - 1]] if place else -1
        gap = place > 0 and int(self.rows.starts[row]) > int(before) + 1
        cells = [cell.strip() for cell in self.rows.cut(row) if cell.strip()]
        worded = any(map(_is_worded, cells[:1]))
        numbers_too = any(self.notation.value(cell) is not None for cell in cells)
        return worded or (gap and not numbers_too)

    def remarks(self, body: Ints, sample: Sequence[Sequence[str]]) -> list[int]:
        """Return one-cell rows between the others that hold a sentence."""
        if sum(_is_worded(cells[0].strip()) for cells in sample) * 5 > len(sample):
            return []
        lone = body[self.rows.cells[body] == 1] if self.usual > 1 else body[:0]
        if len(lone) > MOST_REMARKS:
            return []
        texts = ((row, "".join(self.rows.cut(row)).strip()) for row in lone.tolist())
        return [row for row, text in texts if _is_worded(text)]


def rulings(rows: Rows, numbers: Ints) -> list[int]:
    """Return the rows near the top that only draw a line: "---|---", as in Markdown."""
    found = []
    for row in numbers[:MOST_RULED].tolist():
        cells = [cell.strip() for cell in rows.cut(row) if cell.strip()]
        if cells and all(map(RULING.fullmatch, cells)):
            found.append(row)
    return found


def _is_worded(text: str) -> bool:
    return bool(FOOTNOTE.match(text)) or len(text.split()) > 2
