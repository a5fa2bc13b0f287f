"""What the window calls a table and the things in it: files by their names, items as genes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ximstudio.load.samples import called, sample_of
from ximstudio.load.sides import decided
from ximstudio.model.matrix import Matrix
from ximstudio.model.table import ITEMS, Table, opposite
from ximstudio.model.words import counted, in_words, plural
from ximstudio.prepare.planned import Planned
from ximstudio.prepare.side_words import SideWords

if TYPE_CHECKING:
    from ximstudio.session import Data


@dataclass(frozen=True)
class Words:
    """What one item and one feature of a table are called, and which of them is the gene.

    `genes` is where the genes are, "items" or "features".
    """

    item: str = "gene"
    feature: str = "sample"
    genes: str = ITEMS

    @classmethod
    def of(cls, data: Data | None) -> Words:
        """The words for a table; for none, those of most tables."""
        if data is None:
            return cls()
        overview = data.overview
        return cls(overview.item, overview.feature, overview.genes)

    @classmethod
    def of_table(cls, table: Table) -> Words:
        """The words for a table, decided now if nobody has yet."""
        sided = decided(table)
        return cls(sided.items.kind, sided.features.kind, sided.genes or ITEMS)

    @classmethod
    def of_matrix(cls, matrix: Matrix) -> Words:
        """The words for a matrix: its own, or those that suit its names."""
        return cls.of_table(Table.of(matrix))

    @property
    def exchanged(self) -> Words:
        """The words for the same table with its sides exchanged."""
        return Words(self.feature, self.item, opposite(self.genes))

    @property
    def sides(self) -> SideWords:
        """The words for both sides of the table, whichever is mapped."""
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
        """How large a table is: "186 genes × 79 samples"."""
        return f"{counted(n_items, self.item)} × {counted(n_features, self.feature)}"

    def said(self, text: str) -> str:
        """A sentence of the core in these words."""
        return in_words(text, self.item, self.feature)

    def sentence(self, planned: Planned) -> str:
        """What a step does, in these words."""
        return self.said(planned.said(self.sides))


def name_of(data: Data) -> str:
    """What the table is called."""
    return called(data.labelled.table.source)


def origin_of(data: Data) -> str:
    """Where the table comes from: the whole path, or what a sample is and who published it."""
    source = data.labelled.table.source
    sample = sample_of(source)
    return source if sample is None else f"{sample.about}\n{sample.citation}"


def item_word(data: Data | None, n: int = 2) -> str:
    """What n items of the table are called: "gene", "genes", "samples", …"""
    return plural(n, Words.of(data).item)


def size_words(data: Data) -> str:
    """How large the prepared table is: "186 genes × 79 samples"."""
    return Words.of(data).size(data.table.n_items, data.table.n_features)


def share_text(share: float) -> str:
    """A share of a whole in percent: "62 %"."""
    return f"{100.0 * share:.0f}\u00a0%"
