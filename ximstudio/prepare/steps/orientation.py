"""Exchange of items and features."""

from __future__ import annotations

from ximstudio.model.table import Table
from ximstudio.prepare.step import (
    Course,
    NoParams,
    Remembered,
    Step,
    StepGroup,
    StepResult,
    learn_nothing,
)


def _apply(table: Table, params: NoParams, learnt: Remembered, course: Course) -> StepResult:  # noqa: ARG001
    return StepResult(table=table.transposed)


ORIENTATION = Step(
    key="orientation",
    name="Exchange items and features",
    group=StepGroup.NAMES,
    about="What were rows become columns: for tables with the genes where the samples should be.",
    params=NoParams,
    sentence=lambda _, __: "Exchange items and features.",
    learn=learn_nothing,
    apply=_apply,
    of_values=False,
)
