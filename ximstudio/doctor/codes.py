"""Detection of codes for missing values: -9999, 999, -1 among positive values, 1e30."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from ximstudio.doctor.tally import SideTally
from ximstudio.load.text.notation import with_missing
from ximstudio.model.arrays import Bools, Floats
from ximstudio.model.table import Table

NINES = tuple(
    value
    for digits in range(2, 8)
    for value in (10.0**digits - 1, 10.0**digits - 0.1, 10.0**digits - 0.01)
)
"""99, 99.9, 99.99, 999, … 9999999."""
REPEATED_DIGITS = (888.0, 8888.0, 88888.0, 777.0, 7777.0, 77777.0)
LIMITS = (32767.0, 32768.0, 2147483647.0, 2147483648.0)
"""Limits of integer types."""
CODES = frozenset((*NINES, *REPEATED_DIGITS, *LIMITS, 1.0, 9.0))
"""Absolute values of numbers that may be codes; 1 and 9 only if negative."""
HUGE = 1e30
"""Absolute value from which a number is no measurement but a filler of some program."""
HUGE_GAP = 1e6
"""Ratio of such a filler to the largest value, at least."""
LONGER = 900.0
"""Absolute value from which a negative code does not occur by chance."""
BELOW = 5.0
"""Ratio of a negative code to the lowest negative value, at least."""
ABOVE = 2.0
"""Ratio of a positive code to the largest value, at least."""
FAR_ABOVE = 5.0
"""The same, for a code that occurs once."""
FEWEST = 5
"""Number of other values needed to judge a code."""
ROUNDS = 4
"""Number of repetitions, as there may be several codes."""
SCORES = 10.0
"""Largest whole number that may be a state or score, of which -1 can be one."""
RARE = 0.05
"""Share of -1 among such scores above which it is one of them."""
MOST_COLUMNS = 500
"""Number of columns up to which each may have its own unit, and so its own code."""
OFTEN = 3
"""Number of cells, in several rows and columns, that make any number a code."""
APART = 5.0
"""Distance of such a number from all other values, in multiples of their range."""
SAMPLE = 10_000
"""Number of cells that are examined before all are."""
DIFFERENT = 20
"""Number of different values that the others must have then."""
BASES = (2.0, np.e, 10.0)
SMALL_COUNTS, ROUNDED, NEARLY_ALL = 20.0, 0.02, 0.9
"""Criteria of logarithms of counts: largest count, tolerance of whole numbers, their share."""


@dataclass(frozen=True, kw_only=True)
class Code:
    """A number that stands for a missing value, and whether that is certain."""

    value: float
    sure: bool

    @property
    def text(self) -> str:
        """The number as the choice 'missing' takes it."""
        whole = self.value.is_integer() and abs(self.value) < 1e15
        return str(int(self.value)) if whole else repr(self.value)


def find_codes(
    table: Table, tally: dict[str, SideTally], *, apart: bool, measured: Collection[float] = ()
) -> tuple[Code, ...]:
    """Find the codes in a table, the smallest first.

    With `apart` every feature may have its own unit, so that a number can be usual in one and a
    code in another. Numbers in `measured` are known to be values.
    """
    extremes = {float(v) for side in tally.values() for v in (*side.low, *side.high)}
    values = table.stored if table.is_sparse else table.dense
    candidates = {value for value in extremes if _is_candidate(value)}
    candidates = (candidates | _isolated(values, extremes)) - set(measured)
    if not candidates:
        return ()
    for _ in range(ROUNDS):
        rest = _without(values, candidates)
        if table.is_sparse:
            rest = rest[:, None]
        known = rest[np.isfinite(rest)]
        more = {float(v) for v in (known.min(initial=0.0), known.max(initial=0.0))}
        if not table.is_sparse:
            with np.errstate(all="ignore"):
                more |= {float(v) for side in (0, 1) for v in _ends(rest, side)}
        new = {value for value in more if _is_candidate(value)} | _isolated(rest, more)
        new -= {*measured, *candidates}
        if not new:
            break
        candidates |= new
    columns = apart and not table.is_sparse and table.n_features <= MOST_COLUMNS
    found = [
        Code(value=value, sure=sure)
        for value in sorted(candidates)
        if (sure := _judged(values, rest, value, columns=columns)) is not None
    ]
    return tuple(found)


def blanked(table: Table, codes: Collection[Code]) -> Table:
    """Replace codes in the table by missing values."""
    return with_missing(table, [code.value for code in codes])


def _isolated(values: Floats, extremes: Collection[float]) -> set[float]:
    """Find the least or the largest value, if it recurs in cells all over a dense table.

    Any number: no measurement lies so far from all others repeatedly, or alone below 0.
    """
    ends = [value for value in extremes if np.isfinite(value)]
    if values.ndim != 2 or not ends:
        return set()
    some = values.ravel()[:: values.size // SAMPLE + 1]
    return {value for value in (min(ends), max(ends)) if _is_isolated(value, values, some)}


def _is_isolated(value: float, values: Floats, some: Floats) -> bool:
    # A number that is close to some of the values is not far from all.
    for cells in (some, values):
        rest = cells[np.isfinite(cells) & (cells != value)]
        if len(rest) < FEWEST or not (_is_far(value, rest) or _is_alone_below(value, rest)):
            return False
    here = values == value
    # If all are in one row or column, it is a tally or a sample in another unit.
    spread = here.any(axis=0).sum() > 1 and here.any(axis=1).sum() > 1
    return bool(spread and here.sum() >= OFTEN and len(np.unique(rest)) >= DIFFERENT)


def _is_far(value: float, rest: Floats) -> bool:
    low, high = float(rest.min()), float(rest.max())
    return value.is_integer() and max(low - value, value - high) >= APART * (high - low)


def _is_alone_below(value: float, rest: Floats) -> bool:
    is_below = value < 0 <= rest.min() and value.is_integer() and rest.max() > SCORES
    return is_below and not _is_log_of_none(value, rest)


def _is_candidate(value: float) -> bool:
    if not np.isfinite(value):
        return False
    if abs(value) >= HUGE:
        return True
    return abs(value) in CODES and (value < 0 or value > 9)


def _without(values: Floats, codes: Collection[float]) -> Floats:
    return np.where(np.isin(values, list(codes)), np.nan, values)


def _ends(rest: Floats, side: int) -> Floats:
    return np.concatenate([np.fmin.reduce(rest, axis=side), np.fmax.reduce(rest, axis=side)])


def _judged(values: Floats, rest: Floats, value: float, *, columns: bool) -> bool | None:
    """Return whether the code is certain; None if it is no code."""
    here = values == value
    count, n_columns = int(here.sum()), _spread(here)
    if here.ndim == 2 and not columns and _is_value_of_its_line(value, count, here, rest):
        return None
    verdicts = []
    for column in np.flatnonzero(here.any(axis=0)) if columns else ():
        known = rest[:, column][np.isfinite(rest[:, column])]
        # A column of hardly anything else proves nothing.
        if len(known) >= FEWEST:
            verdicts.append(_verdict(value, count, n_columns, known))
    if not verdicts:
        return _verdict(value, count, n_columns, rest[np.isfinite(rest)])
    # A number that is a value anywhere cannot be read as missing everywhere.
    return None if None in verdicts else all(verdicts)


def _is_value_of_its_line(value: float, count: int, here: Bools, rest: Floats) -> bool:
    """Return whether it is confined to one row or column and is no code among the values there.

    Classes such as -1 and 1 among genes are an example.
    """
    for lines, across in ((here, rest), (here.T, rest.T)):
        (numbers,) = np.nonzero(lines.any(axis=1))
        if len(numbers) == 1:
            known = across[numbers[0]][np.isfinite(across[numbers[0]])]
            if len(known) >= FEWEST and _verdict(value, count, 1, known) is None:
                return True
    return False


def _spread(here: Bools) -> int:
    """Return the number of columns in which a value occurs."""
    return int(here.any(axis=0).sum()) if here.ndim == 2 else 1


def _verdict(value: float, count: int, n_columns: int, rest: Floats) -> bool | None:
    if len(rest) < FEWEST:
        return None
    if not _is_candidate(value):
        # A number that no known program writes needs a look.
        return False if _is_far(value, rest) or _is_alone_below(value, rest) else None
    low, high = float(rest.min()), float(rest.max())
    largest = max(-low, high)
    whole = bool((rest == np.rint(rest)).all())
    if abs(value) >= HUGE:
        return True if largest <= abs(value) / HUGE_GAP else None
    if -LONGER < value < 0 <= low and _is_log_of_none(value, rest):
        return None
    if value < 0:
        return _below(value, count, rest, low, high, whole=whole)
    return _above(value, count, n_columns, low, high, whole=whole)


def _below(
    value: float, count: int, rest: Floats, low: float, high: float, *, whole: bool
) -> bool | None:
    if low < 0:
        # Among values on both sides of 0 only numbers far below all of them.
        if value > BELOW * low or (count == 1 and abs(value) < LONGER):
            return None
        return count > 1 or not whole or abs(value) >= FAR_ABOVE * high
    if abs(value) >= LONGER:
        return True
    if whole and high <= SCORES:
        # States such as -1, 0 and 1, where -1 is one of them.
        rare = count <= RARE * (len(rest) + count) and 4 * count <= int((rest == 1).sum())
        return False if rare and high > 1 else None
    if high <= 1 and value == -1:
        # Correlations and scaled values range from -1 to 1.
        return False if count > 1 else None
    return count > 1


def _is_log_of_none(value: float, rest: Floats) -> bool:
    """Return whether it is log(0 + offset) among logarithms of counts: -1 for log2(x + 0.5)."""
    if (rest == np.rint(rest)).all():
        return False
    for base in BASES:
        counts = base ** rest[rest <= np.log(SMALL_COUNTS + 1) / np.log(base)] - base**value
        whole = np.abs(counts - np.rint(counts)) <= ROUNDED
        if len(counts) >= FEWEST and whole.mean() >= NEARLY_ALL and (np.rint(counts) > 0).all():
            return True
    return False


def _above(
    value: float, count: int, n_columns: int, low: float, high: float, *, whole: bool
) -> bool | None:
    if value < ABOVE * high or value - high < high - low:
        return None
    if whole:
        enough = count > 2 and (n_columns > 1 or value >= FAR_ABOVE * high)
    else:
        enough = count > 1 or (value >= max(FAR_ABOVE * high, LONGER) and value.is_integer())
    if not enough:
        return None
    return value >= LONGER and count > 1
