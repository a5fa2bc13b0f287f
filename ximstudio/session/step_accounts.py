"""Describe each step of a recipe in the words of the table: its effect and its problems. No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ximstudio.model.problem import Problem
from ximstudio.model.words import counted, grouped
from ximstudio.prepare.planned import Planned
from ximstudio.prepare.stage import Stage
from ximstudio.session import Data
from ximstudio.session.data import Change
from ximstudio.session.words import Words

IDLE = "prepare.does_nothing"
"""Key of the note that a step had no effect, which the closed card shows, too."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Account:
    """One step of a recipe and its effect.

    Parameters
    ----------
    number
        Its place in the recipe, from 0.
    planned
        The step with its parameters.
    words
        Words for one item and one feature at this step.
    stage, change
        Its effect; None before it is computed, or if the step is off.
    problems
        Reasons for a refusal.
    """

    number: int
    planned: Planned
    words: Words
    stage: Stage | None = None
    change: Change | None = None
    problems: tuple[Problem, ...] = ()

    @property
    def summary(self) -> str:
        """Change of the table in one line; empty if its size is the same."""
        stage = self.stage
        if stage is None:
            return ""
        words = self.words
        removed = ((stage.removed_items, words.item), (stage.removed_features, words.feature))
        parts = [f"{counted(len(names), word)} removed" for names, word in removed if names]
        before = (stage.before.n_items, stage.before.n_features)
        after = (stage.after.n_items, stage.after.n_features)
        if before != after and not parts:
            parts.append(f"{_size(before)} → {_size(after)}")
        parts += [note.what for note in stage.notes if note.key == IDLE]
        return ", ".join(parts)

    @property
    def values_changed(self) -> bool:
        """True if the histograms differ."""
        change = self.change
        return change is not None and not (
            np.array_equal(change.before.edges, change.after.edges)
            and np.array_equal(change.before.counts, change.after.counts)
        )


def accounts_of(steps: Sequence[Planned], data: Data) -> tuple[Account, ...]:
    """Describe every step that is wanted, as far as the prepared table has its effect."""
    known = data.input.recipe.steps
    problems = problems_of_steps(data)
    found = []
    for number, planned in enumerate(steps):
        same = number < len(known) and known[number] == planned
        done = same and planned.on and number < len(data.stages)
        found.append(
            Account(
                number=number,
                planned=planned,
                words=words_at(steps, number, data),
                stage=data.stages[number] if done else None,
                change=data.changes[number] if done else None,
                problems=problems.get(number, ()) if same else (),
            )
        )
    return tuple(found)


def words_at(steps: Sequence[Planned], number: int, data: Data) -> Words:
    """Words for items and features before a step, as steps may exchange the sides."""
    words = Words.of(data)
    seen = data.input.recipe.steps if data.opened is not None else ()
    at_end = sum(each.exchanges for each in seen)
    before = sum(each.exchanges for each in steps[:number])
    return words if (at_end - before) % 2 == 0 else words.exchanged


def _size(shape: tuple[int, int]) -> str:
    return f"{grouped(shape[0])} × {grouped(shape[1])}"


def problems_of_steps(data: Data) -> dict[int, tuple[Problem, ...]]:
    """Return the problems of each step that has any, by its number from 0."""
    found: dict[int, tuple[Problem, ...]] = {}
    for problem in data.problems:
        if problem.step is not None:
            number = problem.step.number - 1
            found[number] = (*found.get(number, ()), problem)
    return found
