"""What a person is told of a table at first sight; computed in the lane, where tables are large."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ximstudio.load.names import looks_like_genes, looks_like_samples
from ximstudio.model.table import Table

GENE, SAMPLE, ITEM, FEATURE = "gene", "sample", "item", "feature"
"""What one of a side is called."""

ENOUGH = 0.5
"""Share of names that have to look like something before it is called so."""


@dataclass(frozen=True, kw_only=True)
class Overview:
    """Counts and words for a table.

    Parameters
    ----------
    item, feature
        What one of each side is called: "gene", "sample", or "item" and "feature" if unknown.
    n_items, n_features, n_missing
        Size, and how many values are blank.
    classes
        Label of the items → how often each text stands there, the most frequent first.
    """

    item: str
    feature: str
    n_items: int
    n_features: int
    n_missing: int
    classes: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    @property
    def missing_share(self) -> float:
        """Share of the values that is blank, from 0 to 1."""
        return self.n_missing / max(self.n_items * self.n_features, 1)


def overview_of(table: Table) -> Overview:
    """The first things to know about a table."""
    item, feature = kinds_of(table.items.names, table.features.names)
    return Overview(
        item=item,
        feature=feature,
        n_items=table.n_items,
        n_features=table.n_features,
        n_missing=table.n_missing,
        classes={
            label: dict(Counter(texts).most_common()) for label, texts in table.items.labels.items()
        },
    )


def kinds_of(items: Sequence[str], features: Sequence[str]) -> tuple[str, str]:
    """What one item and one feature are called, by the looks of their names."""
    genes = looks_like_genes(items)[0] - looks_like_genes(features)[0]
    if abs(genes) < ENOUGH:
        genes = looks_like_samples(features) - looks_like_samples(items)
    if genes >= ENOUGH:
        return GENE, SAMPLE
    return (SAMPLE, GENE) if genes <= -ENOUGH else (ITEM, FEATURE)
