"""Group cells of the same bytes by open addressing."""

from __future__ import annotations

from typing import Any

import numpy as np

from ximstudio.kernels.jit import strict

OFFSET, PRIME = 0xCBF29CE484222325, 0x100000001B3
"""Of the hash by Fowler, Noll and Vo with 64 bits."""


@strict
def number_alike(buffer: Any, places: Any, table: Any, firsts: Any, codes: Any) -> int:
    """Fill in a number for every cell, from 0 in the order of first cells; how many there are.

    Parameters
    ----------
    buffer
        Bytes.
    places
        (n, 2): start and end of every cell.
    table
        Room to look numbers up: −1 throughout, a power of two and longer than n.
    firsts
        (n,): the first cell of each number.
    codes
        (n,): the number of each cell.
    """
    mask = np.uint64(len(table) - 1)
    count = 0
    for cell in range(len(places)):
        start, end = places[cell, 0], places[cell, 1]
        mixed = np.uint64(OFFSET)
        for place in range(start, end):
            mixed = (mixed ^ np.uint64(buffer[place])) * np.uint64(PRIME)
        # The low bits of this hash differ least.
        slot = (mixed ^ (mixed >> np.uint64(29))) & mask
        while True:
            code = table[slot]
            if code < 0:
                table[slot] = count
                firsts[count] = cell
                codes[cell] = count
                count += 1
                break
            other = places[firsts[code], 0]
            if places[firsts[code], 1] - other == end - start:
                same = True
                for step in range(end - start):
                    if buffer[other + step] != buffer[start + step]:
                        same = False
                        break
                if same:
                    codes[cell] = code
                    break
            slot = (slot + np.uint64(1)) & mask
    return count
