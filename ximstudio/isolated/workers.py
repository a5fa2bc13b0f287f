"""Pool of child processes: one is kept for the next call, others are started as needed."""

from __future__ import annotations

import atexit
import os
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from ximstudio.isolated.limits import Unavailable
from ximstudio.isolated.process import Call, Worker
from ximstudio.model.problem import UserError


class Workers:
    """The child processes of this process; thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle: Worker | None = None
        self._owner = os.getpid()

    def run(self, call: Call) -> Any:
        """Carry out a call in a child process."""
        kept = self._take()
        if kept is not None:
            # It may have ended while idle, just now: use another one.
            with suppress(Unavailable):
                return self._call(kept, call)
        return self._call(Worker(), call)

    def _call(self, worker: Worker, call: Call) -> Any:
        try:
            outcome = worker.call(call)
        except UserError:
            self._keep(worker)
            raise
        except BaseException:
            # In any case: a library that was interrupted is not used again.
            worker.end()
            raise
        self._keep(worker)
        return outcome

    def warm_up(self, modules: Sequence[str]) -> None:
        """Prepare a child process that imports these modules; do not wait for it."""
        with self._lock:
            if self._is_idle():
                return
        try:
            worker = Worker()
        except Unavailable:
            # The next call will report it.
            return
        # One that has ended is not kept.
        with suppress(OSError):
            worker.load(modules)
        self._keep(worker)

    def close(self) -> None:
        """End the spare process."""
        with self._lock:
            worker, self._idle = self._idle, None
        if worker is not None and self._owner == os.getpid():
            worker.end()

    def _take(self) -> Worker | None:
        """Take the spare process, if there is one."""
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
        """Return whether there is a usable spare process; forget one that has ended by itself."""
        if self._owner != os.getpid():
            # A fork: the pipes belong to the parent.
            self._owner, self._idle = os.getpid(), None
        if self._idle is not None and not self._idle.is_fit:
            self._idle.end()
            self._idle = None
        return self._idle is not None


WORKERS = Workers()
atexit.register(WORKERS.close)
