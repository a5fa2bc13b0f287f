"""Which programs have a session's file open, told by small files beside it.

Each program that has a session open keeps a hidden file `.NAME.MACHINE-PID-BEGUN.open` beside it.
Those of programs that were killed are known by their process and removed; of programs on other
machines that share the folder nobody can tell, so theirs count for a day after the last sign.
"""

from __future__ import annotations

import re
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ximstudio.files.processes import is_alive, machine, this_process

ENDING = "open"
STALE = 24 * 3600.0
"""Seconds after which a claim of another machine counts no more."""


@dataclass(frozen=True, kw_only=True)
class Holder:
    """A program that has a session open; `here` if it runs on this machine."""

    here: bool


class SessionClaim:
    """The sign of this program that it has a session open; `release` takes it away."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._sign = _sign(path, this_process())

    def make(self) -> None:
        """Leave the sign, where that is allowed; a folder that cannot be written to has none."""
        with suppress(OSError):
            self._sign.touch()

    def release(self) -> None:
        """Take the sign away."""
        with suppress(OSError):
            self._sign.unlink(missing_ok=True)


def holders(path: Path, *, now: float | None = None) -> tuple[Holder, ...]:
    """The other programs that have this session open; signs of those that ended are removed."""
    sign = re.compile(
        rf"\.{re.escape(path.name)}\.([0-9a-f]{{8}})-(\d{{1,9}})-(\d{{1,12}})\.{ENDING}"
    )
    found = []
    with suppress(OSError):
        for each in path.parent.iterdir():
            told = sign.fullmatch(each.name)
            if told is None or each == _sign(path, this_process()):
                continue
            here = told[1] == machine()
            if here:
                lives = is_alive(int(told[2]), int(told[3]))
            else:
                lives = (time.time() if now is None else now) - each.stat().st_mtime < STALE
            if lives:
                found.append(Holder(here=here))
            else:
                with suppress(OSError):
                    each.unlink()
    return tuple(found)


def _sign(path: Path, process: str) -> Path:
    return path.with_name(f".{path.name}.{process}.{ENDING}")
