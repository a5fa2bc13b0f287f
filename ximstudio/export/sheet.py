"""A named table, built once for all formats."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ximstudio.files.columns import Cell, Column, chunks, numbers, texts, wholes
from ximstudio.maps.label_kinds import is_scale
from ximstudio.model.arrays import Ints

_PLAIN = re.compile(r"(?!-0$)-?(0|[1-9][0-9]{0,14})(\.[0-9]{1,15})?")
"""Texts that are plain numbers; those with more digits than a spreadsheet keeps count as names."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Sheet:
    """A table with a name for display; `note` is shown beside it.

    Names of columns are made unique by a number after repeated ones.
    """

    name: str
    columns: tuple[Column, ...]
    note: str = ""

    def __post_init__(self) -> None:
        lengths = {len(column) for column in self.columns}
        assert len(lengths) <= 1, f"columns of {self.name} have {lengths} rows"
        names = unique(column.name for column in self.columns)
        renamed = tuple(
            column if column.name == name else replace(column, name=name)
            for column, name in zip(self.columns, names, strict=True)
        )
        object.__setattr__(self, "columns", renamed)

    @property
    def n_rows(self) -> int:
        return len(self.columns[0]) if self.columns else 0

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns."""
        return tuple(column.name for column in self.columns)

    def column(self, name: str) -> Column:
        """The column of this name."""
        return next(column for column in self.columns if column.name == name)

    def take(self, rows: Ints) -> Sheet:
        """Some of its rows, in the order given."""
        return replace(self, columns=tuple(column.take(rows) for column in self.columns))

    def pieces(self) -> Iterator[tuple[int, list[tuple[Cell, ...]]]]:
        """Yield all rows, some thousand at a time, with the number of the first."""
        for begin, end in chunks(self.columns):
            cells = (column.cells(begin, end) for column in self.columns)
            yield begin, list(zip(*cells, strict=True))


def label(name: str, values: Sequence[str], about: str = "") -> Column:
    """Convert a label to a column: numbers if no text loses anything, else texts.

    "007" and "2310009E13" are names, although they can be read as numbers; so are "1.1" and "1.10",
    unless there are enough of them for a scale, and all stay distinct.
    """
    known = {text for text in values if text}
    if not known or not all(map(_PLAIN.fullmatch, known)):
        return texts(name, values, about)
    as_written = all(text in (repr(float(text)), str(int(float(text)))) for text in known)
    if not as_written and (not is_scale(values) or len(set(map(float, known))) < len(known)):
        return texts(name, values, about)
    array = np.array([float(text) if text else np.nan for text in values])
    whole = all("." not in text for text in known)
    return wholes(name, array, about) if whole else numbers(name, array, about)


def unique(names: Iterable[str], taken: Iterable[str] = ()) -> list[str]:
    """Make names unique by a number after repeated or taken ones."""
    used, made = set(taken), []
    # Last number tried for a name: tables may have thousands of columns of one name.
    latest: dict[str, int] = {}
    for name in names:
        free, number = name, latest.get(name, 1)
        while free in used:
            number += 1
            free = f"{name} ({number})"
        latest[name] = number
        used.add(free)
        made.append(free)
    return made
