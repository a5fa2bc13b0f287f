"""Properties that are computed once, when they are first asked for, in whatever thread."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

T = TypeVar("T")


class computed_once(Generic[T]):  # noqa: N801
    """As `functools.cached_property`, but only who asks the same object waits for each other.

    Up to Python 3.11 that has one lock for all objects of a class, so that maps that are measured
    side by side would queue up; from 3.12 on it has none, so that what they share would be computed
    by each.
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
        # Asked for only as long as the object itself does not have it under this name.
        if owner is None:
            return self
        held, lock_name = vars(owner), f"lock of {self._name}"
        with held.setdefault(lock_name, threading.RLock()):
            if self._name not in held:
                held[self._name] = self._compute(owner)
        # Who comes too late for it makes another, and finds what was computed.
        held.pop(lock_name, None)
        found: T = held[self._name]
        return found
