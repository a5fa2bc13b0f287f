"""Run blocks of work on all cores, each with single-threaded linear algebra.

Plain threads around kernels that release the GIL, never numba's own: its thread pool aborts the
process when two threads enter it at once. The linear-algebra library is held to one thread, so
that its threads do not compete with ours and results do not depend on their number.

Work may take a minute and the user may cancel it after a second: every block checks first, see
`checking`.
"""

from __future__ import annotations

import os
import sys
import threading
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import lru_cache

from threadpoolctl import ThreadpoolController


class _Turns:
    """A lock that is granted in the order in which it was requested.

    Training requests it again as soon as it releases it; a waiting view gets it in between.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._waiting: deque[object] = deque()

    def __enter__(self) -> None:
        mine = object()
        with self._changed:
            self._waiting.append(mine)
            try:
                self._changed.wait_for(lambda: self._waiting[0] is mine)
            except BaseException:
                self._waiting.remove(mine)
                self._changed.notify_all()
                raise

    def __exit__(self, *_: object) -> None:
        with self._changed:
            self._waiting.popleft()
            self._changed.notify_all()


class _SideBySide:
    """State of threads that work side by side, and of others that rely on it."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._n_joined = 0
        self.on = False

    def begin(self) -> None:
        with self._changed:
            self.on = True

    def join(self) -> bool:
        """Rely on the state, if it holds; to be left again."""
        with self._changed:
            self._n_joined += self.on
            return self.on

    def leave(self) -> None:
        with self._changed:
            self._n_joined -= 1
            self._changed.notify_all()

    def end(self) -> None:
        """Let no other thread join, and wait for those that have."""
        with self._changed:
            self.on = False
            self._changed.wait_for(lambda: not self._n_joined)


_turn = _Turns()
_side_by_side = _SideBySide()
_holder = threading.Lock()
"""Lock of the one thread that may hold threads side by side: taken first, released last."""
LOOK_SECONDS = 0.1
"""Seconds between checks for cancellation while waiting for the lock."""


class _Own(threading.local):
    """State of one thread: its cancellation check, and whether it works on a block, and alone."""

    check: Callable[[], None] | None = None
    inside = False
    alone = False


_own = _Own()


@contextmanager
def checking(check: Callable[[], None]) -> Iterator[None]:
    """Call `check` repeatedly in what this thread computes; it may raise to stop the work."""
    before, _own.check = _own.check, check
    try:
        yield
    finally:
        _own.check = before


def check_here() -> None:
    """Call the thread's cancellation check, if any."""
    if _own.check is not None:
        _own.check()


@lru_cache(maxsize=1)
def _libraries(n_modules: int) -> ThreadpoolController:  # noqa: ARG001
    """Return the linear-algebra libraries, searched again when more modules are loaded."""
    return ThreadpoolController()


@contextmanager
def one_thread() -> Iterator[None]:
    """Limit linear algebra to one thread, where bits must not depend on the number of threads.

    The setting applies to the whole process: of two threads that ask for it, one waits. Nested use
    costs nothing.
    """
    if _own.alone:
        yield
        return
    if _side_by_side.join():
        with _alone():
            try:
                yield
            finally:
                _side_by_side.leave()
        return
    with _turn, _libraries(len(sys.modules)).limit(limits=1), _alone():
        yield


@contextmanager
def _alone() -> Iterator[None]:
    """Mark in this thread that linear algebra is limited already."""
    _own.alone = True
    try:
        yield
    finally:
        _own.alone = False


@contextmanager
def side_by_side() -> Iterator[None]:
    """Limit everything to one thread while several of our threads work side by side.

    They use all cores already: inside them `one_thread` has nothing to do and `over_blocks` goes
    block by block. The thread that entered leaves it when the others have ended. Other threads may
    compute meanwhile; it lasts until what they began has ended.

    Only one thread at a time: a second one waits until the first has left, and can be cancelled
    while it waits (`checking`). Entering raises RuntimeError in a thread that holds it already, or
    holds linear algebra, or works on a block: it would wait for itself. For the same reason no
    thread that is held may enter.
    """
    if _own.alone or _own.inside:
        raise RuntimeError("threads cannot be held side by side from inside of what is held")
    while not _holder.acquire(timeout=LOOK_SECONDS):
        check_here()
    try:
        with one_thread():
            _side_by_side.begin()
            try:
                yield
            finally:
                _side_by_side.end()
    finally:
        _holder.release()


_unwarned = threading.RLock()


@contextmanager
def unwarned(category: type[Warning] = Warning) -> Iterator[None]:
    """Suppress warnings of a kind.

    Warning filters belong to the whole process, and two threads that change them at once would
    leave them changed: one waits for the other. Nothing inside may wait for `one_thread`.
    """
    with _unwarned, warnings.catch_warnings():
        warnings.simplefilter("ignore", category)
        yield


def n_cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def n_threads() -> int:
    """Return the number of threads for a library: one where ours use all cores already."""
    return 1 if _own.inside or _side_by_side.on else n_cores()


def over_blocks(total: int, size: int, work: Callable[[int, int], None]) -> None:
    """Call work(begin, end) for every block of at most `size` of the numbers 0..total−1.

    The blocks do not depend on the number of cores. Nested blocks run one after the other.
    """
    blocks = [(begin, min(begin + size, total)) for begin in range(0, total, size)]
    if _own.inside:
        for begin, end in blocks:
            check_here()
            work(begin, end)
        return
    check = _own.check

    def one(begin: int, end: int) -> None:
        before, _own.inside = _own.inside, True
        try:
            with checking(check) if check is not None else nullcontext():
                check_here()
                work(begin, end)
        finally:
            _own.inside = before

    with one_thread():
        if len(blocks) <= 1 or n_cores() == 1 or _side_by_side.on:
            for begin, end in blocks:
                one(begin, end)
            return
        _share(blocks, one)


def _share(blocks: Sequence[tuple[int, int]], one: Callable[[int, int], None]) -> None:
    """Let every core take one block after the other; the first error stops it and is raised.

    This thread works, too: starting another takes as long as a small block.
    """
    waiting, turn = iter(blocks), threading.Lock()
    errors: list[BaseException] = []

    def take() -> None:
        while not errors:
            with turn:
                block = next(waiting, None)
            if block is None:
                return
            try:
                one(*block)
            except BaseException as error:
                errors.append(error)

    helpers = [threading.Thread(target=take) for _ in range(min(n_cores(), len(blocks)) - 1)]
    for helper in helpers:
        helper.start()
    take()
    for helper in helpers:
        helper.join()
    if errors:
        raise errors[0]
