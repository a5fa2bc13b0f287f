"""The only place that imports numba: five decorators, and where compiled code is kept.

All kernels release the GIL, so a window stays alive while they run, and are kept on disk, so only
the first run on a machine waits for the compiler.

Floating-point freedom is granted as narrowly as speed allows. `kernel` may fuse a multiplication
and an addition, nothing else: bits do not depend on how a loop is cut into chunks, and NaN stays
NaN. `strict` may not even that, so that sums which are equal by construction stay equal. `summing`
may also reorder sums; `comparing` may assume that there is no NaN to compare.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, TypeVar, cast

import platformdirs

Function = TypeVar("Function", bound=Callable[..., Any])


def _source_digest() -> str:
    """Hash of all kernel sources.

    numba notices a change in a kernel's own file by its time stamp, but neither a change in a
    kernel that it calls nor one in a wheel, whose files all carry the same time.
    """
    sha = hashlib.sha256()
    for source in sorted(Path(__file__).parent.glob("*.py")):
        sha.update(source.read_bytes())
    return sha.hexdigest()[:16]


def _choose_cache() -> None:
    """Keep compiled kernels in the user's cache folder, or in a temporary one where that fails.

    numba refuses to import a cached function when it finds no folder to write to, as in a
    read-only installation without a home folder (numba issue 4908).
    """
    if "numba" in sys.modules or "NUMBA_CACHE_DIR" in os.environ:
        return
    wanted = Path(platformdirs.user_cache_dir("ximstudio", appauthor=False))
    folder = wanted / f"kernels-{_source_digest()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError:
        folder = Path(tempfile.mkdtemp(prefix="ximstudio-kernels-"))
    os.environ["NUMBA_CACHE_DIR"] = str(folder)


_choose_cache()
# The folder must be chosen before numba reads its settings.
import numba  # noqa: E402
from numba.core.caching import FunctionCache  # noqa: E402
from numba.core.runtime.nrt import rtsys  # noqa: E402


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


def _compiled(
    *freedoms: str, inline: Literal["never", "always"] = "never"
) -> Callable[[Function], Function]:
    def decorate(function: Function) -> Function:
        compiled: Any = numba.njit(
            function,
            nogil=True,
            error_model="numpy",
            fastmath=set(freedoms),
            inline=inline,
        )
        compiled._cache = cast("Any", _Kept)(function)
        return cast("Function", compiled)

    return decorate


strict = _compiled()
kernel = _compiled("contract")
inlined = _compiled("contract", inline="always")
summing = _compiled("contract", "reassoc", "nsz")
comparing = _compiled("nnan", "nsz")
