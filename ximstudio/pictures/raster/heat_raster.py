"""A table of numbers as pixels, averaged where a pixel holds several. No Qt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ximstudio.model.arrays import Floats, Ints, frozen
from ximstudio.pictures.raster.frame import Pixels

Codes: TypeAlias = NDArray[np.uint16]
"""Numbers by the entry of their colour, from 1 on; 0 for a blank."""
BLOCK = 1 << 20
"""Numbers that are looked at together."""
NARROW = 200
"""Columns up to which sums are quicker down each column than row by row."""


@dataclass(frozen=True)
class PixelSpan:
    """A visible range of rows or columns, and its pixels."""

    low: float
    high: float
    pixels: int

    @property
    def size(self) -> float:
        """Return the width of one row or column, in pixels."""
        return self.pixels / max(self.high - self.low, 1e-9)

    def at(self, pixel: float) -> float:
        """Return the row or column that a pixel shows."""
        return self.low + pixel / self.size

    def pixel_of(self, place: float) -> float:
        """Return where a row or column is drawn."""
        return (place - self.low) * self.size

    def middles(self, total: int) -> Ints:
        """Return the row or column in the middle of every pixel."""
        places = self.low + (np.arange(self.pixels) + 0.5) / self.size
        return np.asarray(np.clip(places, 0, total - 1).astype(np.int64))

    def edges(self, total: int) -> Ints:
        """Return the first row or column of every pixel, and the end of the last, (pixels + 1,)."""
        places = np.rint(self.low + np.arange(self.pixels + 1) / self.size)
        return np.asarray(np.clip(places, 0, total).astype(np.int64))


def heat_codes(values: Floats, n_colours: int, *, low: float, high: float) -> Codes:
    """Return the index of every number, shape (R, C), in a table of colours between two numbers."""
    codes = np.empty(values.shape, dtype=np.uint16)
    scale = n_colours / (high - low) if high > low else 0.0
    step = max(1, BLOCK // max(values.shape[1], 1))
    for begin in range(0, len(values), step):
        block = values[begin : begin + step]
        share = np.clip((block - low) * scale, 0.0, n_colours - 1)
        codes[begin : begin + step] = np.where(np.isnan(share), 0.0, np.floor(share) + 1.0)
    return frozen(codes)


@dataclass(frozen=True, kw_only=True, eq=False)
class HeatTable:
    """Numbers by the entry of their colour, and sums of them over every part of the table.

    Parameters
    ----------
    codes
        Shape (R, C).
    sums, known
        Sum of the entries, and number of those that are no blanks, above and left of every place,
        shape (R + 1, C + 1). They may run over: differences, which are all that counts, do not.
    """

    codes: Codes
    sums: Pixels
    known: Pixels

    @classmethod
    def of(cls, codes: Codes) -> HeatTable:
        """Return the table of these entries."""
        return cls(codes=codes, sums=_summed(codes), known=_summed(codes > 0))

    @property
    def shape(self) -> tuple[int, int]:
        """Return rows and columns."""
        n_rows, n_columns = self.codes.shape
        return n_rows, n_columns

    @property
    def has_blanks(self) -> bool:
        """Return whether some of the numbers are missing."""
        return int(self.known[-1, -1]) < self.codes.size

    def pixels(self, colours: Pixels, rows: PixelSpan, columns: PixelSpan) -> Pixels:
        """Return a picture in these colours, whose first is that of blanks.

        A pixel that holds several rows or columns shows the mean of what is known in it.
        """
        if not self.codes.size:
            return np.zeros((rows.pixels, columns.pixels), dtype=np.uint32)
        if rows.size >= 1.0 and columns.size >= 1.0:
            n_rows, n_columns = self.shape
            seen = self.codes[rows.middles(n_rows)].take(columns.middles(n_columns), axis=1)
            return np.asarray(colours[seen])
        sums, known = _within(self.sums, rows, columns), _within(self.known, rows, columns)
        # Blanks alone give 0, the entry of a blank.
        return np.asarray(colours[(sums + known // 2) // np.maximum(known, 1)])


def _summed(values: NDArray[Any]) -> Pixels:
    n_rows, n_columns = values.shape
    sums = np.zeros((n_rows + 1, n_columns + 1), dtype=np.uint32)
    np.cumsum(values, axis=1, dtype=np.uint32, out=sums[1:, 1:])
    if n_columns <= NARROW:
        np.cumsum(sums, axis=0, dtype=np.uint32, out=sums)
        return frozen(sums)
    # numpy goes down column by column, from one page of the memory to another.
    for row in range(n_rows):
        sums[row + 1] += sums[row]
    return frozen(sums)


def _within(sums: Pixels, rows: PixelSpan, columns: PixelSpan) -> Pixels:
    """Return sums over the rows and columns of every pixel, shape (rows, columns) of pixels."""
    first, last = _ends(rows, sums.shape[0] - 1)
    left, right = _ends(columns, sums.shape[1] - 1)
    lines = sums[last] - sums[first]
    return np.asarray(lines.take(right, axis=1) - lines.take(left, axis=1))


def _ends(span: PixelSpan, total: int) -> tuple[Ints, Ints]:
    """Return the first row or column of every pixel, and the one after its last."""
    if span.size >= 1.0:
        middles = span.middles(total)
        return middles, middles + 1
    edges = span.edges(total)
    first = np.minimum(edges[:-1], total - 1)
    return first, np.maximum(edges[1:], first + 1)
