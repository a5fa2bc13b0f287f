"""Paint safely: methods guarded against exceptions, painters that end, texts that fit."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, TypeVar, cast
from weakref import WeakSet

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPaintDevice, QPainter

Paint = TypeVar("Paint", bound=Callable[..., None])
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
CENTRE = Qt.AlignmentFlag.AlignCenter
"""Places of texts in their boxes, all halfway up."""

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


def write(
    painter: QPainter,
    box: QRectF,
    text: str,
    face: QFont,
    colour: str,
    side: Qt.AlignmentFlag = LEFT,
    *,
    cut: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
) -> str:
    """Write a text into a box, elided to its width; return what is written."""
    painter.setFont(face)
    painter.setPen(QColor(colour))
    written = QFontMetricsF(face).elidedText(text, cut, box.width())
    painter.drawText(box, side, written)
    return written
