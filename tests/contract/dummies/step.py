"""A step of a recipe, added to its registry before anything else is imported."""

from __future__ import annotations

from typing import Any

import numpy as np

from ximstudio.model.table import Table
from ximstudio.prepare import steps
from ximstudio.prepare.step import NoParams, Step, StepGroup, StepResult, learn_nothing


def _cube_root(table: Table, params: Any, learnt: Any, course: Any) -> StepResult:  # noqa: ARG001
    return StepResult(table=table.with_values(np.cbrt(table.dense)))


DUMMY = Step(
    key="dummy",
    name="Cube root",
    group=StepGroup.WEIGHTS,
    about="Takes the cube root, for a test.",
    params=NoParams,
    sentence=lambda _, __: "Compress all values to their cube roots.",
    learn=learn_nothing,
    apply=_cube_root,
    values="cube-root {}",
)

steps.STEPS = (*steps.STEPS, DUMMY)

# Every step has an example, which the contract asks for; the examples import the registry.
from tests.prepare import tables  # noqa: E402

tables.EXAMPLES[DUMMY.key] = ({},)
tables.CASES = (*tables.CASES, (DUMMY.key, {}))
