"""Round numbers along a scale, and their formatting."""

from __future__ import annotations

import math
from itertools import pairwise

from ximstudio.model.words import MINUS, THIN

LEAST_PLAIN, MOST_PLAIN = 1e-3, 1e6
"""Numbers beyond these are written with a power of ten: there is little space beside a plot."""
SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


def ticks(low: float, high: float, *, most: int) -> list[float]:
    """Return at most `most` multiples of 1, 2 or 5 times a power of ten between low and high."""
    span = high - low
    if not (math.isfinite(span) and span > 0.0) or most < 1:
        return [low] if math.isfinite(low) else []
    step = _round_step(span / most)
    first, last = _multiples(low, high, step)
    while last - first + 1 > most:
        step = _round_step(step * 1.5)
        first, last = _multiples(low, high, step)
    # Adding 0 turns −0 into 0.
    return [number * step + 0.0 for number in range(first, last + 1)]


def tick_texts(values: list[float]) -> list[str]:
    """Format values, all with the same number of decimals."""
    largest = max((abs(value) for value in values), default=0.0)
    steps = [abs(b - a) for a, b in pairwise(values)]
    finest = min((step for step in steps if step > 0.0), default=largest or 1.0)
    return written_alike(values, step=finest, largest=largest)


def written_alike(values: list[float], *, step: float, largest: float) -> list[str]:
    """Format values as precisely as their step, with powers of ten if the largest needs one."""
    if not _is_plain(largest):
        return [_scientific(value) for value in values]
    decimals = max(0, -math.floor(math.log10(step * 1.000001)))
    return [_plain(value, decimals) for value in values]


def number_text(value: float, *, digits: int = 3) -> str:
    """Format a single number with so many significant digits; '–' if it is unknown."""
    if math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0.0 else "\u2212∞"
    if not _is_plain(abs(value)):
        return _scientific(value)
    decimals = digits - 1 - (math.floor(math.log10(abs(value))) if value else 0)
    return _plain(value, max(decimals, 0))


def _multiples(low: float, high: float, step: float) -> tuple[int, int]:
    """Return the first and last multiple of a step between two numbers, allowing for rounding."""
    return math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)


def _round_step(least: float) -> float:
    """Return the smallest of 1, 2 and 5 times a power of ten that is not below `least`."""
    power = 10.0 ** math.floor(math.log10(least))
    return next((m * power for m in (1.0, 2.0, 5.0) if m * power >= least * (1 - 1e-9)), 10 * power)


def _is_plain(size: float) -> bool:
    return not size or LEAST_PLAIN <= size < MOST_PLAIN


def _plain(value: float, decimals: int) -> str:
    # Adding 0 turns −0 into 0, which may be what is left of a value after rounding.
    return f"{round(value, decimals) + 0.0:,.{decimals}f}".replace(",", THIN).replace("-", MINUS)


def _scientific(value: float) -> str:
    if not value:
        return "0"
    digits, _, exponent = f"{value:.2e}".partition("e")
    digits = digits.rstrip("0").rstrip(".").replace("-", MINUS)
    return f"{digits}·10{str(int(exponent)).translate(SUPERSCRIPTS)}"
