"""Arrays and long lists of texts that are stored beside the document of a session.

Each is written once however often it is used, and shared again when it is read: one array in
memory is one in the file, and one in memory again.
"""

from __future__ import annotations

import weakref
from abc import ABC, abstractmethod
from typing import Any, TypeAlias

from numpy.typing import NDArray

from ximstudio.session.data import owner_of
from ximstudio.store.json_values import JsonValue, parsed

FEWEST_TEXTS = 64
"""Shorter lists of texts are stored in the document."""

Texts: TypeAlias = tuple[str, ...] | frozenset[str]
"""Ordered texts, or a set, which is written in alphabetical order."""


class Parts(ABC):
    """Source of parts, an archive or a folder: each is read once."""

    def __init__(self) -> None:
        self._arrays: dict[str, NDArray[Any]] = {}
        self._texts: dict[str, tuple[str, ...]] = {}

    def array(self, name: str, kinds: tuple[str, ...], plain: JsonValue) -> NDArray[Any]:
        """Return the array of this name; an error if its type is not in `kinds` names `plain`."""
        if name not in self._arrays:
            self._arrays[name] = self._read_array(name, kinds, plain)
        if self._arrays[name].dtype.str not in kinds:
            # It may have been read as another kind before.
            raise plain.refused("its numbers have the wrong type")
        return self._arrays[name]

    def texts(self, name: str, plain: JsonValue) -> tuple[str, ...]:
        """Return the list of texts of this name."""
        if name not in self._texts:
            content, where = self._read_texts(name, plain)
            self._texts[name] = JsonValue(parsed(content, where), where).texts()
        return self._texts[name]

    @abstractmethod
    def _read_array(self, name: str, kinds: tuple[str, ...], plain: JsonValue) -> NDArray[Any]: ...

    @abstractmethod
    def _read_texts(self, name: str, plain: JsonValue) -> tuple[bytes, str]:
        """Read the JSON of a list of texts, and return it with its address."""


class CollectedParts:
    """The parts of a session to be written, each once, in the order of their first use.

    With `known`, parts that another collection has keep their names, so that they are not written
    again.
    """

    def __init__(self, known: CollectedParts | None = None) -> None:
        self.arrays: dict[str, NDArray[Any]] = {}
        self.texts: dict[str, Texts] = {}
        self._array_names: dict[Any, tuple[weakref.ref[NDArray[Any]], str]] = {}
        self._text_names: dict[int, str] = {}
        self._known = known
        self._next: int = 0 if known is None else known._next

    def add_array(self, array: NDArray[Any]) -> str:
        """Name an array by the memory that it shows, whichever view of it this is."""
        owner = owner_of(array)
        memory = (array.__array_interface__["data"][0], array.dtype.str)
        key = (id(owner), *memory, array.shape, array.strides)
        name = self._array_name(key, owner) or self._free_name()
        self.arrays[name] = array
        self._array_names[key] = (weakref.ref(owner), name)
        return name

    def add_texts(self, texts: Texts) -> str:
        """Name a list of texts."""
        name = self._text_name(texts) or self._free_name()
        self.texts[name] = texts
        self._text_names[id(texts)] = name
        return name

    def forget_arrays(self) -> None:
        """Keep the names of arrays but release the arrays."""
        self.arrays.clear()
        self._known = None

    def _array_name(self, key: Any, owner: NDArray[Any]) -> str | None:
        # The owner may be gone, and another array may have its id and memory.
        held, name = self._array_names.get(key, (None, None))
        if held is not None and held() is owner:
            return name
        return None if self._known is None else self._known._array_name(key, owner)

    def _text_name(self, texts: Texts) -> str | None:
        # Lists of texts are held, so that their ids stay unique.
        known = None if self._known is None else self._known._text_name(texts)
        return self._text_names.get(id(texts), known)

    def _free_name(self) -> str:
        self._next += 1
        return f"{self._next}"
