"""Words and counts for a table, and texts about it, for the window."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from ximstudio.load import Choices
from ximstudio.load.samples import called, sample_of
from ximstudio.load.sides import decided
from ximstudio.model.matrix import Matrix
from ximstudio.model.problem import Problem, SettingsForm
from ximstudio.model.table import ITEMS, Table, opposite
from ximstudio.model.words import counted, grouped, in_words, plural
from ximstudio.prepare.planned import Planned
from ximstudio.prepare.side_words import SideWords

if TYPE_CHECKING:
    from ximstudio.load.annotation.join import Joined
    from ximstudio.session import Data


@dataclass(frozen=True)
class Words:
    """Words for one item and one feature of a table.

    `genes` is the side of the genes, "items" or "features".
    """

    item: str = "gene"
    feature: str = "sample"
    genes: str = ITEMS

    @classmethod
    def of(cls, data: Data | None) -> Words:
        """Words for a table; without one, the most common words."""
        if data is None:
            return cls()
        overview = data.overview
        return cls(overview.item, overview.feature, overview.genes)

    @classmethod
    def of_table(cls, table: Table) -> Words:
        """Words for a table, guessed if they are not known."""
        sided = decided(table)
        return cls(sided.items.kind, sided.features.kind, sided.genes or ITEMS)

    @classmethod
    def of_matrix(cls, matrix: Matrix) -> Words:
        """Words for a matrix: its own, or guessed from its names."""
        return cls.of_table(Table.of(matrix))

    @property
    def exchanged(self) -> Words:
        """Words for the same table with its sides exchanged."""
        return Words(self.feature, self.item, opposite(self.genes))

    @property
    def sides(self) -> SideWords:
        """Words for both sides of the table, whichever is mapped."""
        if self.genes == ITEMS:
            return SideWords(self.item, self.feature)
        return SideWords(self.feature, self.item)

    @property
    def items(self) -> str:
        return plural(2, self.item)

    @property
    def features(self) -> str:
        return plural(2, self.feature)

    def size(self, n_items: int, n_features: int) -> str:
        """Size of a table: "186 genes × 79 samples"."""
        return f"{counted(n_items, self.item)} × {counted(n_features, self.feature)}"

    def said(self, text: str) -> str:
        """Return a sentence in these words."""
        return in_words(text, self.item, self.feature)

    def sentence(self, planned: Planned) -> str:
        """Describe the effect of a step in these words."""
        return self.said(planned.said(self.sides))


def name_of(data: Data) -> str:
    """Display name of the table."""
    return called(data.labelled.table.source)


def origin_of(data: Data) -> str:
    """Origin of the table: the full path, or the description and citation of a sample."""
    source = data.labelled.table.source
    sample = sample_of(source)
    return source if sample is None else f"{sample.about}\n{sample.citation}"


def item_word(data: Data | None, n: int = 2) -> str:
    """Word for n items of the table: "gene", "genes", "samples", …"""
    return plural(n, Words.of(data).item)


def size_words(data: Data) -> str:
    """Size of the prepared table: "186 genes × 79 samples"."""
    return Words.of(data).size(data.table.n_items, data.table.n_features)


def share_text(share: float) -> str:
    """Format a share in percent: "62 %"."""
    return f"{100.0 * share:.0f}\u00a0%"


def shortened(text: str, data: Data) -> str:
    """Shorten a message about the open table by the name of its file."""
    source = data.labelled.table.source
    place = text.removeprefix(f"{source}: ")
    if place != text:
        place = place[:1].upper() + place[1:]
    return place.replace(source, name_of(data))


def without_folder(text: str, path: str) -> str:
    """Return a message about a file that is on display, with its name instead of its path."""
    return text.replace(path, Path(path).name) if path else text


def spoken(text: str, overview: Overview | None) -> str:
    """Return a message in the words of this table."""
    return text if overview is None else in_words(text, overview.item, overview.feature)


def way_out_text(problem: Problem, names: Mapping[str, str] | None = None) -> str:
    """Return what to do, with the labels of the settings by which a table is read otherwise.

    `names` are labels of settings that differ from those of `Choices`.
    """
    if problem.form is not SettingsForm.READING or not problem.fields:
        return problem.way_out
    labels = {key: spec.label for key, spec in Choices.specs().items()} | dict(names or {})
    return f"{problem.way_out} ({', '.join(f'“{labels[name]}”' for name in problem.fields)})"


def found_text(joined: Joined, word: str, n: int) -> str:
    """Count the names that were found: "140 of 150 genes found"."""
    found = n - len(joined.not_found) - len(joined.unclear)
    unclear = f", {grouped(len(joined.unclear))} unclear" if joined.unclear else ""
    return f"{grouped(found)} of {counted(n, word)} found{unclear}"


ROW, COLUMN = "row", "column"
"""Words for one of each side if its kind is unknown."""


@dataclass(frozen=True, kw_only=True)
class Overview:
    """Counts and words for a table.

    Parameters
    ----------
    item, feature
        Word for one of each side: "gene", "sample", or "row" and "column" if unknown.
    genes
        Side of the genes: "items" or "features".
    n_items, n_features, n_missing
        Size, and number of missing values.
    classes
        Label of the items → number of items by class, most frequent first.
    """

    item: str
    feature: str
    n_items: int
    n_features: int
    n_missing: int
    classes: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    genes: str = ITEMS

    @property
    def missing_share(self) -> float:
        """Share of missing values, from 0 to 1."""
        return self.n_missing / max(self.n_items * self.n_features, 1)


def overview_of(table: Table) -> Overview:
    """Compute the overview of a table."""
    sided = decided(table)
    return Overview(
        item=sided.items.kind,
        feature=sided.features.kind,
        genes=sided.genes or ITEMS,
        n_items=table.n_items,
        n_features=table.n_features,
        n_missing=table.n_missing,
        classes={
            label: dict(Counter(texts).most_common()) for label, texts in table.items.labels.items()
        },
    )


def kinds_in(matrix: Matrix) -> tuple[str, str]:
    """Words for one item and one feature of a matrix: its own, or guessed from their names."""
    sided = decided(Table.of(matrix))
    return sided.items.kind, sided.features.kind
