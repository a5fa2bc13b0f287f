"""A table from its file to what training sees: how to read it, what to join, what to do to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from ximstudio.load import Choices, Guess, Reading, Report, read, silent
from ximstudio.load.sides import genes_of, with_genes
from ximstudio.load.source import Source
from ximstudio.model.matrix import Matrix
from ximstudio.model.problem import Problem, UserError
from ximstudio.model.table import FEATURES, GENES, ITEMS, SAMPLES, Table, opposite
from ximstudio.prepare.recipe import Frozen, Prepared, Recipe, planned

if TYPE_CHECKING:
    from ximstudio.load.annotation.join import Joined

READ = 0.7
"""The share of the time that reading takes; joining and preparing take the rest."""


@dataclass(frozen=True, kw_only=True)
class Joining:
    """A second file whose columns become labels.

    Parameters
    ----------
    name
        The file.
    on
        Its column with the names; None for the one that fits best.
    side
        "genes" or "samples", whom it describes; None for whom it fits best. "items" and "features"
        are where these are in the table.
    part
        Sheet of a workbook, or file in an archive; None for the largest.
    """

    name: str
    on: str | None = None
    side: str | None = None
    part: str | None = None

    def as_values(self) -> dict[str, Any]:
        """Plain values; a part only where there is one, as older versions know none."""
        values = asdict(self)
        if self.part is None:
            del values["part"]
        return values

    def at(self, genes: str) -> str | None:
        """Whom it describes in a table whose genes are its "items", or "features"."""
        return {GENES: genes, SAMPLES: opposite(genes)}.get(self.side or "", self.side)

    def bound(self, genes: str) -> Self:
        """The same about "genes" or "samples", whatever side these are on now."""
        sides = {genes: GENES, opposite(genes): SAMPLES}
        return replace(self, side=sides.get(self.side or "", self.side))


@dataclass(frozen=True, kw_only=True)
class Labelled:
    """A table as its file gives it, with the labels of other files.

    `guesses` and `joins` are what was found out, and is to be said, about those; `joined` is the
    account of each of them.
    """

    reading: Reading
    table: Table
    guesses: tuple[Guess, ...] = ()
    joins: tuple[Problem, ...] = ()
    joined: tuple[Joined, ...] = ()


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
    """Which table, how it is read, which files label it, and how it is prepared.

    `frozen` names a file that an earlier run wrote: then its recipe is repeated with what was
    learnt there, and there is no other. `genes` is where the genes were in the file, "rows" or
    "columns", when the recipe was bound to them: so a later version that finds them elsewhere does
    the same. Empty if nothing depends on it.
    """

    name: str
    choices: Choices = field(default_factory=Choices)
    joinings: tuple[Joining, ...] = ()
    frozen: str | None = None
    recipe: Recipe = field(default_factory=Recipe)
    genes: str = ""

    @property
    def files(self) -> tuple[Path, ...]:
        """All files that it is made of."""
        frozen = () if self.frozen is None else (self.frozen,)
        return tuple(map(Path, (self.name, *(joining.name for joining in self.joinings), *frozen)))

    def read(self, report: Report = silent) -> Labelled:
        """The table as the files give it."""
        return self.labelled(read(self.name, self.choices, report))

    def labelled(self, reading: Reading) -> Labelled:
        """A reading of the table with the labels of the other files."""
        table = with_genes(reading.table, self._place(self.genes)) if self.genes else reading.table
        found: list[Joined] = []
        for joining in self.joinings:
            found.append(joined_with(table, joining))
            table = found[-1].table
        return Labelled(
            reading=reading,
            table=table,
            guesses=tuple(guess for each in found for guess in each.guesses),
            joins=tuple(note for each in found for note in each.notes),
            joined=tuple(found),
        )

    def prepare(self, labelled: Labelled, report: Report = silent) -> Opened:
        """The table after the recipe."""
        if self.frozen is None:
            prepared = self.recipe.prepare(labelled.table, report)
        else:
            prepared = Frozen.read(Path(self.frozen)).apply(labelled.table, report)
        return Opened(labelled=labelled, prepared=prepared)

    def bound(self, table: Table) -> Self:
        """The input with its recipe and joined files bound to genes and samples of its table.

        Then they mean the same whichever way round the table is read.
        """
        genes = genes_of(table)
        joinings = tuple(joining.bound(genes) for joining in self.joinings)
        recipe = self.recipe.bound(genes)
        sided = any(each.names_sides for each in recipe.steps)
        where = next(place for place in ("rows", "columns") if self._place(place) == genes)
        return replace(
            self,
            joinings=joinings,
            recipe=recipe,
            genes=where if sided or any(joining.side for joining in joinings) else "",
        )

    def with_choices(self, choices: Choices) -> Self:
        """The input read in another way; where the genes are is found out again if that changed."""
        same = (choices.rows, choices.columns) == (self.choices.rows, self.choices.columns)
        return replace(self, choices=choices, genes=self.genes if same else "")

    def _place(self, where: str) -> str:
        """Where the "rows" or "columns" of the file are in the table."""
        return ITEMS if where == self.choices.items else FEATURES

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
            "joinings": [joining.as_values() for joining in self.joinings],
            "frozen": self.frozen,
            "recipe": self.recipe.as_values(),
            **({"genes": self.genes} if self.genes else {}),
        }

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Self:
        """The input of plain values; KeyError, TypeError or UserError if they are none."""
        joinings = tuple(Joining(**joining) for joining in values["joinings"])
        frozen = values["frozen"]
        # Records come from elsewhere, too, and names are looked for in folders.
        for name in (values["source"], *(joining.name for joining in joinings), frozen or ""):
            if not isinstance(name, str):
                raise TypeError(name)
        return cls(
            name=values["source"],
            choices=Choices.from_values(values["choices"]),
            joinings=joinings,
            frozen=frozen or None,
            recipe=Recipe.from_values(values["recipe"]),
            genes=_place_of(values.get("genes", "")),
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
                id=reading["id"],
                labels=tuple(reading["labels"]) or None,
                items=str(reading["items"]),
            ),
            recipe=Recipe(steps=steps),
        )


def _place_of(value: Any) -> str:
    """Where genes are said to be in a file; TypeError if that is nowhere."""
    if value not in ("", "rows", "columns"):
        raise TypeError(value)
    return str(value)


def _tried(table: Table, source: Source, joining: Joining, sheet: str) -> Joined | None:
    """The table with the labels in one sheet; None if that names nothing in the table."""
    from ximstudio.load.annotation.file import read_annotation
    from ximstudio.load.annotation.join import join

    try:
        annotation = read_annotation(source, Choices(part=sheet))
        return join(table, annotation, joining.at(genes_of(table)), on=joining.on)
    except UserError:
        return None


def _n_found(joined: Joined | None) -> int:
    return -1 if joined is None else sum(map(len, joined.found.values()))


def joined_with(table: Table, joining: Joining) -> Joined:
    """The table with the labels in a file, and what is to be said about them."""
    # Only if asked for: annotation may be in a workbook, and those bring much with them.
    from ximstudio.load.annotation.file import read_annotation
    from ximstudio.load.annotation.join import Joined, join
    from ximstudio.load.structured import cls

    said = joining.at(genes_of(table))
    source = Source.at(Path(joining.name))
    if not cls.recognises(source):
        annotation = read_annotation(source, Choices(part=joining.part))
        try:
            return join(table, annotation, said, on=joining.on)
        except UserError as error:
            sheets = next((one.options for one in annotation.guesses if one.key == "part"), None)
            if joining.part is not None or not sheets:
                raise
            found = [_tried(table, source, joining, sheet) for sheet in sheets]
            best = max(found, key=_n_found, default=None)
            if best is None:
                raise error from None
            return best
    labels = cls.read_cls(source)
    count = len(next(iter(labels.values())))
    # A CLS file names no samples. They are the features, unless only the items are as many.
    side = ITEMS if count == table.n_items != table.n_features else FEATURES
    side = side if said is None else said
    return Joined(table=cls.with_cls(table, labels, side), axis=side)
