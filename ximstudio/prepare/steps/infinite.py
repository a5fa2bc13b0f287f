"""Replacement of infinite values by missing ones."""

from __future__ import annotations

import numpy as np

from ximstudio.model.arrays import Floats
from ximstudio.model.table import Table
from ximstudio.model.words import counted
from ximstudio.prepare.cells import n_cells, some_cells
from ximstudio.prepare.dense import each_value
from ximstudio.prepare.removal import note
from ximstudio.prepare.step import (
    Course,
    NoParams,
    Remembered,
    Step,
    StepGroup,
    StepResult,
    learn_nothing,
)


def _blanked(values: Floats) -> Floats:
    return np.where(np.isinf(values), np.nan, values)


def _apply(table: Table, params: NoParams, learnt: Remembered, course: Course) -> StepResult:  # noqa: ARG001
    count = n_cells(table, np.isinf)
    if not count:
        return StepResult(table=table)
    blanked = note(
        "blanked",
        f"{counted(count, 'infinite value')} became missing.",
        some_cells(table, np.isinf, count),
        "Nothing has to be done.",
    )
    return StepResult(table=each_value(table, _blanked), notes=(blanked,))


INFINITE = Step(
    key="infinite",
    name="Make infinite values missing",
    group=StepGroup.BLANKS,
    about="Infinite values, such as the logarithm of 0, count as missing from here on.",
    params=NoParams,
    sentence=lambda _, __: "Make infinite values missing.",
    learn=learn_nothing,
    apply=_apply,
    of_values=False,
)
