"""Lines over time or over k, with their names beside their ends."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QSizePolicy, QStyleOptionGraphicsItem, QWidget

from ximstudio.model.arrays import Floats
from ximstudio.ui.drawing.guard import guarded
from ximstudio.ui.look import spacing
from ximstudio.ui.look.fonts import Text, font
from ximstudio.ui.look.theme import the_theme

LINE = 1.8
NAME_HEIGHT = 16.0


class Curves(pg.PlotWidget):  # type: ignore[misc]  # pyqtgraph is untyped
    """Curves that can be replaced at any rate; colours follow the theme, or are given.

    A curve is known by its key. Names stand at the right, each where its curve ends.
    """

    def __init__(self) -> None:
        super().__init__()
        self._curves: dict[str, _Curve] = {}
        plot = self.getPlotItem()
        plot.hideButtons()
        plot.setMenuEnabled(False)
        plot.setContentsMargins(spacing.HAIR, spacing.SMALL, spacing.SMALL, spacing.HAIR)
        self.setMouseEnabled(x=False, y=False)
        self._names = _Names(self)
        plot.layout.addItem(self._names, 2, 3)
        plot.vb.sigRangeChanged.connect(self._names.follow)
        plot.vb.sigResized.connect(self._names.follow)
        the_theme().changed.connect(self.recolour)
        self.recolour()

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(self._curves)

    def name_axes(self, x: str, y: str) -> None:
        """Say what is along the axes; empty for nothing."""
        for side, text in (("bottom", x), ("left", y)):
            self.getAxis(side).setLabel(text or None)
        self.recolour()

    def show_curve(
        self,
        key: str,
        x: Floats,
        y: Floats,
        *,
        name: str = "",
        colour: str = "",
        dashed: bool = False,
    ) -> None:
        """Draw a curve, or draw it anew; gaps where y is NaN. Without a colour it gets the next."""
        curve = self._curves.get(key)
        if curve is None:
            curve = _Curve(number=len(self._curves))
            self._curves[key] = curve
            self.addItem(curve.item)
        fresh = (name, colour, dashed) != (curve.name, curve.colour, curve.dashed)
        curve.name, curve.colour, curve.dashed = name, colour, dashed
        curve.item.setData(x, y)
        known = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
        curve.end = float(y[known[-1]]) if known.size else None
        if fresh:
            curve.item.setPen(curve.pen(self.devicePixelRatioF()))
            self._names.measure()
        self._names.update()

    def remove_curve(self, key: str) -> None:
        """Take a curve away; the others keep their colours."""
        curve = self._curves.pop(key, None)
        if curve is not None:
            self.removeItem(curve.item)
            self._names.measure()

    def clear_curves(self) -> None:
        """Take all curves away."""
        for key in self.keys:
            self.remove_curve(key)

    def recolour(self) -> None:
        """Take the theme's colours anew."""
        if self.closed:
            # pyqtgraph takes a closed plot apart, and it may live on for a moment.
            return
        colours = the_theme().colours
        self.setBackground(colours.surface)
        for side in ("left", "bottom"):
            axis = self.getAxis(side)
            axis.setStyle(tickFont=font(Text.CAPTION, tabular=True), tickTextOffset=6, tickLength=0)
            axis.setTextPen(QColor(colours.muted))
            axis.setPen(
                QPen(QColor(colours.border_strong if side == "bottom" else colours.surface))
            )
            axis.setTickPen(QPen(QColor(colours.grid)))
            axis.setLabel(axis.labelText or None, color=colours.muted)
            axis.label.setFont(font(Text.CAPTION))
            # The lines of the grid belong to the axis, and curves run above them.
            axis.setZValue(-1000.0)
        self.showGrid(x=False, y=True, alpha=1.0)
        for curve in self._curves.values():
            curve.item.setPen(curve.pen(self.devicePixelRatioF()))
        self._names.update()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self.recolour()
        return bool(super().event(event))

    def ends(self) -> list[tuple[str, str, float]]:
        """Name, colour and height in pixels of the plot, of every curve that has a name."""
        view = self.getPlotItem().vb
        return [
            (curve.name, curve.shown_colour(), view.mapFromView(QPointF(0.0, curve.end)).y())
            for curve in self._curves.values()
            if curve.name and curve.end is not None
        ]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(curve.name for curve in self._curves.values() if curve.name)


class _Curve:
    """One line and how it is to look."""

    def __init__(self, *, number: int) -> None:
        self.number = number
        self.item: Any = pg.PlotDataItem(
            connect="finite", antialias=True, autoDownsample=True, downsampleMethod="peak"
        )
        self.name = ""
        self.colour = ""
        self.dashed = False
        self.end: float | None = None

    def shown_colour(self) -> str:
        series = the_theme().colours.series
        return self.colour or series[self.number % len(series)]

    def pen(self, ratio: float) -> QPen:
        # Widths of such pens are in pixels of the device.
        pen = QPen(QColor(self.shown_colour()), LINE * ratio)
        pen.setCosmetic(True)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        if self.dashed:
            pen.setDashPattern([3.0, 3.0])
        return pen


class _Names(pg.GraphicsWidget):  # type: ignore[misc]  # pyqtgraph is untyped
    """The names of curves in a column of their own, none above another."""

    def __init__(self, curves: Curves) -> None:
        super().__init__()
        self._curves = curves
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self.measure()

    def measure(self) -> None:
        """Take as much room as the longest name needs."""
        metrics = QFontMetricsF(_name_font())
        widest = max((metrics.horizontalAdvance(name) for name in self._curves.names), default=0.0)
        width = widest + spacing.SMALL + 2.0 if widest else 0.0
        self.setMinimumWidth(width)
        self.setMaximumWidth(width)
        self.updateGeometry()
        self.update()

    def follow(self, *_: object) -> None:
        """Go where the curves go; update() itself would take a signal's news for a rectangle."""
        self.update()

    @guarded
    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionGraphicsItem,
        widget: QWidget | None = None,
    ) -> None:
        del option, widget
        painter.setFont(_name_font())
        ends = self._curves.ends()
        room = self.size().height()
        heights = spread(np.array([height for *_, height in ends]), NAME_HEIGHT, room)
        for (name, colour, _), height in zip(ends, heights, strict=True):
            painter.setPen(QColor(colour))
            box = QRectF(
                spacing.SMALL, height - NAME_HEIGHT / 2.0, self.size().width(), NAME_HEIGHT
            )
            painter.drawText(box, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, name)


def spread(heights: Floats, apart: float, room: float) -> Floats:
    """Heights as near to those wanted as keeps them `apart`, and within 0 to `room` if they fit."""
    order = np.argsort(heights, kind="stable")
    spots = np.arange(len(heights)) * apart
    # Names that push each other form groups, each centred on what its members want.
    groups: list[list[float]] = []
    for wanted in (heights[order] - spots).tolist():
        groups.append([wanted])
        while len(groups) > 1 and np.mean(groups[-2]) > np.mean(groups[-1]):
            last = groups.pop()
            groups[-1] += last
    placed = np.array([np.mean(group) for group in groups for _ in group]) + spots
    if len(placed):
        highest = room - apart / 2.0 - spots[::-1]
        placed = np.maximum(np.minimum(placed, highest), apart / 2.0 + spots)
    result = np.empty(len(heights))
    result[order] = placed
    return result


def _name_font() -> QFont:
    return font(Text.SMALL, weight=QFont.Weight.Medium)
