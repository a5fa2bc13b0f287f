"""How figures look that commands draw, from the options of the command line."""

from __future__ import annotations

import argparse
from math import isfinite

from ximstudio.figures.look import Look
from ximstudio.model.problem import Problem, refuse

BOUNDS = {
    "width_mm": ("--width-mm", 30.0, 400.0, "mm"),
    "font_size": ("--font-size", 4.0, 24.0, "points"),
    "dpi": ("--dpi", 72.0, 1200.0, "pixels per inch"),
}
"""Option, least and largest value, and unit of every part of a look."""


def look_of(options: argparse.Namespace) -> Look:
    """The look that is asked for; what no figure can have is refused, all of it at once."""
    given = {name: getattr(options, name) for name in BOUNDS}
    asked = {name: value for name, value in given.items() if value is not None}
    refuse(_problem(name, value) for name, value in asked.items() if not _possible(name, value))
    return Look(**asked)


def _possible(name: str, value: float) -> bool:
    _, low, high, _ = BOUNDS[name]
    return isfinite(value) and low <= value <= high


def _problem(name: str, value: float) -> Problem:
    option, low, high, unit = BOUNDS[name]
    return Problem(
        key="figure.look",
        what=f"A figure cannot have {value:g} {unit}.",
        where=f"option {option}",
        way_out=f"Give a number from {low:g} to {high:g}.",
    )
