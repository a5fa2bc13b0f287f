"""A step with its parameters, as a recipe has it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from ximstudio.model.params import Params, known
from ximstudio.model.problem import Problem, UserError
from ximstudio.prepare.step import Group, Step
from ximstudio.prepare.steps import STEPS


@dataclass(frozen=True, kw_only=True)
class Planned:
    """A step with its parameters, as it stands in a recipe; one that is off is passed over."""

    step: Step
    params: Params
    on: bool = True

    @property
    def sentence(self) -> str:
        """What it does, with the actual values."""
        return self.step.sentence(self.params)

    def chooses(self, side: str) -> bool:
        """Whether it chooses which items, or features, of a table stay."""
        return self.step.group is Group.SELECTION and getattr(self.params, "axis", None) == side


def step_named(key: str) -> Step:
    """The step of this key; an unknown one is refused with a proposal."""
    known("step", key, [step.key for step in STEPS])
    return next(step for step in STEPS if step.key == key)


def planned(key: str, /, **parameters: Any) -> Planned:
    """The step of this key with these parameters; the rest keep their defaults."""
    step = step_named(key)
    return Planned(step=step, params=step.params.from_values(parameters))


def planned_of(entry: Any) -> Planned:
    """The step of plain values; what is none is refused."""
    form = {"step": str, "parameters": dict, "on": bool}
    right = isinstance(entry, dict) and {"step"} <= set(entry) <= set(form)
    if not right or any(not isinstance(value, form[name]) for name, value in entry.items()):
        raise UserError(
            key="recipe.entry",
            what="This is no step of a recipe.",
            where=repr(entry)[:100],
            way_out='Write {"step": "log2", "parameters": {"offset": 1}, "on": true}.',
        )
    ready = planned(entry["step"], **entry.get("parameters", {}))
    return replace(ready, on=entry.get("on", True))


def key_of(entry: Any) -> str:
    """What plain values call their step, whatever they are."""
    return str(entry.get("step", "?"))[:50] if isinstance(entry, dict) else "?"


def address(number: int, key: str) -> str:
    """Where in a recipe a step is, counted from 1."""
    return f"step {number} ({key})"


def within(problem: Problem, place: str) -> Problem:
    """The problem with the place it is in before its own address."""
    return replace(problem, where=f"{place}, {problem.where}")
