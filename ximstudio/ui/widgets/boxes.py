"""Build rows and columns of widgets in one call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLayout, QVBoxLayout, QWidget

BoxT = TypeVar("BoxT", bound=QBoxLayout)


@dataclass(frozen=True)
class Stretch:
    """Empty room that grows with this share."""

    share: int = 1


STRETCH = Stretch()

Child: TypeAlias = QWidget | QLayout
Part: TypeAlias = Child | Stretch | int | tuple[Child, int | Qt.AlignmentFlag]
"""A widget or layout, with the share by which it grows or with its alignment; room in pixels."""
Margins: TypeAlias = int | tuple[int, int, int, int]
"""All margins of a layout in pixels, or left, top, right and bottom."""


def hbox(
    *parts: Part,
    into: QWidget | None = None,
    gap: int | None = None,
    margins: Margins | None = None,
) -> QHBoxLayout:
    """Return a row of parts; `into` is the widget that it fills, if any."""
    return _filled(QHBoxLayout(), parts, into, gap, margins)


def vbox(
    *parts: Part,
    into: QWidget | None = None,
    gap: int | None = None,
    margins: Margins | None = None,
) -> QVBoxLayout:
    """Return a column of parts; `into` is the widget that it fills, if any."""
    return _filled(QVBoxLayout(), parts, into, gap, margins)


def _filled(
    box: BoxT,
    parts: tuple[Part, ...],
    into: QWidget | None,
    gap: int | None,
    margins: Margins | None,
) -> BoxT:
    if into is not None:
        into.setLayout(box)
    if gap is not None:
        box.setSpacing(gap)
    if margins is not None:
        box.setContentsMargins(*((margins,) * 4 if isinstance(margins, int) else margins))
    for part in parts:
        _add(box, part)
    return box


def _add(box: QBoxLayout, part: Part) -> None:
    if isinstance(part, Stretch):
        box.addStretch(part.share)
    elif isinstance(part, int):
        box.addSpacing(part)
    else:
        child, how = part if isinstance(part, tuple) else (part, 0)
        if isinstance(child, QLayout):
            assert isinstance(how, int)
            box.addLayout(child, how)
        elif isinstance(how, Qt.AlignmentFlag):
            box.addWidget(child, alignment=how)
        else:
            box.addWidget(child, how)
