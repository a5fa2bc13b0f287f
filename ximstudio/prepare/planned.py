"""A step with its parameters, as a recipe has it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from ximstudio.model.params import Params, known
from ximstudio.model.problem import Problem, UserError
from ximstudio.model.table import GENES, SAMPLES, opposite
from ximstudio.prepare.side_words import USUAL, SideWords
from ximstudio.prepare.specs import Side
from ximstudio.prepare.step import Group, Step
from ximstudio.prepare.steps import STEPS
from ximstudio.prepare.steps.orientation import ORIENTATION


@dataclass(frozen=True, kw_only=True)
class Planned:
    """A step with its parameters, as it stands in a recipe; one that is off is passed over."""

    step: Step
    params: Params
    on: bool = True

    @property
    def sentence(self) -> str:
        """What it does, with the actual values."""
        return self.said(USUAL)

    def said(self, words: SideWords) -> str:
        """What it does, with the actual values and in the words of a table."""
        return self.step.sentence(self.params, words)

    @property
    def exchanges(self) -> bool:
        """Whether items and features are exchanged by it."""
        return self.on and self.step is ORIENTATION

    @property
    def names_sides(self) -> bool:
        """Whether it is about genes, or samples, alone."""
        return bool(sides_in(self.step))

    def at(self, genes: str) -> Planned:
        """The step for a table whose genes are its "items", or "features": sides say where."""
        places = {GENES: genes, SAMPLES: opposite(genes)}
        return self._with_sides(places)

    def bound(self, genes: str) -> Planned:
        """The step with its sides as "genes" and "samples", whatever side these are on now."""
        return self._with_sides({genes: GENES, opposite(genes): SAMPLES})

    def _with_sides(self, names: Mapping[str, str]) -> Planned:
        given = {name: getattr(self.params, name) for name in sides_in(self.step)}
        changed = {name: names[side] for name, side in given.items() if side in names}
        return replace(self, params=self.params.replace(**changed)) if changed else self

    def chooses(self, side: str) -> bool:
        """Whether it chooses which items, or features, of a table stay."""
        return self.step.group is Group.SELECTION and getattr(self.params, "axis", None) == side


def sides_in(step: Step) -> tuple[str, ...]:
    """The parameters of a step that name a side of the table."""
    return tuple(name for name, spec in step.params.specs().items() if isinstance(spec, Side))


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
