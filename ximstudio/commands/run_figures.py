"""Figures that `ximstudio run` draws: checked before training, written after it."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import nan
from pathlib import Path
from typing import Any, Self

from ximstudio import views
from ximstudio.commands.figure_options import asked_of
from ximstudio.commands.ready import AnyTask, Ready, useless
from ximstudio.export.images import Asked, views_of_one_map, write_run_figures
from ximstudio.load import Report
from ximstudio.model.matrix import Matrix
from ximstudio.model.params import known
from ximstudio.model.problem import Problem, UserError
from ximstudio.model.result import Result
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
        self,
        folder: Path,
        result: Result,
        ready: Ready,
        record: Mapping[str, Any],
        task: AnyTask,
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
