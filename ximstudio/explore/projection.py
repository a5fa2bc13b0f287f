"""Project new items onto a trained map: prepare them like its items, place them, rate novelty."""

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
from ximstudio.place.items import place_in_metric
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
        The new items after the map's recipe, with the features of the map.
    positions, winners
        Positions and nodes; no winners on maps without nodes.
    errors
        Distances from the winners' prototypes; on maps without nodes, from the nearest item that
        the map was trained on.
    novelty, percentiles
        Novelty (see `explore.novelty`; above 1 is unusual), and the percentage of the training
        items that are less novel.
    strange
        Whether each does not belong: its novelty is above the tolerance.
    known
        Items whose id is among those that the map was trained on.
    absent, extra
        Features that only the map's table has, and those that only the new one has.
    unplaced
        Items without a position: all values are missing, or the metric cannot compare them.
    notes
        All this as messages, and the notes of the recipe.
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
    """Describe a second file, to be read in the same orientation as the first."""
    return Input(name=name, choices=Choices(items=trained.choices.items))


def frozen_of(trained: Input, report: Report = silent) -> Frozen | None:
    """Read the table of a run again for the learned values of its recipe; None without steps."""
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
    """Place the items of another table on a trained map.

    Features are matched by name, in any order. Absent ones count as missing values, up to half of
    them; more are refused. Steps that select items are skipped: every new item gets a position.

    Parameters
    ----------
    matrix
        The matrix that the map was trained on.
    table
        The new items as read. If the features are on its other side, it is transposed.
    frozen
        Learned values of the map's recipe; None without steps.
    tolerance
        The novelty above which an item does not belong to the map.
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
    """Transpose the table, with a note, if its features are on the other side than the map's."""
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
    """The wanted names that are absent, and the names that are not wanted."""
    here, there = set(names), set(wanted)
    absent = tuple(name for name in dict.fromkeys(wanted) if name not in here)
    return absent, tuple(name for name in dict.fromkeys(names) if name not in there)


def _refuse_too_few(absent: Sequence[str], result: Result, source: str) -> None:
    """Refuse data without most of the features of the map."""
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
        way_out="Use items with the features that the map was trained on, under the same names.",
    )


def _with_map_features(new: Matrix, result: Result) -> Matrix:
    """Return the new items with the features of the map, in its order."""
    if new.feature_names == result.feature_names:
        return new
    columns = {name: number for number, name in enumerate(new.feature_names)}
    lacking = [name for name in result.feature_names if name not in columns]
    if lacking:
        raise UserError(
            key="newcomers.other_recipe",
            what="The recipe of the map gives other features for this table.",
            where=f"{new.source}: {some_of(lacking)}",
            way_out="Use the recipe that the map was trained with.",
        )
    order = [columns[name] for name in result.feature_names]
    return replace(
        new,
        values=new.values[:, order],
        feature_names=result.feature_names,
        feature_labels={
            label: tuple(texts[column] for column in order)
            for label, texts in new.feature_labels.items()
        },
    )


def _placeable(new: Matrix, params: Params) -> tuple[Bools, Floats]:
    """Find the items that can have a position, and their values in the map's metric."""
    metric = metric_of(params)
    seen = directions(new.values, centred=CENTRED[metric]) if metric in CENTRED else new.values
    can = ~without_direction(seen)
    return can, seen if can.all() else seen[can]


def _unplaced(names: Sequence[str], new: Matrix) -> Problem:
    return _note(
        "unplaced",
        f"{counted(len(names), 'item has', 'items have')} no position on the map: all values are"
        " missing or cannot be compared.",
        f"{new.source}: {some_of([repr(name) for name in names])}",
        "Check their values: they are missing, or all the same.",
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
