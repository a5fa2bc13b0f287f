"""Tab order in visual order instead of the order of construction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLayout, QScrollArea, QWidget


def stops(widget: QWidget | None) -> Iterator[QWidget]:
    """Return the tab stops of a widget in the order of its layouts."""
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
    # Not item by item: the Python wrapper of a spacer outlives it and may be mistaken for a new
    # object at its address.
    inner = [child for child in layout.children() if isinstance(child, QLayout)]
    places = {layout.indexOf(widget): stops(widget) for widget in widgets}
    places |= {layout.indexOf(each): _stops_in(each, widgets) for each in inner}
    for place in sorted(places):
        if place >= 0:
            yield from places[place]


def _children(widget: QWidget) -> list[QWidget]:
    return [child for child in widget.children() if isinstance(child, QWidget)]


def put_in_order(widgets: Iterable[QWidget]) -> None:
    """Chain the widgets for Tab; what followed the first follows the last."""
    for one, other in pairwise(widgets):
        QWidget.setTabOrder(one, other)
