"""Run a function in a child process with a limit of memory and of time.

Libraries that parse binary files of unknown origin can loop for ever, fill the memory or abort the
process. `run` calls such a function in a child process: in any case the caller gets its result or a
`Failure`, and can cancel it at any moment.

- `limits`: how much memory and time a call may take, and the reasons why it gave no result;
- `workers`: child processes, one of which is kept for the next call;
- `process`: one child process as its parent sees it, which holds it to its limits;
- `messages`: what goes over the pipes; large arrays are not copied on the way;
- `child`: the loop that runs in the child, which ends with its parent.

This protects against accidents. It is not a sandbox: the child has all rights of the user.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from ximstudio.isolated.limits import CallLimits, Cause, Failure, Unavailable

Outcome = TypeVar("Outcome")

COMMAND = "_isolated"
"""Hidden command that makes the program a child process; also in a packaged program."""

_is_child = False


def run(
    function: Callable[..., Outcome],
    *arguments: Any,
    limits: CallLimits,
    report: Callable[[float], None],
) -> Outcome:
    """Call ``function(*arguments, report)`` in a child process and return what it returns.

    Parameters
    ----------
    function
        A picklable function: of a module, or a `partial` of one.
    arguments
        Arguments before the report; must be picklable, like the result.
    limits
        Limits of the call. Exceeding them raises `Failure`.
    report
        Called with the progress from 0 to 1, and while there is none several times a second. It
        may raise, which ends the child at once.

    Raises
    ------
    UserError
        As raised by the function.
    Failure
        The child broke down, exceeded a limit, or the function raised anything else.
    Unavailable
        No child can be started here.
    """
    if _is_child:
        return function(*arguments, report)
    from ximstudio.isolated.process import Call
    from ximstudio.isolated.workers import WORKERS

    outcome: Outcome = WORKERS.run(Call(function, arguments, limits, report))
    return outcome


def warm_up(modules: Sequence[str] = ()) -> None:
    """Start a child process for the next call, and have it import these modules meanwhile."""
    from ximstudio.isolated.workers import WORKERS

    WORKERS.warm_up(modules)


def close() -> None:
    """End the spare child process, if there is one."""
    from ximstudio.isolated.workers import WORKERS

    WORKERS.close()


def serves(arguments: Sequence[str]) -> bool:
    """Return whether a program that was started with these arguments is a child process."""
    return list(arguments) == [COMMAND]


def serve() -> int:
    """Act as a child process until the parent ends; return the exit code."""
    global _is_child  # noqa: PLW0603  (of the process, which is nothing else from here on)
    _is_child = True
    from ximstudio.isolated.child import serve as serve_parent

    return serve_parent()


def command() -> list[str]:
    """Return the command line that starts a child process."""
    if getattr(sys, "frozen", False):
        return [sys.executable, COMMAND]
    # -P: no module is imported from the current folder.
    return [sys.executable, "-P", "-m", "ximstudio", COMMAND]


__all__ = [
    "COMMAND",
    "CallLimits",
    "Cause",
    "Failure",
    "Unavailable",
    "close",
    "command",
    "run",
    "serve",
    "serves",
    "warm_up",
]
