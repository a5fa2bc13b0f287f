"""Read and write numpy's .npy format piece by piece, without trusting the file."""

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
"""Bytes read or written together: work can be stopped between two pieces."""


MAGIC = b"\x93NUMPY\x01\x00"
START = len(MAGIC) + 2
"""Bytes before the header: magic number, version and length of the header."""
HEADER = re.compile(
    rb"\{'descr': '(?P<kind>[<|][a-z][0-9]{1,2})', 'fortran_order': (?P<fortran>True|False),"
    rb" 'shape': \((?P<shape>|[0-9]{1,18},|[0-9]{1,18}(?:, [0-9]{1,18}){1,7})\), \} *\n"
)
"""Header as numpy writes it. numpy's own reader evaluates it and also accepts old forms."""


class Readable(Protocol):
    """Source of bytes."""

    def read(self, size: int = ..., /) -> bytes: ...


class NoArrayError(ValueError):
    """Raised if bytes are not the array they are declared to be."""


def header_of(array: NDArray[Any]) -> bytes:
    """Return the header of an .npy file: type and shape, in row-major order."""
    file = io.BytesIO()
    described = {"descr": _little(array.dtype).str, "fortran_order": False, "shape": array.shape}
    np.lib.format.write_array_header_1_0(file, described)
    return file.getvalue()


def pieces_of(array: NDArray[Any]) -> Iterator[memoryview]:
    """Yield the numbers as bytes in row-major order; contiguous ones are not copied."""
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
    """Return the number of bytes that the array takes in a file."""
    return len(header_of(array)) + array.nbytes


def read_array(
    file: Readable, size: int, *, kinds: Collection[str], heard: Callable[[int], None] | None = None
) -> NDArray[Any]:
    """Read the array of a file of so many bytes, read-only; raise NoArrayError for anything else.

    The header is accepted only if it fits the bytes that follow and its type is among `kinds`; no
    memory is allocated before that. `heard` is called with every piece and may raise to stop
    reading.
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
    # To the very end: callers compare checksums there.
    if file.read(1):
        raise NoArrayError("a part of it goes on where it should end")
    frozen(array)
    return frozen(array.T) if fortran else array


def _little(kind: np.dtype[Any]) -> np.dtype[Any]:
    """Return the same type in little-endian byte order."""
    return kind.newbyteorder("<")
