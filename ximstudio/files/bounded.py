"""Read files from elsewhere with distrust: regular files only, up to a size, and JSON of any depth.

A pipe may never end or wait for ever, a device has no end, and a text of brackets alone overflows
the stack. All of that is told apart here, so that readers refuse it as they refuse other files.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from stat import S_ISREG
from typing import Any, BinaryIO

NO_WAITING = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


class UnsuitableFileError(OSError):
    """Something that is not read, whatever it may hold; `reason` says why."""

    reason = ""

    def __init__(self) -> None:
        super().__init__(None, self.reason)


class IrregularFileError(UnsuitableFileError):
    """A pipe or device where a file should be."""

    reason = "it is no regular file, but a pipe or a device"


class OversizedFileError(UnsuitableFileError):
    """A file with more bytes than one of its kind has."""

    reason = "it is too large"


def open_regular(path: Path) -> BinaryIO:
    """Open a file for reading; pipes and devices raise `IrregularFileError`."""
    # Opened before it is looked at: a name may lead to something else a moment later.
    file = open(path, "rb", opener=_without_waiting)  # noqa: SIM115  (the caller closes it)
    if S_ISREG(os.fstat(file.fileno()).st_mode):
        return file
    file.close()
    raise IrregularFileError


def read_bounded(path: Path, most: int) -> bytes:
    """All bytes of a regular file; more than `most` raise `OversizedFileError`."""
    with open_regular(path) as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise OversizedFileError
    return content


def parse_json(text: str | bytes) -> Any:
    """The values in a text of JSON; whatever is none raises ValueError, however deep it is."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _without_waiting(name: str, flags: int) -> int:
    return os.open(name, flags | NO_WAITING)
