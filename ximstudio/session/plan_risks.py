"""Risks of a plan, judged before it is trained."""

from __future__ import annotations

from dataclasses import dataclass

from ximstudio.model.matrix import Matrix
from ximstudio.model.problem import Problem
from ximstudio.session.plan import TrainingPlan
from ximstudio.train import problems
from ximstudio.train.checks import few_problems


@dataclass(frozen=True, kw_only=True, eq=False)
class CheckedPlan:
    """A plan for a table with its problems, found in the background."""

    matrix: Matrix
    plan: TrainingPlan
    problems: tuple[Problem, ...]


def checked(matrix: Matrix, plan: TrainingPlan) -> CheckedPlan:
    """Check a plan."""
    found = problems(matrix, plan.method, plan.params)
    return CheckedPlan(matrix=matrix, plan=plan, problems=(*found, *few_problems(matrix)))
