"""Enforce the limits of memory and time of a child process."""

from __future__ import annotations

import time

import psutil

from ximstudio.isolated.failure import Cause, Failure
from ximstudio.isolated.limits import CallLimits

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
