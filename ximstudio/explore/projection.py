"""New items on a trained map: prepared as its items were, placed, and told how strange they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ximstudio.explore.novelty import TOLERANCE, item_errors, usual_of
from ximstudio.load import Choices, Report, silent
from ximstudio.model.arrays import Bools, Floats, Ints
from ximstudio.model.arrays import frozen as frozen_array
from ximstudio.model.directions import directions, without_direction
from ximstudio.model.matrix import Matrix, some_of
from ximstudio.model.metric import CENTRED, metric_of
from ximstudio.model.params import Params
from ximstudio.model.problem import Problem, Severity, UserError
from ximstudio.model.result import Result
from ximstudio.model.table import Axis, Table
from ximstudio.model.words import counted, grouped, plural
from ximstudio.place import place_in_metric
from ximstudio.prepare.input import Input
from ximstudio.prepare.matching import MOST_ABSENT
from ximstudio.prepare.recipe import Frozen, Recipe
from ximstudio.prepare.step import other


@dataclass(frozen=True, kw_only=True, eq=False)
class ProjectedItems:
    """New items on a trained map; all arrays have one entry per item.

    Parameters
    ----------
    matrix
        The new items as the map's recipe leaves them, with the features of the map.
    positions, winners
        Where they lie, and on which node; no winners on maps without nodes.
    errors
        Distances from the winners' prototypes; on maps without nodes, from the nearest item that
        the map was trained on.
    novelty, percentiles
        How strange they are (see `explore.novelty`): above 1 is unusual. And how many per cent of
        the training items are less strange.
    strange
        Which do not belong: their novelty is above the tolerance.
    known
        Items whose id is among those that the map was trained on.
    absent, extra
        Features of the map's table that the new one has not, and the other way round.
    unplaced
        Items that have no place: nothing is known of them, or nothing that the metric can compare.
    notes
        All this as messages, and what the recipe has to say.
    """

    matrix: Matrix
    positions: Floats
    winners: Ints | None
    errors: Floats
    novelty: Floats
    percentiles: Floats
    strange: Bools
    known: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()
    unplaced: tuple[str, ...] = ()
    notes: tuple[Problem, ...] = ()

    @property
    def ids(self) -> tuple[str, ...]:
        return self.matrix.item_ids

    def __len__(self) -> int:
        return len(self.ids)


def input_like(trained: Input, name: str) -> Input:
    """A second file, to be read the way round in which the first was; the rest is found out."""
    return Input(name=name, choices=Choices(items=trained.choices.items))


def frozen_of(trained: Input, report: Report = silent) -> Frozen | None:
    """What the steps of a run's recipe learnt; None if it had none. Its table is read again."""
    if trained.frozen is None and not trained.recipe.steps:
        return None
    return trained.open(report).prepared.frozen


def project_items(
    result: Result,
    matrix: Matrix,
    table: Table,
    *,
    frozen: Frozen | None = None,
    tolerance: float = TOLERANCE,
    report: Report = silent,
) -> ProjectedItems:
    """The items of another table on a trained map.

    Features are matched by name in whatever order. Those that are absent count as blanks, up to
    half of them; more are refused. Steps that choose items are passed over: every new item gets a
    place.

    Parameters
    ----------
    matrix
        What the map was trained on.
    table
        The new items as they were read. If the features are on its other side, it is turned.
    frozen
        What the steps of the map's recipe learnt; None if it had none.
    tolerance
        The novelty above which an item does not belong.
    """
    frozen = _without_steps(matrix) if frozen is None else frozen
    table, turned = _right_way_round(table, frozen)
    side = other(frozen.recipe.grows)
    absent, extra = _differences(table.axis(side).names, frozen.start.names)
    _refuse_too_few(absent, result, table.source)
    prepared = frozen.apply(table, lambda share: report(0.5 * share), every_item=True)
    new = _with_map_features(prepared.table.matrix(), result)
    placed_rows, seen = _placeable(new, result.params)
    unplaced = tuple(new.item_ids[row] for row in np.flatnonzero(~placed_rows))
    if not placed_rows.any():
        raise UserError.of([replace(_unplaced(unplaced, new), severity=Severity.ERROR)])
    new = new if placed_rows.all() else new.items(np.flatnonzero(placed_rows))
    placed = place_in_metric(result.model, seen, result.params)
    report(0.7)
    errors = item_errors(result, matrix, seen, placed.winners)
    usual = usual_of(result, matrix)
    novelty = usual.novelty(errors, seen)
    there = set(result.item_ids)
    known = tuple(name for name in new.item_ids if name in there)
    notes = [*turned, *prepared.notes]
    notes += [_unplaced(unplaced, new)] if unplaced else []
    notes += [_known(known, new)] if known else []
    report(1.0)
    return ProjectedItems(
        matrix=new,
        positions=frozen_array(placed.positions),
        winners=None if placed.winners is None else frozen_array(placed.winners),
        errors=frozen_array(errors),
        novelty=frozen_array(novelty),
        percentiles=frozen_array(usual.percentiles(novelty)),
        strange=frozen_array(novelty > tolerance),
        known=known,
        absent=absent,
        extra=extra,
        unplaced=unplaced,
        notes=tuple(notes),
    )


def _without_steps(matrix: Matrix) -> Frozen:
    """The recipe of a table that was trained on as it was read."""
    start = Axis(names=matrix.feature_names, labels=matrix.feature_labels, kind=matrix.feature_kind)
    return Frozen(recipe=Recipe(), remembered=(), start=start)


def _right_way_round(table: Table, frozen: Frozen) -> tuple[Table, list[Problem]]:
    """The table with its features where the first had them; a note if it had to be turned."""
    side = other(frozen.recipe.grows)
    here, there = (
        len(set(frozen.start.names) & set(table.axis(each).names)) for each in (side, other(side))
    )
    enough = (1.0 - MOST_ABSENT) * len(frozen.start)
    if here >= enough or there < enough:
        return table, []
    return table.transposed, [
        _note(
            "turned",
            "Rows and columns were exchanged: the names of the map's table are on the other side.",
            table.source,
            "Nothing has to be done, unless items and features have the same names.",
        )
    ]


def _differences(
    names: Sequence[str], wanted: Sequence[str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The wanted names that are absent, and the names that nobody wants."""
    here, there = set(names), set(wanted)
    absent = tuple(name for name in dict.fromkeys(wanted) if name not in here)
    return absent, tuple(name for name in dict.fromkeys(names) if name not in there)


def _refuse_too_few(absent: Sequence[str], result: Result, source: str) -> None:
    """Refuse data without most of the features that the map itself has, whoever else is there."""
    lacking = set(absent) & set(result.feature_names)
    n_all = len(result.feature_names)
    if len(lacking) <= MOST_ABSENT * n_all:
        return
    names = [f"'{name}'" for name in result.feature_names if name in lacking]
    raise UserError(
        key="newcomers.other_features",
        what=f"{grouped(len(lacking))} of the {counted(n_all, 'feature')} of the map"
        f" {plural(len(lacking), 'is', 'are')} not in these data.",
        where=f"{source}: {some_of(names)}",
        way_out="Give items with the features that the map was trained on, under the same names.",
    )


def _with_map_features(new: Matrix, result: Result) -> Matrix:
    """The new items with the features of the map, in its order."""
    if new.feature_names == result.feature_names:
        return new
    columns = {name: number for number, name in enumerate(new.feature_names)}
    lacking = [name for name in result.feature_names if name not in columns]
    if lacking:
        raise UserError(
            key="newcomers.other_recipe",
            what="What was learnt while the map's table was prepared leads to other features.",
            where=f"{new.source}: {some_of(lacking)}",
            way_out="Take the recipe that the map was trained with.",
        )
    order = [columns[name] for name in result.feature_names]
    return Matrix(
        values=new.values[:, order],
        item_ids=new.item_ids,
        feature_names=result.feature_names,
        item_labels=new.item_labels,
        feature_labels={
            label: tuple(texts[column] for column in order)
            for label, texts in new.feature_labels.items()
        },
        source=new.source,
        item_kind=new.item_kind,
        feature_kind=new.feature_kind,
    )


def _placeable(new: Matrix, params: Params) -> tuple[Bools, Floats]:
    """Which items can have a place, and those as the metric sees them."""
    metric = metric_of(params)
    seen = directions(new.values, centred=CENTRED[metric]) if metric in CENTRED else new.values
    can = ~without_direction(seen)
    return can, seen if can.all() else seen[can]


def _unplaced(names: Sequence[str], new: Matrix) -> Problem:
    return _note(
        "unplaced",
        f"{counted(len(names), 'item has', 'items have')} no place on the map: nothing is known of"
        f" {plural(len(names), 'it', 'them')}, or nothing that can be compared.",
        f"{new.source}: {some_of([repr(name) for name in names])}",
        "Look at their values: they are blank, or all the same.",
    )


def _known(names: Sequence[str], new: Matrix) -> Problem:
    return _note(
        "known",
        f"{counted(len(names), 'item has', 'items have')} the name of an item that the map was"
        " trained on.",
        f"{new.source}: {some_of([repr(name) for name in names])}",
        "Nothing has to be done if they are the same; rename them in the file if not.",
    )


def _note(key: str, what: str, where: str, way_out: str) -> Problem:
    return Problem(
        key=f"newcomers.{key}", what=what, where=where, way_out=way_out, severity=Severity.WARNING
    )
