"""Packed bytes as streams: gzip, bzip2, xz and zstd (see PACKINGS), and files of zip archives."""

from __future__ import annotations

import bz2
import lzma
import struct
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, BinaryIO, Protocol, cast

from ximstudio.model.problem import UserError

BUFFER = 256 * 1024
"""Packed bytes that are read at once."""

MOST_WINDOW = 256 * 1024 * 1024
"""Maximum window of a stream in bytes; xz itself uses at most 64 MB."""


class BrokenArchive(Exception):  # noqa: N818 - what it is, not that it is an error
    """Raised for packed bytes that are damaged, truncated, or packed in an unknown way."""


class Stream(Protocol):
    """Unpacked bytes, a piece at a time."""

    def read(self, size: int, /) -> bytes:
        """Return at most `size` bytes; none at the end."""


@dataclass(frozen=True, kw_only=True)
class Packing:
    """One way to compress a file.

    Parameters
    ----------
    key, suffix
        For programs, and what such files are called after the name of the table.
    magic
        How they begin.
    opened
        The stream in an opened file; it raises BrokenArchive for what is damaged.
    """

    key: str
    suffix: str
    magic: bytes
    opened: Callable[[BinaryIO], Stream]


class _GzipMember:
    """A decompressor of one gzip member with the interface of `bz2.BZ2Decompressor`.

    Not `gzip.GzipFile`: it gives nothing of the last piece of a truncated file.
    """

    def __init__(self) -> None:
        self._one = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)

    @property
    def eof(self) -> bool:
        return self._one.eof

    @property
    def unused_data(self) -> bytes:
        return self._one.unused_data

    @property
    def needs_input(self) -> bool:
        return not self._one.unconsumed_tail

    def decompress(self, packed: bytes, size: int) -> bytes:
        return self._one.decompress(self._one.unconsumed_tail + packed, size)


class _Streams:
    """The bytes of any number of compressed streams, one after the other.

    `new` makes a decompressor with the interface of `bz2.BZ2Decompressor`; `errors` are what it
    raises on damaged bytes.
    """

    def __init__(
        self, file: BinaryIO, new: Callable[[], Any], errors: tuple[type[Exception], ...]
    ) -> None:
        self._file = file
        self._new = new
        self._errors = errors
        self._one = new()

    def read(self, size: int, /) -> bytes:
        while True:
            packed = b""
            if self._one.eof:
                # Zero bytes may fill up the last block of a tape or a stream.
                packed = (self._one.unused_data or self._file.read(BUFFER)).lstrip(b"\0")
                if not packed:
                    return b""
                self._one = self._new()
            elif self._one.needs_input:
                packed = self._file.read(BUFFER)
                if not packed:
                    raise BrokenArchive("it ends too early")
            try:
                piece: bytes = self._one.decompress(packed, size)
            except self._errors as error:
                raise BrokenArchive(str(error)) from None
            if piece:
                return piece


_gzip = partial(_Streams, new=_GzipMember, errors=(zlib.error,))
_bzip2 = partial(_Streams, new=bz2.BZ2Decompressor, errors=(OSError, ValueError))
_limited = partial(lzma.LZMADecompressor, memlimit=MOST_WINDOW)
_xz = partial(_Streams, new=_limited, errors=(lzma.LZMAError, MemoryError))


def _zstd(file: BinaryIO) -> Stream:
    module = _zstd_module(str(getattr(file, "name", "")))
    return _Streams(file, module.ZstdDecompressor, (module.ZstdError,))


def _zstd_module(where: str) -> Any:
    """Import the module that unpacks zstd: of the standard library from Python 3.14 on."""
    import importlib

    for name in ("compression.zstd", "backports.zstd"):
        try:
            return importlib.import_module(name)
        except ImportError:
            continue
    raise UserError(
        key="load.no_zstd",
        what="Files compressed with zstd need the package backports.zstd, which is not installed.",
        where=where,
        way_out="Install it with: pip install backports.zstd; or unpack it with: unzstd FILE.",
    )


PACKINGS: tuple[Packing, ...] = (
    Packing(key="gzip", suffix=".gz", magic=b"\x1f\x8b", opened=_gzip),
    Packing(key="bzip2", suffix=".bz2", magic=b"BZh", opened=_bzip2),
    Packing(key="xz", suffix=".xz", magic=b"\xfd7zXZ\x00", opened=_xz),
    Packing(key="zstd", suffix=".zst", magic=b"\x28\xb5\x2f\xfd", opened=_zstd),
)
"""All known kinds, recognised by their first bytes."""


def packing_of(head: bytes) -> Packing | None:
    """Return the compression of bytes with this beginning; None if they are not compressed."""
    return next((one for one in PACKINGS if head.startswith(one.magic)), None)


UNREADABLE = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, EOFError, LookupError),
    *(ValueError, OverflowError, NotImplementedError),
)
"""Errors of the standard library for archives that are damaged, or packed in a rare way."""


class MemberStream:
    """The unpacked bytes of one file in an archive."""

    def __init__(self, file: BinaryIO, member: str) -> None:
        try:
            archive = zipfile.ZipFile(file)
            self._stream = cast("zipfile.ZipExtFile", archive.open(member))
        except RuntimeError:
            # The standard library asks for a password.
            raise UserError(
                key="load.encrypted",
                what="The archive is encrypted.",
                where=f"{getattr(file, 'name', 'archive')}, {member}",
                way_out="Unpack it with its password, and open what comes out.",
            ) from None
        except UNREADABLE as error:
            raise BrokenArchive(str(error)) from None

    def read(self, size: int, /) -> bytes:
        try:
            return self._stream.read1(size)
        except UNREADABLE as error:
            raise BrokenArchive(str(error)) from None
