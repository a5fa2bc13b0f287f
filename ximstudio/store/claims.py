"""Marker files that show which programs have a session's file open.

Each program that has a session open keeps a hidden file `.NAME.MACHINE-PID-BEGUN.open` beside it.
Markers of killed programs are recognised by their process and removed. Programs on other machines
that share the folder cannot be checked: their markers count for a day after the last change.
"""

from __future__ import annotations

import re
import time
from contextlib import suppress
from pathlib import Path

from ximstudio.files.processes import is_alive, machine, this_process

ENDING = "open"
STALE = 24 * 3600.0
"""Seconds after which a marker of another machine is ignored."""


class SessionClaim:
    """Marker of this program for an open session."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._sign = _sign(path, this_process())

    def make(self) -> None:
        """Create the marker; skipped in folders that cannot be written to."""
        with suppress(OSError):
            self._sign.touch()

    def release(self) -> None:
        """Remove the marker."""
        with suppress(OSError):
            self._sign.unlink(missing_ok=True)


def holders(path: Path, *, now: float | None = None) -> tuple[Path, ...]:
    """Find the markers of other programs that have this session open; remove those left over."""
    sign = re.compile(
        rf"\.{re.escape(path.name)}\.([0-9a-f]{{8}})-(\d{{1,9}})-(\d{{1,12}})\.{ENDING}"
    )
    found = []
    with suppress(OSError):
        for each in path.parent.iterdir():
            found_name = sign.fullmatch(each.name)
            if found_name is None or each == _sign(path, this_process()):
                continue
            if found_name[1] == machine():
                lives = is_alive(int(found_name[2]), int(found_name[3]))
            else:
                lives = (time.time() if now is None else now) - each.stat().st_mtime < STALE
            if lives:
                found.append(each)
            else:
                with suppress(OSError):
                    each.unlink()
    return tuple(found)


def _sign(path: Path, process: str) -> Path:
    return path.with_name(f".{path.name}.{process}.{ENDING}")
