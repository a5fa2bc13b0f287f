"""Profile across the features, shown or drawn with the mouse."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from ximstudio.model.arrays import Floats, frozen
from ximstudio.pictures.ticks import number_text, tick_texts, ticks
from ximstudio.ui.widgets.drawing.guard import guarded, painting
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.fonts import Text, font
from ximstudio.ui.widgets.look.theme import the_theme

HEIGHT = 168
LEFT, RIGHT, TOP, BELOW = 48.0, 10.0, 10.0, 22.0
"""Margins of the plot in pixels."""
DOT = 3.0
FEW = 60
"""Up to this number of features, each value has a dot."""
STEPS = 40
"""Number of arrow-key presses from bottom to top."""
BAND = 40
"""Opacity of the band of the table's values, of 255."""
SPARE = 0.35
"""Margin above and below, as a share of the range."""
HINT = "Press and drag to draw a profile"
DRAWING = (
    "Drag to draw the profile; drag with the right button to remove values. With the "
    "keyboard: left and right move along the profile, up and down change a value, Delete "
    "removes it."
)


class ProfileField(QWidget):
    """Profile whose missing values (NaN) are ignored.

    While `drawable`, pressing and dragging sets the values that the mouse passes.
    """

    drawn = Signal()
    """The user has changed the profile."""

    def __init__(self) -> None:
        super().__init__()
        self._names: tuple[str, ...] = ()
        self._values: Floats = np.empty(0)
        self._low: Floats = np.empty(0)
        self._high: Floats = np.empty(0)
        self._range = (0.0, 1.0)
        self._drawable = False
        self._last: tuple[int, float] | None = None
        self._at = -1
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Profile")
        self.setMouseTracking(True)

    # Display

    def show_features(self, names: tuple[str, ...], low: Floats, high: Floats) -> None:
        """Reset to these features and the usual range of values in each."""
        self._names, self._low, self._high = names, low, high
        self._values = np.full(len(names), np.nan)
        self._at = -1
        self._find_range()

    def show_profile(self, values: Floats) -> None:
        """Show these values, scaled to fit the plot."""
        self._values = np.array(values, dtype=np.float64)
        self._find_range()

    def _find_range(self) -> None:
        """Compute the range for most items, the profile, and a margin."""
        values = np.concatenate([self._low, self._high, self._values])
        known = values[np.isfinite(values)]
        least, most = (float(known.min()), float(known.max())) if known.size else (0.0, 1.0)
        drawn = self._drawable and not self.is_empty
        # Keep the scale while the user draws.
        if not (drawn and self._range[0] <= least and most <= self._range[1]):
            spare = SPARE * (most - least) or 1.0
            self._range = (least - spare, most + spare)
        self.update()

    def set_drawable(self, drawable: bool) -> None:
        """Enable or disable drawing."""
        self._drawable = drawable
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if drawable else Qt.FocusPolicy.NoFocus)
        self.setAccessibleDescription(DRAWING if drawable else "")
        self.setToolTip("" if not drawable else DRAWING)
        if drawable:
            self.setCursor(Qt.CursorShape.CrossCursor)
        else:
            self.unsetCursor()
        self._find_range()

    @property
    def profile(self) -> Floats:
        """A value per feature; NaN where nothing is drawn."""
        return frozen(self._values.copy())

    @property
    def is_empty(self) -> bool:
        """True if no value is there."""
        return not np.isfinite(self._values).any()

    def sizeHint(self) -> QSize:  # noqa: N802  (Qt's name)
        return QSize(360, HEIGHT)

    # Drawing

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802  (Qt's name)
        if self._drawable and self._names:
            self._last = None
            self._draw_to(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802  (Qt's name)
        buttons = Qt.MouseButton.LeftButton | Qt.MouseButton.RightButton
        if self._drawable and self._names and event.buttons() & buttons:
            self._draw_to(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802  (Qt's name)
        del event
        if self._last is not None:
            self._last = None
            self.drawn.emit()

    def _draw_to(self, event: QMouseEvent) -> None:
        """Set all values between the last position of the mouse and this one, along a line."""
        feature, value = self._at_place(event.position())
        before, at = (feature, value) if self._last is None else self._last
        first, last = sorted((before, feature))
        passed = np.arange(first, last + 1)
        pressed = event.buttons() | event.button()
        if pressed & Qt.MouseButton.RightButton:
            self._values[passed] = np.nan
        elif before == feature:
            self._values[feature] = value
        else:
            share = (passed - before) / (feature - before)
            self._values[passed] = at + share * (value - at)
        self._last = (feature, value)
        self._at = feature
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802  (Qt's name)
        """Move and change values with the arrow keys, remove them with Delete."""
        ways = {
            Qt.Key.Key_Left: (-1, 0),
            Qt.Key.Key_Right: (1, 0),
            Qt.Key.Key_Up: (0, 1),
            Qt.Key.Key_Down: (0, -1),
        }
        key = Qt.Key(event.key())
        if not self._drawable or not self._names:
            super().keyPressEvent(event)
        elif key in ways:
            self._step(*ways[key])
        elif key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace) and self._at >= 0:
            self._values[self._at] = np.nan
            self.drawn.emit()
            self.update()
        else:
            super().keyPressEvent(event)

    def _step(self, along: int, up: int) -> None:
        self._at = min(max(self._at + along, 0), len(self._names) - 1)
        if up:
            low, high = self._range
            value = self._values[self._at]
            start = (low + high) / 2.0 if not np.isfinite(value) else float(value)
            self._values[self._at] = min(max(start + up * (high - low) / STEPS, low), high)
            self.drawn.emit()
        self.update()

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802  (Qt's name)
        super().focusInEvent(event)
        self._at = max(self._at, 0)
        self.update()

    # Coordinates

    @property
    def plot(self) -> QRectF:
        """The rectangle of the plot."""
        return QRectF(self.rect()).adjusted(LEFT, TOP, -RIGHT, -BELOW)

    def place_of(self, feature: int, value: float) -> QPointF:
        """Return the position of a value."""
        return QPointF(self._across(feature), self._down(value))

    def _at_place(self, place: QPointF) -> tuple[int, float]:
        """Return the feature and value at a position, the nearest ones if it is outside."""
        plot, last = self.plot, len(self._names) - 1
        share = (place.x() - plot.left()) / max(plot.width(), 1.0)
        low, high = self._range
        up = (plot.bottom() - place.y()) / max(plot.height(), 1.0)
        value = min(max(low + up * (high - low), low), high)
        return min(max(round(share * last), 0), last), value

    def _across(self, feature: int) -> float:
        plot = self.plot
        return plot.left() + plot.width() * feature / max(len(self._names) - 1, 1)

    def _down(self, value: float) -> float:
        low, high = self._range
        up = min(max((value - low) / (high - low), 0.0), 1.0)
        return self.plot.bottom() - up * self.plot.height()

    # Painting

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802  (Qt's name)
        del event
        with painting(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint_frame(painter)
            self._paint_band(painter)
            self._paint_profile(painter)
            self._paint_words(painter)

    def _paint_frame(self, painter: QPainter) -> None:
        colours, plot = the_theme().colours, self.plot
        focused = self.hasFocus() and self._drawable
        painter.setPen(QPen(QColor(colours.focus if focused else colours.border_strong), 1.0))
        painter.setBrush(QColor(colours.surface))
        painter.drawRoundedRect(plot, spacing.RADIUS_SMALL, spacing.RADIUS_SMALL)
        painter.setFont(font(Text.CAPTION, tabular=True))
        painter.setPen(QColor(colours.muted))
        values = ticks(*self._range, most=4)
        for value, text in zip(values, tick_texts(values), strict=True):
            box = QRectF(0.0, self._down(value) - 9.0, LEFT - spacing.SMALL, 18.0)
            side = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(box, side, text)

    def _paint_band(self, painter: QPainter) -> None:
        """Paint the usual range of values as a faint band."""
        known = np.flatnonzero(np.isfinite(self._low) & np.isfinite(self._high))
        if known.size < 2:
            return
        features = known.tolist()
        upper = [self.place_of(each, float(self._high[each])) for each in features]
        lower = [self.place_of(each, float(self._low[each])) for each in reversed(features)]
        tint = QColor(the_theme().colours.muted)
        tint.setAlpha(BAND)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(tint)
        painter.drawPolygon(QPolygonF([*upper, *lower]))

    def _paint_profile(self, painter: QPainter) -> None:
        colours = the_theme().colours
        known = np.flatnonzero(np.isfinite(self._values))
        painter.setPen(QPen(QColor(colours.accent), 2.0))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        pieces = np.split(known, np.flatnonzero(np.diff(known) > 1) + 1) if known.size else []
        for piece in pieces:
            line = [self.place_of(int(each), float(self._values[each])) for each in piece]
            painter.drawPolyline(QPolygonF(line))
            if len(self._names) <= FEW or len(line) == 1:
                painter.setBrush(QColor(colours.accent))
                for place in line:
                    painter.drawEllipse(place, DOT, DOT)
                painter.setBrush(Qt.BrushStyle.NoBrush)
        if self._drawable and self.hasFocus() and 0 <= self._at < len(self._names):
            across = self._across(self._at)
            painter.setPen(QPen(QColor(colours.focus), 1.0, Qt.PenStyle.DashLine))
            painter.drawLine(QPointF(across, self.plot.top()), QPointF(across, self.plot.bottom()))

    def _paint_words(self, painter: QPainter) -> None:
        """Paint the names of the first and last feature or the current one, or the hint."""
        colours, plot = the_theme().colours, self.plot
        painter.setPen(QColor(colours.muted))
        if self.is_empty and self._drawable:
            painter.setFont(font(Text.SMALL))
            painter.drawText(plot, Qt.AlignmentFlag.AlignCenter, HINT)
        if not self._names:
            return
        painter.setFont(font(Text.CAPTION))
        metrics = QFontMetricsF(painter.font())
        below = QRectF(plot.left(), plot.bottom() + 2.0, plot.width(), BELOW - 2.0)
        if self._drawable and 0 <= self._at < len(self._names):
            value = self._values[self._at]
            said = number_text(float(value)) if np.isfinite(value) else "not drawn"
            text = f"{self._names[self._at]}: {said}"
            elided = metrics.elidedText(text, Qt.TextElideMode.ElideMiddle, plot.width())
            painter.drawText(below, Qt.AlignmentFlag.AlignCenter, elided)
            return
        half = plot.width() / 2.0 - spacing.SMALL
        for name, side in (
            (self._names[0], Qt.AlignmentFlag.AlignLeft),
            (self._names[-1], Qt.AlignmentFlag.AlignRight),
        ):
            elided = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, half)
            painter.drawText(below, side | Qt.AlignmentFlag.AlignVCenter, elided)
