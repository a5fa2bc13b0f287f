"""What a run needs before training begins, whichever way it begins."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from dataclasses import dataclass
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
from ximstudio.train.descendant import Descendant
from ximstudio.train.finished import Finished, records_of
from ximstudio.train.late import LateParams

AnyTask: TypeAlias = Task[State, Any]


@dataclass(frozen=True, kw_only=True)
class Given:
    """What the options say of the training itself: method (None for the usual), parameters."""

    method: Method | None
    texts: Mapping[str, str]
    late: LateParams

    @classmethod
    def of(cls, options: argparse.Namespace) -> Self:
        """Checked as far as it can be without knowing which method is the usual one."""
        return cls(
            method=None if options.method is None else method_named(options.method),
            texts=given_settings(options.set),
            late=LateParams.from_texts({} if options.begin is None else {"begin": options.begin}),
        )

    def changes(self, method: Method) -> dict[str, Any]:
        """The parameters that a person set, as values."""
        params = method.params.from_texts(self.texts)
        return {name: getattr(params, name) for name in self.texts}


@dataclass(frozen=True, kw_only=True, eq=False)
class Ready:
    """All that training needs, and what is to be written about where it came from.

    Parameters
    ----------
    matrix, method, params, start, parent
        What `ximstudio.train.checkpoints` takes.
    state
        What to say before training begins.
    data
        What run.json says about the table.
    write_preparation
        Writes what was done to the table into a folder.
    ancestors, start_hash
        The records of all runs that it descends from or has its prototypes from, and the hash of
        the map in the latter case.
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


class Beginning(Protocol):
    """One of the ways to begin."""

    @property
    def needed(self) -> tuple[Path, ...]:
        """Files that no output may replace."""

    def ready(self, task: AnyTask) -> Ready:
        """All that training needs, made while somebody watches."""


def ready_from(
    descendant: Descendant,
    before: Finished,
    *,
    state: State,
    data: Mapping[str, Any],
    write: Callable[[Path], None],
) -> Ready:
    """What the training of a map needs that descends from an earlier run."""
    return Ready(
        matrix=descendant.matrix,
        method=descendant.method,
        params=descendant.params,
        start=descendant.start,
        parent=before.as_parent(descendant.parent),
        state=state,
        data=data,
        write_preparation=write,
        ancestors=records_of(before.folder),
    )


def useless(option: str, way_out: str) -> UserError:
    """The refusal of an option that means nothing beside the others."""
    return UserError(
        key="cli.useless",
        what="This option is of no use here.",
        where=f"option {option}",
        way_out=way_out,
    )
