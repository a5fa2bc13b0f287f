"""Files that appear whole or not at all, however they are written and whatever goes wrong."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from ximstudio.files.leftovers import clear_leftovers, unfinished_name
from ximstudio.model.problem import UserError


@contextmanager
def whole_file(path: Path, *, lasting: bool = False) -> Iterator[BinaryIO]:
    """A file to write, which takes its place when all is written.

    Whatever is raised meanwhile leaves what was there before, and nothing else; what a killed
    process leaves is cleared by the next one that writes there. A `lasting` file is on the disk,
    not on its way there, before it takes the place of another.
    """
    with _unfinished(path, lasting=lasting) as place, place.open("xb") as file:
        yield file


@contextmanager
def appearing(path: Path, *, key: str = "export.unwritable") -> Iterator[Path]:
    """The name of an unfinished file beside `path`, which takes its place at the end of the block.

    For those who open files themselves. What the system refuses is told with this key.
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
    # Named by ourselves, not by tempfile, whose files only their owner may read.
    place = path.parent / unfinished_name()
    try:
        yield place
        if lasting:
            # Else a machine that fails soon after may find the new name with nothing behind it.
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
    """Have the system write down which files are in a folder, where it does so when asked."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    # Not every file system takes such a wish; the files themselves are written by then.
    with suppress(OSError):
        opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def json_bytes(text: str) -> bytes:
    """A text of JSON for a file; halves of letters, which UTF-8 has not, are spelt out."""
    return text.encode("utf-8", errors="backslashreplace")
