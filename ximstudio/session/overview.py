"""Overview of a table: counts and words, computed in the background for large tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from ximstudio.load.sides import decided
from ximstudio.model.matrix import Matrix
from ximstudio.model.table import ITEMS, Table

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
