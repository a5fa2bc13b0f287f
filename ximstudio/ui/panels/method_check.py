"""What can be said about a plan before it is trained: risks, and a size for the map."""

from __future__ import annotations

from dataclasses import dataclass

from ximstudio.model.matrix import Matrix
from ximstudio.model.problem import Problem
from ximstudio.session.map_size import spread_of, suggested_shape
from ximstudio.session.plan import Plan
from ximstudio.train import problems


@dataclass(frozen=True, kw_only=True, eq=False)
class Checked:
    """A plan on a table, judged in the lane."""

    matrix: Matrix
    plan: Plan
    problems: tuple[Problem, ...]
    shape: tuple[int, int]
    """The map size that suits the table."""


def checked(matrix: Matrix, plan: Plan, before: Checked | None) -> Checked:
    """Judge a plan; the size is taken from the judgement before if that was of the same table."""
    known = before is not None and before.matrix is matrix
    found = tuple(problems(matrix, plan.method, plan.params))
    if known and before is not None:
        shape = before.shape
    elif matrix.n_items < 3:
        shape = suggested_shape(matrix.n_items)
    else:
        shape = suggested_shape(matrix.n_items, spread=spread_of(matrix))
    return Checked(matrix=matrix, plan=plan, problems=found, shape=shape)
