"""Curves of runs: their colours, the range of axes, and places of names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ximstudio.model.arrays import Floats
from ximstudio.pictures.colours import Colours, mixed

FAINT = 0.3
"""Share by which runs that are not displayed fade into the background."""


@dataclass(frozen=True, kw_only=True, eq=False)
class RunCurves:
    """T(k) and C(k) of a run for k = 1 … K."""

    key: str
    name: str
    trust: Floats
    continuity: Floats


def run_colour(number: int, colours: Colours, *, faint: bool = False) -> str:
    """Return the colour of a run's curves by its number among all runs."""
    colour = colours.series[number % len(colours.series)]
    return mixed(colour, colours.surface, FAINT) if faint else colour


def share_bounds(runs: Sequence[RunCurves]) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the range of k and of the shares of these runs, common to T and C."""
    both = [part for run in runs for part in (run.trust, run.continuity)]
    most = max((len(part) for part in both), default=1)
    return (0.0, float(most)), wide_range(np.concatenate(both) if both else np.empty(0))


def wide_range(values: Floats, *, least: float = 0.05, most: float = 1.0) -> tuple[float, float]:
    """Return the range of an axis for shares, wide enough that noise looks like noise.

    It does not exceed `most`, except for a small margin.
    """
    known = values[np.isfinite(values)]
    if not known.size:
        return most - least, most
    low, high = float(known.min()), float(known.max())
    spare = max(least - (high - low), 0.08 * (high - low)) / 2.0
    high_end = min(high + spare, most)
    low_end = min(low - spare, high_end - least)
    return low_end, high_end


def spread(heights: Floats, apart: float, room: float) -> Floats:
    """Move heights at least `apart`, close to those wanted, and within 0 to `room` if they fit."""
    order = np.argsort(heights, kind="stable")
    spots = np.arange(len(heights)) * apart
    # Names that collide form groups, each centred on what its members want.
    groups: list[list[float]] = []
    for wanted in (heights[order] - spots).tolist():
        groups.append([wanted])
        while len(groups) > 1 and np.mean(groups[-2]) > np.mean(groups[-1]):
            last = groups.pop()
            groups[-1] += last
    placed = np.array([np.mean(group) for group in groups for _ in group]) + spots
    if len(placed):
        highest = room - apart / 2.0 - spots[::-1]
        placed = np.maximum(np.minimum(placed, highest), apart / 2.0 + spots)
    result = np.empty(len(heights))
    result[order] = placed
    return result
