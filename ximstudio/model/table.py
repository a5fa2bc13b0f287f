"""A table as a file holds it, before its content is checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from ximstudio.model.arrays import Ints, frozen
from ximstudio.model.matrix import Labels, Matrix

if TYPE_CHECKING:
    # For the type checker alone: the model runs without SciPy, and sparse values bring their own
    # code.
    from scipy.sparse import csr_array

    from ximstudio.model.arrays import Floats

    Values: TypeAlias = Floats | csr_array[np.float64]

ITEMS = "items"
FEATURES = "features"
"""Present roles of the sides of a table: what is mapped, and what describes it."""

GENES = "genes"
SAMPLES = "samples"
"""Meaning of the sides of a table, in either orientation: variables and observations."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Axis:
    """The names along one side of a table, their labels, and their places in the file.

    Parameters
    ----------
    names
        As the file spells them; they may repeat.
    labels
        Texts that describe the names: name of the label → one text each.
    numbers
        Where in the file each is, counted from 1; None where the file has no such places.
    word
        Unit of those numbers: "line", "row", "column", …
    side
        "genes" (what is measured) or "samples" (what it is measured in); empty if undecided.
    kind
        Word for one of them: "gene", "protein", "cell", …; empty if unknown.
    """

    names: tuple[str, ...]
    labels: Labels = field(default_factory=dict)
    numbers: Ints | None = None
    word: str = ""
    side: str = ""
    kind: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "labels", MappingProxyType(dict(self.labels)))
        lengths = {len(texts) for texts in self.labels.values()}
        if self.numbers is not None:
            object.__setattr__(self, "numbers", frozen(np.array(self.numbers, dtype=np.int64)))
            lengths.add(len(self.numbers))
        if lengths - {len(self.names)}:
            raise ValueError(f"{len(self.names)} names, but labels or places of {lengths}")

    def __len__(self) -> int:
        return len(self.names)

    def __reduce__(self) -> tuple[Any, ...]:
        # Read-only views of mappings cannot be pickled; their contents can.
        parts = (self.names, dict(self.labels), self.numbers, self.word, self.side, self.kind)
        return (_axis, parts)

    def take(self, chosen: Sequence[int] | Ints) -> Axis:
        """Return the axis of the chosen names, in the order given."""
        return Axis(
            names=tuple(self.names[number] for number in chosen),
            labels={
                label: tuple(texts[number] for number in chosen)
                for label, texts in self.labels.items()
            },
            numbers=None if self.numbers is None else self.numbers[np.asarray(chosen, np.int64)],
            word=self.word,
            side=self.side,
            kind=self.kind,
        )

    def with_names(self, names: Sequence[str]) -> Axis:
        """Return the same positions and labels under other names."""
        return replace(self, names=tuple(names))

    def with_labels(self, labels: Labels) -> Axis:
        """Return the same names with other labels."""
        return replace(self, labels=labels)

    def address(self, number: int) -> str:
        """Return the address of one name, for a message: "'YAL001C' (line 12)"."""
        name = repr(self.names[number])
        return name if self.numbers is None else f"{name} ({self.word} {self.numbers[number]})"


def _axis(
    names: tuple[str, ...],
    labels: Labels,
    numbers: Ints | None,
    word: str,
    side: str,
    kind: str,
) -> Axis:
    return Axis(names=names, labels=labels, numbers=numbers, word=word, side=side, kind=kind)


def opposite(side: str) -> str:
    """Return the other side: samples for genes, features for items; empty for none."""
    across = {GENES: SAMPLES, SAMPLES: GENES, ITEMS: FEATURES, FEATURES: ITEMS}
    return across.get(side, "")


def _frozen_sparse(values: csr_array[np.float64]) -> csr_array[np.float64]:
    """Return the same values, read-only, with the cells of every row sorted and unique."""
    if not values.has_canonical_format:
        values = values.copy()
        values.sum_duplicates()
    # Views, so that the caller's own arrays stay as writable as they were; without spare room.
    parts = (values.data[: values.nnz], values.indices[: values.nnz], values.indptr[:])
    held = type(values)(parts, shape=values.shape)
    held.has_canonical_format = True
    for part in (held.data, held.indices, held.indptr):
        frozen(part)
    return held


@dataclass(frozen=True, kw_only=True, eq=False)
class Table:
    """N items × D features as read: names may repeat, values may be infinite; a blank is NaN.

    A `Matrix` guarantees what training needs; `matrix()` makes one of a table and refuses tables
    that do not qualify. Until then steps of a recipe can repair the table.

    Parameters
    ----------
    values
        float64 (N, D), read-only: an array, or a sparse `csr_array` whose absent cells are 0 and
        that has every other cell once. Parts of a cell that is given repeatedly are added up.
    items, features
        The names, labels and places along both sides.
    source
        Where the table came from, for messages and records.
    """

    values: Values
    items: Axis
    features: Axis
    source: str = "memory"

    def __post_init__(self) -> None:
        if self.values.shape != (len(self.items), len(self.features)):
            raise ValueError(
                f"values {self.values.shape} for {len(self.items)} items and"
                f" {len(self.features)} features"
            )
        if isinstance(self.values, np.ndarray):
            values = np.ascontiguousarray(self.values, dtype=np.float64)
            # A view, so that the caller's own array stays as writable as it was.
            object.__setattr__(self, "values", frozen(values.view()))
        elif self.values.dtype != np.float64 or self.values.format != "csr":
            raise ValueError("sparse values must be a csr_array of float64")
        else:
            object.__setattr__(self, "values", _frozen_sparse(self.values))

    @property
    def n_items(self) -> int:
        return len(self.items)

    @property
    def n_features(self) -> int:
        return len(self.features)

    @property
    def is_sparse(self) -> bool:
        return not isinstance(self.values, np.ndarray)

    @property
    def dense(self) -> Floats:
        """All values as an array; a sparse table is written out, and may be large."""
        return self.values if isinstance(self.values, np.ndarray) else self.values.toarray()

    @property
    def stored(self) -> Floats:
        """The values that are held, flat: all of them, or those of a sparse table."""
        return self.values.ravel() if isinstance(self.values, np.ndarray) else self.values.data

    @cached_property
    def n_missing(self) -> int:
        return int(np.isnan(self.stored).sum())

    def axis(self, which: str) -> Axis:
        """Return the side named "items" or "features"."""
        return {ITEMS: self.items, FEATURES: self.features}[which]

    @property
    def genes(self) -> str | None:
        """The side of the genes: "items" or "features"; None if undecided."""
        if GENES in (self.items.side, opposite(self.features.side)):
            return ITEMS
        return FEATURES if GENES in (self.features.side, opposite(self.items.side)) else None

    def take(self, which: str, chosen: Sequence[int] | Ints) -> Table:
        """Return the table of the chosen items or features, in the order given."""
        numbers = np.asarray(chosen, dtype=np.int64)
        if which == ITEMS:
            return replace(self, values=self.values[numbers], items=self.items.take(numbers))
        return replace(self, values=self.values[:, numbers], features=self.features.take(numbers))

    def with_axis(self, which: str, axis: Axis) -> Table:
        """Return the same values with other names or labels along one side."""
        return replace(self, items=axis) if which == ITEMS else replace(self, features=axis)

    def with_values(self, values: Values) -> Table:
        """Return the same names and labels with other numbers."""
        return replace(self, values=values)

    @property
    def transposed(self) -> Table:
        """The same table with items and features exchanged."""
        values = self.values.T
        return replace(
            self,
            values=values if isinstance(values, np.ndarray) else values.tocsr(),
            items=self.features,
            features=self.items,
        )

    def address(self, item: int, feature: int) -> str:
        """Return the address of one cell, for a message."""
        return f"item {self.items.address(item)}, feature {self.features.address(feature)}"

    def matrix(self) -> Matrix:
        """Return the matrix to train on; refuse repeated names and infinite values."""
        return Matrix(
            values=self.dense,
            item_ids=self.items.names,
            feature_names=self.features.names,
            item_labels=self.items.labels,
            feature_labels=self.features.labels,
            source=self.source,
            item_kind=self.items.kind,
            feature_kind=self.features.kind,
        )

    @classmethod
    def of(cls, matrix: Matrix) -> Table:
        """Return the table of a matrix, with no places in a file."""
        return cls(
            values=matrix.values,
            items=Axis(names=matrix.item_ids, labels=matrix.item_labels, kind=matrix.item_kind),
            features=Axis(
                names=matrix.feature_names, labels=matrix.feature_labels, kind=matrix.feature_kind
            ),
            source=matrix.source,
        )
