"""Messages between a child process and its parent.

A message is a kind, a pickle, and the buffers of large arrays beside it (pickle protocol 5): these
go directly from the array through the pipe into the memory of the array on the other side.
"""

from __future__ import annotations

import pickle
import struct
from collections.abc import Callable
from typing import IO, Any

HEAD = struct.Struct("<cQI")
"""Kind, size of the pickle in bytes, number of buffers."""
SIZE = struct.Struct("<Q")
PIECE = 1024 * 1024

READY, PROGRESS, RESULT, REFUSED, RAISED = b"r", b"p", b"t", b"u", b"x"
"""Kinds of messages to the parent; REFUSED carries a UserError, RAISED another exception."""

LOAD, CALL = b"l", b"c"
"""Kinds of messages to the child: import modules; call a function."""


def send(stream: IO[bytes], kind: bytes, content: object) -> None:
    """Write a message and flush it."""
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
    """The reading end of a pipe, with a count of received bytes."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self.taken = 0
        """Bytes so far: while they grow, the other side is working."""

    def receive(self, admit: Callable[[int], None] | None = None) -> tuple[bytes, Any]:
        """Wait for a message; raise EOFError if there will be none.

        `admit` is called with the size of every message before it is read, and may raise.
        """
        kind, length, count = HEAD.unpack(self.read(HEAD.size))
        sizes = [SIZE.unpack(self.read(SIZE.size))[0] for _ in range(count)]
        if admit is not None:
            admit(length + sum(sizes))
        buffers = [bytearray(size) for size in sizes]
        for buffer in buffers:
            self.readinto(buffer)
        # From the stream rather than from bytes: other threads run between the frames of a pickle,
        # so that a window does not freeze over a million names.
        return kind, pickle.load(self, buffers=buffers)  # noqa: S301  (our own process)

    def read(self, size: int) -> bytes:
        """Read exactly `size` bytes; raise EOFError if there are fewer."""
        data = self._stream.read(size)
        if len(data) < size:
            raise EOFError
        self.taken += size
        return data

    def readline(self) -> bytes:
        """Read a line, as in pickles of protocol 0; part of the interface of `pickle.load`."""
        line = self._stream.readline()
        self.taken += len(line)
        return line

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer; raise EOFError if there is too little."""
        view = memoryview(buffer).cast("B")
        for begin in range(0, len(view), PIECE):
            piece = view[begin : begin + PIECE]
            if self._stream.readinto(piece) < len(piece):  # type: ignore[attr-defined]
                raise EOFError
            self.taken += len(piece)
        return len(view)
