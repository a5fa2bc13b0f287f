"""Prepare a run for training."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol, Self, TypeAlias

from ximstudio.commands.settings import given_settings
from ximstudio.commands.watching import State
from ximstudio.jobs import Task
from ximstudio.model.arrays import Floats
from ximstudio.model.matrix import Matrix
from ximstudio.model.params import Params
from ximstudio.model.parent import Parent
from ximstudio.model.problem import UserError
from ximstudio.train import Method, method_named
from ximstudio.train.annealing import LateParams
from ximstudio.train.continued import Descendant
from ximstudio.train.finished import Finished, records_of

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


def useless(option: str, way_out: str) -> UserError:
    """Return the refusal of an option that has no effect with the others."""
    return UserError(
        key="cli.useless",
        what="This option has no effect here.",
        where=f"option {option}",
        way_out=way_out,
    )
