"""Read untrusted files: regular files only, up to a size, and JSON of limited depth.

A pipe may never end, a device has no end, and deeply nested brackets overflow the stack. All of
these are recognised here, so that readers refuse them like other unsuitable files.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from stat import S_ISREG
from typing import Any, BinaryIO

NO_WAITING = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


class UnsuitableFileError(OSError):
    """Raised for files that are not read regardless of their content; `reason` says why."""

    reason = ""

    def __init__(self) -> None:
        super().__init__(None, self.reason)


class IrregularFileError(UnsuitableFileError):
    """A pipe or device in place of a file."""

    reason = "it is no regular file, but a pipe or a device"


class OversizedFileError(UnsuitableFileError):
    """A file that is larger than its kind can be."""

    reason = "it is too large"


def open_regular(path: Path) -> BinaryIO:
    """Open a file for reading; pipes and devices raise `IrregularFileError`."""
    # Opened before it is checked: the name may lead to something else a moment later.
    file = open(path, "rb", opener=_without_waiting)  # noqa: SIM115  (the caller closes it)
    if S_ISREG(os.fstat(file.fileno()).st_mode):
        return file
    file.close()
    raise IrregularFileError


def read_bounded(path: Path, most: int) -> bytes:
    """Read all bytes of a regular file; raise `OversizedFileError` beyond `most`."""
    with open_regular(path) as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise OversizedFileError
    return content


def parse_json(text: str | bytes) -> Any:
    """Parse JSON; raise ValueError for anything else, of any depth."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _without_waiting(name: str, flags: int) -> int:
    return os.open(name, flags | NO_WAITING)
