"""Arrays and long lists of texts that are stored beside the document of a session.

Each is written once however often it is used, and shared again when it is read: one array in
memory is one in the file, and one in memory again.
"""

from __future__ import annotations

import weakref
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ximstudio.store.json_values import JsonValue

FEWEST_TEXTS = 64
"""Shorter lists of texts are stored in the document."""


Texts: TypeAlias = tuple[str, ...] | frozenset[str]
"""Ordered texts, or a set, which is written in alphabetical order."""


class Parts(Protocol):
    """Source of parts: an archive or a folder."""

    def array(self, name: str, kinds: tuple[str, ...], plain: JsonValue) -> NDArray[Any]:
        """Read the array of this name; an error if its type is not in `kinds` names `plain`."""

    def texts(self, name: str, plain: JsonValue) -> tuple[str, ...]:
        """Read the list of texts of this name."""


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
        owner = _owner(array)
        memory = (array.__array_interface__["data"][0], array.dtype.str)
        key = (id(owner), *memory, array.shape, array.strides)
        name = self._array_name(key, owner)
        if name is None and self._known is not None:
            name = self._known._array_name(key, owner)
        if name is None:
            name = self._free_name()
        self.arrays[name] = array
        self._array_names[key] = (weakref.ref(owner), name)
        return name

    def add_texts(self, texts: Texts) -> str:
        """Name a list of texts."""
        name = self._text_name(texts)
        if name is None and self._known is not None:
            name = self._known._text_name(texts)
        if name is None:
            name = self._free_name()
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
        return name if held is not None and held() is owner else None

    def _text_name(self, texts: Texts) -> str | None:
        # Lists of texts are held, so that their ids stay unique.
        return self._text_names.get(id(texts))

    def _free_name(self) -> str:
        self._next += 1
        return f"{self._next}"


def _owner(array: NDArray[Any]) -> NDArray[Any]:
    """Find the array whose memory this one shows."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array
