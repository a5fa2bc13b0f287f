"""A table from its file to what training sees: how to read it, what to join, what to do to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from ximstudio.load import Choices, Reading, Report, read, silent
from ximstudio.load.annotation.file import read_annotation
from ximstudio.load.annotation.join import join
from ximstudio.load.source import Source
from ximstudio.load.structured import cls
from ximstudio.model.matrix import Matrix
from ximstudio.model.problem import Problem
from ximstudio.model.table import FEATURES, ITEMS, Table
from ximstudio.prepare.recipe import Prepared, Recipe, planned

READ = 0.7
"""The share of the time that reading takes; joining and preparing take the rest."""


@dataclass(frozen=True, kw_only=True)
class Labelled:
    """A table as its file gives it, with the labels of other files.

    `joins` is what is to be said about those.
    """

    reading: Reading
    table: Table
    joins: tuple[Problem, ...] = ()


@dataclass(frozen=True, kw_only=True, eq=False)
class Opened:
    """A table that was read, labelled and prepared."""

    labelled: Labelled
    prepared: Prepared

    @property
    def reading(self) -> Reading:
        """How the file was understood."""
        return self.labelled.reading

    @property
    def notes(self) -> tuple[Problem, ...]:
        """All that is not in the prepared table as it was in the file."""
        return (*self.reading.notes, *self.labelled.joins, *self.prepared.notes)

    @cached_property
    def matrix(self) -> Matrix:
        """What training sees; what is not right by now is refused."""
        return self.prepared.table.matrix()


@dataclass(frozen=True, kw_only=True)
class Input:
    """Which table, how it is read, which files label it, and how it is prepared."""

    name: str
    choices: Choices = field(default_factory=Choices)
    annotations: tuple[str, ...] = ()
    recipe: Recipe = field(default_factory=Recipe)

    def read(self, report: Report = silent) -> Labelled:
        """The table as the files give it."""
        reading = read(self.name, self.choices, report)
        table = reading.table
        notes: list[Problem] = []
        for name in self.annotations:
            table, said = _joined(table, Source.at(Path(name)))
            notes += said
        return Labelled(reading=reading, table=table, joins=tuple(notes))

    def prepare(self, labelled: Labelled, report: Report = silent) -> Opened:
        """The table after the recipe."""
        return Opened(labelled=labelled, prepared=self.recipe.prepare(labelled.table, report))

    def open(self, report: Report = silent) -> Opened:
        """The table, read and prepared."""
        labelled = self.read(lambda fraction: report(READ * fraction))
        return self.prepare(labelled, lambda fraction: report(READ + (1 - READ) * fraction))

    def as_values(self) -> dict[str, Any]:
        """Plain values for JSON; `from_values` reads them back. Only what was chosen is told."""
        defaults = Choices.defaults()
        return {
            "source": self.name,
            "choices": {
                name: value
                for name, value in self.choices.as_values().items()
                if value != defaults[name]
            },
            "annotations": list(self.annotations),
            "recipe": self.recipe.as_values(),
        }

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Self:
        """The input of plain values; KeyError, TypeError or UserError if they are none."""
        return cls(
            name=str(values["source"]),
            choices=Choices.from_values(values["choices"]),
            annotations=tuple(map(str, values["annotations"])),
            recipe=Recipe.from_values(values["recipe"]),
        )

    @classmethod
    def from_first_schema(cls, data: Mapping[str, Any]) -> Self:
        """The input as records of runs told it when all that could be done was to fill blanks."""
        reading = data["reading"]
        filling = str(reading["missing"])
        steps = () if filling == "keep" else (planned("impute", how=filling),)
        return cls(
            name=str(data["source"]),
            choices=Choices(
                id=reading["id"], labels=tuple(reading["labels"]), items=str(reading["items"])
            ),
            recipe=Recipe(steps=steps),
        )


def _joined(table: Table, source: Source) -> tuple[Table, tuple[Problem, ...]]:
    """The table with the labels in a file, and what is to be said about them."""
    if not cls.recognises(source):
        joined = join(table, read_annotation(source))
        return joined.table, joined.notes
    labels = cls.read_cls(source)
    count = len(next(iter(labels.values())))
    # A CLS file names no samples. They are the features, unless only the items are as many.
    side = ITEMS if count == table.n_items != table.n_features else FEATURES
    return cls.with_cls(table, labels, side), ()
