"""Guard painting methods against exceptions."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, TypeVar, cast
from weakref import WeakSet

from PySide6.QtGui import QPaintDevice, QPainter

Paint = TypeVar("Paint", bound=Callable[..., None])

_failing: WeakSet[Any] = WeakSet()
"""Objects whose last painting failed."""


def guarded(paint: Paint) -> Paint:
    """Return the painting method with exceptions passed to `sys.excepthook` instead of Qt.

    Qt calls paint() from C++, where a Python exception may end the process. A view repaints many
    times a second, so the same object is reported once until it could be painted again.
    """

    @wraps(paint)
    def safely(self: Any, *arguments: Any) -> None:
        try:
            paint(self, *arguments)
        except Exception:
            if self not in _failing:
                _failing.add(self)
                sys.excepthook(*sys.exc_info())
        else:
            _failing.discard(self)

    return cast("Paint", safely)


@contextmanager
def painting(device: QPaintDevice) -> Iterator[QPainter]:
    """Return an antialiased painter that ends even if painting fails."""
    painter = QPainter(device)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    try:
        yield painter
    finally:
        painter.end()


@contextmanager
def saved(painter: QPainter) -> Iterator[None]:
    """Save the painter's state and restore it afterwards."""
    painter.save()
    try:
        yield
    finally:
        painter.restore()
