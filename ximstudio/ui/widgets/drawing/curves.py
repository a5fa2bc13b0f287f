"""Plot of curves with their names beside their ends."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QGraphicsGridLayout, QSizePolicy

from ximstudio.model.arrays import Floats
from ximstudio.pictures.curves import spread
from ximstudio.pictures.ticks import written_alike
from ximstudio.ui.widgets.drawing.guard import guarded, write
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.fonts import Text, font
from ximstudio.ui.widgets.look.theme import the_theme

LINE = 1.8
FEW, DOT = 3, 6.0
"""Curves with at most this many points have dots, of this size in pixels."""


class Curves(pg.GraphicsView):  # type: ignore[misc]  # pyqtgraph is untyped
    """Plot of curves that can be replaced quickly; colours follow the theme or are given.

    A curve is known by its key. Names stand where the longest curve ends, each as high as its own
    does. Made of a view and two axes: pyqtgraph's own plot brings menus along, and takes four times
    as long to build.
    """

    def __init__(self) -> None:
        super().__init__()
        self._curves: dict[str, _Curve] = {}
        self.view = pg.ViewBox(enableMenu=False, enableMouse=False)
        self._axes = {side: _Axis(side) for side in ("left", "bottom")}
        self._names = CurveNames(self)
        self.setCentralItem(self._laid_out())
        self.view.sigRangeChanged.connect(self._names.follow)
        self.view.sigResized.connect(self._names.follow)
        self.sigDeviceRangeChanged.connect(self._names.measure)
        the_theme().follow(self.recolour)
        self.recolour()

    def _laid_out(self) -> Any:
        whole = pg.GraphicsWidget()
        grid = QGraphicsGridLayout()
        whole.setLayout(grid)
        grid.setSpacing(0.0)
        grid.setContentsMargins(spacing.HAIR, spacing.SMALL, spacing.SMALL, spacing.HAIR)
        places = {self._axes["left"]: (0, 0), self.view: (0, 1), self._names: (0, 2)}
        for part, place in (places | {self._axes["bottom"]: (1, 1)}).items():
            grid.addItem(part, *place)
        grid.setRowStretchFactor(0, 1)
        grid.setColumnStretchFactor(1, 1)
        for axis in self._axes.values():
            axis.linkToView(self.view)
            # Otherwise pyqtgraph would append (×0.001) to the axis title.
            axis.enableAutoSIPrefix(False)
        return whole

    def getAxis(self, side: str) -> Any:  # noqa: N802  (pyqtgraph's name)
        """The axis on the left or at the bottom."""
        return self._axes[side]

    def addItem(self, item: Any) -> None:  # noqa: N802  (pyqtgraph's name)
        """Put an item into the plot."""
        self.view.addItem(item)

    def removeItem(self, item: Any) -> None:  # noqa: N802  (pyqtgraph's name)
        """Take an item out of the plot."""
        self.view.removeItem(item)

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(self._curves)

    def name_axes(self, x: str, y: str) -> None:
        """Set the titles of the axes; '' for none."""
        for side, text in (("bottom", x), ("left", y)):
            self.getAxis(side).setLabel(text or None, color=the_theme().colours.muted)

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
        """Draw or redraw a curve, with gaps where y is NaN, by default in the next colour."""
        curve = self._curves.get(key)
        fresh = curve is None
        if curve is None:
            curve = _Curve(number=len(self._curves))
            self._curves[key] = curve
            self.addItem(curve.item)
        fresh |= (name, colour, dashed) != (curve.name, curve.colour, curve.dashed)
        curve.name, curve.colour, curve.dashed = name, colour, dashed
        curve.item.setData(x, y)
        known = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
        curve.x, curve.y = x[known], y[known]
        self._show_dots(curve)
        if fresh:
            curve.item.setPen(curve.pen(self.devicePixelRatioF()))
            self._names.measure()
        self._names.update()

    def remove_curve(self, key: str) -> None:
        """Take a curve away; the others keep their colours."""
        curve = self._curves.pop(key, None)
        if curve is not None:
            self.removeItem(curve.item)
            if curve.dots is not None:
                self.removeItem(curve.dots)
            self._names.measure()

    def _show_dots(self, curve: _Curve) -> None:
        """Put a dot at every point of a curve that has few of them."""
        few = 0 < len(curve.x) <= FEW
        brush = QColor(curve.shown_colour())
        if few and curve.dots is not None:
            curve.dots.setData(curve.x, curve.y, brush=brush)
        elif few:
            curve.dots = pg.ScatterPlotItem(curve.x, curve.y, size=DOT, pen=None, brush=brush)
            # Above all curves.
            curve.dots.setZValue(1.0)
            self.addItem(curve.dots)
        elif curve.dots is not None:
            self.removeItem(curve.dots)
            curve.dots = None

    def clear_curves(self) -> None:
        """Take all curves away."""
        for key in self.keys:
            self.remove_curve(key)

    def recolour(self) -> None:
        """Apply the theme's colours."""
        if self.closed:
            # A closed plot may outlive its pyqtgraph parts for a moment.
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
            # Grid lines belong to the axis; curves are above them.
            axis.setZValue(-1000.0)
        self._axes["left"].setGrid(255)
        for curve in self._curves.values():
            curve.item.setPen(curve.pen(self.devicePixelRatioF()))
            if curve.dots is not None:
                curve.dots.setBrush(QColor(curve.shown_colour()))
        self._names.update()

    @property
    def places(self) -> Floats:
        """Return every x at which a named curve has a value."""
        known = [curve.x for curve in self._curves.values() if curve.name]
        return np.unique(np.concatenate(known)) if known else np.empty(0)

    def values_at(self, x: float) -> list[tuple[str, str, float]]:
        """Return name, colour and value at x of every named curve."""
        found = []
        for curve in self._curves.values():
            here = np.flatnonzero(curve.x == x)
            if curve.name and here.size:
                found.append((curve.name, curve.shown_colour(), float(curve.y[here[-1]])))
        return found

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self.recolour()
        return bool(super().event(event))

    def ends(self) -> list[tuple[str, str, QPointF]]:
        """Return name, colour and last point in plot pixels of every named curve."""
        return [
            (curve.name, curve.shown_colour(), self.view.mapFromView(curve.end))
            for curve in self._curves.values()
            if curve.name and curve.end is not None
        ]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(curve.name for curve in self._curves.values() if curve.name)


class _Curve:
    """One curve and its style."""

    def __init__(self, *, number: int) -> None:
        self.number = number
        self.item: Any = pg.PlotDataItem(
            connect="finite", antialias=True, autoDownsample=True, downsampleMethod="peak"
        )
        self.name = ""
        self.colour = ""
        self.dashed = False
        self.dots: Any = None
        self.x: Floats = np.empty(0)
        self.y: Floats = np.empty(0)
        """Coordinates of the points."""

    @property
    def end(self) -> QPointF | None:
        """Its last point."""
        return QPointF(self.x[-1], self.y[-1]) if self.x.size else None

    def shown_colour(self) -> str:
        series = the_theme().colours.series
        return self.colour or series[self.number % len(series)]

    def pen(self, ratio: float) -> QPen:
        # Widths of cosmetic pens are in device pixels.
        pen = QPen(QColor(self.shown_colour()), LINE * ratio)
        pen.setCosmetic(True)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        if self.dashed:
            pen.setDashPattern([3.0, 3.0])
        return pen


class _Axis(pg.AxisItem):  # type: ignore[misc]  # pyqtgraph is untyped
    """Axis with the number format of the window."""

    def tickStrings(self, values: list[float], scale: float, step: float) -> list[str]:  # noqa: N802  (pyqtgraph's name)
        """Return the tick labels."""
        largest = max(abs(end) for end in self.range)
        scaled = [scale * value for value in values]
        return written_alike(scaled, step=scale * step, largest=scale * largest)


NAME_HEIGHT = 16.0
NAMES_SHARE, LEAST_NAMES = 0.3, 48.0
"""Names take at most this share of a plot's width, but never fewer pixels; longer ones are cut."""


class CurveNames(pg.GraphicsWidget):  # type: ignore[misc]  # pyqtgraph is untyped
    """Names of curves in a column at the right of the plot.

    While all curves end earlier, as during a training, names are placed beside their ends instead.
    """

    def __init__(self, curves: Curves) -> None:
        super().__init__()
        self._curves = curves
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self.measure()

    def measure(self, *_: object) -> None:
        """Reserve width for the longest name, up to a share of the plot."""
        metrics = QFontMetricsF(_name_font())
        names = self._curves.names
        widest = max((metrics.horizontalAdvance(name) for name in names), default=0.0)
        most = max(NAMES_SHARE * self._curves.width(), LEAST_NAMES)
        width = min(widest + spacing.SMALL + 2.0, most) if widest else 0.0
        self.setToolTip("\n".join(names) if widest > self._room(width) else "")
        self.setMinimumWidth(width)
        self.setMaximumWidth(width)
        self.updateGeometry()
        self.update()

    @staticmethod
    def _room(width: float) -> float:
        """Width available for a name."""
        return max(width - spacing.SMALL, 0.0)

    def follow(self, *_: object) -> None:
        """Repaint when the curves change; update() would take the signal's argument for a
        rectangle.
        """
        self.prepareGeometryChange()
        self.update()

    def boundingRect(self) -> QRectF:  # noqa: N802  (Qt's name)
        """Return the column and the plot."""
        column: QRectF = self.rect()
        return column.adjusted(-self._curves.view.width(), 0.0, 0.0, 0.0)

    def shape(self) -> QPainterPath:
        """Return the column, where the mouse can be."""
        path = QPainterPath()
        path.addRect(self.rect())
        return path

    @property
    def begin(self) -> float:
        """Return where names start, in pixels from the left of the column: after the ends of all
        curves.
        """
        ends = [self.mapFromItem(self._curves.view, end).x() for *_, end in self._curves.ends()]
        return min(max(ends, default=0.0), 0.0) + spacing.SMALL

    @guarded
    def paint(self, painter: QPainter, *_: object) -> None:
        ends = self._curves.ends()
        room = self.size().height()
        heights = spread(np.array([end.y() for *_, end in ends]), NAME_HEIGHT, room)
        begin = self.begin
        for (name, colour, _end), height in zip(ends, heights, strict=True):
            across = self._room(self.size().width())
            box = QRectF(begin, height - NAME_HEIGHT / 2.0, across, NAME_HEIGHT)
            write(painter, box, name, _name_font(), colour)


def _name_font() -> QFont:
    return font(Text.SMALL, weight=QFont.Weight.Medium)
