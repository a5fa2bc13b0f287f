"""A finding in a table: what it is, where it is, and how to repair it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, overload

import numpy as np

from ximstudio.model.arrays import Ints, frozen
from ximstudio.model.problem import Problem, Severity
from ximstudio.prepare.planned import Planned
from ximstudio.prepare.recipe import Recipe

ANYWHERE = -1
"""In `Addresses`: the whole of this side."""


class Address(NamedTuple):
    """A cell, an item (no feature) or a feature (no item), by number, counted from 0."""

    item: int | None
    feature: int | None


class Addresses(Sequence[Address]):
    """Any number of addresses, kept as two arrays: a table may have millions of blanks."""

    def __init__(self, *, items: Ints | None = None, features: Ints | None = None) -> None:
        length = len(items) if items is not None else len(features) if features is not None else 0
        everywhere = np.full(length, ANYWHERE)
        self.items = frozen(np.array(everywhere if items is None else items, dtype=np.int64))
        self.features = frozen(
            np.array(everywhere if features is None else features, dtype=np.int64)
        )
        if len(self.items) != len(self.features):
            raise ValueError(f"{len(self.items)} items, but {len(self.features)} features")

    def __len__(self) -> int:
        return len(self.items)

    @overload
    def __getitem__(self, index: int) -> Address: ...
    @overload
    def __getitem__(self, index: slice) -> Addresses: ...
    def __getitem__(self, index: int | slice) -> Address | Addresses:
        if isinstance(index, slice):
            return Addresses(items=self.items[index], features=self.features[index])
        item, feature = int(self.items[index]), int(self.features[index])
        return Address(
            item=None if item == ANYWHERE else item,
            feature=None if feature == ANYWHERE else feature,
        )

    def __repr__(self) -> str:
        return f"Addresses({list(self[:5])}, {len(self)} in all)"


@dataclass(frozen=True, kw_only=True)
class Repair:
    """Steps, or another way of reading the file, that repair a finding.

    Parameters
    ----------
    label
        Description for users.
    steps
        Steps that follow those of the recipe.
    settles
        False for a decision that leaves the finding as it is, such as to keep blanks.
    choices
        Choices of reading, as in `Problem.hint`: name of a choice → its value.
    """

    label: str
    steps: tuple[Planned, ...] = ()
    settles: bool = True
    choices: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @property
    def recipe(self) -> Recipe:
        """The steps as a recipe for the table that was examined."""
        return Recipe(steps=self.steps)

    @property
    def loses(self) -> bool:
        """True if data are lost by it."""
        return any(each.step.loses for each in self.steps)


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One thing found in a table.

    Parameters
    ----------
    key
        Key of the check that found it.
    severity
        ERROR: the table cannot be trained on like this. WARNING: the map would mislead. NOTE: worth
        knowing.
    side
        "items" or "features" if it is about one side, else "".
    what, where, way_out
        For users, as in every message.
    addresses
        All places, as indices into the table that was examined.
    repairs
        The recommended one first.
    sure
        False where the user should look before anything is repaired.
    hint
        Choices of reading that settle it (`Problem.hint`).
    """

    key: str
    severity: Severity
    what: str
    where: str
    way_out: str
    side: str = ""
    addresses: Sequence[Address] = ()
    repairs: tuple[Repair, ...] = ()
    sure: bool = True
    hint: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def bound(self, genes: str) -> Finding:
        """Return the finding with the sides of its repairs as "genes" and "samples".

        `genes` is the side of the genes in the table that was examined: "items" or "features".
        """
        repairs = tuple(
            replace(repair, steps=repair.recipe.bound(genes).steps) for repair in self.repairs
        )
        return replace(self, repairs=repairs)

    @property
    def problem(self) -> Problem:
        """The finding as a message."""
        return Problem(
            key=f"doctor.{self.key}",
            what=self.what,
            where=self.where,
            way_out=self.way_out,
            severity=self.severity,
            hint=self.hint or (dict(self.repairs[0].choices) if self.repairs else {}),
        )
