"""Problems of a table by the steps of its recipe."""

from __future__ import annotations

from ximstudio.model.problem import Problem
from ximstudio.session import Data


def problems_of_steps(data: Data) -> dict[int, tuple[Problem, ...]]:
    """Return the problems of each step that has any, by its number from 0."""
    found: dict[int, tuple[Problem, ...]] = {}
    for problem in data.problems:
        if problem.step is not None:
            number = problem.step.number - 1
            found[number] = (*found.get(number, ()), problem)
    return found
