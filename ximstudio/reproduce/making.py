"""Functions to get from a file to a map in a few calls, used in scripts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ximstudio.explore.remake import FurtherTable, MapTraining, initial_prototypes, matrix_again
from ximstudio.load import Choices, Report, silent
from ximstudio.model.matrix import Matrix
from ximstudio.model.method_params import MethodParams
from ximstudio.model.parent import CONTINUED, CONTINUED_AGAIN, CONTINUED_ALONE, PART, Parent
from ximstudio.model.result import Result
from ximstudio.prepare.input import Input, Joining, Labelled, Opened
from ximstudio.prepare.recipe import Frozen, Planned, Recipe, planned
from ximstudio.train import Method, method_named
from ximstudio.train.part import chosen_rows


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
    made = MapTraining(
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
    # In the order of the map, as its table has them.
    rows = chosen_rows(earlier.result, items=items)
    parent = _parent(earlier, PART, folder, tuple(earlier.result.item_ids[row] for row in rows))
    return _descended(earlier, parent, way, params, seed=seed, stop_after=stop_after, report=report)


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
    kind, further = CONTINUED_AGAIN, None
    if table is not None:
        kind = CONTINUED_ALONE if alone else CONTINUED
        now = table.matrix if folder is None else None
        further = FurtherTable(table=table.labelled.table, matrix=now)
    return _descended(
        earlier,
        _parent(earlier, kind, folder),
        way,
        params,
        seed=seed,
        stop_after=stop_after,
        report=report,
        further=further,
    )


def _descended(
    earlier: Made,
    parent: Parent,
    method: Method,
    params: MethodParams,
    *,
    seed: int,
    stop_after: int | None,
    report: Report,
    further: FurtherTable | None = None,
) -> Made:
    """Train a map that descends from another."""
    matrix, start = matrix_again(parent, earlier, further), None
    if params.takes_prototypes:
        start = initial_prototypes(params, matrix, earlier.result, parent)
    training = MapTraining(
        matrix=matrix,
        method=method,
        params=params,
        seed=seed,
        stop_after=stop_after,
        start=start,
        parent=parent,
    )
    return Made(result=training.train(report), matrix=matrix, frozen=earlier.frozen)


def _parent(
    earlier: Made, kind: str, folder: str | None, items: tuple[str, ...] | None = None
) -> Parent:
    result = earlier.result
    before = () if result.parent is None else result.parent.item_ids
    return Parent(
        kind=kind,
        result_hash=result.hash,
        data_fingerprint=result.data_fingerprint,
        item_ids=before if items is None else items,
        folder=folder,
    )


def beside(name: str, folder: Path) -> str:
    """Return a file at its place, or under its own name in a folder."""
    bare = folder / name.replace("\\", "/").rsplit("/", 1)[-1]
    return str(bare) if not Path(name).exists() and bare.exists() else name
