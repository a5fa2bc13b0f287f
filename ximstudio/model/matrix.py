"""The table that every method works on: items by features, with names and labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np

from ximstudio.model.arrays import Floats, Ints, digest, frozen, frozen_floats, without_mask
from ximstudio.model.distances import distances_between, pair_distances
from ximstudio.model.problem import Problem, refuse
from ximstudio.model.words import counted

Labels = Mapping[str, tuple[str, ...]]
"""Columns of text beside the numbers: name of the column → one text per item (or feature)."""

SHOWN = 5
"""Number of addresses that a message spells out before it counts the rest."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Matrix:
    """N items × D features, read-only; a blank is NaN and stays NaN.

    Parameters
    ----------
    values
        float64, shape (N, D).
    item_ids, feature_names
        Unique names of rows and columns.
    item_labels, feature_labels
        Text that describes items and features but takes no part in training.
    source
        Where the table came from, for messages and records.
    item_kind, feature_kind
        Word for one item and one feature: "gene", "sample", …; empty if unknown.
    """

    values: Floats
    item_ids: tuple[str, ...]
    feature_names: tuple[str, ...]
    item_labels: Labels = field(default_factory=dict)
    feature_labels: Labels = field(default_factory=dict)
    source: str = "memory"
    item_kind: str = ""
    feature_kind: str = ""

    def __post_init__(self) -> None:
        def keep(name: str, value: Any) -> None:
            object.__setattr__(self, name, value)

        keep("values", frozen_floats(self.values))
        keep("item_labels", MappingProxyType(dict(self.item_labels)))
        keep("feature_labels", MappingProxyType(dict(self.feature_labels)))
        refuse(self._problems())

    def __reduce__(self) -> tuple[Any, ...]:
        # Read-only views of mappings cannot be pickled; their contents can.
        labels = dict(self.item_labels), dict(self.feature_labels)
        names = self.item_ids, self.feature_names
        kinds = self.item_kind, self.feature_kind
        return (_matrix_of, (self.values, *names, *labels, self.source, *kinds))

    @classmethod
    def from_array(cls, values: Any, *, source: str = "memory") -> Matrix:
        """Return a matrix whose items and features are named by number, counted from 1."""
        array = np.asarray(without_mask(values), dtype=np.float64)
        n_items, n_features = array.shape if array.ndim == 2 else (0, 0)
        return cls(
            values=array,
            item_ids=tuple(f"item {number}" for number in range(1, n_items + 1)),
            feature_names=tuple(f"feature {number}" for number in range(1, n_features + 1)),
            source=source,
        )

    @property
    def n_items(self) -> int:
        return int(self.values.shape[0])

    @property
    def n_features(self) -> int:
        return int(self.values.shape[1])

    @cached_property
    def missing(self) -> Any:
        """Boolean mask of the blanks, shape (N, D)."""
        return frozen(np.isnan(self.values))

    @cached_property
    def n_missing(self) -> int:
        return int(self.missing.sum())

    def distances(self, left: Ints, right: Ints) -> Floats:
        """Return distances of the items `left` from the items `right`; see `distances_between`."""
        return distances_between(self.values, left, right)

    @cached_property
    def pair_distances(self) -> Floats:
        """Distances between pairs of items: all of them, or a large sample."""
        return frozen(pair_distances(self.values))

    @cached_property
    def middle(self) -> Floats:
        """Median of every feature, shape (D,)."""
        # nanmedian takes several times as long, with or without blanks.
        median = np.nanmedian if self.n_missing else np.median
        return frozen(np.asarray(median(self.values, axis=0)))

    @cached_property
    def median_distance(self) -> float:
        """Median distance between items, exactly 0 if most pairs are the same."""
        return float(np.median(self.pair_distances)) if len(self.pair_distances) else 0.0

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of numbers, names and labels: equal data have equal fingerprints."""
        return digest(self.values, *self.name_parts)

    @property
    def name_parts(self) -> list[str]:
        """All names and labels with their kinds, in a fixed order, for hashes."""
        parts = ["items", *self.item_ids, "features", *self.feature_names]
        for kind, labels in (("item", self.item_labels), ("feature", self.feature_labels)):
            for name, texts in labels.items():
                parts += [f"{kind} label", name, *texts]
        return parts

    @property
    def transposed(self) -> Matrix:
        """The same table with items and features exchanged."""
        return Matrix(
            values=self.values.T,
            item_ids=self.feature_names,
            feature_names=self.item_ids,
            item_labels=self.feature_labels,
            feature_labels=self.item_labels,
            source=self.source,
            item_kind=self.feature_kind,
            feature_kind=self.item_kind,
        )

    def items(self, chosen: Sequence[int] | Any) -> Matrix:
        """Return the matrix of the chosen items, in the order given."""
        rows = np.arange(self.n_items)[np.asarray(chosen)] if len(chosen) else []
        return Matrix(
            values=self.values[rows],
            item_ids=tuple(self.item_ids[row] for row in rows),
            feature_names=self.feature_names,
            item_labels={
                name: tuple(texts[row] for row in rows) for name, texts in self.item_labels.items()
            },
            feature_labels=self.feature_labels,
            source=self.source,
            item_kind=self.item_kind,
            feature_kind=self.feature_kind,
        )

    def with_values(self, values: Floats) -> Matrix:
        """Return the same names and labels with other numbers."""
        return Matrix(
            values=values,
            item_ids=self.item_ids,
            feature_names=self.feature_names,
            item_labels=self.item_labels,
            feature_labels=self.feature_labels,
            source=self.source,
            item_kind=self.item_kind,
            feature_kind=self.feature_kind,
        )

    def _problems(self) -> list[Problem]:
        found: list[Problem] = []

        def add(key: str, what: str, where: str, way_out: str) -> None:
            found.append(
                Problem(
                    key=f"matrix.{key}", what=what, where=f"{self.source}: {where}", way_out=way_out
                )
            )

        if self.values.ndim != 2 or self.values.shape != (
            len(self.item_ids),
            len(self.feature_names),
        ):
            add(
                "shape",
                "The numbers and their names do not fit together.",
                f"values of shape {self.values.shape}, {len(self.item_ids)} item ids,"
                f" {len(self.feature_names)} feature names",
                "Give one id per row and one name per column.",
            )
            return found
        for axis, names, labels in (
            ("item", self.item_ids, self.item_labels),
            ("feature", self.feature_names, self.feature_labels),
        ):
            for label, texts in labels.items():
                if len(texts) != len(names):
                    add(
                        "labels",
                        f"The label '{label}' has {len(texts)} entries for {len(names)} {axis}s.",
                        f"label '{label}'",
                        f"Give one entry per {axis}.",
                    )
        for axis, names in (("item", self.item_ids), ("feature", self.feature_names)):
            twice = repeated(names)
            if twice:
                add(
                    f"duplicate_{axis}",
                    f"{counted(len(twice), f'{axis} name occurs', f'{axis} names occur')} more"
                    " than once.",
                    f"{axis}s {some_of(twice)}",
                    f"Rename the repeated {axis}s in the file, or choose another column as id.",
                )
        is_infinite = np.isinf(self.values)
        if is_infinite.any():
            infinite = np.argwhere(is_infinite)
            add(
                "infinite",
                f"{counted(len(infinite), 'value is', 'values are')} infinite.",
                some_of(
                    [
                        f"item '{self.item_ids[row]}', feature '{self.feature_names[column]}'"
                        for row, column in infinite[:SHOWN]
                    ],
                    total=len(infinite),
                ),
                "Replace them with numbers, or leave the cells blank to mark them as missing.",
            )
        return found


def _matrix_of(
    values: Floats,
    item_ids: tuple[str, ...],
    feature_names: tuple[str, ...],
    item_labels: Labels,
    feature_labels: Labels,
    source: str,
    item_kind: str,
    feature_kind: str,
) -> Matrix:
    return Matrix(
        values=values,
        item_ids=item_ids,
        feature_names=feature_names,
        item_labels=item_labels,
        feature_labels=feature_labels,
        source=source,
        item_kind=item_kind,
        feature_kind=feature_kind,
    )


def some_of(names: Sequence[str], *, total: int | None = None) -> str:
    """Return the first few names and the number of further ones."""
    total = len(names) if total is None else total
    shown = "; ".join(names[:SHOWN])
    return shown if total <= SHOWN else f"{shown}; and {total - SHOWN} more"


def repeated(names: Sequence[str]) -> list[str]:
    """Return names that occur more than once, each once, in order of appearance."""
    return [name for name, count in Counter(names).items() if count > 1]
