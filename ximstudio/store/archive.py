"""Read and write a session's document and parts as an uncompressed zip archive.

Nothing is compressed: compressing a gigabyte takes a minute or more, an archive that does not
unpack cannot be a zip bomb, and numpy can read the members directly. Input is not trusted.
"""

from __future__ import annotations

import json
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import psutil
from numpy.typing import NDArray

from ximstudio.files.atomic import json_bytes
from ximstudio.load.reading import Report
from ximstudio.model.npy import PIECE, NoArrayError, header_of, pieces_of, read_array, size_of
from ximstudio.model.problem import UserError
from ximstudio.store.json_values import JsonValue, damaged, parsed
from ximstudio.store.parts import CollectedParts, Parts, Texts
from ximstudio.store.schema import Document, not_a_session
from ximstudio.store.unpacking import too_large

DOCUMENT = "session.json"
ARRAY, TEXTS = "arrays/{}.npy", "texts/{}.json"
MEMBER = re.compile(r"session\.json|arrays/[0-9]{1,9}\.npy|texts/[0-9]{1,9}\.json")
NAME = re.compile(r"[0-9]{1,9}")

MOST_MEMBERS = 1_000_000

PER_BYTE_OF_TEXT = 12
"""Bytes of memory that a byte of JSON may take: short texts take several times their length."""


def texts_bytes(texts: Texts) -> bytes:
    """Encode texts as a JSON list; unordered ones are sorted alphabetically."""
    ordered = sorted(texts) if isinstance(texts, frozenset) else list(texts)
    return json_bytes(json.dumps(ordered, ensure_ascii=False))


def document_bytes(document: Document) -> bytes:
    """Encode a document as JSON; ValueError if it holds anything but plain values."""
    return json_bytes(json.dumps(document, ensure_ascii=False, allow_nan=False))


def write_archive(
    file: BinaryIO, document: Document, parts: CollectedParts, report: Report
) -> None:
    """Write a document and its parts into one archive, arrays straight from memory."""
    content = document_bytes(document)
    texts = {name: texts_bytes(each) for name, each in parts.texts.items()}
    total = len(content) + sum(map(len, texts.values()))
    total += sum(size_of(array) for array in parts.arrays.values())
    heard = ProgressWriter(report, total)
    with zipfile.ZipFile(file, "w", compression=zipfile.ZIP_STORED) as archive:
        _write(archive, DOCUMENT, [content], heard)
        for name, each in texts.items():
            _write(archive, TEXTS.format(name), [each], heard)
        for name, array in parts.arrays.items():
            _write(archive, ARRAY.format(name), npy_bytes(array), heard)


def npy_bytes(array: NDArray[Any]) -> Iterator[bytes | memoryview]:
    """Yield the bytes of an array's .npy file, piece by piece."""
    yield header_of(array)
    yield from pieces_of(array)


def _write(archive: zipfile.ZipFile, name: str, pieces: Any, heard: Callable[[int], None]) -> None:
    # A ZipInfo has a fixed date, so that equal sessions give equal files.
    with archive.open(zipfile.ZipInfo(name), "w", force_zip64=True) as member:
        for piece in pieces:
            member.write(piece)
            heard(len(piece))


class ProgressWriter:
    """Report the share of all bytes that is done."""

    def __init__(self, report: Report, total: int) -> None:
        self._report = report
        self._total = max(total, 1)
        self._done = 0
        report(0.0)

    def __call__(self, n_bytes: int) -> None:
        self._done += n_bytes
        self._report(min(self._done / self._total, 1.0))


class SessionArchive(Parts):
    """The parts of a session in an archive."""

    def __init__(self, archive: zipfile.ZipFile, size: int, where: str, report: Report) -> None:
        super().__init__()
        entries = archive.infolist()
        self._archive = archive
        self._where = where
        self._entries = {entry.filename: entry for entry in entries}
        if DOCUMENT not in self._entries:
            raise not_a_session(where)
        if len(self._entries) < len(entries) or len(entries) > MOST_MEMBERS:
            raise damaged(where, "it has duplicate parts, or too many of them")
        for entry in entries:
            if not MEMBER.fullmatch(entry.filename):
                raise damaged(where, f"it has an unknown part '{entry.filename[:50]}'")
            stored = entry.compress_type == zipfile.ZIP_STORED and not entry.flag_bits & 1
            if not stored or entry.compress_size != entry.file_size:
                raise damaged(where, "it is compressed or encrypted")
        total = sum(entry.file_size for entry in entries)
        # Members may overlap in a crafted archive: together they must fit into the file.
        if total > size:
            raise damaged(where, "its parts are larger than the file")
        self._heard = ProgressWriter(report, total)
        texts = sum(entry.file_size for entry in entries if entry.filename.endswith(".json"))
        if total - texts + PER_BYTE_OF_TEXT * texts > free_memory():
            raise too_large(where)

    def document(self) -> Any:
        """Parse the document; nothing in it is checked yet."""
        return parsed(self._content(DOCUMENT), f"{self._where}: {DOCUMENT}")

    def _read_array(self, name: str, kinds: tuple[str, ...], plain: JsonValue) -> NDArray[Any]:
        entry = self._entry(ARRAY, name, plain)
        with self._unbroken(entry.filename), self._archive.open(entry) as member:
            return read_array(member, entry.file_size, kinds=kinds, heard=self._heard)

    def _read_texts(self, name: str, plain: JsonValue) -> tuple[bytes, str]:
        file = self._entry(TEXTS, name, plain).filename
        return self._content(file), f"{self._where}: {file}"

    def _entry(self, form: str, name: str, plain: JsonValue) -> zipfile.ZipInfo:
        entry = self._entries.get(form.format(name)) if NAME.fullmatch(name) else None
        if entry is None:
            raise plain.refused(f"the part '{name[:20]}' is missing")
        return entry

    def _content(self, name: str) -> bytes:
        pieces = []
        with self._unbroken(name), self._archive.open(self._entries[name]) as member:
            while piece := member.read(PIECE):
                pieces.append(piece)
                self._heard(len(piece))
        return b"".join(pieces)

    @contextmanager
    def _unbroken(self, name: str) -> Iterator[None]:
        where = f"{self._where}: {name}"
        try:
            yield
        except NoArrayError as error:
            raise damaged(where, str(error)) from None
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError):
            raise damaged(where, "a part of it is corrupt") from None


def free_memory() -> float:
    """Available memory in bytes, without swapping."""
    return float(psutil.virtual_memory().available)


@contextmanager
def opened_archive(path: Path, report: Report) -> Iterator[SessionArchive]:
    """Open the archive of a session; refuse any other kind of file."""
    where = str(path)
    try:
        if not path.exists():
            raise FileNotFoundError(2, "there is no such file")
        if not path.is_file():
            raise not_a_session(where)
        file = path.open("rb")
    except UserError:
        raise
    except (OSError, ValueError) as error:
        raise unreadable(where, error) from None
    with file:
        try:
            archive = zipfile.ZipFile(file)
        except (zipfile.BadZipFile, NotImplementedError, ValueError, EOFError, OverflowError):
            file.seek(0)
            if file.read(2) == b"PK":
                raise damaged(where, "the archive is incomplete") from None
            raise not_a_session(where) from None
        except OSError as error:
            raise unreadable(where, error) from None
        with archive:
            try:
                yield SessionArchive(archive, path.stat().st_size, where, report)
            except OSError as error:
                raise unreadable(where, error) from None


def unreadable(where: str, error: Exception) -> UserError:
    """Error: the file cannot be read."""
    why = getattr(error, "strerror", None) or error
    return UserError(
        key="session.unreadable",
        what=f"The session cannot be read: {why}.",
        where=where,
        way_out="Check the path and your permission to read it.",
    )
