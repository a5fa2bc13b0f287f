"""Suggested values of a parameter around its present one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import sqrt
from typing import Any

from ximstudio.model.spec import Choice, Number, Pair, Spec, Switch

WIDE = 100.0
"""Ratio of bounds from which values are spaced by equal factors."""
FACTOR = 2.0
DIGITS = 3
"""Significant digits of a suggested value."""
FINER = 12
"""Number of times that steps are halved if they leave the bounds too soon."""

Move = Callable[[float], Any]
"""Function that returns the value some steps up or, below 0, down from the present one."""


def suggested_values(spec: Spec, value: Any, n: int = 4) -> tuple[Any, ...]:
    """Return about n values within bounds, in rising order, with the present one among them.

    Numbers above 0 with wide bounds go by factors of 2, others by equal steps of half the present
    value; whole numbers stay whole. Both parts of a pair move together, by factors of √2 so that
    their product doubles; an open part stays open. For a choice these are all options, for a switch
    both. Fewer than n where the bounds hold no more; an open number and a text have only
    themselves.
    """
    if isinstance(spec, Switch):
        return (False, True)
    if isinstance(spec, Choice):
        return tuple(spec.options)
    move = _move(spec, value)
    if move is None:
        return (value,)
    most: tuple[Any, ...] = ()
    for finer in range(FINER):
        found = {value: 0}
        for steps in _outwards(4 * n):
            moved = move(steps / 2.0**finer)
            if len(found) < n and moved not in found and spec.allows(moved):
                found[moved] = steps
        if len(found) > len(most):
            most = tuple(sorted(found, key=lambda each: found[each]))
        if len(most) >= n:
            break
    return most


def _outwards(most: int) -> Iterator[int]:
    """Yield 1, −1, 2, −2 and so on."""
    for steps in range(1, most + 1):
        yield from (steps, -steps)


def _move(spec: Spec, value: Any) -> Move | None:
    """Return the function from the present value to others; None if there is none."""
    if isinstance(spec, Number):
        return _number_move(spec, value, FACTOR)
    if not isinstance(spec, Pair) or value is None:
        return None
    parts = [
        _number_move(number, part, sqrt(FACTOR))
        for number, part in zip((spec.first, spec.second), value, strict=True)
    ]
    if not any(parts):
        return None

    def both(steps: float) -> tuple[Any, ...]:
        return tuple(
            part if move is None else move(steps) for part, move in zip(value, parts, strict=True)
        )

    return both


def _number_move(spec: Number, value: Any, factor: float) -> Move | None:
    if value is None:
        return None
    positive = spec.low > 0 or (spec.low == 0 and spec.above)
    by_factor = positive and spec.high >= WIDE * spec.low
    step = abs(value) / 2.0 or min(spec.high - spec.low, 1.0) / 4.0

    def move(steps: float) -> Any:
        moved = value * factor**steps if by_factor else value + steps * step
        return round(moved) if spec.whole else float(f"{moved:.{DIGITS}g}")

    return move
