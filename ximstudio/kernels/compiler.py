"""The only place that imports numba: how a kernel is compiled, and where compiled code is kept."""

from __future__ import annotations

import atexit
import hashlib
import os
import stat
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Literal, cast

import numba
import platformdirs
from llvmlite.binding import get_host_cpu_name
from numba.core.caching import FunctionCache
from numba.core.runtime.nrt import rtsys

settings: Any = numba.config

PASSING = "ximstudio-kernels-"
"""How folders are called that last as long as their process."""
PATIENCE = 300.0
"""Seconds to wait for another process that compiles a function: it takes a few."""


def processor() -> str:
    """The kind of processor that kernels are compiled for, as LLVM calls it."""
    return str(settings.CPU_NAME or get_host_cpu_name())


@cache
def cache_folder() -> str:
    """The folder of the user in which compiled kernels are kept.

    Where the user's own cannot be written to, one that only the user may write to among the
    temporary ones, so that kernels are compiled once per machine all the same; if there is none,
    one for this process alone: see `cache_is_kept`.
    """
    if settings.CACHE_DIR:
        return str(settings.CACHE_DIR)
    name = f"kernels-{_source_digest()}"
    own = Path(platformdirs.user_cache_dir("ximstudio", appauthor=False)) / name
    shared = Path(tempfile.gettempdir()) / f"ximstudio-{_user()}" / name
    for folder, private in ((own, False), (shared, True)):
        if _can_keep(folder, private=private):
            return str(folder)
    return tempfile.mkdtemp(prefix=PASSING)


def cache_is_kept() -> bool:
    """Whether what is compiled now is found again by the next process."""
    return not Path(cache_folder()).name.startswith(PASSING)


def _can_keep(folder: Path, *, private: bool) -> bool:
    """Whether files can be made in a folder; a private one must be nobody else's to write to."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if private and not all(map(_is_private, (folder, folder.parent))):
            # Compiled code that somebody else put there would be run.
            return False
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _is_private(folder: Path) -> bool:
    found = folder.lstat()
    if not hasattr(os, "getuid"):
        # On Windows every user has temporary folders of their own.
        return stat.S_ISDIR(found.st_mode)
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o022


def _user() -> str:
    return str(os.getuid()) if hasattr(os, "getuid") else "user"


def _source_digest() -> str:
    """Hash of all kernel sources.

    numba notices a change in a kernel's own file by its time stamp, but neither a change in a
    kernel that it calls nor one in a wheel, whose files all carry the same time.
    """
    sha = hashlib.sha256()
    for source in sorted(Path(__file__).parent.glob("*.py")):
        sha.update(source.read_bytes())
    return sha.hexdigest()[:16]


class _Kept(FunctionCache):
    """Compiled code on disk, compiled by one process at a time, and loaded quickly.

    numba's own loading first installs everything it could ever compile, scipy.linalg included:
    0.4 s for 0.05 s of work. Compiling installs it all the same. Programs that are started at the
    same time on a new machine would all compile the same kernels: here the first does, and the
    others wait for what it writes. A kernel waits only for those that it calls, so no two
    processes can wait for each other.
    """

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled code for some types of arguments, None if there is none."""
        found = self._load(sig, target_context)
        if found is None and self._take_turn():
            # Whoever had the turn before may have written just this.
            found = self._load(sig, target_context)
            if found is not None:
                self._leave()
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep compiled code, and let other processes go on."""
        try:
            cast("Any", super()).save_overload(sig, data)
        finally:
            self._leave()

    def _load(self, sig: Any, target_context: Any) -> Any:
        rtsys.initialize(target_context)
        with self._guard_against_spurious_io_errors():
            return cast("Any", self)._load_overload(sig, target_context)

    def _take_turn(self) -> bool:
        """Wait until no other process compiles this function; False if none can be waited for."""
        # Late: it is needed on a new machine alone.
        from filelock import FileLock

        path = self._lock_path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            turn = _turns.get(path) or FileLock(path, thread_local=False)
            turn.acquire(timeout=PATIENCE)
        except (OSError, NotImplementedError):
            # A disk without locks, or a process that hangs: compiled here as well.
            return False
        _turns[path] = turn
        return True

    def _leave(self) -> None:
        turn = _turns.get(self._lock_path)
        if turn is None:
            return
        turn.release()
        if not turn.is_locked:
            del _turns[self._lock_path]

    @property
    def _lock_path(self) -> Path:
        return Path(self.cache_path) / f"{cast('Any', self)._impl.filename_base}.lock"


_turns: dict[Path, Any] = {}
"""Locks that this process holds. None may outlive `atexit`: modules that a lock needs to be deleted
are gone when kernels are, and an interrupted compilation does not release its own."""
atexit.register(_turns.clear)


def compiled(
    function: Callable[..., Any], *, freedoms: set[str], inline: Literal["never", "always"]
) -> Any:
    """The function as numba compiles it, kept on disk, with these floating-point freedoms."""
    made: Any = numba.njit(
        function, nogil=True, error_model="numpy", fastmath=freedoms, inline=inline
    )
    keep(made)
    return made


def keep(dispatcher: Any) -> None:
    """Keep on disk what numba compiles of a function, be it ours or another library's."""
    dispatcher._cache = _kept(dispatcher.py_func)


def _kept(function: Callable[..., Any]) -> Any:
    """The place of a function's compiled code.

    numba would refuse to keep it where it finds no folder to write to, as in a read-only
    installation without a home folder (numba issue 4908). Only ours: what else is compiled in this
    process stays where numba has it.
    """
    before = settings.CACHE_DIR
    settings.CACHE_DIR = cache_folder()
    try:
        return cast("Any", _Kept)(function)
    finally:
        settings.CACHE_DIR = before
