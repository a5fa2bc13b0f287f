"""Bytes of a file, a member of an archive, or a pasted text, watched for changes."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import BinaryIO, TypeAlias
from urllib.parse import unquote

import psutil

from ximstudio.load.packing.streams import BrokenArchive, MemberStream, Packing, Stream, packing_of
from ximstudio.load.reading import Report
from ximstudio.model.problem import UserError

HEAD = 256 * 1024
"""Number of bytes from which formats are recognised and dialects are guessed."""

PIECE = 4 * 1024 * 1024
"""Bytes read between two reports."""

MOST_GROWTH = 200
"""Maximum compression ratio: tables reach about 10, tables of zeros about 100."""

HARMLESS = 64 * 1024 * 1024
"""Size in bytes below which the compression ratio is not checked."""


@dataclass(frozen=True, kw_only=True)
class Source:
    """The origin of a table.

    Parameters
    ----------
    name
        What messages and records call it.
    path
        The file or folder; None for a text.
    text
        The text, if there is no file.
    member
        The file in the zip archive at `path` that is meant, if it is not the archive itself.
    """

    name: str
    path: Path | None = None
    text: str | None = None
    member: str | None = None

    @classmethod
    def at(cls, path: Path, name: str | None = None) -> Source:
        """Return the file or folder at `path`; refuse one that is missing or not readable.

        So are pipes and devices, which may never end, or wait for ever for somebody to write.
        """
        source = cls(name=str(path) if name is None else name, path=path)
        printable = source.name.encode("utf-8", errors="replace").decode("utf-8")
        if printable != source.name:
            # Old names in Latin-1 could not be written to records, figures and scripts.
            raise UserError(
                key="load.name",
                what="The name of the file or of a folder it lies in is not in UTF-8.",
                where=printable,
                way_out="Rename it, and open it again.",
            )
        _refuse_address(source.name)
        with _readable(source.name):
            mode = path.stat().st_mode
            if S_ISREG(mode):
                with path.open("rb") as file:
                    file.read(1)
        if not S_ISREG(mode) and not S_ISDIR(mode):
            raise UserError(
                key="load.unreadable",
                what="This is neither a file nor a folder, but a pipe or a device.",
                where=source.name,
                way_out="Write its content to a file, and open that.",
            )
        return source

    @classmethod
    def pasted(cls, text: str) -> Source:
        """Return the source for a text from the clipboard."""
        return cls(name="pasted text", text=text)

    @property
    def resolved(self) -> Source:
        """Return the same source with an absolute path and nothing cached.

        For another process, which may be in another folder.
        """
        return replace(self, path=None if self.path is None else self.path.absolute())

    @property
    def is_folder(self) -> bool:
        return self.path is not None and self.path.is_dir()

    @cached_property
    def packed_head(self) -> bytes:
        """The first bytes as stored on disk."""
        if self.is_folder:
            return b""
        with self._file() as file, _readable(self.name):
            return file.read(HEAD)

    @cached_property
    def _packing(self) -> Packing | None:
        return None if self.path is None else packing_of(self.packed_head)

    @property
    def is_packed(self) -> bool:
        """Return whether the file is compressed."""
        return self.member is not None or self._packing is not None

    @cached_property
    def head(self) -> bytes:
        """The first bytes, unpacked; of a broken archive, as far as possible."""
        if not self.is_packed:
            return self.packed_head
        taken = b""
        with self._file() as file:
            try:
                stream = self._stream(file)
                while len(taken) < HEAD and (piece := self._next(stream, HEAD - len(taken))):
                    taken += piece
            except BrokenArchive:
                return taken
        return taken

    @property
    def size(self) -> int:
        """Size on disk in bytes."""
        if self.path is None:
            return len(self._pasted_bytes)
        return 0 if self.is_folder else self.path.stat().st_size

    @cached_property
    def _pasted_bytes(self) -> bytes:
        return (self.text or "").encode("utf-8", errors="replace")

    @contextmanager
    def _file(self) -> Iterator[BinaryIO]:
        if self.path is None:
            yield io.BytesIO(self._pasted_bytes)
            return
        with _readable(self.name):
            file = self.path.open("rb")
        with file:
            yield file

    def read(self, report: Report, *, part: float = 1.0) -> bytes:
        """Read all bytes, unpacked; the report treats this as the first `part` of the work.

        Refused are archives that unpack to far more than a table could, and more bytes than fit
        into the memory that is free.
        """
        room = memory_to_give()
        # Avoids the copy that joining pieces would need.
        taken_in = io.BytesIO()
        taken = 0
        size = self.size
        with self._file() as packed:
            try:
                stream = self._stream(packed)
                while piece := self._next(stream, PIECE):
                    if self.path is not None and packed.tell() > size:
                        # The file grows while it is read, and may do so faster.
                        raise changed(self.name)
                    taken += len(piece)
                    self._refuse_bomb(taken, packed.tell())
                    refuse_too_large(taken, room, self.name)
                    taken_in.write(piece)
                    report(part * min(1.0, packed.tell() / max(size, 1)))
            except BrokenArchive as error:
                raise UserError(
                    key="load.broken_archive",
                    what=f"The compressed file is damaged or ends too early ({error}).",
                    where=f"{self.name}, after {taken} bytes",
                    way_out="Fetch or compress it again.",
                ) from None
        return taken_in.getvalue()

    def _stream(self, file: BinaryIO) -> Stream:
        """Return the unpacked bytes of an opened file."""
        if self.member is not None:
            return MemberStream(file, self.member)
        return file if self._packing is None else self._packing.opened(file)

    def _next(self, stream: Stream, size: int) -> bytes:
        with _readable(self.name):
            return stream.read(size)

    def _refuse_bomb(self, taken: int, packed: int) -> None:
        if self.is_packed and taken > HARMLESS and taken > MOST_GROWTH * packed:
            raise UserError(
                key="load.bomb",
                what=f"The compressed file unpacks to more than {MOST_GROWTH} times its size:"
                " that is no table.",
                where=self.name,
                way_out="Unpack it yourself if you trust it, and open what comes out.",
            )


ADDRESS = re.compile(r"(?P<kind>https?|s?ftps?|s3|gs|az|ssh|smb|file):/{1,3}(?P<rest>.+)", re.I)
"""Beginnings of addresses; paths lose one of two slashes."""


def _refuse_address(name: str) -> None:
    """Refuse an address: nothing is fetched from elsewhere."""
    found = ADDRESS.fullmatch(name)
    if found is None or Path(name).exists():
        return
    way_out = "Download it first, and open the file."
    if found["kind"].lower() == "file":
        path = unquote(found["rest"].removeprefix("localhost/"))
        drive = len(path) > 1 and path[1] == ":"
        way_out = f"Give its path: {path if drive else '/' + path.lstrip('/')}"
    raise UserError(
        key="load.address",
        what="This is an address, not the path of a file.",
        where=name,
        way_out=way_out,
    )


def changed(name: str) -> UserError:
    """Return the error for a file that changed while it was read."""
    return UserError(
        key="load.changed",
        what="The file was changed, or is still being written, while it was read.",
        where=name,
        way_out="Wait until it is complete, and open it again; or open a copy of it.",
    )


def memory_to_give() -> int:
    """Return how many bytes of the free memory one table may take."""
    return int(max(psutil.virtual_memory().available // 2, HARMLESS))


def refuse_too_large(needed: float, room: float, where: str) -> None:
    """Refuse data that would not fit into memory, before reading it."""
    if needed > room:
        raise UserError(
            key="load.too_large",
            what=f"The table needs more than {needed / 2**30:.1f} GB of memory,"
            f" and {room / 2**30:.1f} GB can be given to it.",
            where=where,
            way_out="Close other programs, take a part of the table, or use a larger machine.",
        )


@contextmanager
def _readable(name: str) -> Iterator[None]:
    """Convert the system's errors about a file that cannot be opened to messages."""
    try:
        yield
    except FileNotFoundError:
        what = "There is no such file."
        way_out = "Check the spelling of the path, or open an example such as 'sample:yeast'."
    except IsADirectoryError:
        what, way_out = "This is a folder, not a file.", "Give the path of a file."
    except PermissionError:
        what, way_out = "The file may not be read.", "Change its permissions, or copy it."
    except (OSError, ValueError) as error:
        # ValueError: a path with a NUL in it, and nothing else here.
        reason = getattr(error, "strerror", None) or str(error)
        what, way_out = f"The file cannot be read: {reason}.", "Check the path."
    else:
        return
    raise UserError(key="load.unreadable", what=what, where=name, way_out=way_out)


State: TypeAlias = tuple[tuple[str, int, int, int], ...]
"""Name, inode, size and modification time of every file that a source consists of."""


@contextmanager
def noticing_changes(source: Source) -> Iterator[None]:
    """Refuse the result of the context if the file has changed meanwhile.

    So is a refusal, whatever it says: half of an old and half of a new file look damaged.
    """
    before = _state(source.path)
    refusal = None
    try:
        yield
    except UserError as error:
        refusal = error
    if _state(source.path) != before:
        raise changed(source.name)
    if refusal is not None:
        raise refusal


def _state(path: Path | None) -> State | None:
    """Return the present state of the files; None if there are none, or no access to them."""
    if path is None:
        return None
    try:
        files = sorted(path.iterdir()) if path.is_dir() else [path]
        found = [(file.name, file.stat()) for file in files]
    except OSError:
        return None
    return tuple((name, stat.st_ino, stat.st_size, stat.st_mtime_ns) for name, stat in found)
