"""A child process as its parent sees it, and its limits of memory and time."""

from __future__ import annotations

import os
import pickle
import queue
import re
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import IO, Any, NamedTuple

import psutil

from ximstudio import isolated
from ximstudio.isolated.limits import CallLimits, Cause, Failure, Unavailable
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
from ximstudio.model.problem import UserError

TICK = 0.05
"""Seconds between two checks of a child."""


class LimitWatch:
    """Resources that a child has used since its call began, compared with the limits."""

    def __init__(self, process: psutil.Process, limits: CallLimits) -> None:
        self._process = process
        self._limits = limits
        self._memory = process.memory_info().rss
        self._begun = self._last = self._cpu()
        self._heard = self._worked = self._looked = time.monotonic()

    def hear(self) -> None:
        """Note that the child has reported progress."""
        try:
            self._last = self._cpu()
        except psutil.NoSuchProcess:
            return
        self._heard = self._worked = time.monotonic()

    def look(self) -> None:
        """Raise `Failure` if a limit is exceeded; at most once per tick."""
        now = time.monotonic()
        if now - self._looked < TICK:
            return
        self._looked = now
        try:
            memory = self._process.memory_info().rss - self._memory
            cpu = self._cpu()
        except psutil.NoSuchProcess:
            # It has ended; its pipe will say so.
            return
        limits = self._limits
        if memory > limits.memory:
            raise Failure(Cause.MEMORY, f"it took more than {limits.memory / 2**30:.2g} GB")
        if cpu - self._last > limits.silence:
            detail = f"it made no progress in {limits.silence:.0f} s of computing"
            raise Failure(Cause.SILENT, detail)
        if cpu - self._begun > limits.work:
            raise Failure(Cause.SLOW, f"it was not done after {limits.work:.0f} s of computing")
        if now - self._heard > limits.waiting:
            raise Failure(Cause.SILENT, f"nothing was heard of it for {limits.waiting:.0f} s")

    def _cpu(self) -> float:
        times = self._process.cpu_times()
        return float(times.user + times.system)


Report = Callable[[float], None]

ENDED, TOO_LARGE = b"e", b"m"
"""Kinds of messages besides the child's own: end of its pipe; result too large for memory."""

STARTING = 120.0
"""Seconds that a child may take to start, also on a machine that has never started it."""

LINES_KEPT, LETTERS_KEPT = 12, 400
"""Limits on what is kept of the child's error stream."""

NO_MEMORY = re.compile("memory allocation|bad_alloc|out of memory|cannot allocate", re.I)
ASKED = re.compile(r"memory allocation of (\d{1,20}) bytes")
"""Error messages of libraries that were refused memory."""

PIPE = 1024 * 1024
"""Capacity of a pipe in bytes, where it can be set."""

KEPT_MEMORY = 300 * 1024 * 1024
"""Resident memory above which a child is not kept for the next call."""


class Call(NamedTuple):
    """A call of a function in a child process; see `isolated.run`."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    limits: CallLimits
    report: Report


class Worker:
    """A child process that serves one call after the other."""

    def __init__(self) -> None:
        self._process = _started()
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._calls: IO[bytes] = self._process.stdin
        self._incoming = Incoming(self._process.stdout)
        self._answers: queue.SimpleQueue[tuple[bytes, Any]] = queue.SimpleQueue()
        self._said: deque[str] = deque(maxlen=LINES_KEPT)
        self._is_ready = False
        self._threads = [
            threading.Thread(target=target, name=f"isolated-{name}", daemon=True)
            for name, target in (("answers", self._take), ("errors", self._listen))
        ]
        for thread in self._threads:
            thread.start()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_fit(self) -> bool:
        """True if it is alive and small enough to be kept."""
        try:
            memory = psutil.Process(self.pid).memory_info().rss
        except psutil.Error:
            return False
        return self._process.poll() is None and memory < KEPT_MEMORY

    def load(self, modules: Sequence[str]) -> None:
        """Let it import modules, without waiting for it."""
        send(self._calls, LOAD, tuple(modules))

    def call(self, call: Call) -> Any:
        """Call a function in the child."""
        function, arguments, limits, report = call
        self._wait_until_ready(report)
        watch = LimitWatch(psutil.Process(self.pid), limits)
        try:
            send(self._calls, CALL, (function, arguments, limits.memory, limits.silence))
        except OSError:
            self._settle()
            raise Unavailable(f"it ended {self._end_described()} before it was called") from None
        done, taken = 0.0, self._incoming.taken
        while True:
            try:
                kind, content = self._answers.get(timeout=TICK)
            except queue.Empty:
                # Only a cancel may interrupt it, and must not wait for a silent child.
                report(done)
                kind, content = b"", None
            if self._incoming.taken > taken:
                taken = self._incoming.taken
                watch.hear()
            try:
                watch.look()
            except Failure as failure:
                raise Failure(failure.cause, failure.detail, self.said) from None
            if kind == PROGRESS:
                done = max(done, content)
                report(done)
            elif kind == RESULT:
                return content
            elif kind:
                raise self._error(kind, content)

    def end(self) -> None:
        """End the process at once."""
        self._process.kill()
        self._process.wait()
        for thread in self._threads:
            thread.join()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            assert stream is not None
            # Nobody will read what was still to be written.
            with suppress(OSError):
                stream.close()

    @property
    def said(self) -> str:
        """The last lines of its error stream."""
        return "\n".join(self._said)

    def _wait_until_ready(self, report: Report) -> None:
        begun = time.monotonic()
        while not self._is_ready:
            try:
                kind, _ = self._answers.get(timeout=TICK)
            except queue.Empty:
                report(0.0)
                if time.monotonic() - begun > STARTING:
                    raise Unavailable(f"no answer within {STARTING:.0f} s") from None
                continue
            if kind != READY:
                self._settle()
                ended = f"it ended at its start {self._end_described()}. {self.said}"
                raise Unavailable(ended.strip())
            self._is_ready = True

    def _error(self, kind: bytes, content: Any) -> Exception:
        if kind == REFUSED and isinstance(content, UserError):
            return content
        if kind == RAISED:
            detail, trace = content
            if detail == MemoryError.__name__:
                return Failure(Cause.MEMORY, "it was given no more memory", trace)
            return Failure(Cause.RAISED, detail, trace)
        if kind == TOO_LARGE:
            return Failure(Cause.MEMORY, f"its result has {content / 2**30:.2g} GB")
        return self._death()

    def _death(self) -> Failure:
        self._settle()
        for line in reversed(self._said):
            if NO_MEMORY.search(line):
                asked = ASKED.search(line)
                detail = line if asked is None else f"it asked for {int(asked[1]) / 2**30:.3g} GB"
                return Failure(Cause.MEMORY, detail, self.said)
        return Failure(Cause.DIED, f"it ended {self._end_described()}", self.said)

    def _settle(self) -> None:
        """Wait for the end of a process whose pipe has ended, and for its last output."""
        try:
            self._process.wait(timeout=1.0)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._threads[1].join(timeout=1.0)

    def _end_described(self) -> str:
        code = self._process.returncode
        if code is None or code >= 0:
            return f"with code {code}"
        try:
            return f"by {signal.Signals(-code).name}"
        except ValueError:
            return f"by signal {-code}"

    def _take(self) -> None:
        """Put all answers into the queue until there are no more."""
        try:
            while True:
                self._answers.put(self._incoming.receive(_admit))
        except _NoRoomError as error:
            self._answers.put((TOO_LARGE, *error.args))
        except (EOFError, OSError, ValueError, pickle.UnpicklingError):
            # A pipe that ends, or invalid data on it: the process cannot be used any more.
            self._answers.put((ENDED, None))

    def _listen(self) -> None:
        """Keep the last lines of the error stream, of any length."""
        assert self._process.stderr is not None
        with suppress(OSError, ValueError):
            while line := self._process.stderr.readline(LETTERS_KEPT):
                if text := line.decode("utf-8", errors="replace").strip():
                    self._said.append(text)


class _NoRoomError(Exception):
    """A result of this size does not fit into memory."""


def _admit(size: int) -> None:
    """Refuse a result that would not fit into memory."""
    if size > PIPE and size > psutil.virtual_memory().available:
        raise _NoRoomError(size)


def _started() -> subprocess.Popen[bytes]:
    if not sys.executable:
        raise Unavailable("the interpreter does not know its own path")
    try:
        process = subprocess.Popen(  # noqa: S603  (our own program)
            isolated.command(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=_environment(),
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
    except OSError as error:
        raise Unavailable(f"{error.strerror or error}") from None
    _widen(process.stdout)
    return process


def _environment() -> dict[str, str]:
    """Return the environment of this process, with the same search path for modules."""
    # An empty entry stands for the current folder.
    path = os.pathsep.join(folder or os.getcwd() for folder in sys.path)  # noqa: PTH109
    return os.environ | {
        "PYTHONPATH": path,
        "OPENBLAS_NUM_THREADS": "1",
        # Its own pools reserve a gigabyte at once, which exceeds the memory limit.
        "ARROW_DEFAULT_MEMORY_POOL": "system",
        "PYTHONIOENCODING": "utf-8:replace",
        # The last output of a library should be its reason, not its call stack.
        "RUST_BACKTRACE": "0",
    }


def _widen(pipe: IO[bytes] | None) -> None:
    """Enlarge a pipe where possible: large results arrive in half the time."""
    with suppress(ImportError, AttributeError, OSError):
        import fcntl

        assert pipe is not None
        fcntl.fcntl(pipe.fileno(), fcntl.F_SETPIPE_SZ, PIPE)
