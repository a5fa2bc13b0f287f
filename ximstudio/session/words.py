"""What the window calls a table and the things in it: files by their names, items as genes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ximstudio.load.samples import called, sample_of
from ximstudio.model.words import counted, in_words, plural

if TYPE_CHECKING:
    from ximstudio.session import Data


@dataclass(frozen=True)
class Words:
    """What one item and one feature of a table are called: gene and sample, or the reverse."""

    item: str = "gene"
    feature: str = "sample"

    @classmethod
    def of(cls, data: Data | None) -> Words:
        """The words for a table; for none, those of most tables."""
        return cls() if data is None else cls(data.overview.item, data.overview.feature)

    @classmethod
    def by_names(cls, items: Sequence[str], features: Sequence[str]) -> Words:
        """The words that suit these names."""
        from ximstudio.session.overview import kinds_of

        return cls(*kinds_of(items, features))

    @property
    def items(self) -> str:
        return plural(2, self.item)

    @property
    def features(self) -> str:
        return plural(2, self.feature)

    def said(self, text: str) -> str:
        """A sentence of the core in these words."""
        return in_words(text, self.item, self.feature)


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
    items, features = data.table.n_items, data.table.n_features
    words = Words.of(data)
    return f"{counted(items, words.item)} × {counted(features, words.feature)}"


def share_text(share: float) -> str:
    """A share of a whole in percent: "62 %"."""
    return f"{100.0 * share:.0f}\u00a0%"
