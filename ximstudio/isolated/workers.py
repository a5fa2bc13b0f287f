"""Child processes for calls: one is kept for the next call, others are started as needed."""

from __future__ import annotations

import atexit
import os
import threading
from collections.abc import Callable, Sequence
from typing import Any

from ximstudio.isolated.failure import Unavailable
from ximstudio.isolated.limits import Limits
from ximstudio.isolated.process import Report, Worker
from ximstudio.model.problem import UserError


class Workers:
    """The child processes of this process; to be used from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle: Worker | None = None
        self._owner = os.getpid()

    def run(
        self,
        function: Callable[..., Any],
        arguments: tuple[Any, ...],
        limits: Limits,
        report: Report,
    ) -> Any:
        """Call a function in a child process; see `isolated.run`."""
        kept = self._take()
        if kept is not None:
            try:
                return self._call(kept, function, arguments, limits, report)
            except Unavailable:
                # It ended while nobody needed it, just now: another one will do.
                pass
        return self._call(Worker(), function, arguments, limits, report)

    def _call(
        self,
        worker: Worker,
        function: Callable[..., Any],
        arguments: tuple[Any, ...],
        limits: Limits,
        report: Report,
    ) -> Any:
        try:
            outcome = worker.call(function, arguments, limits, report)
        except UserError:
            self._keep(worker)
            raise
        except BaseException:
            # Whatever it was: a library that was interrupted is not used again.
            worker.end()
            raise
        self._keep(worker)
        return outcome

    def warm_up(self, modules: Sequence[str]) -> None:
        """Have a child process ready, which imports these modules; does not wait for it."""
        with self._lock:
            if self._is_idle():
                return
        try:
            worker = Worker()
        except Unavailable:
            # The next call will say so.
            return
        try:
            worker.load(modules)
        except OSError:
            worker.end()
            return
        self._keep(worker)

    def close(self) -> None:
        """End the process that is kept."""
        with self._lock:
            worker, self._idle = self._idle, None
        if worker is not None and self._owner == os.getpid():
            worker.end()

    def _take(self) -> Worker | None:
        """The process that is kept, if there is one."""
        with self._lock:
            self._is_idle()
            worker, self._idle = self._idle, None
        return worker

    def _keep(self, worker: Worker) -> None:
        with self._lock:
            if worker.is_fit and not self._is_idle():
                self._idle = worker
                return
        worker.end()

    def _is_idle(self) -> bool:
        """Whether there is one to be used; one that has ended by itself is put away."""
        if self._owner != os.getpid():
            # A fork: the pipes are the parent's.
            self._owner, self._idle = os.getpid(), None
        if self._idle is not None and not self._idle.is_fit:
            self._idle.end()
            self._idle = None
        return self._idle is not None


WORKERS = Workers()
atexit.register(WORKERS.close)
