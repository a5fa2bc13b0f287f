"""Unpack one file of a zip archive as a stream."""

from __future__ import annotations

import lzma
import struct
import zipfile
import zlib
from typing import BinaryIO, cast

from ximstudio.load.packing.streams import BrokenArchive
from ximstudio.model.problem import UserError

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
