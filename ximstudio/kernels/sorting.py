"""Sorting of long rows, and statistics that follow from their order.

Rows are complex: they are sorted by their real part and then by the imaginary part, which carries a
second value or a place along.
"""

from __future__ import annotations

import numpy as np

from ximstudio.kernels.jit import strict
from ximstudio.kernels.parallel import check_here, over_blocks
from ximstudio.model.arrays import Complexes, Floats, Ints

PART = 2**18
"""Numbers that are sorted at once: some 30 ms, which cannot be interrupted."""


def paired(first: Floats, second: Floats | Ints) -> Complexes:
    """Return a row that sorts by the first values, and among equal ones by the second."""
    row = np.empty(len(first), dtype=np.complex128)
    for begin in range(0, len(row), PART):
        check_here()
        part = slice(begin, begin + PART)
        row[part].real, row[part].imag = first[part], second[part]
    return row


def in_order(row: Complexes) -> Complexes:
    """Sort the numbers in rising order; on all cores, and in short pieces.

    The given row is overwritten. Only one other is allocated: fresh memory takes longer than the
    work.
    """
    over_blocks(len(row), PART, lambda begin, end: row[begin:end].sort())
    length, spare = PART, np.empty_like(row) if len(row) > PART else row
    while length < len(row):
        _join(row, length, spare)
        row, spare = spare, row
        length *= 2
    return row


def _join(ordered: Complexes, length: int, joined: Complexes) -> None:
    """Merge every two sorted stretches of that length."""

    def join(begin: int, end: int) -> None:
        middle = min(begin + length, end)
        merge(ordered[begin:middle], ordered[middle:end], joined[begin:end])

    over_blocks(len(ordered), 2 * length, join)


@strict
def merge(left: Complexes, right: Complexes, out: Complexes) -> None:
    """Merge two rows in rising order; of equal numbers those on the left come first."""
    i = j = 0
    for place in range(out.size):
        if i == left.size:
            from_left = False
        elif j == right.size:
            from_left = True
        else:
            a, b = left[i], right[j]
            from_left = a.real < b.real or (a.real == b.real and a.imag <= b.imag)
        if from_left:
            out[place] = left[i]
            i += 1
        else:
            out[place] = right[j]
            j += 1


@strict
def shared_ranks(ordered: Complexes, ranks: Floats) -> None:
    """Ranks from 1 of real parts, written to the places given by the imaginary parts.

    Equal values share the mean of their ranks.
    """
    begin = 0
    while begin < ordered.size:
        end = begin + 1
        while end < ordered.size and ordered[end].real == ordered[begin].real:
            end += 1
        for place in range(begin, end):
            ranks[int(ordered[place].imag)] = 0.5 * (begin + end + 1)
        begin = end


@strict
def count_falling(row: Floats, spare: Floats) -> int:
    """Count the pairs of numbers in falling order; sorts the row.

    By merging ever longer stretches (Knight 1966); `spare` is as long and is written over.
    """
    falling = 0
    length = 1
    while length < row.size:
        for begin in range(0, row.size, 2 * length):
            middle, end = min(begin + length, row.size), min(begin + 2 * length, row.size)
            i, j = begin, middle
            for place in range(begin, end):
                if j == end or (i < middle and row[i] <= row[j]):
                    spare[place] = row[i]
                    i += 1
                else:
                    # Smaller than all that are left of the first stretch.
                    falling += middle - i
                    spare[place] = row[j]
                    j += 1
        row[:] = spare
        length *= 2
    return falling


@strict
def monotone_fit(values: Floats, fit: Floats) -> None:
    """The rising row nearest to `values` by least squares: neighbours that fall are pooled."""
    totals = np.empty(values.size)
    counts = np.empty(values.size, dtype=np.int64)
    n = 0
    for value in values:
        total, count = value, 1
        # The mean of the pool before is not below that of this one.
        while n > 0 and totals[n - 1] * count >= total * counts[n - 1]:
            n -= 1
            total += totals[n]
            count += counts[n]
        totals[n] = total
        counts[n] = count
        n += 1
    place = 0
    for pool in range(n):
        mean = totals[pool] / counts[pool]
        for _ in range(counts[pool]):
            fit[place] = mean
            place += 1
