"""The figures that commands draw, from the options of the command line."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ximstudio.export.images import Asked, figure_like, figure_names, figure_views
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
    """The figures that are asked for, or those of these names.

    The first view is the usual one, unless they are to be like another figure.
    """
    if options.palette is not None:
        palette_named(options.palette)
    figures = figure_names(options.figure) or tuple(names)
    like, usual = (None, views[0]) if options.like is None else figure_like(options.like)
    return Asked(
        figures=figure_views(figures, options.view, among=views, usual=usual),
        look=look_of(options, Look() if like is None else like.look),
        title=options.title,
        label=label or "",
        palette=options.palette or "",
        table=options.table or (like is not None and like.table),
        like=like,
    )


def look_of(options: argparse.Namespace, usual: Look) -> Look:
    """The look that is asked for; what no figure can have is refused, all of it at once."""
    specs = Look.specs()
    given = {name: getattr(options, name) for name in specs}
    asked = {name: value for name, value in given.items() if value is not None}
    refuse(
        _problem(name, value, specs[name])
        for name, value in asked.items()
        if not specs[name].allows(value)
    )
    return usual.replace(**asked)


def _problem(name: str, value: float, spec: Spec) -> Problem:
    return Problem(
        key="figure.look",
        what=f"{spec.label} cannot be {value:g} {spec.unit}.",
        where=f"option --{name.replace('_', '-')}",
        way_out=f"Give {spec.bounds}.",
    )
