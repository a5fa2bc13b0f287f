"""Registries whose entries are imported when they are used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Protocol, TypeVar, overload

from ximstudio.model.params import known


class Keyed(Protocol):
    """Anything that a registry lists: it has a key."""

    @property
    def key(self) -> str: ...


T = TypeVar("T", bound=Keyed)


class Registry(Sequence[T]):
    """A list of methods, steps and the like, each in a module of its own.

    An entry is imported when it is taken from the list, so that a command that needs one method
    does not import all of them.

    Parameters
    ----------
    package
        Name of the package with the modules.
    places
        For every key the module and the name in it: "filters:MINIMUM".
    """

    def __init__(self, package: str, places: Mapping[str, str]) -> None:
        self._package = package
        self._places = dict(places)
        self.keys = tuple(self._places)

    def load(self, key: str) -> T:
        """Import the entry with this key."""
        module, _, name = self._places[key].partition(":")
        found: T = getattr(import_module(f"{self._package}.{module}"), name)
        return found

    def __len__(self) -> int:
        return len(self.keys)

    @overload
    def __getitem__(self, place: int) -> T: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[T, ...]: ...

    def __getitem__(self, place: int | slice) -> T | tuple[T, ...]:
        if isinstance(place, slice):
            return tuple(self.load(key) for key in self.keys[place])
        return self.load(self.keys[place])


def named(kind: str, key: str, entries: Sequence[T]) -> T:
    """Return the entry with this key; refuse an unknown one with a proposal.

    Of a registry, no other entry is imported.
    """
    if isinstance(entries, Registry):
        known(kind, key, entries.keys)
        found: T = entries.load(key)
        return found
    known(kind, key, [entry.key for entry in entries])
    return next(entry for entry in entries if entry.key == key)
