"""Focus ring for widgets that do not draw one, and tab order in visual order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QLayout, QScrollArea, QWidget

from ximstudio.ui.widgets.drawing.guard import guarded, painting
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.theme import the_theme

WIDTH = 2.0


class FocusRing(QWidget):
    """Ring over the focused map or page."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._at: QWidget | None = None
        self.hide()
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._leave)

    def follow(self) -> None:
        """Show the ring after Tab, not after a click."""
        widget = QApplication.focusWidget()
        self._at = widget if isinstance(widget, QAbstractScrollArea) else None
        if self._at is not None:
            corner = self._at.mapTo(self.window(), self._at.rect().topLeft())
            self.setGeometry(QRect(corner, self._at.size()))
            self.raise_()
        self.setVisible(self._at is not None)

    def _leave(self, _: QWidget | None, now: QWidget | None) -> None:
        if now is not self._at:
            self.hide()

    @guarded
    def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802  (Qt's name)
        with painting(self) as painter:
            painter.setPen(QPen(QColor(the_theme().colours.focus), WIDTH))
            inner = self.rect().toRectF().adjusted(WIDTH, WIDTH, -WIDTH, -WIDTH)
            painter.drawRoundedRect(inner, spacing.RADIUS_SMALL, spacing.RADIUS_SMALL)


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
        inside = [child for child in widget.children() if isinstance(child, QWidget)]
        yield from _stops_in(layout, inside)


def _stops_in(layout: QLayout, widgets: list[QWidget]) -> Iterator[QWidget]:
    # Not item by item: the Python wrapper of a spacer outlives it and may be mistaken for a new
    # object at its address.
    inner = [child for child in layout.children() if isinstance(child, QLayout)]
    places = {layout.indexOf(widget): stops(widget) for widget in widgets}
    places |= {layout.indexOf(each): _stops_in(each, widgets) for each in inner}
    for place in sorted(places):
        if place >= 0:
            yield from places[place]


def put_in_order(widgets: Iterable[QWidget]) -> None:
    """Chain the widgets for Tab; what followed the first follows the last."""
    for one, other in pairwise(widgets):
        QWidget.setTabOrder(one, other)
