"""Properties that are computed once, on first access, in any thread."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

T = TypeVar("T")


class computed_once(Generic[T]):  # noqa: N801
    """Like `functools.cached_property`, but with a lock per object.

    Up to Python 3.11 that has one lock for all objects of a class, so that maps measured in
    parallel would queue up; from 3.12 on it has none, so that shared values would be computed
    repeatedly.
    """

    def __init__(self, compute: Callable[[Any], T]) -> None:
        self._compute = compute
        self._name = compute.__name__
        self.__doc__ = compute.__doc__

    @overload
    def __get__(self, owner: None, kind: type) -> Self: ...

    @overload
    def __get__(self, owner: object, kind: type) -> T: ...

    def __get__(self, owner: object | None, kind: type) -> Self | T:
        # Called only until the object has the value under this name.
        if owner is None:
            return self
        held, lock_name = vars(owner), f"lock of {self._name}"
        with held.setdefault(lock_name, threading.RLock()):
            if self._name not in held:
                held[self._name] = self._compute(owner)
        # A thread that comes too late for the lock makes another one, and finds the value.
        held.pop(lock_name, None)
        found: T = held[self._name]
        return found
