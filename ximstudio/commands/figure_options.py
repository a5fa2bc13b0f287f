"""Figures of a command, from its options."""

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
    """Return the requested figures, or those with the default names.

    The first view is the default, unless --like is given.
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
    """Return the requested look; refuse all invalid values at once."""
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
