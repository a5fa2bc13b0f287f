"""How figures look that commands draw, from the options of the command line."""

from __future__ import annotations

import argparse

from ximstudio.figures.look import Look
from ximstudio.model.problem import Problem, refuse
from ximstudio.model.spec import Spec


def look_of(options: argparse.Namespace) -> Look:
    """The look that is asked for; what no figure can have is refused, all of it at once."""
    specs = Look.specs()
    given = {name: getattr(options, name) for name in specs}
    asked = {name: value for name, value in given.items() if value is not None}
    refuse(
        _problem(name, value, specs[name])
        for name, value in asked.items()
        if not specs[name].allows(value)
    )
    return Look(**asked)


def _problem(name: str, value: float, spec: Spec) -> Problem:
    return Problem(
        key="figure.look",
        what=f"{spec.label} cannot be {value:g} {spec.unit}.",
        where=f"option --{name.replace('_', '-')}",
        way_out=f"Give {spec.bounds}.",
    )
