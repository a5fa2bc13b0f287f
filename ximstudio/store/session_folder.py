"""Store a document and its parts in a folder: parts stay, and only the document changes.

So a large session is written once, and later only what is new. The document is replaced
atomically after its parts are written, and unused parts are removed afterwards: whenever the
process ends, everything that the document names exists.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

from numpy.typing import NDArray

from ximstudio.files.atomic import atomic_file
from ximstudio.load.reading import Report
from ximstudio.model.npy import NoArrayError, read_array, size_of
from ximstudio.store.archive import (
    ARRAY,
    DOCUMENT,
    NAME,
    TEXTS,
    ProgressWriter,
    document_bytes,
    npy_bytes,
    texts_bytes,
)
from ximstudio.store.json_values import JsonValue, damaged, parsed
from ximstudio.store.parts import CollectedParts, Parts
from ximstudio.store.schema import Document


class SessionFolderWriter:
    """Writes sessions into a folder of its own, one after the other."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._sums: dict[str, int] = {}
        """Checksum by file of all parts that are written already."""
        self.parts: CollectedParts | None = None
        """The parts of the last session, by which those of the next are recognised."""

    def write(self, document: Document, parts: CollectedParts, report: Report) -> None:
        """Replace the session in the folder; an OSError leaves the one before."""
        for name in (ARRAY, TEXTS):
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        texts = {TEXTS.format(name): each for name, each in parts.texts.items()}
        arrays = {ARRAY.format(name): each for name, each in parts.arrays.items()}
        new_texts = {
            name: texts_bytes(each) for name, each in texts.items() if name not in self._sums
        }
        new_arrays = {name: each for name, each in arrays.items() if name not in self._sums}
        total = sum(map(len, new_texts.values())) + sum(map(size_of, new_arrays.values()))
        heard = ProgressWriter(report, total)
        sums = {name: self._sums[name] for name in (*texts, *arrays) if name in self._sums}
        for name, content in new_texts.items():
            sums[name] = self._write(name, [content], heard)
        for name, array in new_arrays.items():
            sums[name] = self._write(name, npy_bytes(array), heard)
        whole = {"document": document, "sums": sums}
        content = document_bytes(whole)
        with atomic_file(self.folder / DOCUMENT, lasting=True) as file:
            file.write(content)
        for name in self._sums.keys() - sums.keys():
            with suppress(OSError):
                (self.folder / name).unlink()
        self._sums = sums
        parts.forget_arrays()
        self.parts = parts

    def withdraw(self) -> None:
        """Remove the session; its parts stay, as the next one may use them."""
        (self.folder / DOCUMENT).unlink(missing_ok=True)

    def _write(
        self, name: str, pieces: Iterable[bytes | memoryview], heard: Callable[[int], None]
    ) -> int:
        total = 0
        with atomic_file(self.folder / name, lasting=True) as file:
            for piece in pieces:
                file.write(piece)
                total = zlib.crc32(piece, total)
                heard(len(piece))
        return total


class SessionFolder(Parts):
    """The parts of the session in a folder."""

    def __init__(self, folder: Path, report: Report) -> None:
        super().__init__()
        where = str(folder / DOCUMENT)
        content = (folder / DOCUMENT).read_bytes()
        fields = JsonValue(parsed(content, where), where).fields(["document", "sums"])
        self.document: Any = fields["document"].value
        self._sums = {name: each.whole(low=0) for name, each in fields["sums"].named()}
        self._folder = folder
        sizes = [path.stat().st_size for path in folder.glob("*/*") if path.is_file()]
        self._heard = ProgressWriter(report, sum(sizes))

    def _read_array(self, name: str, kinds: tuple[str, ...], plain: JsonValue) -> NDArray[Any]:
        path = self._path(ARRAY, name, plain)
        with path.open("rb") as file:
            summing = _Summing(file)
            try:
                array = read_array(summing, path.stat().st_size, kinds=kinds, heard=self._heard)
            except NoArrayError as error:
                raise damaged(str(path), str(error)) from None
        self._compare(summing.total, ARRAY.format(name), path)
        return array

    def _read_texts(self, name: str, plain: JsonValue) -> tuple[bytes, str]:
        path = self._path(TEXTS, name, plain)
        content = path.read_bytes()
        self._compare(zlib.crc32(content), TEXTS.format(name), path)
        self._heard(len(content))
        return content, str(path)

    def _path(self, form: str, name: str, plain: JsonValue) -> Path:
        path = self._folder / form.format(name)
        if not NAME.fullmatch(name) or not path.is_file():
            raise plain.refused(f"the part '{name[:20]}' is missing")
        return path

    def _compare(self, found: int, name: str, path: Path) -> None:
        if self._sums.get(name) != found:
            raise damaged(str(path), "its checksum is wrong")


class _Summing:
    """File that computes a checksum of what is read from it."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.total = 0

    def read(self, size: int = -1, /) -> bytes:
        piece = self._file.read(size)
        self.total = zlib.crc32(piece, self.total)
        return piece
