"""A table from its file to training: choices of reading, joined files, and the recipe."""

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
"""Share of the time that reading takes; joining and preparing take the rest."""


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
        "genes" or "samples", the side it describes; None for the one that fits best. "items" and
        "features" are their roles in the table.
    part
        Sheet of a workbook, or file in an archive; None for the largest.
    """

    name: str
    on: str | None = None
    side: str | None = None
    part: str | None = None

    def as_values(self) -> dict[str, Any]:
        """Return plain values; a part only where there is one, as older versions do not know it."""
        values = asdict(self)
        if self.part is None:
            del values["part"]
        return values

    def at(self, genes: str) -> str | None:
        """Return the side it describes in a table whose genes are its "items" or "features"."""
        return {GENES: genes, SAMPLES: opposite(genes)}.get(self.side or "", self.side)

    def bound(self, genes: str) -> Self:
        """Return the joining with its side as "genes" or "samples", in either orientation."""
        sides = {genes: GENES, opposite(genes): SAMPLES}
        return replace(self, side=sides.get(self.side or "", self.side))


@dataclass(frozen=True, kw_only=True)
class Labelled:
    """A table as its file holds it, with the labels of other files.

    `guesses` and `joins` are guesses and messages about those files; `joined` is the report on each
    of them.
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
        """Outcome of reading the file."""
        return self.labelled.reading

    @property
    def notes(self) -> tuple[Problem, ...]:
        """All notes on differences between the file and the prepared table."""
        return (*self.reading.notes, *self.labelled.joins, *self.prepared.notes)

    @cached_property
    def matrix(self) -> Matrix:
        """The matrix for training; raises UserError if the table does not qualify."""
        return self.prepared.table.matrix()


@dataclass(frozen=True, kw_only=True)
class Input:
    """A table by its file, choices of reading, joined label files and recipe.

    `frozen` names a file of an earlier run: its recipe is then repeated with what was learnt there,
    and no other recipe is used. `genes` is the side of the genes in the file, "rows" or "columns",
    when the recipe was bound to them, so that a later version that guesses otherwise does the same.
    Empty if nothing depends on it.
    """

    name: str
    choices: Choices = field(default_factory=Choices)
    joinings: tuple[Joining, ...] = ()
    frozen: str | None = None
    recipe: Recipe = field(default_factory=Recipe)
    genes: str = ""

    @property
    def files(self) -> tuple[Path, ...]:
        """All files of the input."""
        frozen = () if self.frozen is None else (self.frozen,)
        return tuple(map(Path, (self.name, *(joining.name for joining in self.joinings), *frozen)))

    def read(self, report: Report = silent) -> Labelled:
        """Read the table."""
        return self.labelled(read(self.name, self.choices, report))

    def labelled(self, reading: Reading) -> Labelled:
        """Add the labels of the other files to a reading of the table."""
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
        """Apply the recipe to the table."""
        if self.frozen is None:
            prepared = self.recipe.prepare(labelled.table, report)
        else:
            prepared = Frozen.read(Path(self.frozen)).apply(labelled.table, report)
        return Opened(labelled=labelled, prepared=prepared)

    def bound(self, table: Table) -> Self:
        """Return the input with its recipe and joined files bound to genes and samples of its
        table.

        Then they mean the same in either orientation of the table.
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
        """Return the input with other choices of reading; the genes are located again if needed."""
        same = (choices.rows, choices.columns) == (self.choices.rows, self.choices.columns)
        return replace(self, choices=choices, genes=self.genes if same else "")

    def _place(self, where: str) -> str:
        """Return the side of the table that the "rows" or "columns" of the file became."""
        return ITEMS if where == self.choices.items else FEATURES

    def open(self, report: Report = silent) -> Opened:
        """Read and prepare the table."""
        labelled = self.read(lambda fraction: report(READ * fraction))
        return self.prepare(labelled, lambda fraction: report(READ + (1 - READ) * fraction))

    def as_values(self) -> dict[str, Any]:
        """Return plain values for JSON, of choices only; `from_values` reads them back."""
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
        """Build the input from plain values; KeyError, TypeError or UserError if they are none."""
        joinings = tuple(Joining(**joining) for joining in values["joinings"])
        frozen = values["frozen"]
        # Records may come from elsewhere, and names are searched in folders.
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
        """Build the input from records of the first schema, which could only fill blanks."""
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
    """Return the declared side of the genes in a file; raise TypeError if it is none."""
    if value not in ("", "rows", "columns"):
        raise TypeError(value)
    return str(value)


def _tried(table: Table, source: Source, joining: Joining, sheet: str) -> Joined | None:
    """Return the table with the labels of one sheet; None if no name matches."""
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
    """Return the table with the labels of a file, and messages about them."""
    # Imported late: annotation may be in a workbook, which needs many modules.
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
    # A CLS file names no samples. They are the features, unless only the number of items fits.
    side = ITEMS if count == table.n_items != table.n_features else FEATURES
    side = side if said is None else said
    return Joined(table=cls.with_cls(table, labels, side), axis=side)
