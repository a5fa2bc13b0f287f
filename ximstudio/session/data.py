"""The user's table, from the file to the matrix that is trained on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ximstudio.doctor import Finding, examine_input
from ximstudio.doctor.sequence import severest_first
from ximstudio.load import Reading, Report, silent
from ximstudio.load.sides import sided_again
from ximstudio.model.arrays import Floats
from ximstudio.model.matrix import Matrix
from ximstudio.model.problem import Problem, UserError
from ximstudio.model.table import Table
from ximstudio.prepare.input import Input, Labelled, Opened
from ximstudio.prepare.recipe import Recipe
from ximstudio.prepare.stage import Stage
from ximstudio.prepare.statistics import TableStatistics, shared_edges
from ximstudio.session.words import Overview, overview_of

N_BINS = 40

ALIKE = 0.2
"""Two ranges of values share bins if the narrower one covers at least this share of their union."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Histogram:
    """Counts of values between edges."""

    edges: Floats
    counts: Floats


@dataclass(frozen=True, kw_only=True, eq=False)
class Change:
    """Histograms before and after a step, with the same edges if the ranges are similar."""

    before: Histogram
    after: Histogram


def change_of(stage: Stage) -> Change:
    """Compute the histograms of a step."""
    before, after = stage.before, stage.after
    if _alike(before, after):
        edges = shared_edges((before, after), N_BINS)
        return Change(before=_with(before, edges), after=_with(after, edges))
    return Change(
        before=_with(before, shared_edges((before,), N_BINS)),
        after=_with(after, shared_edges((after,), N_BINS)),
    )


def _with(statistics: TableStatistics, edges: Floats) -> Histogram:
    return Histogram(edges=edges, counts=statistics.histogram(edges))


def _alike(before: TableStatistics, after: TableStatistics) -> bool:
    if not before.n_finite or not after.n_finite:
        return True
    widths = sorted(each.maximum - each.minimum for each in (before, after))
    together = max(before.maximum, after.maximum) - min(before.minimum, after.minimum)
    return widths[0] >= ALIKE * together


@dataclass(frozen=True, kw_only=True, eq=False)
class Data:
    """A table as read, its preparation, and the findings of the data doctor.

    Parameters
    ----------
    input
        The file, its reading options, joined files and the recipe: all that reproduces the table.
    labelled
        The table as read.
    opened
        The table after the recipe; None if a step refused, for the reasons in `problems`.
    findings
        Findings of the doctor in the table after the recipe; in the table as read, if a step
        refused.
    problems
        Reasons why the table cannot be trained on as it is; empty if it can.
    """

    input: Input
    labelled: Labelled
    opened: Opened | None
    findings: tuple[Finding, ...]
    problems: tuple[Problem, ...] = ()

    @property
    def name(self) -> str:
        """Display name: the file's name without its folders."""
        return self.labelled.table.source.replace("\\", "/").rsplit("/", 1)[-1]

    @property
    def table(self) -> Table:
        """The table that the doctor examined: prepared, or as read if a step refused."""
        return self.labelled.table if self.opened is None else self.opened.prepared.table

    @property
    def stages(self) -> tuple[Stage, ...]:
        """Effects of the recipe's steps; empty if one of them refused."""
        return () if self.opened is None else self.opened.prepared.stages

    @cached_property
    def overview(self) -> Overview:
        """Counts and words for the table."""
        return overview_of(self.table)

    @cached_property
    def changes(self) -> tuple[Change, ...]:
        """Histograms of the values before and after each step."""
        return tuple(change_of(stage) for stage in self.stages)

    @cached_property
    def matrix(self) -> Matrix | None:
        """The matrix to train on; None while there are `problems`."""
        return None if self.opened is None or self.problems else self.opened.matrix

    @cached_property
    def memory(self) -> frozenset[int]:
        """Ids of the arrays that hold its values: as read, as prepared, and as trained on.

        Other labels, or a recipe without steps, take no memory of their own.
        """
        seen = () if self.matrix is None else (self.matrix.values,)
        arrays = (self.labelled.table.stored, self.table.stored, *seen)
        return frozenset(id(owner_of(values)) for values in arrays)


def owner_of(array: NDArray[Any]) -> NDArray[Any]:
    """Find the array whose memory this one shows."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


def open_data(wanted: Input, report: Report = silent, *, reading: Reading | None = None) -> Data:
    """Read and prepare the table of an input; raise UserError if it cannot be read at all.

    With a `reading` of the same file and choices, it is not read again.
    """
    if reading is None:
        labelled = wanted.read(lambda fraction: report(0.7 * fraction))
    else:
        labelled = wanted.labelled(sided_again(reading, wanted.choices))
    return _prepared(wanted, labelled, lambda fraction: report(0.7 + 0.3 * fraction))


def with_recipe(data: Data, recipe: Recipe, report: Report = silent) -> Data:
    """Prepare the same table by another recipe."""
    return _prepared(replace(data.input, recipe=recipe), data.labelled, report)


def prepared_like(present: Input, other: Input) -> Input | None:
    """Return the present input with the options and recipe of another one; None for another table.

    Files joined since then stay joined, as their labels would be lost otherwise.
    """
    if Path(present.name).name != Path(other.name).name:
        return None
    joined = {joining.name for joining in present.joinings}
    added = tuple(joining for joining in other.joinings if joining.name not in joined)
    return replace(
        present,
        choices=other.choices,
        joinings=(*present.joinings, *added),
        frozen=other.frozen,
        recipe=other.recipe,
    )


def _prepared(wanted: Input, labelled: Labelled, report: Report) -> Data:
    # From here on the recipe refers to genes and samples, whichever of them is mapped.
    wanted = wanted.bound(labelled.table)
    problems: tuple[Problem, ...] = ()
    opened = None
    try:
        opened = wanted.prepare(labelled, lambda fraction: report(0.5 * fraction))
        # Computed here, in the worker, and cached: the window must not wait for it.
        matrix = opened.matrix
        report(0.5)
        _ = matrix.fingerprint
    except UserError as error:
        problems = error.problems
    table = labelled.table if opened is None else opened.prepared.table
    found = examine_input(wanted, labelled, table, lambda fraction: report(0.5 + 0.5 * fraction))
    findings = severest_first(found, wanted, labelled, table, report)
    data = Data(
        input=wanted, labelled=labelled, opened=opened, findings=findings, problems=problems
    )
    # Cached for the same reason.
    _ = data.overview, data.changes
    return data
