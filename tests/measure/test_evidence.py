"""Properties that are computed once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import pytest

from ximstudio.measure.evidence import DataSide, MapEvidence, computed_once


@dataclass(frozen=True, eq=False)
class Asked:
    """Something that calls this when it is asked for."""

    work: Callable[[], int]

    @computed_once
    def answer(self) -> int:
        """What it comes to."""
        return self.work()


def test_that_it_is_computed_when_asked_for_and_never_again() -> None:
    calls: list[int] = []

    def work() -> int:
        calls.append(1)
        return len(calls)

    asked = Asked(work)
    assert not calls
    assert [asked.answer, asked.answer] == [1, 1]
    assert set(vars(asked)) == {"work", "answer"}
    assert Asked.answer.__doc__ == "What it comes to."


def test_that_objects_of_a_class_do_not_wait_for_each_other() -> None:
    both = threading.Barrier(2, timeout=30)
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda _: Asked(both.wait).answer, range(2)))
    assert sorted(found) == [0, 1]
    for of_evidence in ("seen", "ranks", "pairs", "best_nodes", "costs"):
        assert isinstance(vars(MapEvidence)[of_evidence], computed_once)
    assert isinstance(vars(DataSide)["pairs"], computed_once)


def test_that_threads_that_ask_the_same_object_have_it_computed_once() -> None:
    begun, may_end = threading.Event(), threading.Event()
    calls: list[int] = []

    def work() -> int:
        calls.append(1)
        begun.set()
        may_end.wait(30)
        return 7

    asked = Asked(work)
    with ThreadPoolExecutor(4) as pool:
        answers = [pool.submit(lambda: asked.answer) for _ in range(4)]
        assert begun.wait(30)
        may_end.set()
    assert [answer.result() for answer in answers] == [7] * 4
    assert len(calls) == 1


def test_that_what_could_not_be_computed_is_tried_again() -> None:
    answers = iter([0, 4])

    def work() -> int:
        return 8 // next(answers)

    asked = Asked(work)
    with pytest.raises(ZeroDivisionError):
        _ = asked.answer
    assert asked.answer == 2
