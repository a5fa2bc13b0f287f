"""Named sets of genes or samples: saved selections, pasted lists, pathways from a file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from ximstudio.model.selection import Selection


class SetSide(StrEnum):
    """The side of a table that the members of a set belong to."""

    ITEMS = "items"
    FEATURES = "features"


class Algebra(StrEnum):
    """Set operations that combine two sets into a third."""

    UNION = "union"
    INTERSECTION = "intersection"
    DIFFERENCE = "difference"


@dataclass(frozen=True, kw_only=True)
class NamedSet:
    """A set of items or features with a name.

    Parameters
    ----------
    name
        Unique in a session.
    members
        Ids of items, or names of features; each once, in the order in which they were given.
    side
        Whether they are items or features.
    note
        Origin of the set, as text.
    colour
        Number of its colour in views; None for the colour of its place among the sets.
    """

    name: str
    members: tuple[str, ...]
    side: SetSide = SetSide.ITEMS
    note: str = ""
    colour: int | None = None

    @classmethod
    def of(
        cls, name: str, members: Iterable[str], *, side: SetSide = SetSide.ITEMS, note: str = ""
    ) -> NamedSet:
        """Make a set of these members, each once."""
        return cls(name=name, members=tuple(dict.fromkeys(members)), side=side, note=note)

    def __len__(self) -> int:
        return len(self.members)

    @property
    def selection(self) -> Selection:
        """The members as a selection."""
        return Selection.of(self.members)

    def with_other(self, other: NamedSet, how: Algebra, *, name: str) -> NamedSet:
        """Combine this set with another of the same side, in this one's order."""
        if self.side is not other.side:
            message = "Sets of items and sets of features have nothing in common."
            raise ValueError(message)
        theirs = set(other.members)
        if how is Algebra.UNION:
            members = (*self.members, *other.members)
        elif how is Algebra.INTERSECTION:
            members = tuple(each for each in self.members if each in theirs)
        else:
            members = tuple(each for each in self.members if each not in theirs)
        note = f"{how.capitalize()} of {self.name} and {other.name}"
        if how is Algebra.DIFFERENCE:
            note = f"{self.name} without {other.name}"
        return NamedSet.of(name, members, side=self.side, note=note)


def free_name(wanted: str, taken: Sequence[NamedSet]) -> str:
    """Return the name itself, or with a number appended if a set already has it."""
    return _free(wanted, {each.name for each in taken})


def with_free_names(made: Sequence[NamedSet], taken: Sequence[NamedSet]) -> tuple[NamedSet, ...]:
    """Rename sets so that their names are unique beside the existing ones; a file may hold
    thousands.
    """
    names = {each.name for each in taken}
    named = []
    for each in made:
        name = _free(each.name, names)
        names.add(name)
        named.append(replace(each, name=name))
    return tuple(named)


def _free(wanted: str, names: set[str]) -> str:
    wanted = wanted.strip() or "Set"
    if wanted not in names:
        return wanted
    number = 2
    while f"{wanted} ({number})" in names:
        number += 1
    return f"{wanted} ({number})"
