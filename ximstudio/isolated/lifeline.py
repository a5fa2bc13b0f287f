"""Ensure that a child process never outlives its parent.

The parent holds the writing end of the child's standard input. The child reads it in a thread, and
ends with it. A library in an endless loop may hold the GIL, however, so that no Python code runs in
the child. Therefore, while a function is called:

- Linux: the kernel signals the end of the pipe (O_ASYNC), and that signal ends the process;
- Linux, macOS: so does a timer of CPU time, if the parent should have ended the process long ago;
- elsewhere: a thread of `faulthandler`, which needs no lock, does the same by the clock.
"""

from __future__ import annotations

import faulthandler
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

INPUT, ERRORS = 0, 2
GRACE = 2.0
"""Multiple of the limit after which the child ends by itself."""
IDLE = 300.0
"""Seconds after which an unused child ends by itself."""

HAS_TIMER = hasattr(signal, "setitimer")


def limit_idleness() -> None:
    """End the process if no call comes for a long time."""
    if HAS_TIMER:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
    faulthandler.dump_traceback_later(IDLE, exit=True, file=ERRORS)


def limit_silence(seconds: float) -> None:
    """End the process if this function is not called again within so many CPU seconds."""
    if HAS_TIMER:
        faulthandler.cancel_dump_traceback_later()
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_PROF, GRACE * seconds)
    else:
        faulthandler.dump_traceback_later(GRACE * seconds, exit=True, file=ERRORS)


@contextmanager
def ending_with_parent() -> Iterator[None]:
    """End the process as soon as standard input ends; nothing may be written to it meanwhile."""
    if not sys.platform.startswith("linux"):
        # Where the default action of this signal is to ignore it, it is of no use.
        yield
        return
    import fcntl

    signal.signal(signal.SIGIO, signal.SIG_DFL)
    flags = fcntl.fcntl(INPUT, fcntl.F_GETFL)
    fcntl.fcntl(INPUT, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(INPUT, fcntl.F_SETFL, flags | os.O_ASYNC)
    # The parent may have ended just before the signal was requested.
    if _has_ended():
        os._exit(1)
    try:
        yield
    finally:
        fcntl.fcntl(INPUT, fcntl.F_SETFL, flags)


def _has_ended() -> bool:
    import select

    poll = select.poll()
    poll.register(INPUT, select.POLLIN)
    return any(event & select.POLLHUP for _, event in poll.poll(0))
