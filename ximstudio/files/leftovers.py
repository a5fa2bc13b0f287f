"""Names of unfinished files and folders, and clean-up after killed processes.

A file or folder is written under a hidden name that identifies the writing process. If that process
is killed, the file stays. The next process that writes into the same folder removes the files of
ended processes of this machine, and restores a result that was being replaced.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
import secrets
import shutil
from contextlib import suppress
from pathlib import Path

import psutil

SAME = 60
"""Seconds by which two start times of one process may differ: clocks are adjusted."""


def machine() -> str:
    """Return an id of this machine: machines may share folders and have equal process numbers."""
    return hashlib.sha256(platform.node().encode()).hexdigest()[:8]


def this_process() -> str:
    """Return machine, number and start time of this process, which together are unique."""
    return f"{machine()}-{os.getpid()}-{int(psutil.Process().create_time())}"


def is_alive(pid: int, begun: int) -> bool:
    """Return whether the process of this number and start time still runs on this machine."""
    try:
        return abs(psutil.Process(pid).create_time() - begun) <= SAME
    except psutil.NoSuchProcess:
        return False
    except psutil.Error:
        # It belongs to another user: treated as alive, so that its files are left alone.
        return True


PREFIX = ".ximstudio-"
UNFINISHED = ".part"
"""Suffix of unfinished files and folders."""
REPLACED = ".old"
"""Suffix of folders that hold a result while another replaces it."""

_NAME = re.compile(
    rf"{re.escape(PREFIX)}([0-9a-f]{{8}})-(\d{{1,9}})-(\d{{1,12}})-[0-9a-f]+"
    rf"({re.escape(UNFINISHED)}|{re.escape(REPLACED)})"
)


def unfinished_name() -> str:
    """Return a new name for something unfinished."""
    return f"{PREFIX}{this_process()}-{secrets.token_hex(8)}{UNFINISHED}"


def replaced_name() -> str:
    """Return a new name for a folder that holds a replaced result."""
    return f"{PREFIX}{this_process()}-{secrets.token_hex(8)}{REPLACED}"


def clear_leftovers(folder: Path) -> tuple[Path, ...]:
    """Remove what killed processes left in a folder; return the results that were restored."""
    back: list[Path] = []
    # What cannot be inspected or removed stays: it does no harm.
    with suppress(OSError):
        for left in list(folder.iterdir()):
            parts = _NAME.fullmatch(left.name)
            if parts is None or parts[1] != machine() or is_alive(int(parts[2]), int(parts[3])):
                continue
            if parts[4] == REPLACED:
                back += _put_back(left)
            _remove(left)
    return tuple(back)


def _put_back(left: Path) -> list[Path]:
    """Restore results whose place is free: the process ended before the new one was there."""
    back = []
    for result in list(left.iterdir()):
        place = left.parent / result.name
        if not place.exists():
            result.replace(place)
            back.append(place)
    return back


def _remove(left: Path) -> None:
    if left.is_dir() and not left.is_symlink():
        shutil.rmtree(left, ignore_errors=True)
    else:
        with suppress(OSError):
            left.unlink()
