"""Columns of a table to be written: texts, whole numbers, numbers and probabilities."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import isnan
from typing import TypeAlias

import numpy as np

from ximstudio.model.arrays import Floats, Ints

Cell: TypeAlias = str | float | None
"""Contents of a cell; None if blank."""

AT_ONCE = 2**16
"""Cells processed together: few enough for memory, enough for speed."""
_HALVES = re.compile("[\ud800-\udfff\ufffe\uffff]")


class ColumnKind(StrEnum):
    """Kind of the values of a column.

    A probability (p, q) may be tiny: its order of magnitude counts, not its decimals.
    """

    TEXT = "text"
    WHOLE = "whole"
    NUMBER = "number"
    CHANCE = "chance"


@dataclass(frozen=True, kw_only=True, eq=False)
class Column:
    """One value for every row.

    Parameters
    ----------
    name
        Its heading.
    kind
        Kind of its values.
    values
        One per row: texts, '' if missing; or numbers, NaN if missing.
    about
        An explanation; '' if the name suffices.
    digits
        Significant digits of numbers; 0 for all.
    """

    name: str
    kind: ColumnKind
    values: Sequence[str] | Floats | Ints
    about: str = ""
    digits: int = 0

    def __len__(self) -> int:
        return len(self.values)

    def take(self, rows: Ints) -> Column:
        """Return some of its rows, in the order given."""
        if isinstance(self.values, np.ndarray):
            return replace(self, values=self.values[rows])
        return replace(self, values=[self.values[row] for row in rows.tolist()])

    def cells(self, begin: int = 0, end: int | None = None) -> list[Cell]:
        """Contents of some of its rows."""
        values = self.values[begin:end]
        if not isinstance(values, np.ndarray):
            return [text or None for text in values]
        listed: list[float] = values.tolist()
        if self.digits:
            return [f"{value:.{self.digits}g}" for value in listed]
        if values.dtype.kind != "f":
            return list(listed)
        if self.kind is ColumnKind.WHOLE:
            return [None if isnan(value) else int(value) for value in listed]
        return [None if isnan(value) else value for value in listed]


def chunks(columns: Sequence[Column]) -> Iterator[tuple[int, int]]:
    """Yield begin and end of the rows that are made at once."""
    n_rows = len(columns[0]) if columns else 0
    step = max(1, AT_ONCE // max(1, len(columns)))
    yield from ((begin, begin + step) for begin in range(0, n_rows, step))


LARGEST_WHOLE = 2**63 - 1


def texts(name: str, values: Sequence[str], about: str = "") -> Column:
    """Build a column of texts."""
    return Column(name=name, kind=ColumnKind.TEXT, values=values, about=about)


def numbers(name: str, values: Floats, about: str = "") -> Column:
    """Build a column of numbers."""
    return Column(name=name, kind=ColumnKind.NUMBER, values=values, about=about)


def feature_columns(names: Sequence[str], values: Floats, digits: int = 0) -> list[Column]:
    """Return one column of numbers per feature."""
    return [
        Column(name=name, kind=ColumnKind.NUMBER, values=column, digits=digits)
        for name, column in zip(names, values.T, strict=True)
    ]


def wholes(name: str, values: Iterable[int] | Floats | Ints, about: str = "") -> Column:
    """Build a column of whole numbers; as floats, if some are missing."""
    if isinstance(values, np.ndarray):
        return Column(name=name, kind=ColumnKind.WHOLE, values=values, about=about)
    given = list(values)
    if any(abs(value) > LARGEST_WHOLE for value in given):
        # A seed may have any number of digits; as text it keeps them all.
        return texts(name, [str(value) for value in given], about)
    return Column(name=name, kind=ColumnKind.WHOLE, values=np.array(given, np.int64), about=about)


def chances(name: str, values: Floats, about: str = "") -> Column:
    """Build a column of probabilities."""
    return Column(name=name, kind=ColumnKind.CHANCE, values=values, about=about)


def sound(text: str) -> str:
    """Replace lone surrogates, which no file can hold."""
    return text if text.isascii() else _HALVES.sub("\ufffd", text)
