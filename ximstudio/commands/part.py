"""A run that begins with some items of an earlier one."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from ximstudio.commands.input import Order, understood
from ximstudio.commands.ready import AnyTask, Given, Ready, ready_from
from ximstudio.commands.watching import State
from ximstudio.export.preparation import copy_preparation
from ximstudio.export.record import part_record
from ximstudio.files.bounded import read_bounded
from ximstudio.load.run import MOST_BYTES, RECORD
from ximstudio.model.problem import UserError
from ximstudio.model.table import Table
from ximstudio.train import method_named
from ximstudio.train.finished import open_run
from ximstudio.train.part import part_of


@dataclass(frozen=True, kw_only=True)
class Part:
    """Some items of an earlier run, for a map of their own."""

    folder: Path
    choose: Path | None
    nodes: tuple[int, ...] | None
    given: Given

    @classmethod
    def of(cls, options: argparse.Namespace, given: Given) -> Self:
        """As the options say."""
        about_others = options.continued or options.only_new or options.start
        if about_others or Order.says_anything(options):
            raise UserError(
                key="cli.parent_input",
                what="A part of a run has that run's table, read and prepared as it was there.",
                where="option --parent",
                way_out="Leave out the table, all that is about reading and preparing it, and"
                " --start and --continue.",
            )
        if options.choose is None and options.nodes is None:
            raise UserError(
                key="cli.part",
                what="It is not said which part of the run is meant.",
                where="option --parent",
                way_out="Add --choose FILE, with the ids of items, or --nodes 12,13,20.",
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
            data=part_record(before.record["data"], before.input, descendant.matrix),
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
            way_out="Write them with commas between, for instance --nodes 12,13,20.",
        ) from None


def _lines(path: Path) -> list[str]:
    """The ids in a file, one in a line."""
    try:
        text = read_bounded(path, MOST_BYTES).decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror or error if isinstance(error, OSError) else "it is not text in UTF-8"
        raise UserError(
            key="cli.choose",
            what=f"The chosen items cannot be read: {why}.",
            where=str(path),
            way_out="Give a text file in UTF-8 with the id of one item in every line.",
        ) from None
    return [line.strip() for line in text.splitlines() if line.strip()]
