"""The only place that imports numba: how a kernel is compiled, and where compiled code is kept."""

from __future__ import annotations

import hashlib
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


def processor() -> str:
    """The kind of processor that kernels are compiled for, as LLVM calls it."""
    return str(settings.CPU_NAME or get_host_cpu_name())


@cache
def cache_folder() -> str:
    """The folder of the user in which compiled kernels are kept, or a temporary one."""
    if settings.CACHE_DIR:
        return str(settings.CACHE_DIR)
    wanted = Path(platformdirs.user_cache_dir("ximstudio", appauthor=False))
    folder = wanted / f"kernels-{_source_digest()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError:
        folder = Path(tempfile.mkdtemp(prefix="ximstudio-kernels-"))
    return str(folder)


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
    """Compiled code on disk, loaded without all that only a compiler needs.

    numba's own loading first installs everything it could ever compile, scipy.linalg included:
    0.4 s for 0.05 s of work. Compiling installs it all the same.
    """

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled code for some types of arguments, None if there is none."""
        rtsys.initialize(target_context)
        with self._guard_against_spurious_io_errors():
            return cast("Any", self)._load_overload(sig, target_context)


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
