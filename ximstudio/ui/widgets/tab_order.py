"""The order in which Tab goes through a part of the window: as it is seen, not as it was built."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLayout, QScrollArea, QWidget


def stops(widget: QWidget | None) -> Iterator[QWidget]:
    """What takes the keyboard in a widget, in the order of its layouts."""
    if widget is None:
        return
    if widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
        yield widget
    layout = widget.layout()
    if isinstance(widget, QScrollArea):
        yield from stops(widget.widget())
    elif layout is not None:
        yield from _stops_in(layout, _children(widget))


def _stops_in(layout: QLayout, widgets: list[QWidget]) -> Iterator[QWidget]:
    # Not item by item: Python's side of a spacer outlives it, and is taken for what comes to lie
    # at its address.
    inner = [child for child in layout.children() if isinstance(child, QLayout)]
    places = {layout.indexOf(widget): stops(widget) for widget in widgets}
    places |= {layout.indexOf(each): _stops_in(each, widgets) for each in inner}
    for place in sorted(places):
        if place >= 0:
            yield from places[place]


def _children(widget: QWidget) -> list[QWidget]:
    return [child for child in widget.children() if isinstance(child, QWidget)]


def put_in_order(widgets: Iterable[QWidget]) -> None:
    """Let Tab go from each to the next; what came after the first comes after the last."""
    for one, other in pairwise(widgets):
        QWidget.setTabOrder(one, other)
