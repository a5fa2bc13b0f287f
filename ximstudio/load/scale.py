"""Distinguish logarithms, linear intensities, ratios and counts by the values."""

from __future__ import annotations

import numpy as np

from ximstudio.model.arrays import Floats
from ximstudio.model.words import counted, number

LOOKED_AT = 200_000
"""Maximum number of values examined, sampled from all of them."""

LOGGED = "logged"
LINEAR = "linear"
COUNTS = "counts"
RATIOS = "ratios"
UNCLEAR = "unclear"

UNSURE = frozenset({RATIOS, UNCLEAR})
"""Kinds that the user should check."""

HIGHEST_LOG = 30.0
"""Highest log2 value: no instrument counts beyond 2^30."""

LOWEST_LINEAR = 4 * HIGHEST_LOG
"""Values above this are no logarithms; those between may be PCR cycles."""

SKEWED = 8.0
"""Distance of the 99th percentile in medians from which on values are linear."""

LOPSIDED = 2.0
"""Ratio of the distances of the 95th and 5th percentile to the median if values are skewed."""

EVEN = 1.5
"""The same ratio, either way round, up to which logarithms are symmetric."""

FEW = 0.005
"""Share of values far beyond all others that may be typing errors."""

GAP = 5.0
"""Factor by which these exceed all others."""

FEWEST = 20
"""Minimum number of values for finding outliers."""

SMALL_COUNT = 10
"""Integers whose minimum is above this are rounded intensities."""


def looks_logged(values: Floats) -> tuple[str, str]:
    """Return "logged", "linear", "counts", "ratios" or "unclear", and the evidence as a sentence.

    A few values far beyond all others do not count if the others are logarithms.
    """
    flat = values.ravel()
    if len(flat) > LOOKED_AT:
        # Not every nth value: that may hit the same column again and again. Extremes are those
        # of all values.
        evenly = np.linspace(0, len(flat) - 1, LOOKED_AT).astype(np.int64)
        flat = np.append(flat[evenly], _extremes(flat))
    known = flat[np.isfinite(flat)]
    if len(known) < 4:
        return UNCLEAR, "There are too few values to tell."
    usual = known[np.abs(known) <= usual_size(known)]
    lone = len(known) - len(usual)
    with np.errstate(all="ignore"):
        kind, why = _kind(usual, complete=len(known) == len(flat))
        if lone and kind == LOGGED:
            return LOGGED, f"{why} {counted(lone, 'outlier was', 'outliers were')} ignored."
        return _kind(known, complete=len(known) == len(flat)) if lone else (kind, why)


def _extremes(flat: Floats) -> list[float]:
    """Return the smallest and the largest finite value; empty if there is none."""
    found: list[float] = []
    ends: tuple[float, ...]
    for begin in range(0, len(flat), LOOKED_AT):
        piece = flat[begin : begin + LOOKED_AT]
        ends = np.fmin.reduce(piece), np.fmax.reduce(piece)
        if not np.isfinite(ends).all():
            # Infinite values or only blanks: rare, and worth a copy.
            known = piece[np.isfinite(piece)]
            ends = (known.min(), known.max()) if len(known) else ()
        found += ends
    return [min(found), max(found)] if found else []


def usual_size(values: Floats) -> float:
    """Return the largest absolute value, without a few outliers that are no logarithms."""
    sizes = np.sort(np.abs(values[np.isfinite(values)]))
    if not len(sizes):
        return 0.0
    if len(sizes) < FEWEST:
        return float(sizes[-1])
    most = max(1, int(FEW * len(sizes)))
    below, above = sizes[-most - 1 : -1], sizes[-most:]
    gaps = np.flatnonzero((above > HIGHEST_LOG) & (above / GAP > below))
    return float(below[gaps[0]] if len(gaps) else sizes[-1])


def _kind(known: Floats, *, complete: bool) -> tuple[str, str]:
    low, high = float(known.min()), float(known.max())
    whole = bool((known == np.floor(known)).all())
    begin, median, end = (float(value) for value in np.percentile(known, (5, 50, 95)))
    straight = end - median <= LOPSIDED * (median - begin) and begin < median
    if max(-low, high) > LOWEST_LINEAR and straight and max(-begin, end) <= HIGHEST_LOG:
        most = f", but most of them from {number(begin)} to {number(end)}"
        kind, why = UNCLEAR, f"{most}, as logarithms do."
    elif low < 0:
        kind, why = _below_zero(low, high, whole)
    elif low > 0 and not straight and _are_ratios(begin, median, end):
        even = f", as many below as above {number(median, 2)}"
        kind, why = RATIOS, f"{even}: ratios, and no logarithms."
    elif whole:
        kind, why = _whole(known, high, complete)
    else:
        kind, why = _from_zero(known, high, median)
    return kind, f"Values go from {number(low, 6)} to {number(high, 6)}{why}"


def _below_zero(low: float, high: float, whole: bool) -> tuple[str, str]:
    if max(-low, high) <= HIGHEST_LOG and not whole:
        return LOGGED, ": logarithms or log-ratios, for linear values are not below 0."
    if high > 10 * HIGHEST_LOG:
        return LINEAR, ": too wide for logarithms."
    return UNCLEAR, "."


def _are_ratios(begin: float, median: float, end: float) -> bool:
    """Return whether values lie around 1, and their logarithms evenly around 0."""
    if not 2 / 3 <= median <= 3 / 2:
        return False
    above, below = np.log(end / median), np.log(median / begin)
    # Logarithms of 1 + x have small values that lie much farther below than large ones above.
    return bool(below / EVEN < above < EVEN * below)


def _whole(known: Floats, high: float, complete: bool) -> tuple[str, str]:
    counts = complete and known[known > 0].min(initial=np.inf) <= SMALL_COUNT
    if counts and high > HIGHEST_LOG:
        return COUNTS, ", all whole, none below 0 and none missing: counts."
    if high > LOWEST_LINEAR:
        return LINEAR, ": too high for logarithms."
    return UNCLEAR, ", all whole: small counts, scores or codes."


def _from_zero(known: Floats, high: float, median: float) -> tuple[str, str]:
    if high <= 1:
        return UNCLEAR, ": shares, probabilities or scaled values."
    if high > LOWEST_LINEAR:
        return LINEAR, ": too high for logarithms."
    if high <= HIGHEST_LOG and np.percentile(known, 99) <= SKEWED * median:
        return LOGGED, f", with a median of {number(median)}: as logarithms of intensities do."
    return UNCLEAR, f", with a median of {number(median)}."
