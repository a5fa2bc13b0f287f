"""Convert decimal digits to float64, to the last bit, and classify cells on the way.

A number m·10^q with m < 2^53 and |q| ≤ 22 is one exact multiplication or division. For the rest,
m·10^q is approximated by a product of 128 bits whose error is known (Lemire, "Number parsing at a
gigabyte per second", 2021): where that decides the 53 bits, they are right; where it does not, the
cell is given back to be read by slower means.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ximstudio.kernels.jit import strict

QUOTE = 34
NEWLINE = 10
SPACE = 32
TAB = 9

LOWEST, HIGHEST = -290, 285
"""Powers of ten in the table; with 19 digits before them, no result is subnormal or infinite."""


def powers_of_five() -> Any:
    """The leading 128 bits of 5^q for q from LOWEST to HIGHEST, as pairs (high, low) of 64 bits."""
    table = np.empty((HIGHEST - LOWEST + 1, 2), dtype=np.uint64)
    for place, exponent in enumerate(range(LOWEST, HIGHEST + 1)):
        power = 5 ** abs(exponent)
        if exponent >= 0:
            # Truncated, where it does not fit.
            shift = 128 - power.bit_length()
            bits = power << shift if shift >= 0 else power >> -shift
        else:
            # Rounded up: the product then never lies below the truth by more than one unit.
            bits = (1 << (power.bit_length() + 127)) // power + 1
            if bits.bit_length() > 128:
                bits >>= bits.bit_length() - 128
        table[place] = bits >> 64, bits & (2**64 - 1)
    return table


EXACT_POWERS = 10.0 ** np.arange(23)


@strict
def high_product(a: np.uint64, b: np.uint64) -> np.uint64:
    """The upper 64 bits of a·b."""
    half, mask = np.uint64(32), np.uint64(0xFFFFFFFF)
    a1, a0, b1, b0 = a >> half, a & mask, b >> half, b & mask
    low = a0 * b0
    middle = a1 * b0 + (low >> half)
    other = a0 * b1 + (middle & mask)
    return a1 * b1 + (middle >> half) + (other >> half)


@strict
def nearest(mantissa: Any, exponent: int, fives: Any) -> np.uint64:
    """The bits of the float64 nearest to mantissa·10^exponent; 0 if that is undecided."""
    undecided = np.uint64(0)
    if exponent < LOWEST or exponent > HIGHEST:
        return undecided
    zeros = np.uint64(0)
    shifted = mantissa
    for step in (32, 16, 8, 4, 2, 1):
        if shifted >> np.uint64(64 - step) == np.uint64(0):
            shifted = shifted << np.uint64(step)
            zeros += np.uint64(step)
    high = high_product(shifted, fives[exponent - LOWEST, 0])
    low = shifted * fives[exponent - LOWEST, 0]
    ones = np.uint64(0xFFFFFFFFFFFFFFFF)
    if high & np.uint64(0x1FF) == np.uint64(0x1FF):
        # The lower half of the power may carry into the bits that matter.
        carry = high_product(shifted, fives[exponent - LOWEST, 1])
        low = low + carry
        if low < carry:
            high = high + np.uint64(1)
    if low == ones or low <= np.uint64(1):
        # On or beside a boundary: exactly half way, or not decided by 128 bits.
        return undecided
    upper = high >> np.uint64(63)
    rounded = high >> (upper + np.uint64(9))
    binary = ((217706 * exponent) >> 16) + 63 + np.int64(upper) - np.int64(zeros) + 1023
    if binary <= 1 or binary >= 2045:
        return undecided
    rounded = (rounded + (rounded & np.uint64(1))) >> np.uint64(1)
    if rounded >> np.uint64(53):
        rounded = rounded >> np.uint64(1)
        binary += 1
    return (rounded & np.uint64(0xFFFFFFFFFFFFF)) | (np.uint64(binary) << np.uint64(52))


@strict
def read_cells(
    buffer: Any,
    delimiter: int,
    quoted: bool,
    decimal: int,
    thousands: int,
    is_text: Any,
    fives: Any,
    tens: Any,
    values: Any,
    bits: Any,
    texts: Any,
    odd: Any,
) -> int:
    """Cut rows of equally many cells, read the numbers; how many cells were given back.

    Parameters
    ----------
    buffer
        The rows, each ended by a line feed.
    decimal, thousands
        The marks in numbers, 0 where there is none.
    is_text
        For every column whether it is text.
    values
        (rows, number columns), to be filled; NaN where a cell is empty or given back.
    bits
        The same memory as uint64.
    texts
        (rows, text columns, 2), to be filled with start and end of each text.
    odd
        (cells of numbers, 3), of which the first are filled: place in `values`, start, end of
        every cell that is neither empty nor a number that could be read here.
    """
    zero, nine, ten = np.uint64(0), np.uint64(9), np.uint64(10)
    n_columns = values.shape[1]
    place = 0
    n_odd = 0
    for row in range(len(values)):
        number = 0
        text = 0
        for column in range(len(is_text)):
            inside = quoted and buffer[place] == QUOTE
            if inside:
                place += 1
                stop, other_stop = QUOTE, QUOTE
            else:
                stop, other_stop = delimiter, NEWLINE
            start = place
            good = False
            empty = False
            if not is_text[column]:
                while buffer[place] == SPACE and stop != SPACE:
                    place += 1
                negative = buffer[place] == 45
                if negative or buffer[place] == 43:
                    place += 1
                mantissa = zero
                exponent = 0
                n_digits = 0
                any_digit = False
                fits = True
                fraction = 0
                group, grouped = 0, False
                while True:
                    byte = buffer[place]
                    digit = np.uint64(byte) - np.uint64(48)
                    if digit <= nine:
                        any_digit = True
                        group += 1 - fraction
                        if n_digits < 19:
                            mantissa = mantissa * ten + digit
                            if mantissa != zero:
                                n_digits += 1
                            exponent -= fraction
                        else:
                            exponent += 1 - fraction
                            if digit != zero:
                                fits = False
                    elif byte == decimal and fraction == 0 and byte != stop:
                        fraction = 1
                    elif (
                        byte == thousands
                        and byte != stop
                        and fraction == 0
                        and (group == 3 or (0 < group < 3 and not grouped))
                        and np.uint64(buffer[place + 1]) - np.uint64(48) <= nine
                    ):
                        group, grouped = 0, True
                    else:
                        break
                    place += 1
                if grouped and group != 3:
                    fits = False
                if any_digit and (buffer[place] == 101 or buffer[place] == 69):
                    after = place + 1
                    down = buffer[after] == 45
                    if down or buffer[after] == 43:
                        after += 1
                    power = 0
                    begin = after
                    while np.uint64(buffer[after]) - np.uint64(48) <= nine:
                        if power < 100000:
                            power = power * 10 + int(buffer[after]) - 48
                        after += 1
                    if after > begin:
                        place = after
                        exponent += -power if down else power
                while buffer[place] == SPACE and stop != SPACE:
                    place += 1
                ended = buffer[place] == stop or buffer[place] == other_stop
                empty = ended and place == start
                if ended and any_digit and fits:
                    if mantissa == zero:
                        values[row, number] = 0.0
                        good = True
                    elif mantissa <= np.uint64(9007199254740992) and -22 <= exponent <= 22:
                        value = np.float64(mantissa)
                        value = value * tens[exponent] if exponent >= 0 else value / tens[-exponent]
                        values[row, number] = value
                        good = True
                    else:
                        bits[row, number] = nearest(mantissa, exponent, fives)
                        good = bits[row, number] != zero
                    if negative:
                        values[row, number] = -values[row, number]
            if not good:
                while True:
                    while buffer[place] != stop and buffer[place] != other_stop:
                        place += 1
                    if inside and buffer[place + 1] == QUOTE:
                        place += 2
                        continue
                    break
                if is_text[column]:
                    texts[row, text, 0] = start
                    texts[row, text, 1] = place
                    text += 1
                else:
                    values[row, number] = np.nan
                    if not empty:
                        odd[n_odd, 0] = row * n_columns + number
                        odd[n_odd, 1] = start
                        odd[n_odd, 2] = place
                        n_odd += 1
            if not is_text[column]:
                number += 1
            # Past the closing mark, if there is one, and past the delimiter or line feed.
            place += 2 if inside else 1
    return n_odd
