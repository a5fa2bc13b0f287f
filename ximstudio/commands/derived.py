"""Start a run from an earlier one: continue it with further items, or map a part of it."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

from ximstudio.commands.input import TableRequest, understood
from ximstudio.commands.options import useless
from ximstudio.commands.ready import AnyTask, Given, Ready
from ximstudio.commands.watching import State
from ximstudio.files.bounded import read_bounded
from ximstudio.load.run import MOST_BYTES, RECORD, damaged
from ximstudio.model.problem import UserError
from ximstudio.model.table import Table
from ximstudio.prepare.run_files import FROZEN, copy_preparation, write_preparation
from ximstudio.train import method_named
from ximstudio.train.continued import Descendant, continued
from ximstudio.train.finished import Finished, open_run, records_of
from ximstudio.train.part import part_of
from ximstudio.train.record import data_record, part_record


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


@dataclass(frozen=True, kw_only=True)
class PartialRun:
    """Some items of an earlier run, for a new map."""

    folder: Path
    choose: Path | None
    nodes: tuple[int, ...] | None
    given: Given

    @classmethod
    def of(cls, options: argparse.Namespace, given: Given) -> Self:
        """Return the start that the options describe."""
        about_others = options.continued or options.only_new or options.start
        if about_others or TableRequest.says_anything(options):
            raise UserError(
                key="cli.parent_input",
                what="A part of a run uses the table of that run, read and prepared as it was.",
                where="option --parent",
                way_out="Remove the table, the options for reading and preparing it, and --start "
                "and --continue.",
            )
        if options.choose is None and options.nodes is None:
            raise UserError(
                key="cli.part",
                what="The part of the run is not given.",
                where="option --parent",
                way_out="Add --choose FILE with the ids of items, or --nodes 12,13,20.",
            )
        return cls(
            folder=options.parent,
            choose=options.choose,
            nodes=None if options.nodes is None else _numbers(options.nodes),
            given=given,
        )

    @property
    def needed(self) -> tuple[Path, ...]:
        return (self.folder / RECORD, *(() if self.choose is None else (self.choose,)))

    def ready(self, task: AnyTask) -> Ready:
        task.report(State(doing="Opening the earlier run"))
        before = open_run(self.folder)
        way = method_named(before.result.method) if self.given.method is None else self.given.method
        descendant = part_of(
            before.result,
            before.matrix,
            items=None if self.choose is None else _lines(self.choose),
            nodes=self.nodes,
            method=way,
            late=self.given.late,
            changes=self.given.changes(way),
        )
        return ready_from(
            descendant,
            before,
            state=State(understood=understood(Table.of(descendant.matrix))),
            data=part_record(before.values["data"], before.input, descendant.matrix),
            write=lambda folder: copy_preparation(before.folder, folder),
        )


def _numbers(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(number) for number in text.split(","))
    except ValueError:
        raise UserError(
            key="cli.nodes",
            what=f"'{text}' are not numbers of nodes.",
            where="option --nodes",
            way_out="Separate them with commas, for instance --nodes 12,13,20.",
        ) from None


def _lines(path: Path) -> list[str]:
    """Return the ids in a file, one per line."""
    try:
        text = read_bounded(path, MOST_BYTES).decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror or error if isinstance(error, OSError) else "it is not text in UTF-8"
        raise UserError(
            key="cli.choose",
            what=f"The list of items cannot be read: {why}.",
            where=str(path),
            way_out="Give a text file in UTF-8 with one id per line.",
        ) from None
    return [line.strip() for line in text.splitlines() if line.strip()]


def ready_from(
    descendant: Descendant,
    before: Finished,
    *,
    state: State,
    data: Mapping[str, Any],
    write: Callable[[Path], None],
) -> Ready:
    """Return everything that training a derived map needs."""
    return Ready(
        matrix=descendant.matrix,
        method=descendant.method,
        params=descendant.params,
        start=descendant.start,
        parent=replace(descendant.parent, folder=str(before.folder)),
        state=state,
        data=data,
        write_preparation=write,
        ancestors=records_of(before.folder),
    )
