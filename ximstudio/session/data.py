"""The table a person works on, from the file to what training sees."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from ximstudio.doctor import Finding, examine_input
from ximstudio.doctor.precedence import severest_first
from ximstudio.load import Reading, Report, silent
from ximstudio.load.sides import sided_again
from ximstudio.model.arrays import Floats
from ximstudio.model.matrix import Matrix
from ximstudio.model.problem import Problem, UserError
from ximstudio.model.table import Table
from ximstudio.prepare.input import Input, Labelled, Opened
from ximstudio.prepare.recipe import Recipe, Stage
from ximstudio.session.histograms import Change, change_of
from ximstudio.session.overview import Overview, overview_of


@dataclass(frozen=True, kw_only=True, eq=False)
class Data:
    """A table that was read, what is done to it, and what the doctor says.

    Parameters
    ----------
    input
        The file, the choices about it, joined files, and the recipe: all it takes to have it again.
    labelled
        The table as read.
    opened
        The table after the recipe; None if a step refused, and then `problems` says why.
    findings
        What the doctor finds in the table after the recipe; as read, if a step refused.
    problems
        Why the table cannot be trained on as it stands; empty if it can.
    """

    input: Input
    labelled: Labelled
    opened: Opened | None
    findings: tuple[Finding, ...]
    problems: tuple[Problem, ...] = ()

    @property
    def name(self) -> str:
        """What to call it: the file's name without its folders."""
        return self.labelled.table.source.replace("\\", "/").rsplit("/", 1)[-1]

    @property
    def table(self) -> Table:
        """The table that the doctor looked at: prepared, or as read if a step refused."""
        return self.labelled.table if self.opened is None else self.opened.prepared.table

    @property
    def stages(self) -> tuple[Stage, ...]:
        """What each step of the recipe did; none if one of them refused."""
        return () if self.opened is None else self.opened.prepared.stages

    @cached_property
    def overview(self) -> Overview:
        """The first things to know about the table."""
        return overview_of(self.table)

    @cached_property
    def changes(self) -> tuple[Change, ...]:
        """The values before and after each step."""
        return tuple(change_of(stage) for stage in self.stages)

    @cached_property
    def matrix(self) -> Matrix | None:
        """What training sees; None while something stands against it."""
        return None if self.opened is None or self.problems else self.opened.matrix

    @cached_property
    def memory(self) -> frozenset[int]:
        """Which arrays hold its values: as read, as prepared, and as training sees them.

        Other labels, or a recipe without steps, take no memory of their own.
        """
        seen = () if self.matrix is None else (self.matrix.values,)
        tables = (self.labelled.table, self.table)
        return frozenset(map(_owner, (*(table.stored for table in tables), *seen)))


def _owner(values: Floats) -> int:
    """The array whose memory these values lie in."""
    part = values
    while isinstance(part.base, np.ndarray):
        part = part.base
    return id(part)


def open_data(wanted: Input, report: Report = silent, *, reading: Reading | None = None) -> Data:
    """The table of an input; what cannot be read at all is refused.

    With a `reading` of the same file and choices, it is not read again.
    """
    if reading is None:
        labelled = wanted.read(lambda fraction: report(0.7 * fraction))
    else:
        labelled = wanted.labelled(sided_again(reading, wanted.choices))
    return _prepared(wanted, labelled, lambda fraction: report(0.7 + 0.3 * fraction))


def with_recipe(data: Data, recipe: Recipe, report: Report = silent) -> Data:
    """The same table after another recipe."""
    return _prepared(replace(data.input, recipe=recipe), data.labelled, report)


def prepared_like(present: Input, other: Input) -> Input | None:
    """The present input, read and prepared as another one of its table; None if it is of another.

    Files that were joined since stay joined: their labels would be lost.
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
    # From here on the recipe means genes and samples, whichever of them is mapped.
    wanted = wanted.bound(labelled.table)
    problems: tuple[Problem, ...] = ()
    opened = None
    try:
        opened = wanted.prepare(labelled, lambda fraction: report(0.5 * fraction))
        # Made here, in the worker, and kept: the window must not wait for it.
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
    # Made here for the same reason.
    _ = data.overview, data.changes
    return data
