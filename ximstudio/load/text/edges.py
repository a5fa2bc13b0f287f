"""Rows above and below a table's numbers, notes among them, and a first row of numbers."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import dropwhile, pairwise

import numpy as np

from ximstudio.load.headers import heads_texts, is_id_name
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

    def whole_numbers(self, cells: Sequence[str]) -> list[float] | None:
        """Return the cells over the numbers if all are filled with whole numbers, else None."""
        values = [self.notation.value(cell) for cell in self.filled(cells)]
        known = [value for value in values if value is not None and math.isfinite(value)]
        whole = len(known) == len(self.looked_at) and not any(value % 1 for value in known)
        return known if whole else None

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
        return [*dropwhile(lambda row: not self._is_footnote(row, numbers), reversed(found))]

    def _is_footnote(self, row: int, numbers: Ints) -> bool:
        place = int(np.searchsorted(numbers, row))
        gap = place > 0 and self.rows.starts[row] > self.rows.ends[numbers[place - 1]] + 1
        cells = [cell.strip() for cell in self.rows.cut(row) if cell.strip()]
        numbers_too = any(self.notation.value(cell) is not None for cell in cells)
        return any(map(_is_worded, cells[:1])) or bool(gap and not numbers_too)

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
    """Return the rows near the top that only draw a line: "---|---", as in Markdown.

    None of them where all rows do.
    """
    found = []
    for row in numbers[:MOST_RULED].tolist():
        cells = [cell.strip() for cell in rows.cut(row) if cell.strip()]
        if cells and all(map(RULING.fullmatch, cells)):
            found.append(row)
    return found if len(found) < len(numbers) else []


def spread(numbers: Ints, most: int) -> list[int]:
    """Return rows from all over these."""
    places = np.linspace(0, len(numbers) - 1, min(most, len(numbers))).astype(np.int64)
    return [int(row) for row in numbers[np.unique(places)]]


def _is_worded(text: str) -> bool:
    return bool(FOOTNOTE.match(text)) or len(text.split()) > 2


YEARS = (1900, 2100)
"""Range of integers that are years if they increase."""


def names_columns(
    edges: Edges, cells: Sequence[str], numbers: Ints, first: int
) -> tuple[bool, str, bool]:
    """Return whether a first row of numbers names the columns, why, and whether that is sure."""
    corner = cells[0].strip()
    if is_id_name(corner) or (0 not in edges.numeric and not corner):
        return True, f"The first row begins with {cells[0]!r}, which is no name of a row.", True
    if any(map(heads_texts, edges.beside(cells))) and _counts(edges, cells):
        return True, "The first row names columns of texts, and numbers the others.", True
    if corner == "" and _is_index(edges, numbers, first):
        return True, "The first row has nothing over a first column that is full.", True
    if why := _grows(edges, cells, next_row(numbers, first)):
        return True, why, False
    if 0 in edges.numeric:
        return False, "The first row holds numbers, as all others do.", True
    return False, "The first row holds a name and numbers, as all others do.", False


def grow(values: Sequence[float]) -> bool:
    """Return whether each number is greater than the one before."""
    return all(one < other for one, other in pairwise(values))


def next_row(numbers: Ints, row: int) -> int:
    """Return the row after another one."""
    after = numbers[numbers > row]
    return int(after[0]) if len(after) else row + 1


def _grows(edges: Edges, cells: Sequence[str], following: int) -> str:
    """Return why increasing integers are names of columns; "" if they are not."""
    known = edges.whole_numbers(cells)
    if known is None or len(known) < 3 or not grow(known):
        return ""
    below = edges.filled(edges.rows.cut(following)) if following < len(edges.rows) else []
    if any(value is not None and value % 1 for value in map(edges.notation.value, below)):
        return "The first row holds increasing whole numbers: times or doses."
    if 0 not in edges.numeric and _are_numbers_of_columns(known):
        return "The first row counts, as names of columns may."
    return ""


def _are_numbers_of_columns(values: Sequence[float]) -> bool:
    """Return whether increasing numbers count from 0 or 1, or are consecutive years."""
    if values[0] in (0, 1):
        return all(other == one + 1 for one, other in pairwise(values))
    first, last = YEARS
    return first <= values[0] and values[-1] <= last


def _counts(edges: Edges, cells: Sequence[str]) -> bool:
    """Return whether numbers can be names: whole and unique."""
    texts = [cell.strip() for cell in edges.filled(cells)]
    return all(map(str.isdecimal, texts)) and len(set(texts)) == len(texts)


def _is_index(edges: Edges, numbers: Ints, first: int) -> bool:
    """Return whether the first column, blank in the first row, is full and unique.

    Only the first row lacks a cell there, and it lacks no other.
    """
    if 0 not in edges.numeric or not all(cell.strip() for cell in edges.rows.cut(first)[1:]):
        return False
    below = spread(numbers[numbers > first], 200)
    cells = [edges.rows.cut(row)[0].strip() for row in below]
    return bool(cells) and all(cells) and len(set(cells)) == len(cells)
