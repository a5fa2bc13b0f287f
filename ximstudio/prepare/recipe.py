"""Recipes: lists of steps that can be saved, applied, and repeated on other data."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ximstudio.files.atomic import json_bytes
from ximstudio.files.bounded import UnsuitableFileError, parse_json, read_bounded
from ximstudio.load.reading import Report, silent
from ximstudio.load.sides import genes_of
from ximstudio.model.arrays import frozen as frozen_array
from ximstudio.model.problem import Problem, Severity, UserError
from ximstudio.model.table import FEATURES, GENES, ITEMS, SAMPLES, Axis, Table
from ximstudio.model.words import counted
from ximstudio.prepare import memory
from ximstudio.prepare.matching import matched
from ximstudio.prepare.old_recipes import migrated
from ximstudio.prepare.planned import (
    Planned,
    key_of,
    planned,
    planned_of,
    step_named,
    within,
)
from ximstudio.prepare.stage import Stage, stage_of
from ximstudio.prepare.statistics import TableStatistics
from ximstudio.prepare.step import NOTHING, Course, Remembered, StepResult, other

__all__ = [
    "Frozen",
    "Planned",
    "Prepared",
    "Recipe",
    "Stage",
    "planned",
    "read_recipe",
    "step_named",
    "write_recipe",
]

SCHEMA = 2
"""The newest schema of a saved recipe that is understood; `old_recipes` reads older ones."""

LARGEST = 256 * 1024 * 1024
"""Size in bytes beyond which a file is no recipe."""


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """Steps in the order of their application."""

    steps: tuple[Planned, ...] = ()

    @classmethod
    def of(cls, *steps: Planned) -> Recipe:
        """Return the recipe of these steps."""
        return cls(steps=steps)

    def as_values(self) -> dict[str, Any]:
        """Return plain values for JSON; `from_values` reads them back."""
        return {
            "schema": SCHEMA,
            "steps": [
                {"step": each.step.key, "parameters": each.params.as_values(), "on": each.on}
                for each in self.steps
            ],
        }

    @classmethod
    def from_values(cls, values: Any, *, where: str = "recipe") -> Recipe:
        """Build the recipe from plain values; report all problems together."""
        steps = []
        problems: list[Problem] = []
        for number, entry in enumerate(_entries(values, where), start=1):
            try:
                steps.append(planned_of(migrated(entry, values["schema"])))
            except UserError as error:
                found = (within(each, number, key_of(entry)) for each in error.problems)
                problems += [replace(each, where=f"{each.where}, {where}") for each in found]
        if problems:
            raise UserError.of(problems)
        return cls(steps=tuple(steps))

    def as_text(self) -> str:
        """Return JSON for a file or the clipboard; `from_text` reads it back."""
        return json.dumps(self.as_values(), ensure_ascii=False, indent=2) + "\n"

    @classmethod
    def from_text(cls, text: str, *, where: str = "recipe") -> Recipe:
        """Parse the recipe in a text."""
        try:
            values = parse_json(text)
        except json.JSONDecodeError as error:
            raise _no_recipe(f"{where}, line {error.lineno}", error.msg) from None
        except ValueError as error:
            raise _no_recipe(where, str(error)) from None
        return cls.from_values(values, where=where)

    def prepare(self, table: Table, report: Report = silent) -> Prepared:
        """Apply all steps; return the table, their reports, and what to keep for other data."""
        remembered: list[Remembered] = [NOTHING] * len(self.steps)

        def do(number: int, each: Planned, table: Table, course: Course) -> StepResult:
            remembered[number] = _kept(each.step.learn(table, each.params, course))
            return each.step.apply(table, each.params, remembered[number], course)

        _refuse_empty(table)
        genes = genes_of(table)
        recipe = self.bound(genes)
        found, stages = recipe._carried_out(table, genes, do, report)
        stays = other(self.grows)
        start = replace(table.axis(stays), side=GENES if stays == genes else SAMPLES)
        frozen = Frozen(recipe=recipe, remembered=tuple(remembered), start=start)
        return Prepared(table=found, stages=stages, frozen=frozen)

    def bound(self, genes: str) -> Recipe:
        """Return the recipe with all sides as "genes" and "samples".

        Items and features in the recipe are those of a table whose genes are its "items", or
        "features", at the start.
        """
        steps = []
        for each in self.steps:
            steps.append(each.bound(genes))
            genes = other(genes) if each.exchanges else genes
        return self if tuple(steps) == self.steps else Recipe(steps=tuple(steps))

    def _carried_out(
        self,
        table: Table,
        genes: str,
        do: Callable[[int, Planned, Table, Course], StepResult],
        report: Report,
    ) -> tuple[Table, tuple[Stage, ...]]:
        """Return the table after all steps as `do` performs them, and the report of each step."""
        stages = []
        grows = self.grows
        before = after = None
        for number, each in enumerate(self.steps):
            begun, done = (partial(report, (number + i) / len(self.steps)) for i in (0, 1))
            begun()
            before = after = before or TableStatistics.of(table, begun)
            applied = StepResult(table=table)
            if each.on:
                progress = _share(report, number, len(self.steps))
                with _at_step(number, each):
                    course = Course(grows=grows, report=progress)
                    applied = do(number, each.at(genes), table, course)
                after = TableStatistics.of(applied.table, done)
                if each.exchanges:
                    grows, genes = other(grows), other(genes)
            stages.append(stage_of(number, each, before, after, applied))
            table, before = applied.table, after
        report(1.0)
        return table, tuple(stages)

    @property
    def grows(self) -> str:
        """The side along which new data differ: the one that ends up as items."""
        exchanges = sum(each.exchanges for each in self.steps)
        return FEATURES if exchanges % 2 else ITEMS


@dataclass(frozen=True, kw_only=True, eq=False)
class Prepared:
    """A table after the steps of a recipe, with one stage per step, also for skipped ones."""

    table: Table
    stages: tuple[Stage, ...]
    frozen: Frozen
    matching: tuple[Problem, ...] = ()
    """Notes on matching new data to the first; empty for the first."""

    @property
    def notes(self) -> tuple[Problem, ...]:
        """All notes, in the order of the steps."""
        return (*self.matching, *(note for stage in self.stages for note in stage.notes))


@dataclass(frozen=True, kw_only=True, eq=False)
class Frozen:
    """A recipe with what it learnt from its table, which repeats exactly the same on other data.

    Parameters
    ----------
    recipe
        The steps.
    remembered
        Learnt values of each step.
    start
        The side of the first table that other data must have too: its features, or its items if the
        recipe exchanges the two. Names are matched in any order.
    origin
        The file it was read from; empty if it was not.
    """

    recipe: Recipe
    remembered: tuple[Remembered, ...]
    start: Axis
    origin: str = ""

    @property
    def feature_names(self) -> tuple[str, ...]:
        """The names that other data are matched with."""
        return self.start.names

    def apply(self, table: Table, report: Report = silent, *, every_item: bool = False) -> Prepared:
        """Apply the same steps to other data, with what was learnt from the first table.

        With `every_item` all new items stay: steps that select items are skipped. Those that select
        features select the same ones.
        """
        stays = other(self.recipe.grows)
        # Recipes frozen before sides were introduced use items and features.
        genes = stays if self.start.side == GENES else other(stays)

        def do(number: int, each: Planned, table: Table, course: Course) -> StepResult:
            if every_item and each.chooses(course.grows):
                return StepResult(table=table, notes=(_passed_over(self.recipe.steps[number]),))
            with self._undamaged():
                return each.step.apply(table, each.params, self.remembered[number], course)

        _refuse_empty(table)
        table, matching = matched(table, stays, self.start)
        found, stages = self.recipe._carried_out(table, genes, do, report)
        return Prepared(table=found, stages=stages, frozen=self, matching=matching)

    def write(self, path: Path) -> None:
        """Write one file with the recipe and all that was learnt."""
        record = {
            "schema": SCHEMA,
            "recipe": self.recipe.as_values(),
            "names": list(self.start.names),
            "labels": {name: list(texts) for name, texts in self.start.labels.items()},
            "side": self.start.side,
            "kind": self.start.kind,
        }
        memory.write(path, record, self.remembered)

    @classmethod
    def read(cls, path: Path) -> Frozen:
        """Read a file of `write`; refuse anything else."""
        record, remembered = memory.read(path)
        recipe = Recipe.from_values(record.get("recipe"), where=str(path))
        start = _axis_of(record)
        if start is None or len(remembered) != len(recipe.steps):
            raise memory.damaged(str(path), "its parts do not fit together")
        return cls(recipe=recipe, remembered=remembered, start=start, origin=str(path))

    @contextmanager
    def _undamaged(self) -> Iterator[None]:
        """Report errors of learnt values as damage of their file; raise others."""
        try:
            yield
        except UserError:
            raise
        except (KeyError, IndexError, ValueError, TypeError) as error:
            if not self.origin:
                raise
            why = f"its parts do not fit the recipe ({error})"
            raise memory.damaged(self.origin, why) from None


def read_recipe(path: Path) -> Recipe:
    """Read the recipe in a file."""
    try:
        text = read_bounded(path, LARGEST).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise _no_recipe(str(path), "it is not text in UTF-8") from None
    except UnsuitableFileError as error:
        raise _no_recipe(str(path), error.reason) from None
    except OSError as error:
        raise memory.unreadable(str(path), error) from None
    return Recipe.from_text(text, where=str(path))


def write_recipe(recipe: Recipe, path: Path) -> None:
    """Write the recipe as JSON."""
    memory.write_atomically(path, json_bytes(recipe.as_text()))


def _entries(values: Any, where: str) -> Sequence[Any]:
    if not isinstance(values, dict) or not isinstance(values.get("steps"), list):
        raise _no_recipe(where, "it has no list of steps")
    schema = values.get("schema")
    if isinstance(schema, bool) or not isinstance(schema, int) or schema < 1:
        raise _no_recipe(where, "it does not say which schema it follows")
    if schema > SCHEMA:
        raise UserError(
            key="recipe.newer",
            what=f"The recipe was written by a newer version of the program (schema {schema}).",
            where=where,
            way_out="Update XIM Studio.",
        )
    steps: list[Any] = values["steps"]
    return steps


def _no_recipe(where: str, why: str) -> UserError:
    return UserError(
        key="recipe.unreadable",
        what=f"This is no recipe: {why}.",
        where=where,
        way_out="Give a file that was saved as a recipe.",
    )


def _axis_of(record: Mapping[str, Any]) -> Axis | None:
    """Return the axis in a record; None if there is none."""
    names: Any = record.get("names")
    labels: Any = record.get("labels")
    # Older records have neither.
    side, kind = record.get("side", ""), record.get("kind", "")
    if side not in ("", GENES, SAMPLES) or not isinstance(kind, str):
        return None
    if not isinstance(labels, dict):
        return None
    columns = [names, *labels.values()]
    if not all(isinstance(texts, list) and len(texts) == len(names) for texts in columns):
        return None
    if not all(isinstance(text, str) for texts in columns for text in texts):
        return None
    return Axis(
        names=tuple(names),
        labels={key: tuple(texts) for key, texts in labels.items()},
        side=side,
        kind=kind,
    )


class _EndedError(BaseException):
    """Carries an exception of a report past the handlers of a step's own errors."""

    def __init__(self, raised: BaseException) -> None:
        self.raised = raised


def _share(report: Report, number: int, total: int) -> Report:
    def progress(fraction: float) -> None:
        try:
            report((number + fraction) / total)
        except BaseException as raised:
            raise _EndedError(raised) from None

    return progress


@contextmanager
def _at_step(number: int, each: Planned) -> Iterator[None]:
    """Give problems the address of the step; numpy stays silent, as the stage reports."""
    try:
        with np.errstate(all="ignore"):
            yield
    except _EndedError as ended:
        raise ended.raised from None
    except UserError as error:
        key = each.step.key
        raise UserError.of(within(problem, number + 1, key) for problem in error.problems) from None


def _kept(learnt: Remembered) -> Remembered:
    """Return what was learnt, read-only."""
    return {name: frozen_array(array.view()) for name, array in learnt.items()}


def _passed_over(each: Planned) -> Problem:
    return Problem(
        key="prepare.passed_over",
        what=f"New items were not chosen by this step: {each.sentence}",
        where="new items",
        way_out="Nothing has to be done.",
        severity=Severity.NOTE,
    )


def _refuse_empty(table: Table) -> None:
    if not table.n_items or not table.n_features:
        raise UserError(
            key="prepare.empty",
            what=f"The table has {counted(table.n_items, 'item')} and"
            f" {counted(table.n_features, 'feature')}.",
            where=table.source,
            way_out="Choose a file, or a part of it, that holds numbers.",
        )
