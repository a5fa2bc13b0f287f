"""Figures of a command: checked with its options, drawn after its work."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import nan
from pathlib import Path
from typing import Any, Self

from ximstudio import views
from ximstudio.commands.options import useless
from ximstudio.commands.ready import AnyTask, Ready
from ximstudio.export.images import (
    Asked,
    figure_like,
    figure_names,
    figure_views,
    views_of_one_map,
    write_run_figures,
)
from ximstudio.figures.look import Look
from ximstudio.load import Report
from ximstudio.maps.palettes import palette_named
from ximstudio.model.matrix import Matrix
from ximstudio.model.params import known
from ximstudio.model.problem import Problem, UserError, refuse
from ximstudio.model.result import Result
from ximstudio.model.spec import Spec
from ximstudio.prepare.input import Input
from ximstudio.session import Run
from ximstudio.session.measuring import measured
from ximstudio.train.record import START_HASH


@dataclass(frozen=True, kw_only=True)
class RunFigures:
    """The figures of a run that were asked for."""

    asked: Asked

    @classmethod
    def of(cls, options: argparse.Namespace) -> Self:
        """Return the figures as the options say; options that do not fit are refused."""
        _refuse_compared(options.view)
        asked = asked_of(options, views_of_one_map(), label=options.color_by)
        if options.table and not asked.measured:
            raise useless("--table", "It only works with --view quality.")
        if options.like is not None and options.color_by is not None:
            raise useless(
                "--color-by", "A figure made with --like uses the colours of the other figure."
            )
        return cls(asked=asked)

    def check(self, matrix: Matrix) -> None:
        """Refuse a label that the table does not have."""
        if self.asked.label:
            known("label", self.asked.label, matrix.item_labels)

    def write(
        self, folder: Path, result: Result, ready: Ready, record: Mapping[str, Any], task: AnyTask
    ) -> tuple[Problem, ...]:
        """Measure the map if a figure shows that, and draw all; why some could not be drawn."""

        def progress_of(doing: str) -> Report:
            return lambda fraction: task.report(
                replace(ready.state, doing=doing, fraction=fraction)
            )

        run = Run(
            key="run",
            name=ready.method.name,
            result=result,
            matrix=ready.matrix,
            input=Input.from_values(ready.data["input"]),
            # A figure is the same whenever it is made.
            seconds=nan,
        )
        if self.asked.measured:
            run = measured(run, progress_of("Measuring"), task.check)
        return write_run_figures(
            folder,
            self.asked,
            run,
            began={name: record[name] for name in ("start", START_HASH) if name in record},
            ancestors=ready.ancestors,
            report=progress_of("Drawing"),
        )


def _refuse_compared(keys: Sequence[str]) -> None:
    for key in (kind.key for kind in views.VIEWS if kind.compares and kind.key in keys):
        raise UserError(
            key="cli.compared",
            what="A run is a single map, so there is nothing to compare.",
            where=f"option --view {key}",
            way_out="Use 'ximstudio compare', which draws the maps of several methods side by "
            "side.",
        )


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
