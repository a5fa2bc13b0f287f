"""Columns of a table to be written: texts, whole numbers, numbers and chances."""

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
"""What is written in one place; None for a blank."""

AT_ONCE = 2**16
"""Cells that are made at once: few enough to be held, many enough to be quick."""
_HALVES = re.compile("[\ud800-\udfff\ufffe\uffff]")


class Kind(StrEnum):
    """What the values of a column are.

    A chance (p, q) may be tiny: its size is what counts, not its decimals.
    """

    TEXT = "text"
    WHOLE = "whole"
    NUMBER = "number"
    CHANCE = "chance"


@dataclass(frozen=True, kw_only=True, eq=False)
class Column:
    """One thing that is known about every row.

    Parameters
    ----------
    name
        What stands above it.
    kind
        What its values are.
    values
        One per row: texts, '' for a blank; or numbers, NaN for a blank.
    about
        A sentence that says what it is; '' where the name does.
    digits
        Significant digits of numbers; 0 for all.
    """

    name: str
    kind: Kind
    values: Sequence[str] | Floats | Ints
    about: str = ""
    digits: int = 0

    def __len__(self) -> int:
        return len(self.values)

    def take(self, rows: Ints) -> Column:
        """The same of some rows, in the order given."""
        if isinstance(self.values, np.ndarray):
            return replace(self, values=self.values[rows])
        return replace(self, values=[self.values[row] for row in rows.tolist()])

    def cells(self, begin: int = 0, end: int | None = None) -> list[Cell]:
        """What is written in some of its rows."""
        values = self.values[begin:end]
        if not isinstance(values, np.ndarray):
            return [text or None for text in values]
        listed: list[float] = values.tolist()
        if self.digits:
            return [f"{value:.{self.digits}g}" for value in listed]
        if values.dtype.kind != "f":
            return list(listed)
        if self.kind is Kind.WHOLE:
            return [None if isnan(value) else int(value) for value in listed]
        return [None if isnan(value) else value for value in listed]


def chunks(columns: Sequence[Column]) -> Iterator[tuple[int, int]]:
    """Yield begin and end of the rows that are made at once."""
    n_rows = len(columns[0]) if columns else 0
    step = max(1, AT_ONCE // max(1, len(columns)))
    yield from ((begin, begin + step) for begin in range(0, n_rows, step))


LARGEST_WHOLE = 2**63 - 1


def texts(name: str, values: Sequence[str], about: str = "") -> Column:
    """A column of texts."""
    return Column(name=name, kind=Kind.TEXT, values=values, about=about)


def numbers(name: str, values: Floats, about: str = "") -> Column:
    """A column of numbers."""
    return Column(name=name, kind=Kind.NUMBER, values=values, about=about)


def feature_columns(names: Sequence[str], values: Floats, digits: int = 0) -> list[Column]:
    """Return one column of numbers per feature."""
    return [
        Column(name=name, kind=Kind.NUMBER, values=column, digits=digits)
        for name, column in zip(names, values.T, strict=True)
    ]


def wholes(name: str, values: Iterable[int] | Floats | Ints, about: str = "") -> Column:
    """A column of whole numbers; as floats, if some are blank."""
    if isinstance(values, np.ndarray):
        return Column(name=name, kind=Kind.WHOLE, values=values, about=about)
    given = list(values)
    if any(abs(value) > LARGEST_WHOLE for value in given):
        # A seed may have any number of digits, and as text it keeps them all.
        return texts(name, [str(value) for value in given], about)
    return Column(name=name, kind=Kind.WHOLE, values=np.array(given, np.int64), about=about)


def chances(name: str, values: Floats, about: str = "") -> Column:
    """A column of chances."""
    return Column(name=name, kind=Kind.CHANCE, values=values, about=about)


def sound(text: str) -> str:
    """The text without halves of letters, which no file can hold."""
    return text if text.isascii() else _HALVES.sub("\ufffd", text)
