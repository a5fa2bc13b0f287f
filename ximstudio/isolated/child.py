"""Loop of a child process: take a call from standard input, answer on standard output.

A child process never outlives its parent. The parent holds the writing end of its standard input;
the child reads it in a thread, and ends with it. A library in an endless loop may hold the GIL,
however, so that no Python code runs in the child. Therefore, while a function is called:

- Linux: the kernel signals the end of the pipe (O_ASYNC), and that signal ends the process;
- Linux, macOS: so does a timer of CPU time, if the parent should have ended the process long ago;
- elsewhere: a thread of `faulthandler`, which needs no lock, does the same by the clock.
"""

from __future__ import annotations

import faulthandler
import importlib
import os
import queue
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import IO, Any

from ximstudio.isolated.messages import (
    CALL,
    LOAD,
    PROGRESS,
    RAISED,
    READY,
    REFUSED,
    RESULT,
    Incoming,
    send,
)

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


BETWEEN_REPORTS = 0.05
"""Seconds between two reports."""

SLACK = 512 * 1024 * 1024
"""Bytes that may be reserved beyond the limit without being used: stacks of threads, arenas."""


def serve() -> int:
    """Answer calls until standard input ends; return the exit code."""
    # A copy, so that output of libraries does not mix with the answers.
    answers = os.fdopen(os.dup(1), "wb", buffering=1024 * 1024)
    os.dup2(2, 1)
    # Ctrl-C reaches the whole group of processes; the parent decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    calls: queue.SimpleQueue[tuple[bytes, Any]] = queue.SimpleQueue()
    threading.Thread(target=_take, args=(calls,), daemon=True).start()
    send(answers, READY, None)
    while True:
        limit_idleness()
        kind, content = calls.get()
        if kind == LOAD:
            for module in content:
                # The call that needs it reports what is wrong; here it only saves time.
                with suppress(ImportError):
                    importlib.import_module(module)
        elif kind == CALL:
            answer = _answer(content, answers)
            try:
                send(answers, *answer)
            except OSError:
                return 1
            # Nothing of it stays in memory until the next call.
            del content, answer
        else:
            send(answers, kind, content)


def _take(calls: queue.SimpleQueue[tuple[bytes, Any]]) -> None:
    """Put all calls into the queue; end the process with its input."""
    incoming = Incoming(sys.stdin.buffer)
    while True:
        try:
            calls.put(incoming.receive())
        except EOFError:
            os._exit(0)
        except Exception:
            # A module cannot be imported: a fault of the call, not of the file.
            calls.put((RAISED, ("", traceback.format_exc())))


def _answer(call: Any, answers: IO[bytes]) -> tuple[bytes, object]:
    """Call the function; return the message with its outcome."""
    from ximstudio.model.problem import UserError

    function, arguments, memory, silence = call
    report = _reporting(answers, silence)
    try:
        with ending_with_parent():
            limit_silence(silence)
            limit_memory(memory)
            return RESULT, function(*arguments, report)
    except UserError as error:
        return REFUSED, error
    except MemoryError:
        return RAISED, (MemoryError.__name__, traceback.format_exc())
    except BaseException as error:
        # Also exceptions that are no Exception, such as the panics of some libraries.
        return RAISED, (f"{type(error).__name__}: {error}"[:400], traceback.format_exc())


def _reporting(answers: IO[bytes], silence: float) -> Callable[[float], None]:
    last = 0.0

    def report(fraction: float) -> None:
        nonlocal last
        if time.monotonic() - last < BETWEEN_REPORTS:
            return
        last = time.monotonic()
        limit_silence(silence)
        try:
            send(answers, PROGRESS, float(fraction))
        except OSError:
            # The parent no longer listens.
            os._exit(1)

    return report


def limit_memory(allowed: int) -> None:
    """Have the system refuse the process more private memory than its limit.

    The parent checks the used memory several times a second; this stops requests for very much at
    once. Works on Linux only; on macOS and Windows there is only the parent's check.
    """
    with suppress(ImportError, AttributeError, OSError, ValueError):
        import resource

        import psutil

        taken = psutil.Process().memory_info().data
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        limit = taken + allowed + SLACK
        if hard in {-1, resource.RLIM_INFINITY} or limit < hard:
            resource.setrlimit(resource.RLIMIT_DATA, (limit, hard))
