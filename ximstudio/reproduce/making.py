"""From a file to a map in a few calls, as scripts make them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ximstudio.explore.further import further_items
from ximstudio.load import Choices, Report, silent
from ximstudio.model.arrays import Floats
from ximstudio.model.matrix import Matrix
from ximstudio.model.params import Params
from ximstudio.model.parent import CONTINUED, CONTINUED_AGAIN, CONTINUED_ALONE, PART, Parent
from ximstudio.model.result import Result
from ximstudio.prepare.input import Input, Joining, Labelled, Opened
from ximstudio.prepare.recipe import Frozen, Planned, Recipe, planned
from ximstudio.train import Method, checkpoints, method_named
from ximstudio.train.continued import joined, with_features
from ximstudio.train.params import MapParams
from ximstudio.train.part import chosen_rows
from ximstudio.train.warm import start_from


@dataclass(frozen=True, kw_only=True, eq=False)
class Made:
    """A map, the table that it was trained on, and what the steps of the recipe learnt."""

    result: Result
    matrix: Matrix
    frozen: Frozen | None = None


def read(name: str, *joins: Joining, report: Report = silent, **choices: Any) -> Labelled:
    """The table in a file, or of a sample such as "sample:yeast".

    `choices` are what was said about the file (labels=("function",), items="columns", …; see
    `ximstudio.load.Choices`): the rest is found out. `joins` are files whose columns become labels.
    """
    wanted = Input(name=name, choices=Choices.from_values(choices), joinings=joins)
    return wanted.read(report)


def join(name: str, *, on: str | None = None, side: str | None = None) -> Joining:
    """A file whose columns become labels, for `read`."""
    return Joining(name=name, on=on, side=side)


def step(key: str, /, **parameters: Any) -> Planned:
    """A step of a recipe, for `prepare`; `ximstudio steps` lists all."""
    return planned(key, **parameters)


def prepare(
    table: Labelled, *steps: Planned, frozen: str | None = None, report: Report = silent
) -> Opened:
    """The table after these steps.

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
    """A map of the table; `ximstudio methods` lists methods and parameters.

    `stop_after` is the step after which training is to end before its time.
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
    report: Report = silent,
    **parameters: Any,
) -> Made:
    """A map of some items of an earlier one, which begins where that one has them."""
    way = method_named(method)
    params = way.params.from_values(parameters)
    rows = chosen_rows(earlier.result, items=items)
    some = earlier.matrix.items(rows)
    start = None
    if isinstance(params, MapParams):
        around = earlier.result.positions[rows]
        start = start_from(earlier.result, some, params, around=around)
    made = Making(
        matrix=some,
        method=way,
        params=params,
        seed=seed,
        stop_after=stop_after,
        start=start,
        parent=parent_of(earlier.result, PART, some.item_ids),
    )
    return Made(result=made.train(report), matrix=some, frozen=earlier.frozen)


def continued(
    earlier: Made,
    table: Opened | None = None,
    /,
    *,
    alone: bool = False,
    seed: int = 0,
    stop_after: int | None = None,
    report: Report = silent,
    **parameters: Any,
) -> Made:
    """An earlier map trained further: with its own items, with new ones too, or these `alone`."""
    way = method_named(earlier.result.method)
    params = way.params.from_values(parameters)
    matrix, kind = earlier.matrix, CONTINUED_AGAIN
    if table is not None:
        further = further_items(
            earlier.matrix, table.labelled.table, frozen=earlier.frozen, now=table.matrix
        )
        further = with_features(further, earlier.result.feature_names)
        matrix = further if alone else joined(earlier.matrix, further)
        kind = CONTINUED_ALONE if alone else CONTINUED
    assert isinstance(params, MapParams)
    before = earlier.result.parent
    made = Making(
        matrix=matrix,
        method=way,
        params=params,
        seed=seed,
        stop_after=stop_after,
        start=start_from(earlier.result, matrix, params),
        parent=parent_of(earlier.result, kind, () if before is None else before.item_ids),
    )
    return Made(result=made.train(report), matrix=matrix, frozen=earlier.frozen)


def parent_of(result: Result, kind: str, item_ids: tuple[str, ...]) -> Parent:
    """What is recorded of the map that another one descends from."""
    return Parent(
        kind=kind,
        result_hash=result.hash,
        data_fingerprint=result.data_fingerprint,
        item_ids=item_ids,
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class Making:
    """One training to be done again; `stop_after` is its last step if it was stopped."""

    matrix: Matrix
    method: Method
    params: Params
    seed: int
    stop_after: int | None = None
    start: Floats | None = None
    parent: Parent | None = None

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
    """A file where it was, or else under its own name in a folder."""
    bare = folder / name.replace("\\", "/").rsplit("/", 1)[-1]
    return str(bare) if not Path(name).exists() and bare.exists() else name
