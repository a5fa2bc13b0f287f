"""Assign problems to the steps of a recipe."""

from __future__ import annotations

from ximstudio.model.problem import Problem
from ximstudio.prepare.planned import address
from ximstudio.session import Data


def problems_of_steps(data: Data) -> dict[int, tuple[Problem, ...]]:
    """Map the number of a step, from 0, to the problems with its address."""
    found: dict[int, tuple[Problem, ...]] = {}
    for number, each in enumerate(data.input.recipe.steps):
        place = address(number + 1, each.step.key)
        mine = tuple(problem for problem in data.problems if problem.where.startswith(place))
        if mine:
            found[number] = mine
    return found


def address_within(problem: Problem, number: int, key: str) -> str:
    """Address of a problem within the table, without the step."""
    return problem.where.removeprefix(address(number + 1, key)).removeprefix(", ")
