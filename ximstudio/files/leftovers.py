"""Names for unfinished files and folders by which the next program clears up after a killed one.

A file or folder is written under a hidden name that tells which process writes it. A process that
is killed leaves it there. Whoever writes into the same folder next removes what belongs to a
process of this machine that is no more, and puts a result back that was just being replaced.
"""

from __future__ import annotations

import re
import secrets
import shutil
from contextlib import suppress
from pathlib import Path

from ximstudio.files.processes import is_alive, machine, this_process

PREFIX = ".ximstudio-"
UNFINISHED = ".part"
"""How the names of files and folders end that are not whole yet."""
REPLACED = ".old"
"""How the names of folders end that hold a result while another takes its place."""

_NAME = re.compile(
    rf"{re.escape(PREFIX)}([0-9a-f]{{8}})-(\d{{1,9}})-(\d{{1,12}})-[0-9a-f]+"
    rf"({re.escape(UNFINISHED)}|{re.escape(REPLACED)})"
)


def unfinished_name() -> str:
    """A new name for something that is not whole yet."""
    return f"{PREFIX}{this_process()}-{secrets.token_hex(8)}{UNFINISHED}"


def replaced_name() -> str:
    """A new name for a folder that holds what is being replaced."""
    return f"{PREFIX}{this_process()}-{secrets.token_hex(8)}{REPLACED}"


def clear_leftovers(folder: Path) -> tuple[Path, ...]:
    """Clear what killed processes left in a folder; the results that were put back."""
    back: list[Path] = []
    # What cannot be looked at or removed stays: it is in nobody's way.
    with suppress(OSError):
        for left in list(folder.iterdir()):
            told = _NAME.fullmatch(left.name)
            if told is None or told[1] != machine() or is_alive(int(told[2]), int(told[3])):
                continue
            if told[4] == REPLACED:
                back += _put_back(left)
            _remove(left)
    return tuple(back)


def _put_back(left: Path) -> list[Path]:
    """Move results back whose place is free: the process ended before the new one was there."""
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
