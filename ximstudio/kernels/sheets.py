"""Rows of a worksheet's XML → a text with tabs, in two passes: look, then write; or in one.

Only the plain XML that spreadsheet programs write is understood: elements row, c, f, v, is and t
without prefixes, cells in order, each with its place. Of anything else the first pass says that it
is not plain, and the sheet is left to slower means. Who knows the extent of the sheet before the
first pass looks and writes at once.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ximstudio.kernels.jit import strict

LESS, GREATER, SLASH, SPACE, QUOTE, APOSTROPHE, EQUALS = 60, 62, 47, 32, 34, 39, 61
TAB, NEWLINE, RETURN, AMPERSAND, POINT, MINUS, ZERO = 9, 10, 13, 38, 46, 45, 48

IN_NUMBERS = (POINT, MINUS, 43, 69, 101)
"""Characters in numbers besides digits."""

NUMBER, SHARED, TRUTH, TEXT, ERROR, NOTHING = 0, 1, 2, 3, 4, 5
"""Kinds of cells; a formula's text and a text in place are alike."""

LOOK, WRITE = 1, 2
"""Tasks; their sum is both at once."""

ROW, COLUMN, BEGUN, LAST_ROW, FIRST_ROW, FIRST_COLUMN, LAST_COLUMN = range(7)
CELLS, NUMBERS, FRACTIONS, BYTES, HIDDEN = range(7, 12)
"""Places in the state of a piece: where the last cell was; the first row of this piece with
anything in it and the last; first row (of the sheet), first and last column with anything in
them; how many cells and numbers there are; bytes of all texts; and how many rows may be hidden."""

STATE = 12

WRITTEN, ODD, AT_ROW, AT_COLUMN, TOP, LEFT, RIGHT = range(7)
"""Places in the page of a piece: how many bytes are written, and how many numbers are to be
written anew; the cell that was written last; first row, first and last column of the sheet."""

PAGE = 7
NO_ROOM = -1
SHORTEST_CELL = 22
"""Bytes of the XML of a cell with a number of one digit."""
MOST_ROWS, MOST_COLUMNS = 1_048_576, 16_384
HEADERS = 100
"""Rows that may name columns: numbers in them are texts."""
LONGEST = 15
"""Digits that a decimal number may have so that float64 gives exactly them back."""
SMALLEST = 4
"""Zeros after the point from which on Python writes an exponent."""


@strict
def plain_number(buffer: Any, begin: int, end: int) -> tuple[int, bool]:
    """Return the end of a number without trailing zeros, 0 if Python writes it differently, and
    whether it has a fraction.
    """
    place = begin
    if buffer[place] == MINUS:
        place += 1
    first = place
    while place < end and np.uint8(buffer[place] - ZERO) < 10:
        place += 1
    digits = place - first
    if digits == 0 or digits > LONGEST or (digits > 1 and buffer[first] == ZERO):
        return 0, False
    if place == end:
        return end, False
    if buffer[place] != POINT:
        return 0, False
    point = place
    place += 1
    last = point
    zeros = 0
    leading = buffer[first] == ZERO
    while place < end and np.uint8(buffer[place] - ZERO) < 10:
        if buffer[place] != ZERO:
            last = place
            leading = False
        elif leading:
            zeros += 1
        place += 1
    if place < end:
        return 0, False
    if last == point:
        return point, False
    if zeros >= SMALLEST or digits + last - point > LONGEST:
        return 0, True
    return last + 1, True


@strict
def read_rows(
    buffer: Any,
    begin: int,
    stop: int,
    state: Any,
    is_date: Any,
    lengths: Any,
    texts_in: Any,
    doing: int,
    starts: Any,
    shared: Any,
    rewritten: Any,
    output: Any,
    page: Any,
    odd: Any,
) -> int:
    """Go through whole rows from `begin` to `stop`.

    Returns 0; where they are not plain, plus 1; or NO_ROOM if the output is too short.

    Parameters
    ----------
    state
        What is known of the piece, see above; filled when looking.
    is_date
        For every style whether it shows dates.
    lengths
        Bytes of every shared text, as it is written.
    texts_in
        Per column, how many cells below the headers hold texts; filled when looking.
    doing
        LOOK, WRITE or both; the rest is needed for writing.
    starts, shared
        Where in `shared` each shared text begins.
    rewritten
        Per column, whether numbers that Python writes differently are to be listed.
    output, page
        The text, and how far it is, see above.
    odd
        Begin and end in the output of numbers that are to be written anew.
    """
    looking, writing = doing & LOOK != 0, doing & WRITE != 0
    place = begin
    while place < stop:
        if buffer[place] != LESS:
            place += 1
            continue
        place += 1
        letter = buffer[place]
        after = buffer[place + 1]
        if letter == SLASH:
            # </row>
            while buffer[place] != GREATER:
                place += 1
            continue
        if letter == 114 and after == 111 and buffer[place + 2] == 119:
            # <row: its number is that of its cells.
            hidden = False
            while buffer[place] != GREATER:
                hidden |= buffer[place] == 104 and buffer[place + 1] == 105
                place += 1
            if looking:
                state[HIDDEN] += hidden
            continue
        if letter != 99 or (after != SPACE and after != GREATER and after != SLASH):
            return place + 1
        # <c
        place += 1
        row, column, style, kind = 0, 0, 0, NUMBER
        while buffer[place] == SPACE:
            place += 1
            name = buffer[place]
            if buffer[place + 1] != EQUALS or buffer[place + 2] != QUOTE:
                # cm, vm and ph tell nothing of the value.
                if name in (SLASH, GREATER):
                    break
                if (name != 99 and name != 118 and name != 112) or buffer[place + 2] != EQUALS:
                    return place + 1
                place += 1
                if buffer[place + 2] != QUOTE:
                    return place + 1
                name = 0
            place += 3
            if name == 114:
                letters = np.uint8(buffer[place] - 65)
                while letters < 26:
                    column = column * 26 + int(letters) + 1
                    place += 1
                    letters = np.uint8(buffer[place] - 65)
                digit = np.uint8(buffer[place] - ZERO)
                while digit < 10 and row <= MOST_ROWS:
                    row = row * 10 + int(digit)
                    place += 1
                    digit = np.uint8(buffer[place] - ZERO)
            elif name == 115:
                digit = np.uint8(buffer[place] - ZERO)
                while digit < 10 and style < len(is_date):
                    style = style * 10 + int(digit)
                    place += 1
                    digit = np.uint8(buffer[place] - ZERO)
            elif name == 116:
                one, two = buffer[place], buffer[place + 1]
                if one == 115 and two == QUOTE:
                    kind = SHARED
                elif one == 98 and two == QUOTE:
                    kind = TRUTH
                elif one == 101 and two == QUOTE:
                    kind = ERROR
                elif (one == 115 and two == 116) or (one == 105 and two == 110):
                    kind = TEXT
                elif one != 110 or two != QUOTE:
                    return place + 1
                while buffer[place] != QUOTE:
                    place += 1
            else:
                while buffer[place] != QUOTE:
                    place += 1
            if buffer[place] != QUOTE:
                return place + 1
            place += 1
        if not (0 < row <= MOST_ROWS and 0 < column <= MOST_COLUMNS):
            return place + 1
        if looking:
            if row < state[ROW] or (row == state[ROW] and column <= state[COLUMN]):
                return place + 1
            state[CELLS] += 1
        first, last = 0, 0
        filled = False
        if buffer[place] == SLASH:
            place += 2
        else:
            place += 1
            formula = False
            while True:
                if buffer[place] != LESS:
                    return place + 1
                letter, after = buffer[place + 1], buffer[place + 2]
                if letter == SLASH:
                    if after != 99 or buffer[place + 3] != GREATER:
                        return place + 1
                    place += 4
                    break
                if letter == 102 and after in (GREATER, SPACE, SLASH):
                    # <f>
                    formula = True
                    place += 2
                    while buffer[place] != GREATER:
                        place += 1
                    if buffer[place - 1] != SLASH:
                        while buffer[place] != LESS:
                            place += 1
                        if buffer[place + 1] != SLASH or buffer[place + 2] != 102:
                            return place + 1
                        place += 3
                    place += 1
                    continue
                if letter == 118 and after == GREATER:
                    # <v>
                    place += 3
                    closing = 118
                elif letter == 105 and after == 115 and buffer[place + 3] == GREATER:
                    # <is><t>
                    place += 4
                    if buffer[place] != LESS or buffer[place + 1] != 116:
                        return place + 1
                    place += 2
                    while buffer[place] != GREATER:
                        place += 1
                    if buffer[place - 1] == SLASH:
                        return place + 1
                    place += 1
                    closing = 116
                else:
                    return place + 1
                if filled:
                    return place + 1
                filled = True
                first = place
                while buffer[place] != LESS:
                    byte = buffer[place]
                    if byte in (AMPERSAND, QUOTE) or byte < SPACE:
                        return place + 1
                    place += 1
                last = place
                if buffer[place + 1] != SLASH or buffer[place + 2] != closing:
                    return place + 1
                place += 4
                if closing == 116:
                    if buffer[place] != LESS or buffer[place + 1] != SLASH:
                        return place + 1
                    place += 5
            if formula and not filled:
                return place + 1
        if place > stop:
            return place + 1
        if not filled or (last == first and kind != TEXT):
            if filled:
                return place + 1
            if looking:
                state[ROW], state[COLUMN] = row, column
            continue
        if kind == NUMBER and (style >= len(is_date) or is_date[style]):
            return place + 1
        number = 0
        if kind == SHARED:
            for at in range(first, last):
                digit = np.uint8(buffer[at] - ZERO)
                if digit >= 10 or number > len(lengths):
                    return place + 1
                number = number * 10 + int(digit)
            if number >= len(lengths):
                return place + 1
        end, fraction = 0, False
        if kind == NUMBER:
            end, fraction = plain_number(buffer, first, last)
        if looking:
            if state[FIRST_ROW] == 0:
                state[FIRST_ROW] = row
            if state[BEGUN] == 0:
                state[BEGUN] = row
            if state[FIRST_COLUMN] == 0 or column < state[FIRST_COLUMN]:
                state[FIRST_COLUMN] = column
            state[LAST_COLUMN] = max(state[LAST_COLUMN], column)
            state[LAST_ROW] = row
            state[BYTES] += lengths[number] if kind == SHARED else last - first + 5
            if kind in (SHARED, TEXT):
                texts_in[column] += row >= state[FIRST_ROW] + HEADERS
            else:
                state[NUMBERS] += 1
            if kind == NUMBER:
                if end == 0:
                    # Python reads it: is it one at all?
                    for at in range(first, last):
                        byte = buffer[at]
                        if np.uint8(byte - ZERO) >= 10 and byte not in IN_NUMBERS:
                            return place + 1
                        if byte == MINUS and at > first:
                            fraction = True
                state[FRACTIONS] += fraction
            state[ROW], state[COLUMN] = row, column
        if not writing:
            continue
        written, n_odd = page[WRITTEN], page[ODD]
        left, right = page[LEFT], page[RIGHT]
        if page[AT_ROW] == 0:
            page[AT_ROW] = row
        below = row - page[AT_ROW]
        room = lengths[number] if kind == SHARED else max(last - first, 5)
        room += max(column - left, 0)
        if below > 0:
            room += max(right - page[AT_COLUMN], 0) + below + (below - 1) * (right - left)
        if written + room > len(output):
            return NO_ROOM
        # Tabs and line feeds since the cell before.
        if below > 0:
            for _ in range(page[AT_COLUMN], right):
                output[written] = TAB
                written += 1
            for _ in range(1, below):
                output[written] = NEWLINE
                written += 1
                for _ in range(left, right):
                    output[written] = TAB
                    written += 1
            output[written] = NEWLINE
            written += 1
            page[AT_COLUMN] = left
        for _ in range(page[AT_COLUMN], column):
            output[written] = TAB
            written += 1
        if kind == SHARED:
            for at in range(starts[number], starts[number] + lengths[number]):
                output[written] = shared[at]
                written += 1
        elif kind == TRUTH:
            word = (84, 82, 85, 69, 0) if buffer[first] != ZERO else (70, 65, 76, 83, 69)
            for at in range(5):
                if word[at] != 0:
                    output[written] = word[at]
                    written += 1
        else:
            if kind == NUMBER:
                if end > 0:
                    last = end
                elif rewritten[column] or row < page[TOP] + HEADERS:
                    odd[n_odd, 0] = written
                    odd[n_odd, 1] = written + last - first
                    n_odd += 1
            for at in range(first, last):
                output[written] = buffer[at]
                written += 1
        page[WRITTEN], page[ODD] = written, n_odd
        page[AT_ROW], page[AT_COLUMN] = row, column
    return 0
