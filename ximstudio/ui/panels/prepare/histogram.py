"""Small histograms of the values before and after a step."""

from __future__ import annotations

from math import isfinite

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from ximstudio.model.words import grouped, number
from ximstudio.prepare.statistics import TableStatistics
from ximstudio.session.data import Change, Histogram
from ximstudio.ui.widgets.drawing.guard import guarded, painting
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.fonts import Text, font
from ximstudio.ui.widgets.look.theme import the_theme

BARS = 32
"""Height of the bars; their range stands below."""
GAP = spacing.WIDE
"""Room for the arrow."""


class ChangePicture(QWidget):
    """Two histograms with an arrow between them."""

    def __init__(self) -> None:
        super().__init__()
        self.change: Change | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:  # noqa: N802  (Qt's name)
        return QSize(2 * spacing.HUGE + GAP, BARS + spacing.LARGE)

    def show_change(self, change: Change, before: TableStatistics, after: TableStatistics) -> None:
        """Show what a step did to the values."""
        self.change = change
        summary = "\n".join((f"Before: {_summary(before)}", f"After: {_summary(after)}"))
        self.setToolTip(summary)
        self.setAccessibleDescription(summary)
        self.update()

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802  (Qt's name)
        del event
        if self.change is None:
            return
        colours = the_theme().colours
        width = (self.width() - GAP) / 2.0
        with painting(self) as painter:
            painter.setFont(font(Text.CAPTION, tabular=True))
            _paint(painter, self.change.before, QRectF(0.0, 0.0, width, BARS), colours.axis)
            right = QRectF(width + GAP, 0.0, width, BARS)
            _paint(painter, self.change.after, right, colours.accent)
            painter.setPen(QPen(QColor(colours.muted), 1.2))
            middle, height, half = self.width() / 2.0, BARS / 2.0, spacing.HAIR
            painter.drawLine(QPointF(middle - half, height), QPointF(middle + half, height))
            tip = [(0.0, -3.0), (half, 0.0), (0.0, 3.0)]
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPolyline(QPolygonF([QPointF(middle + x, height + y) for x, y in tip]))


def _paint(painter: QPainter, histogram: Histogram, area: QRectF, colour: str) -> None:
    """Paint the bars, a base line, and the range of the values below it."""
    colours = the_theme().colours
    counts = histogram.counts
    highest = float(counts.max()) if len(counts) else 0.0
    step = area.width() / max(len(counts), 1)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colour))
    for place, count in enumerate(counts.tolist()):
        if count > 0:
            # At least one pixel, so that a few outliers are visible.
            height = max(1.0, count / highest * (area.height() - 2.0))
            left = area.left() + place * step
            painter.drawRect(QRectF(left, area.bottom() - height, max(step - 0.5, 0.5), height))
    painter.setPen(QPen(QColor(colours.border_strong), 1.0))
    painter.drawLine(area.bottomLeft(), area.bottomRight())
    painter.setPen(QColor(colours.muted))
    below = QRectF(area.left(), area.bottom() + 1.0, area.width(), spacing.LARGE - 1.0)
    painter.drawText(below, Qt.AlignmentFlag.AlignLeft, number(histogram.edges[0]))
    painter.drawText(below, Qt.AlignmentFlag.AlignRight, number(histogram.edges[-1]))


def _summary(statistics: TableStatistics) -> str:
    if not isfinite(statistics.mean):
        return "no values"
    missing = f", {grouped(statistics.missing)} missing" if statistics.missing else ""
    return (
        f"{number(statistics.minimum)} to {number(statistics.maximum)},"
        f" median {number(statistics.quartiles[1])}, mean {number(statistics.mean)},"
        f" sd {number(statistics.sd)}{missing}"
    )
