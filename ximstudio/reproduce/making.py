"""Functions to get from a file to a map in a few calls, used in scripts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from ximstudio.explore.descended import Arrived, descended
from ximstudio.load import Choices, Report, silent
from ximstudio.model.arrays import Floats
from ximstudio.model.matrix import Matrix
from ximstudio.model.params import Params
from ximstudio.model.parent import CONTINUED, CONTINUED_AGAIN, CONTINUED_ALONE, PART, Parent
from ximstudio.model.result import Result
from ximstudio.prepare.input import Input, Joining, Labelled, Opened
from ximstudio.prepare.recipe import Frozen, Planned, Recipe, planned
from ximstudio.train import Method, checkpoints, method_named
from ximstudio.train.descendant import Descendant


@dataclass(frozen=True, kw_only=True, eq=False)
class Made:
    """A map, the table that it was trained on, and what the steps of the recipe learnt."""

    result: Result
    matrix: Matrix
    frozen: Frozen | None = None


def read(name: str, *joins: Joining, report: Report = silent, **choices: Any) -> Labelled:
    """Read the table in a file, or of a sample such as "sample:yeast".

    `choices` are given settings for the file (labels=("function",), items="columns", …; see
    `ximstudio.load.Choices`): the rest is inferred. `joins` are files whose columns become labels.
    """
    wanted = Input(name=name, choices=Choices.from_values(choices), joinings=joins)
    return wanted.read(report)


def join(
    name: str, *, on: str | None = None, side: str | None = None, part: str | None = None
) -> Joining:
    """Declare a file whose columns become labels, for `read`."""
    return Joining(name=name, on=on, side=side, part=part)


def step(key: str, /, **parameters: Any) -> Planned:
    """Declare a step of a recipe, for `prepare`; `ximstudio steps` lists all."""
    return planned(key, **parameters)


def prepare(
    table: Labelled, *steps: Planned, frozen: str | None = None, report: Report = silent
) -> Opened:
    """Return the table after these steps.

    `frozen` names a file in which an earlier run keeps its steps and what they learnt; then there
    are no others.
    """
    recipe = Input(name=table.table.source, frozen=frozen, recipe=Recipe(steps=steps))
    return recipe.prepare(table, report)


def train(
    table: Opened,
    method: str,
    /,
    *,
    seed: int = 0,
    stop_after: int | None = None,
    report: Report = silent,
    **parameters: Any,
) -> Made:
    """Train a map of the table; `ximstudio methods` lists methods and parameters.

    `stop_after` is the step after which training stops early.
    """
    way = method_named(method)
    made = Making(
        matrix=table.matrix,
        method=way,
        params=way.params.from_values(parameters),
        seed=seed,
        stop_after=stop_after,
    )
    return Made(result=made.train(report), matrix=table.matrix, frozen=table.prepared.frozen)


def part(
    earlier: Made,
    items: Iterable[str],
    method: str,
    /,
    *,
    seed: int = 0,
    stop_after: int | None = None,
    folder: str | None = None,
    report: Report = silent,
    **parameters: Any,
) -> Made:
    """Train a map of some items of an earlier one, starting from their positions there.

    `folder` is the one that the earlier map was read from, if it was: prototypes lose their last
    bits there.
    """
    way = method_named(method)
    params = way.params.from_values(parameters)
    some = descended(earlier, PART, way, params, items=tuple(items), folder=folder)
    made = Making.of(some, seed=seed, stop_after=stop_after)
    return Made(result=made.train(report), matrix=some.matrix, frozen=earlier.frozen)


def continued(
    earlier: Made,
    table: Opened | None = None,
    /,
    *,
    alone: bool = False,
    seed: int = 0,
    stop_after: int | None = None,
    folder: str | None = None,
    report: Report = silent,
    **parameters: Any,
) -> Made:
    """Continue an earlier map: with its own items, with new ones too, or these `alone`.

    `folder` is the one that the earlier map was read from, if it was.
    """
    way = method_named(earlier.result.method)
    params = way.params.from_values(parameters)
    kind, arrived = CONTINUED_AGAIN, None
    if table is not None:
        kind = CONTINUED_ALONE if alone else CONTINUED
        now = table.matrix if folder is None else None
        arrived = Arrived(table=table.labelled.table, matrix=now)
    more = descended(earlier, kind, way, params, arrived=arrived, folder=folder)
    made = Making.of(more, seed=seed, stop_after=stop_after)
    return Made(result=made.train(report), matrix=more.matrix, frozen=earlier.frozen)


@dataclass(frozen=True, kw_only=True, eq=False)
class Making:
    """One training to be repeated; `stop_after` is its last step if it was stopped."""

    matrix: Matrix
    method: Method
    params: Params
    seed: int
    stop_after: int | None = None
    start: Floats | None = None
    parent: Parent | None = None

    @classmethod
    def of(cls, descendant: Descendant, *, seed: int, stop_after: int | None) -> Self:
        """Return the training of a derived map."""
        return cls(
            matrix=descendant.matrix,
            method=descendant.method,
            params=descendant.params,
            seed=seed,
            stop_after=stop_after,
            start=descendant.start,
            parent=descendant.parent,
        )

    def train(self, report: Report = silent) -> Result:
        """Train to the end, or to where it was stopped; the report may raise to end it."""
        steps = checkpoints(
            self.matrix,
            self.method,
            self.params,
            seed=self.seed,
            start=self.start,
            last=self.stop_after,
            parent=self.parent,
        )
        found = None
        for found in steps:
            report(found.fraction)
        assert found is not None
        return found.result()


def beside(name: str, folder: Path) -> str:
    """Return a file at its place, or under its own name in a folder."""
    bare = folder / name.replace("\\", "/").rsplit("/", 1)[-1]
    return str(bare) if not Path(name).exists() and bare.exists() else name
