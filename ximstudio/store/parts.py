"""What a stored session is made of besides its document: arrays and long lists of texts.

Both are parts of their own, each written once however often it is used, and shared again when
they are read: what is one array in memory is one in the file, and one in memory again.
"""

from __future__ import annotations

import weakref
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ximstudio.store.json_values import JsonValue

FEWEST_TEXTS = 64
"""Shorter lists of texts stand in the document."""


Texts: TypeAlias = tuple[str, ...] | frozenset[str]
"""Texts in an order, or in none: then they are written by the alphabet."""


class Parts(Protocol):
    """Where parts are read from: an archive, or a folder."""

    def array(self, name: str, kinds: tuple[str, ...], plain: JsonValue) -> NDArray[Any]:
        """The array of this name and one of these types; refused at the address of `plain`."""

    def texts(self, name: str, plain: JsonValue) -> tuple[str, ...]:
        """The list of texts of this name."""


class CollectedParts:
    """The parts of a session to be written, in the order in which they were met, each once.

    With `known`, parts that another collection has keep the names they have there: what is written
    already is not written again.
    """

    def __init__(self, known: CollectedParts | None = None) -> None:
        self.arrays: dict[str, NDArray[Any]] = {}
        self.texts: dict[str, Texts] = {}
        self._array_names: dict[Any, tuple[weakref.ref[NDArray[Any]], str]] = {}
        self._text_names: dict[int, str] = {}
        self._known = known
        self._next: int = 0 if known is None else known._next

    def add_array(self, array: NDArray[Any]) -> str:
        """The name of an array: of the memory it shows, whichever view of it this is."""
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
        """The name of a list of texts."""
        name = self._text_name(texts)
        if name is None and self._known is not None:
            name = self._known._text_name(texts)
        if name is None:
            name = self._free_name()
        self.texts[name] = texts
        self._text_names[id(texts)] = name
        return name

    def forget_arrays(self) -> None:
        """Keep the names of arrays, and not the arrays: what is no longer needed may go."""
        self.arrays.clear()
        self._known = None

    def _array_name(self, key: Any, owner: NDArray[Any]) -> str | None:
        # The owner may be gone, and another array have its number and memory.
        held, name = self._array_names.get(key, (None, None))
        return name if held is not None and held() is owner else None

    def _text_name(self, texts: Texts) -> str | None:
        # Lists of texts are held, so that their numbers stay theirs.
        return self._text_names.get(id(texts))

    def _free_name(self) -> str:
        self._next += 1
        return f"{self._next}"


def _owner(array: NDArray[Any]) -> NDArray[Any]:
    """The array whose memory this one shows."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array
