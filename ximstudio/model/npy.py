"""Arrays as numpy's .npy files have them, written piece by piece and read without trust."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Callable, Collection, Iterator
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ximstudio.model.arrays import frozen

PIECE = 2**22
"""Bytes that are read or written together: between two of them, work can be ended."""


MAGIC = b"\x93NUMPY\x01\x00"
START = len(MAGIC) + 2
"""Bytes before the header: what says that there is one, and its length."""
HEADER = re.compile(
    rb"\{'descr': '(?P<kind>[<|][a-z][0-9]{1,2})', 'fortran_order': (?P<fortran>True|False),"
    rb" 'shape': \((?P<shape>|[0-9]{1,18},|[0-9]{1,18}(?:, [0-9]{1,18}){1,7})\), \} *\n"
)
"""A header as numpy writes it. Its own reader evaluates what it finds, and takes old forms, too."""


class Readable(Protocol):
    """What bytes can be read from."""

    def read(self, size: int = ..., /) -> bytes: ...


class NoArrayError(ValueError):
    """Bytes are not the array that they are said to be."""


def header_of(array: NDArray[Any]) -> bytes:
    """What stands before the numbers in a file: their type and shape, rows one after the other."""
    file = io.BytesIO()
    described = {"descr": _little(array.dtype).str, "fortran_order": False, "shape": array.shape}
    np.lib.format.write_array_header_1_0(file, described)
    return file.getvalue()


def pieces_of(array: NDArray[Any]) -> Iterator[memoryview]:
    """The numbers as bytes, rows one after the other; those that lie so are not copied."""
    kind = _little(array.dtype)
    if array.flags.c_contiguous and array.dtype == kind:
        whole = array.reshape(-1).view(np.uint8).data
        for begin in range(0, len(whole), PIECE):
            yield whole[begin : begin + PIECE]
        return
    rows = array.reshape(1) if array.ndim == 0 else array
    at_once = max(1, PIECE * len(rows) // max(array.nbytes, 1))
    for begin in range(0, len(rows), at_once):
        part = np.ascontiguousarray(rows[begin : begin + at_once], dtype=kind)
        yield part.reshape(-1).view(np.uint8).data


def size_of(array: NDArray[Any]) -> int:
    """Bytes that the array takes in a file."""
    return len(header_of(array)) + array.nbytes


def read_array(
    file: Readable, size: int, *, kinds: Collection[str], heard: Callable[[int], None] | None = None
) -> NDArray[Any]:
    """The array of a file of so many bytes, read-only; NoArrayError for whatever else it is.

    Its header is believed only if it fits the bytes that follow and its type is among `kinds`: no
    memory is taken before. `heard` is told of every piece, and may raise to end the reading.
    """
    start = file.read(START)
    length = int.from_bytes(start[len(MAGIC) :], "little")
    found = HEADER.fullmatch(file.read(length)) if start.startswith(MAGIC) else None
    if found is None:
        raise NoArrayError("a part of it is no array")
    kind, fortran = found["kind"].decode(), found["fortran"] == b"True"
    shape = tuple(int(number) for number in found["shape"].split(b",") if number.strip())
    n_bytes = size - START - length
    if kind not in kinds or math.prod(shape) * np.dtype(kind).itemsize != n_bytes:
        raise NoArrayError("a part of it has another size or type than it says")
    try:
        array = np.empty(shape[::-1] if fortran else shape, dtype=kind)
    except (ValueError, MemoryError):
        # Too large for any machine along one side, and 0 along another; or for this one.
        raise NoArrayError("a part of it has a size that no array has") from None
    room = array.reshape(-1).view(np.uint8).data
    filled = 0
    while filled < n_bytes:
        piece = file.read(min(PIECE, n_bytes - filled))
        if not piece:
            raise NoArrayError("a part of it ends too early")
        room[filled : filled + len(piece)] = piece
        filled += len(piece)
        if heard is not None:
            heard(len(piece))
    # To the very end: whoever takes sums over what is read compares them there.
    if file.read(1):
        raise NoArrayError("a part of it goes on where it should end")
    frozen(array)
    return frozen(array.T) if fortran else array


def _little(kind: np.dtype[Any]) -> np.dtype[Any]:
    """The same type as other machines have it, too."""
    return kind.newbyteorder("<")
