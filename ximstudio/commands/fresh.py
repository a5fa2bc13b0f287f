"""Start a run from a table."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from ximstudio.commands.input import TableRequest
from ximstudio.commands.ready import AnyTask, Given, Ready, useless
from ximstudio.load.run import RECORD, load_prototypes
from ximstudio.model.method_params import MethodParams
from ximstudio.model.problem import UserError
from ximstudio.prepare.run_files import write_preparation
from ximstudio.train import METHODS, Method
from ximstudio.train.finished import open_run, records_of
from ximstudio.train.late import LateParams, begun_late
from ximstudio.train.record import data_record
from ximstudio.train.warm import start_from


@dataclass(frozen=True, kw_only=True)
class FreshRun:
    """New map of a table; `start` gives its initial prototypes: prototypes.csv or a run."""

    order: TableRequest
    method: Method
    params: MethodParams
    start: Path | None
    late: LateParams

    @classmethod
    def of(cls, options: argparse.Namespace, given: Given) -> Self:
        """Return the start that the options describe."""
        method, texts = given.method or METHODS[0], dict(given.texts)
        if options.start is not None:
            if not method.params().takes_prototypes or texts.get("init", "given") != "given":
                raise UserError(
                    key="cli.start",
                    what="This method does not start from given prototypes.",
                    where="option --start",
                    way_out="Remove --start, or use a method with prototypes and without --set "
                    "init.",
                )
            texts["init"] = "given"
        elif given.late.begin is not None:
            raise useless("--begin", "It only works with --start, --continue or --parent.")
        return cls(
            order=TableRequest.of(options),
            method=method,
            params=method.params.from_texts(texts),
            start=options.start,
            late=given.late,
        )

    @property
    def needed(self) -> tuple[Path, ...]:
        start = () if self.start is None else (self.start, self.start / RECORD)
        return (*self.order.needed, *start)

    def ready(self, task: AnyTask) -> Ready:
        delivery = self.order.carry_out_well(task)
        opened, matrix = delivery.opened, delivery.opened.matrix
        start, params, before = None, self.params.sized(matrix.n_items), None
        if self.start is not None:
            before = open_run(self.start) if self.start.is_dir() else None
            if before is None:
                assert params.grid is not None
                start = load_prototypes(self.start, matrix.feature_names, params.grid)
            else:
                start = start_from(before.result, matrix, params)
            if self.late.begin is not None:
                params = begun_late(params, self.late.begin, matrix.n_items)
        return Ready(
            matrix=matrix,
            method=self.method,
            params=params,
            start=start,
            parent=None,
            state=delivery.state,
            data=data_record(opened, delivery.input),
            write_preparation=lambda folder: write_preparation(folder, opened),
            ancestors=() if before is None else records_of(before.folder),
            start_hash=None if before is None else before.record.result_hash,
        )
