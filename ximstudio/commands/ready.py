"""Prepare a run for training."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, Self, TypeAlias

from ximstudio.commands.input import in_words_of
from ximstudio.commands.options import given_settings
from ximstudio.commands.watching import State
from ximstudio.jobs import Task
from ximstudio.model.arrays import Floats
from ximstudio.model.matrix import Matrix
from ximstudio.model.params import Params
from ximstudio.model.parent import Parent
from ximstudio.model.problem import Problem
from ximstudio.model.table import Table
from ximstudio.train import Method, method_named, problems
from ximstudio.train.checks import few_problems
from ximstudio.train.late import LateParams

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
    """Arguments of a training, and the record of its origin.

    Parameters
    ----------
    matrix, method, params, start, parent
        Arguments of `ximstudio.train.checkpoints`.
    state
        Messages before training starts.
    data
        Content of run.json about the table.
    write_preparation
        Writes the preparation into a folder.
    ancestors, start_hash
        Records of all ancestors and of the run with its initial prototypes, and the hash of the
        latter's map.
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
