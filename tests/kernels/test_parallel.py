"""Blocks of work over all cores."""

from __future__ import annotations

import subprocess
import sys
import threading
import warnings

import pytest
from threadpoolctl import threadpool_info

from ximstudio.kernels import parallel
from ximstudio.kernels.parallel import (
    check_here,
    checking,
    n_cores,
    one_thread,
    over_blocks,
    side_by_side,
    unwarned,
)


def blas_threads() -> list[int]:
    return [library["num_threads"] for library in threadpool_info()]


@pytest.mark.parametrize(("total", "size"), [(0, 5), (1, 5), (5, 5), (6, 5), (103, 10)])
def test_that_every_number_is_in_exactly_one_block(total: int, size: int) -> None:
    blocks: list[tuple[int, int]] = []
    over_blocks(total, size, lambda begin, end: blocks.append((begin, end)))
    numbers = [number for begin, end in sorted(blocks) for number in range(begin, end)]
    assert numbers == list(range(total))
    assert all(0 < end - begin <= size for begin, end in blocks)


def test_that_an_error_in_a_block_is_raised() -> None:
    def work(begin: int, _: int) -> None:
        if begin == 3:
            raise KeyError(begin)

    with pytest.raises(KeyError):
        over_blocks(6, 1, work)


def test_that_linear_algebra_is_held_to_one_thread_inside_and_given_back_after() -> None:
    before = blas_threads()
    inside: list[int] = []
    over_blocks(1, 1, lambda _begin, _end: inside.extend(blas_threads()))
    assert set(inside) == {1}
    assert blas_threads() == before


TOGETHER = """
import threading
import numpy
from threadpoolctl import threadpool_info
from ximstudio.kernels.parallel import over_blocks

def threads():
    return {library["num_threads"] for library in threadpool_info()}

before = threads()
inside = set()

def work(_begin, _end):
    inside.update(threads())

def often():
    for _ in range(300):
        over_blocks(3, 1, work)

callers = [threading.Thread(target=often) for _ in range(3)]
for caller in callers:
    caller.start()
often()
for caller in callers:
    caller.join()
assert inside == {1}, inside
assert threads() == before, (threads(), before)
"""


@pytest.mark.skipif(n_cores() < 2, reason="one core has nothing to give back")
def test_that_callers_in_several_threads_leave_linear_algebra_as_it_was() -> None:
    """In a process of its own, because the number of threads is one for the whole process."""
    done = subprocess.run(
        [sys.executable, "-c", TOGETHER], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


SIDE_BY_SIDE = """
import threading
import numpy
from concurrent.futures import ThreadPoolExecutor
from threadpoolctl import threadpool_info
from ximstudio.kernels.parallel import one_thread, side_by_side, over_blocks

def threads():
    return {library["num_threads"] for library in threadpool_info()}

before = threads()
both = threading.Barrier(2, timeout=60)
left, checked = threading.Event(), threading.Event()

def work(_):
    with one_thread():
        both.wait()  # Nobody waits for a turn.
    seen = threads()
    over_blocks(3, 1, lambda _begin, _end: seen.update(threads()))
    return seen | threads()

def hold():
    with side_by_side(), ThreadPoolExecutor(2) as pool:
        assert set.union(*pool.map(work, range(2))) == {1}
    left.set()
    checked.wait()

# As the compute lane, it lives on.
threading.Thread(target=hold, daemon=True).start()
assert left.wait(60)
assert threads() == before, (threads(), before)
with one_thread():
    assert threads() == {1}, threads()
assert threads() == before, (threads(), before)
checked.set()
"""


@pytest.mark.skipif(n_cores() < 2, reason="one core has nothing to give back")
def test_that_threads_side_by_side_are_held_together_and_another_may_be_held_after() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SIDE_BY_SIDE], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


TWICE = """
import threading
from ximstudio.kernels.parallel import one_thread, over_blocks, side_by_side

inside, most = 0, 0
first_in = threading.Event()

def hold(n):
    global inside, most
    for _ in range(n):
        with side_by_side():
            inside += 1
            most = max(most, inside)
            first_in.set()
            worker = threading.Thread(target=lambda: over_blocks(3, 1, lambda *_: None))
            worker.start()
            worker.join()
            inside -= 1

holders = [threading.Thread(target=hold, args=(50,), daemon=True) for _ in range(3)]
for holder in holders:
    holder.start()
for holder in holders:
    holder.join(60)
    assert not holder.is_alive(), "they wait for each other for ever"
assert most == 1, most
with one_thread():
    pass
"""


def test_that_of_two_that_hold_threads_side_by_side_one_waits_for_the_other() -> None:
    """In a process of its own, which ends even if they never do."""
    done = subprocess.run(
        [sys.executable, "-c", TWICE], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr


def test_that_holding_threads_side_by_side_from_inside_of_what_is_held_is_an_error() -> None:
    def enter(*_: int) -> None:
        with pytest.raises(RuntimeError), side_by_side():
            raise AssertionError

    with side_by_side():
        enter()
    with one_thread():
        enter()
    over_blocks(2, 1, enter)
    with side_by_side():
        pass


def test_that_who_waits_to_hold_threads_side_by_side_may_be_ended() -> None:
    ended = threading.Event()

    def enough() -> None:
        raise EnoughError

    def wait() -> None:
        with pytest.raises(EnoughError), checking(enough), side_by_side():
            raise AssertionError
        ended.set()

    with side_by_side():
        waiting = threading.Thread(target=wait, daemon=True)
        waiting.start()
        assert ended.wait(60)
    waiting.join()


def test_that_holding_lasts_until_who_joined_it_has_ended() -> None:
    joined, may_end, left = threading.Event(), threading.Event(), threading.Event()

    def join() -> None:
        with one_thread():
            joined.set()
            may_end.wait(60)

    def hold() -> None:
        with side_by_side():
            other.start()
            assert joined.wait(60)
        left.set()

    other = threading.Thread(target=join, daemon=True)
    holder = threading.Thread(target=hold, daemon=True)
    holder.start()
    assert joined.wait(60)
    assert not left.wait(0.3)
    # Of OpenMP, every thread has a number of its own.
    libraries = [library for library in threadpool_info() if library["user_api"] == "blas"]
    assert {library["num_threads"] for library in libraries} == {1}
    may_end.set()
    assert left.wait(60)
    for thread in (other, holder):
        thread.join()


class EnoughError(Exception):
    """Raised by a check."""


@pytest.mark.parametrize("cores", [1, 2])
def test_that_a_check_ends_the_work_before_its_next_block(
    cores: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parallel, "n_cores", lambda: cores)
    begun: list[int] = []

    def check() -> None:
        if len(begun) >= 5:
            raise EnoughError

    with pytest.raises(EnoughError), checking(check):
        over_blocks(1000, 1, lambda begin, _: begun.append(begin))
    assert 5 <= len(begun) < 5 + cores
    check_here()


def test_that_blocks_inside_a_block_are_worked_on_and_checked() -> None:
    found: list[tuple[int, int]] = []
    asked: list[int] = []

    def outer(begin: int, end: int) -> None:
        over_blocks(
            3, 1, lambda inner, _: found.extend((each, inner) for each in range(begin, end))
        )

    with checking(lambda: asked.append(1)):
        over_blocks(4, 1, outer)
    assert sorted(found) == [(outside, inside) for outside in range(4) for inside in range(3)]
    assert len(asked) == 4 + 12


def test_that_turns_come_in_the_order_in_which_they_were_asked_for() -> None:
    order: list[str] = []

    def ask() -> None:
        with one_thread():
            order.append("who waited")

    with one_thread():
        other = threading.Thread(target=ask)
        other.start()
        while len(parallel._turn._waiting) < 2:
            pass
    with one_thread():
        order.append("who asked again")
    other.join()
    assert order == ["who waited", "who asked again"]


def test_that_who_has_the_turn_may_ask_again_inside() -> None:
    with one_thread(), one_thread():
        assert set(blas_threads()) == {1}


def test_that_threads_that_leave_out_warnings_leave_them_as_they_were() -> None:
    before = list(warnings.filters)
    second_entered, both_began = threading.Event(), threading.Barrier(2)

    def first() -> None:
        with unwarned():
            both_began.wait(60)
            second_entered.wait(0.3)

    def second() -> None:
        both_began.wait(60)
        with unwarned(DeprecationWarning):
            second_entered.set()
            one.join(60)

    one, other = (threading.Thread(target=work, daemon=True) for work in (first, second))
    for thread in (one, other):
        thread.start()
    other.join(60)
    assert not other.is_alive()
    assert list(warnings.filters) == before
