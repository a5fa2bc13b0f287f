"""A step with its parameters, as part of a recipe."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from ximstudio.model.params import Params
from ximstudio.model.problem import Problem, RecipeStep, UserError
from ximstudio.model.registry import named
from ximstudio.model.table import GENES, SAMPLES, opposite
from ximstudio.prepare.side_words import USUAL, SideWords
from ximstudio.prepare.specs import SideSpec
from ximstudio.prepare.step import Step, StepGroup
from ximstudio.prepare.steps import STEPS
from ximstudio.prepare.steps.orientation import ORIENTATION


@dataclass(frozen=True, kw_only=True)
class Planned:
    """A step with its parameters, as part of a recipe; skipped if it is off."""

    step: Step
    params: Params
    on: bool = True

    @property
    def sentence(self) -> str:
        """Description of the step with its values."""
        return self.said(USUAL)

    def said(self, words: SideWords) -> str:
        """Return the description with its values, in the words of a table."""
        return self.step.sentence(self.params, words)

    @property
    def exchanges(self) -> bool:
        """True if it exchanges items and features."""
        return self.on and self.step is ORIENTATION

    @property
    def names_sides(self) -> bool:
        """True if it concerns genes or samples alone."""
        return bool(sides_in(self.step))

    def at(self, genes: str) -> Planned:
        """Return the step for a table whose genes are its "items" or "features"."""
        places = {GENES: genes, SAMPLES: opposite(genes)}
        return self._with_sides(places)

    def bound(self, genes: str) -> Planned:
        """Return the step with its sides as "genes" and "samples", in either orientation."""
        return self._with_sides({genes: GENES, opposite(genes): SAMPLES})

    def _with_sides(self, names: Mapping[str, str]) -> Planned:
        given = {name: getattr(self.params, name) for name in sides_in(self.step)}
        changed = {name: names[side] for name, side in given.items() if side in names}
        return replace(self, params=self.params.replace(**changed)) if changed else self

    def chooses(self, side: str) -> bool:
        """Return whether it selects items, or features, of a table."""
        return self.step.group is StepGroup.SELECTION and getattr(self.params, "axis", None) == side


def sides_in(step: Step) -> tuple[str, ...]:
    """Return the parameters of a step that name a side of the table."""
    return tuple(name for name, spec in step.params.specs().items() if isinstance(spec, SideSpec))


def step_named(key: str) -> Step:
    """Return the step of this key; refuse an unknown one with a proposal."""
    return named("step", key, STEPS)


def planned(key: str, /, **parameters: Any) -> Planned:
    """Return the step of this key with these parameters; the rest keep their defaults."""
    step = step_named(key)
    return Planned(step=step, params=step.params.from_values(parameters))


def planned_of(entry: Any) -> Planned:
    """Build a step from plain values; refuse anything else."""
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
    """Return the key of the step in plain values of any form."""
    return str(entry.get("step", "?"))[:50] if isinstance(entry, dict) else "?"


def within(problem: Problem, number: int, key: str) -> Problem:
    """Return the problem as one of the step with this number, counted from 1."""
    return replace(problem, step=RecipeStep(number, key))
