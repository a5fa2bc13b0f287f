"""Continue an earlier run with additional items."""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from ximstudio.commands.input import TableRequest
from ximstudio.commands.ready import AnyTask, Given, Ready, ready_from, useless
from ximstudio.commands.watching import State
from ximstudio.load.run import RECORD, damaged
from ximstudio.model.problem import UserError
from ximstudio.prepare.run_files import FROZEN, write_preparation
from ximstudio.train import method_named
from ximstudio.train.continued import continued
from ximstudio.train.finished import Finished, open_run
from ximstudio.train.record import data_record


@dataclass(frozen=True, kw_only=True)
class ContinuedRun:
    """Earlier run, continued with the items of another table."""

    order: TableRequest
    folder: Path
    only_new: bool
    given: Given

    @classmethod
    def of(cls, options: argparse.Namespace, given: Given) -> Self:
        """Return the start that the options describe."""
        if options.start is not None:
            raise useless("--start", "A continued run starts where the earlier run ended.")
        if options.steps or options.recipe is not None or options.frozen is not None:
            raise UserError(
                key="cli.prepared_already",
                what="New items are prepared like those of the earlier run.",
                where="options that name steps, --recipe or --frozen",
                way_out="Remove these options.",
            )
        return cls(
            order=TableRequest.of(options),
            folder=options.continued,
            only_new=options.only_new,
            given=given,
        )

    @property
    def needed(self) -> tuple[Path, ...]:
        return (*self.order.needed, self.folder / RECORD)

    def ready(self, task: AnyTask) -> Ready:
        task.report(State(doing="Opening the earlier run"))
        before = open_run(self.folder)
        way = method_named(before.result.method)
        if self.given.method not in (None, way):
            raise UserError(
                key="continue.method",
                what=f"A run of {way.name} can only be continued with {way.name}.",
                where="option --method",
                way_out="Remove --method, or train a new map with --start from the earlier run.",
            )
        frozen = frozen_file(before)
        order = replace(self.order, input=replace(self.order.input, frozen=frozen))
        delivery = order.carry_out_well(task)
        opened = delivery.opened
        descendant = continued(
            before.result,
            opened.matrix,
            earlier=None if self.only_new else before.matrix,
            late=self.given.late,
            changes=self.given.changes(way),
        )
        return ready_from(
            descendant,
            before,
            state=delivery.state,
            data=data_record(opened, delivery.input, descendant.matrix),
            write=lambda folder: write_preparation(folder, opened),
        )


def frozen_file(before: Finished) -> str | None:
    """Return the frozen recipe of an earlier run; None if it had no steps."""
    path = before.folder / FROZEN
    if path.exists():
        return str(path)
    if before.input.recipe.steps or before.input.frozen is not None:
        raise damaged(path, "it no longer exists, so new items cannot be prepared in the same way")
    return None
