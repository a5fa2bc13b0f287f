"""The figures that commands draw, from the options of the command line."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ximstudio.export.images import Asked, figure_names, figure_views
from ximstudio.figures.look import Look
from ximstudio.maps.palettes import palette_named
from ximstudio.model.problem import Problem, refuse
from ximstudio.model.spec import Spec


def asked_of(
    options: argparse.Namespace,
    views: Sequence[str],
    *,
    label: str | None,
    names: Sequence[str] = (),
) -> Asked:
    """The figures that are asked for, or those of these names; the first view is the usual one."""
    if options.palette is not None:
        palette_named(options.palette)
    figures = figure_names(options.figure) or tuple(names)
    return Asked(
        figures=figure_views(figures, options.view, among=views, usual=views[0]),
        look=look_of(options),
        title=options.title,
        label=label or "",
        palette=options.palette or "",
        table=options.table,
    )


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
