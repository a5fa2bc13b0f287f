"""Compilation of kernels with numba, and the cache of compiled code. The only import of numba."""

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
from numba.core.caching import (
    CompileResultCacheImpl,
    FunctionCache,
    UserProvidedCacheLocator,
)
from numba.core.runtime.nrt import rtsys

from ximstudio.model.problem import Problem, Severity

settings: Any = numba.config

KERNELS = Path(__file__).parent
"""Folder of the kernels' sources."""
PASSING = "ximstudio-kernels-"
"""Prefix of folders that last as long as their process."""
PATIENCE = 300.0
"""Seconds to wait for another process that compiles a function; it takes a few."""


def processor() -> str:
    """The kind of processor that kernels are compiled for, as LLVM calls it."""
    return str(settings.CPU_NAME or get_host_cpu_name())


@cache
def cache_folder() -> str:
    """Return the user's folder for compiled kernels.

    If that cannot be written to, a private folder among the temporary ones, so that kernels are
    still compiled once per machine; if there is none, one for this process alone: see
    `cache_is_kept`.
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
    """Return whether the next process will find what is compiled now."""
    return not Path(cache_folder()).name.startswith(PASSING)


def cache_problems() -> tuple[Problem, ...]:
    """Explain why kernels are compiled again at every start; nothing if they are cached."""
    if cache_is_kept():
        return ()
    return (
        Problem(
            key="kernels.not_kept",
            what="Compiled code cannot be kept on this machine, so that the first training after"
            " every start takes longer, by up to a minute.",
            where="the user's cache folder and the folder of temporary files",
            way_out="Make one of them writable, or name a folder in the environment variable"
            " NUMBA_CACHE_DIR.",
            severity=Severity.NOTE,
        ),
    )


def _can_keep(folder: Path, *, private: bool) -> bool:
    """Return whether files can be made in a folder; a private one must be the user's alone."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if private and not all(map(_is_private, (folder, folder.parent))):
            # Compiled code that somebody else put there would be executed.
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


@cache
def _source_digest() -> str:
    """Hash of all kernel sources.

    numba notices a change in a kernel's own file, but not one in a kernel that it calls.
    """
    sha = hashlib.sha256()
    for source in sorted(KERNELS.glob("*.py")):
        sha.update(source.read_bytes())
    return sha.hexdigest()[:16]


class _Location(UserProvidedCacheLocator):
    """Cache folder of compiled code: for kernels, one that depends on their sources alone.

    numba's own depends on the path of the source file and, in older versions, on its time: another
    checkout or installation of the same kernels would compile all of them again.
    """

    @classmethod
    def get_suitable_cache_subpath(cls, py_file: str) -> str:
        """Return the name of the folder for the functions of a source file."""
        if _is_kernel_file(py_file):
            return _source_digest()
        return str(cast("Any", super()).get_suitable_cache_subpath(py_file))

    def get_source_stamp(self) -> Any:
        """Return what has to be the same for compiled code to be loaded."""
        file = cast("Any", self)._py_file
        return (
            _source_digest() if _is_kernel_file(file) else cast("Any", super()).get_source_stamp()
        )


def _is_kernel_file(path: str) -> bool:
    return Path(path).parent == KERNELS


class _CompiledKernel(CompileResultCacheImpl):
    """numba's way to write compiled code, with our location."""

    _locator_classes = [_Location]  # noqa: RUF012, as numba declares it


class _Kept(FunctionCache):
    """Compiled code on disk, compiled by one process at a time, and loaded quickly.

    numba's own loading first installs everything it could ever compile, scipy.linalg included:
    0.4 s for 0.05 s of work. Compiling installs it all the same. Programs that are started at the
    same time on a new machine would all compile the same kernels: here the first does, and the
    others wait for what it writes. A kernel waits only for those that it calls, so no two
    processes can wait for each other.
    """

    _impl_class = _CompiledKernel

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the compiled code for some types of arguments; None if there is none."""
        found = self._load(sig, target_context)
        if found is None and self._take_turn():
            # The process that compiled before may have written this very code.
            found = self._load(sig, target_context)
            if found is not None:
                self._leave()
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """Save compiled code, and let other processes continue."""
        try:
            cast("Any", super()).save_overload(sig, data)
        finally:
            self._leave()

    def _load(self, sig: Any, target_context: Any) -> Any:
        rtsys.initialize(target_context)
        with self._guard_against_spurious_io_errors():
            return cast("Any", self)._load_overload(sig, target_context)

    def _take_turn(self) -> bool:
        """Wait until no other process compiles this function; False if waiting is impossible."""
        # Imported late: needed only on a new machine.
        from filelock import FileLock

        path = self._lock_path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            turn = _turns.get(path) or FileLock(path, thread_local=False)
            turn.acquire(timeout=PATIENCE)
        except (OSError, NotImplementedError):
            # A disk without locks, or a process that hangs: compile it here as well.
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
    """Return the function compiled by numba, cached on disk, with these floating-point options."""
    made: Any = numba.njit(
        function, nogil=True, error_model="numpy", fastmath=freedoms, inline=inline
    )
    keep(made)
    return made


def keep(dispatcher: Any) -> None:
    """Cache on disk what numba compiles of a function, also of another library."""
    dispatcher._cache = _kept(dispatcher.py_func)


def _kept(function: Callable[..., Any]) -> Any:
    """Return the location of a function's compiled code.

    numba refuses to cache where it finds no folder to write to, as in a read-only installation
    without a home folder (numba issue 4908). Applies to our kernels only: other compiled code of
    this process stays where numba puts it.
    """
    before = settings.CACHE_DIR
    settings.CACHE_DIR = cache_folder()
    try:
        return cast("Any", _Kept)(function)
    finally:
        settings.CACHE_DIR = before
