"""Prepare a run for training: from a table, an earlier run, or a part of one."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, Self, TypeAlias

from ximstudio.commands.input import TableRequest, in_words_of
from ximstudio.commands.options import given_settings, useless
from ximstudio.commands.watching import State
from ximstudio.jobs import Task
from ximstudio.load.run import RECORD, load_prototypes
from ximstudio.model.arrays import Floats
from ximstudio.model.matrix import Matrix
from ximstudio.model.method_params import MethodParams
from ximstudio.model.params import Params
from ximstudio.model.parent import Parent
from ximstudio.model.problem import Problem, UserError
from ximstudio.model.table import Table
from ximstudio.prepare.run_files import write_preparation
from ximstudio.train import METHODS, Method, method_named, problems
from ximstudio.train.annealing import LateParams, begun_late
from ximstudio.train.checks import few_problems
from ximstudio.train.finished import open_run, records_of
from ximstudio.train.record import data_record
from ximstudio.train.warm import start_from

AnyTask: TypeAlias = Task[State, Any]


@dataclass(frozen=True, kw_only=True)
class Given:
    """Options for the training: method (None for the default) and parameters."""

    method: Method | None
    texts: Mapping[str, str]
    late: LateParams

    @classmethod
    def of(cls, options: argparse.Namespace) -> Self:
        """Return the options, checked as far as possible without knowing the default method."""
        return cls(
            method=None if options.method is None else method_named(options.method),
            texts=given_settings(options.set),
            late=LateParams.from_texts({} if options.begin is None else {"begin": options.begin}),
        )

    def changes(self, method: Method) -> dict[str, Any]:
        """Return the parameters that the user set, as values."""
        params = method.params.from_texts(self.texts)
        return {name: getattr(params, name) for name in self.texts}


@dataclass(frozen=True, kw_only=True, eq=False)
class Ready:
    """Arguments of `ximstudio.train.checkpoints`, and the record of their origin.

    `state` has the messages before training starts, and `data` is the content of run.json about the
    table. `ancestors` are the records of all ancestors and of the run with its initial prototypes,
    and `start_hash` is that of the latter's map.
    """

    matrix: Matrix
    method: Method
    params: Params
    start: Floats | None
    parent: Parent | None
    state: State
    data: Mapping[str, Any]
    write_preparation: Callable[[Path], None]
    ancestors: tuple[Mapping[str, Any], ...] = ()
    start_hash: str | None = None


class RunStart(Protocol):
    """Way to start a run."""

    @property
    def needed(self) -> tuple[Path, ...]:
        """Files that the output must not replace."""

    def ready(self, task: AnyTask) -> Ready:
        """Return everything that training needs; report progress."""


def risks(matrix: Matrix, entries: Iterable[tuple[Method, Params]]) -> tuple[Problem, ...]:
    """Return the problems and warnings of these methods on a table, each once."""
    found: list[Problem] = []
    for method, params in entries:
        found += [new for new in problems(matrix, method, params) if new not in found]
    table = Table.of(matrix)
    return tuple(in_words_of(table, each) for each in (*found, *few_problems(matrix)))


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
