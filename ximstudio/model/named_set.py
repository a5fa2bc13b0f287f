"""Sets of genes (or samples) with a name: saved selections, pasted lists, pathways from a file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from ximstudio.model.selection import Selection


class Side(StrEnum):
    """What the names of a set are names of."""

    ITEMS = "items"
    FEATURES = "features"


class Algebra(StrEnum):
    """How two sets make a third."""

    UNION = "union"
    INTERSECTION = "intersection"
    DIFFERENCE = "difference"


@dataclass(frozen=True, kw_only=True)
class NamedSet:
    """Some names under one name.

    Parameters
    ----------
    name
        Of its own in a session.
    members
        Ids of items, or names of features; each once, in the order in which they were given.
    side
        Which of the two they are.
    note
        Where the set comes from, for people.
    colour
        The number of the colour that it has in views; None for that of its place among the sets.
    """

    name: str
    members: tuple[str, ...]
    side: Side = Side.ITEMS
    note: str = ""
    colour: int | None = None

    @classmethod
    def of(
        cls, name: str, members: Iterable[str], *, side: Side = Side.ITEMS, note: str = ""
    ) -> NamedSet:
        """A set of these, each once."""
        return cls(name=name, members=tuple(dict.fromkeys(members)), side=side, note=note)

    def __len__(self) -> int:
        return len(self.members)

    @property
    def selection(self) -> Selection:
        """The members as a selection."""
        return Selection.of(self.members)

    def with_other(self, other: NamedSet, how: Algebra, *, name: str) -> NamedSet:
        """A third set of this and another of the same side, in this one's order."""
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
    """The name itself, or with a number behind it if a set has it already."""
    return _free(wanted, {each.name for each in taken})


def with_free_names(made: Sequence[NamedSet], taken: Sequence[NamedSet]) -> tuple[NamedSet, ...]:
    """Sets under names of their own beside those that are there; a file may hold thousands."""
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
