"""The XML of a worksheet, cut between rows while it is unpacked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

LARGE = 8 * 1024 * 1024
"""Bytes of XML from which on the kernels are worth their start."""

HEAD = 1024 * 1024
"""Bytes in which the rows of a sheet begin."""

BEGIN, END = b"<sheetData>", b"</sheetData>"
ROW = b"<row "
"""With the space, as what follows the rows may hold "<rowBreaks"."""

PADDING = b'<">/' * 32
"""Has all that the kernels look for: they never run beyond the end, whatever is before it."""


class SheetXml:
    """The XML of a sheet: what is before its rows, the rows in groups, and what is after them.

    Parameters
    ----------
    unpacked
        The XML in pieces, unpacked when they are asked for.

    Attributes
    ----------
    head, tail
        What is before and after the rows; None as long as they are not found.
    """

    def __init__(self, unpacked: Iterable[bytes]) -> None:
        self.head: bytes | None = None
        self.tail: bytes | None = None
        self._unpacked = iter(unpacked)
        self._padded: list[bytes] = []
        self._pending: list[bytes] = []

    def groups(self) -> Iterator[bytes]:
        """Yield whole rows, some megabytes together, with `PADDING` behind them.

        A small sheet has none, nor has one whose rows do not begin as usual.
        """
        size = 0
        for piece in self._unpacked:
            self._pending.append(piece)
            size += len(piece)
            if self.head is None:
                if size < LARGE:
                    continue
                if not self._find_head():
                    break
            cut = self._pending[-1].rfind(ROW)
            if cut > 0:
                rest = self._pending[-1][cut:]
                self._pending[-1] = self._pending[-1][:cut]
                yield self._group(rest)
        if self.head is None:
            return
        last = b"".join(self._pending)
        end = last.rfind(END)
        if end >= 0:
            self.tail = last[end:]
            self._pending = [last[:end]]
            yield self._group(self.tail)

    def whole(self) -> bytes:
        """Return all bytes, also those that are not unpacked yet."""
        groups = (memoryview(padded)[: -len(PADDING)] for padded in self._padded)
        return b"".join((self.head or b"", *groups, *self._pending, *self._unpacked))

    def _find_head(self) -> bool:
        top = b"".join(self._pending)
        end = top.find(BEGIN, 0, HEAD) + len(BEGIN)
        if end < len(BEGIN):
            return False
        self.head, self._pending = top[:end], [top[end:]]
        return True

    def _group(self, rest: bytes) -> bytes:
        """Take what is pending for a group; `rest` comes after it."""
        self._padded.append(b"".join((*self._pending, PADDING)))
        self._pending = [rest]
        return self._padded[-1]
