"""The interpretation of a text's rows, their names included, before any guess or note."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ximstudio.load.names import looks_like_genes
from ximstudio.load.proteomics.picking import Picked
from ximstudio.load.reading import Report, count_texts, silent, slices
from ximstudio.load.text.block import LONGEST, Block
from ximstudio.load.text.dialect import Found
from ximstudio.load.text.headings import Headings
from ximstudio.load.text.layout import Layout
from ximstudio.load.text.notation import Notation
from ximstudio.load.text.ragged import Evened
from ximstudio.load.text.roles import Columns, describes

LOOKED_AT = 200
"""Number of blank names for which another column is judged."""


@dataclass(frozen=True, kw_only=True)
class RowNames:
    """One name per row, stripped.

    Parameters
    ----------
    blank
        Places of the rows that the file gives no name.
    column
        The column that names those; None if they are numbered.
    """

    names: tuple[str, ...]
    blank: tuple[int, ...] = ()
    column: int | None = None


def numbered(n_rows: int, report: Report = silent) -> RowNames:
    """Return names for unnamed rows, counted from 1."""
    names: list[str] = []
    for part in slices(n_rows, report):
        names += [f"row {number}" for number in range(part.start + 1, min(part.stop, n_rows) + 1)]
    return RowNames(names=tuple(names))


def names_of(
    texts: Sequence[str], others: Mapping[int, Sequence[str]], report: Report = silent
) -> RowNames:
    """Return the names in a column; fill blank ones from a complete other column, or number them.

    `others` are the columns of texts that may stand in.
    """
    names: list[str] = []
    for part in slices(len(texts), report):
        names += map(str.strip, texts[part])
    if all(names):
        return RowNames(names=tuple(names))
    blank = [place for place, name in enumerate(names) if not name]
    column = _stand_in(blank, others)
    taken = set(names)
    for place in blank:
        if column is not None:
            names[place] = others[column][place].strip()
            continue
        name, more = f"row {place + 1}", 1
        while name in taken:
            name, more = f"row {place + 1} ({more})", more + 1
        names[place] = name
        taken.add(name)
    return RowNames(names=tuple(names), blank=tuple(blank), column=column)


def _stand_in(blank: Sequence[int], others: Mapping[int, Sequence[str]]) -> int | None:
    """Return a column that is complete and unique for these rows, preferably of genes."""
    ranked = []
    for column, texts in others.items():
        found = [texts[place].strip() for place in blank]
        if all(found) and len(set(found)) == len(found):
            ranked.append((looks_like_genes(found[:LOOKED_AT])[0] >= 0.5, -column))
    return -max(ranked)[1] if ranked else None


FEWEST_NUMBERS = 0.1
"""Minimum share of numbers in a label for it to be doubtful."""


@dataclass(frozen=True, kw_only=True)
class Mixed:
    """A label of numbers in which most other cells are one and the same text."""

    numbers: int
    text: str
    count: int


@dataclass(frozen=True, kw_only=True, eq=False)
class Understood:
    """The interpretation of the rows of a text.

    Parameters
    ----------
    columns
        All columns by name; `columns.numeric` are those of numbers.
    id, id_found
        The column that names the rows, None if they are numbered, and why.
    labels
        Columns that are labels; `coded` are those of them that hold numbers and were guessed,
        `chosen` those that the user chose.
    label_rows
        Name of a row that labels the columns → its cells.
    block
        Numbers and texts.
    evened
        What was done to rows that were shorter or longer than the others.
    picked
        The columns that are features, where not all numbers are.
    report
        Called every now and then while more is found out, for whoever does not want to wait.
    """

    layout: Layout
    headings: Headings
    columns: Columns
    id: int | None
    id_found: Found
    labels: tuple[int, ...]
    coded: tuple[int, ...]
    chosen: frozenset[int]
    label_rows: dict[str, list[str]]
    block: Block
    evened: Evened
    notation: Notation
    picked: Picked | None = None
    report: Report = silent

    @cached_property
    def features(self) -> tuple[int, ...]:
        """Columns that are features: numeric ones with a name or any value."""
        return tuple(
            column
            for place, column in enumerate(self.block.columns)
            if self.columns.names[column] or not np.isnan(self.block.values[:, place]).all()
        )

    @cached_property
    def row_names(self) -> RowNames:
        """The names of the rows, blank ones filled in."""
        texts = self.block.texts
        if self.id is None:
            return numbered(len(self.block.lines), self.report)
        others = {
            column: texts[column]
            for column in self.labels
            if column not in self.columns.numeric and column not in self.coded
        }
        return names_of(texts[self.id], others, self.report)

    @cached_property
    def mixed(self) -> dict[int, Mixed]:
        """Guessed labels that may be values, with a text for missing ones.

        As where most reactions of a gene failed, and the instrument wrote "Failed".
        """
        found: dict[int, Mixed] = {}
        if self.picked is not None:
            return found
        for column in self.labels:
            if column in self.columns.numeric or column in self.chosen:
                continue
            often: Counter[str] = Counter()
            for cell, cells in count_texts(self.block.texts[column], self.report).items():
                often[cell.strip()] += cells
            del often[""]
            known = {text: self.notation.value(text) for text in often}
            numbers = sum(
                often[text]
                for text, value in known.items()
                if value is not None and not np.isnan(value)
            )
            texts = Counter({text: often[text] for text, value in known.items() if value is None})
            if numbers < FEWEST_NUMBERS * often.total() or not texts:
                continue
            ((text, count),) = texts.most_common(1)
            alike = count > 1 and 2 * count >= texts.total() and len(text) <= LONGEST
            if alike and not describes(self.columns.names[column]):
                found[column] = Mixed(numbers=numbers, text=text, count=count)
        return found
