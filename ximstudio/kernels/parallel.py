"""Blocks of work over all cores, each with one core's worth of linear algebra.

Plain threads around kernels that release the GIL, never numba's own: its thread pool aborts the
process when two threads enter it at once. The linear-algebra library is held to one thread, so
that its threads do not compete with ours and results do not depend on their number.

What is computed here may take a minute, and a person may not want it any more after a second: every
block asks first, see `checking`.
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
    """A lock that is had in the order in which it was asked for.

    Training asks for it again the moment it gives it back; who waits to show a map comes next.
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
    """Whether threads work side by side, and who relies on it beside them."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._n_joined = 0
        self.on = False

    def begin(self) -> None:
        with self._changed:
            self.on = True

    def join(self) -> bool:
        """Rely on it, if it holds; to be left again."""
        with self._changed:
            self._n_joined += self.on
            return self.on

    def leave(self) -> None:
        with self._changed:
            self._n_joined -= 1
            self._changed.notify_all()

    def end(self) -> None:
        """Let nobody join any more, and wait for those who have."""
        with self._changed:
            self.on = False
            self._changed.wait_for(lambda: not self._n_joined)


_turn = _Turns()
_side_by_side = _SideBySide()
_holder = threading.Lock()
"""Had by the one thread that may hold threads side by side: taken before all else, given back after
all else."""
LOOK_SECONDS = 0.1
"""How often who waits for it sees whether it is to end."""


class _Own(threading.local):
    """What holds for one thread: who may end its work, whether it works on a block, and alone."""

    check: Callable[[], None] | None = None
    inside = False
    alone = False


_own = _Own()


@contextmanager
def checking(check: Callable[[], None]) -> Iterator[None]:
    """Call `check` time and again in what this thread computes; it may raise, to end it."""
    before, _own.check = _own.check, check
    try:
        yield
    finally:
        _own.check = before


def check_here() -> None:
    """A place where work may be ended."""
    if _own.check is not None:
        _own.check()


@lru_cache(maxsize=1)
def _libraries(n_modules: int) -> ThreadpoolController:  # noqa: ARG001
    """The linear-algebra libraries there are, looked for again when more modules are loaded."""
    return ThreadpoolController()


@contextmanager
def one_thread() -> Iterator[None]:
    """Hold linear algebra to one thread, where bits must not depend on their number.

    The setting is one for the whole process: of two threads that ask for it, one waits. Inside of
    it, it costs nothing to ask again.
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
    """Remember in this thread that linear algebra is held already."""
    _own.alone = True
    try:
        yield
    finally:
        _own.alone = False


@contextmanager
def side_by_side() -> Iterator[None]:
    """Hold everything to one thread while several threads of ours are at work side by side.

    They take all cores already: inside them `one_thread` has nothing to do and `over_blocks` goes
    block by block. To be left by the thread that entered, when the others have ended. Other threads
    may compute meanwhile; it lasts until what they began has ended.

    Once at a time: a second thread waits until the first has left, and may be ended while it waits
    (`checking`). Entering raises RuntimeError in a thread that holds it already, or linear algebra,
    or works on a block: it would wait for itself. So would a thread that is held: none of them may
    enter.
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
    """Leave out warnings of a kind.

    What is left out is one list for the whole process, and two threads that change it at once leave
    it changed: one waits for the other. Nothing inside may wait for a turn of `one_thread`.
    """
    with _unwarned, warnings.catch_warnings():
        warnings.simplefilter("ignore", category)
        yield


def n_cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def n_threads() -> int:
    """How many threads a library may use here: one where ours have taken all cores already."""
    return 1 if _own.inside or _side_by_side.on else n_cores()


def over_blocks(total: int, size: int, work: Callable[[int, int], None]) -> None:
    """Call work(begin, end) for every block of at most `size` of the numbers 0..total−1.

    The blocks are cut the same way however many cores there are. Inside a block, blocks of its own
    come one after the other.
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
    """Have every core take one block after the other; the first error ends it, and is raised.

    This thread takes its share: to start another takes as long as a small block.
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
