"""Messages between a child process and its parent.

A message is a kind, a pickle, and the buffers of large arrays beside it (pickle protocol 5): these
go from the array over the pipe into the memory that the array has on the other side.
"""

from __future__ import annotations

import pickle
import struct
from collections.abc import Callable
from typing import IO, Any

HEAD = struct.Struct("<cQI")
"""Kind, bytes of the pickle, number of buffers."""
SIZE = struct.Struct("<Q")
PIECE = 1024 * 1024

READY, PROGRESS, RESULT, REFUSED, RAISED = b"r", b"p", b"t", b"u", b"x"
"""Kinds of messages to the parent: the child listens, has come so far, has a result; the function
raised a UserError, or something else."""

LOAD, CALL = b"l", b"c"
"""Kinds of messages to the child: import modules; call a function."""


def send(stream: IO[bytes], kind: bytes, content: object) -> None:
    """Write a message and see that it gets on its way."""
    buffers: list[pickle.PickleBuffer] = []
    body = pickle.dumps(content, protocol=5, buffer_callback=buffers.append)
    parts = [buffer.raw() for buffer in buffers]
    stream.write(HEAD.pack(kind, len(body), len(parts)))
    for part in parts:
        stream.write(SIZE.pack(part.nbytes))
    for part in parts:
        stream.write(part)
    stream.write(body)
    stream.flush()


class Incoming:
    """The reading end of a pipe, which counts what comes in."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self.taken = 0
        """Bytes so far: while they grow, the other side is at work."""

    def receive(self, admit: Callable[[int], None] | None = None) -> tuple[bytes, Any]:
        """Wait for a message; EOFError if there will be none.

        `admit` hears the size of every message before it is taken in, and may raise.
        """
        kind, length, count = HEAD.unpack(self.read(HEAD.size))
        sizes = [SIZE.unpack(self.read(SIZE.size))[0] for _ in range(count)]
        if admit is not None:
            admit(length + sum(sizes))
        buffers = [bytearray(size) for size in sizes]
        for buffer in buffers:
            self.readinto(buffer)
        # From the stream rather than from bytes: between the frames of a pickle other threads get
        # their turn, so that a window does not stand still over a million names.
        return kind, pickle.load(self, buffers=buffers)  # noqa: S301  (our own process)

    def read(self, size: int) -> bytes:
        """Exactly `size` bytes; EOFError if there are not as many."""
        data = self._stream.read(size)
        if len(data) < size:
            raise EOFError
        self.taken += size
        return data

    def readline(self) -> bytes:
        """A line, which pickles of protocol 0 have; part of what `pickle.load` asks for."""
        line = self._stream.readline()
        self.taken += len(line)
        return line

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer; EOFError if there is not as much."""
        view = memoryview(buffer).cast("B")
        for begin in range(0, len(view), PIECE):
            piece = view[begin : begin + PIECE]
            if self._stream.readinto(piece) < len(piece):  # type: ignore[attr-defined]
                raise EOFError
            self.taken += len(piece)
        return len(view)
