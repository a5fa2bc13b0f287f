"""Write files atomically: they appear complete or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from ximstudio.files.leftovers import clear_leftovers, unfinished_name
from ximstudio.model.problem import UserError


@contextmanager
def atomic_file(path: Path, *, lasting: bool = False) -> Iterator[BinaryIO]:
    """Open a file for writing that appears under its name when it is complete.

    If anything is raised meanwhile, the previous file stays as it was. Remains of a killed process
    are removed by the next one that writes there. A `lasting` file is flushed to disk before it
    replaces another.
    """
    with _unfinished(path, lasting=lasting) as place, place.open("xb") as file:
        yield file


@contextmanager
def appearing(path: Path, *, key: str = "export.unwritable") -> Iterator[Path]:
    """Yield the name of an unfinished file beside `path` that replaces it at the end of the block.

    For callers that open files themselves. Errors of the system are reported with this key.
    """
    try:
        with _unfinished(path, lasting=True) as place:
            yield place
    except OSError as error:
        raise UserError(
            key=key,
            what=f"The file cannot be written: {error.strerror or error}.",
            where=str(path),
            way_out="Give a folder where you may write, with room for it.",
        ) from None


@contextmanager
def _unfinished(path: Path, *, lasting: bool) -> Iterator[Path]:
    clear_leftovers(path.parent)
    # Not named by tempfile, whose files only their owner may read.
    place = path.parent / unfinished_name()
    try:
        yield place
        if lasting:
            # Otherwise the new name might point to nothing after a crash of the machine.
            with place.open("rb+") as file:
                os.fsync(file.fileno())
        place.replace(path)
    except BaseException:
        with suppress(OSError):
            place.unlink()
        raise
    if lasting:
        sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Flush the entries of a folder to disk, where the system supports it."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    # Not every file system supports it; the files themselves are written by then.
    with suppress(OSError):
        opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def json_bytes(text: str) -> bytes:
    """Return JSON for a file; lone surrogates, which UTF-8 cannot encode, are escaped."""
    return text.encode("utf-8", errors="backslashreplace")
