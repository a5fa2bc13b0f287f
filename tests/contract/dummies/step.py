"""Two steps of a recipe, added to their registry before anything else is imported."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ximstudio.model.table import Table
from ximstudio.prepare import steps
from ximstudio.prepare.step import NoParams, Step, StepGroup, StepResult, learn_nothing
from ximstudio.prepare.steps.choose import DROP


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
    value_by_value=True,
)
REMOVER = replace(
    DROP,
    key="dummy_remover",
    name="Send home",
    group=StepGroup.WEIGHTS,
    about="Removes by name, for a test.",
)

steps.STEPS = (*steps.STEPS, DUMMY, REMOVER)

# Every step has an example, which the contract asks for; the examples import the registry.
from tests.prepare import tables  # noqa: E402

tables.EXAMPLES[DUMMY.key] = ({},)
tables.EXAMPLES[REMOVER.key] = tables.EXAMPLES[DROP.key][:2]
tables.STAY_SPARSE.add(REMOVER.key)
tables.CASES += tuple(
    (step.key, example) for step in (DUMMY, REMOVER) for example in tables.EXAMPLES[step.key]
)
