"""Five decorators for loops: functions are compiled when they are first called.

All kernels release the GIL, so a window stays responsive while they run, and are cached on disk, so
only the first run on a machine waits for the compiler. numba itself takes a second to import and is
imported only when there is something to compute.

Floating-point freedom is granted as narrowly as speed allows. `kernel` may fuse a multiplication
and an addition, nothing else: bits do not depend on how a loop is cut into chunks, and NaN stays
NaN. `strict` may not even do that, so that sums which are equal by construction stay equal.
`summing` may also reorder sums; `comparing` may assume that there is no NaN to compare.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from functools import cached_property
from typing import Any, Literal, TypeVar, cast

Function = TypeVar("Function", bound=Callable[..., Any])

_turn = threading.RLock()


class Kernel:
    """A function that numba compiles on its first call, or on that of a kernel that calls it."""

    def __init__(
        self, function: Callable[..., Any], freedoms: set[str], inline: Literal["never", "always"]
    ) -> None:
        functools.update_wrapper(self, function)
        self.py_func = function
        self._freedoms = freedoms
        self._inline: Literal["never", "always"] = inline

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self.compiled(*arguments, **named)

    @cached_property
    def compiled(self) -> Any:
        """The function compiled by numba: one for all threads, even if two of them ask at once."""
        with _turn:
            made = vars(self).get("compiled")
            if made is None:
                from ximstudio.kernels.compiler import compiled

                made = compiled(self.py_func, freedoms=self._freedoms, inline=self._inline)
                vars(self)["compiled"] = made
            return made

    # numba asks these of functions that a kernel calls; `py_func` above is the third.

    @property
    def _numba_type_(self) -> Any:
        return self.compiled._numba_type_

    @property
    def targetoptions(self) -> Any:
        """Compiler options, among them whether it is inlined."""
        return self.compiled.targetoptions


def _kernel(
    *freedoms: str, inline: Literal["never", "always"] = "never"
) -> Callable[[Function], Function]:
    def decorate(function: Function) -> Function:
        return cast("Function", Kernel(function, set(freedoms), inline))

    return decorate


def keep(*theirs: Any) -> None:
    """Cache compiled functions of another library on disk, like our kernels."""
    from ximstudio.kernels.compiler import keep as keep_one

    for dispatcher in theirs:
        keep_one(dispatcher)


strict = _kernel()
kernel = _kernel("contract")
inlined = _kernel("contract", inline="always")
summing = _kernel("contract", "reassoc", "nsz")
comparing = _kernel("nnan", "nsz")
