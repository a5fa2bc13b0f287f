"""A frame around every layer of a map in space, with its number above."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QTransform

from ximstudio.maps.drawn import LayerPanel, panel_names
from ximstudio.ui.views.common.window_item import WindowItem
from ximstudio.ui.widgets.drawing.guard import guarded
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.fonts import Text, font
from ximstudio.ui.widgets.look.theme import the_theme


class LayersItem(WindowItem):
    """Frames one pixel wide, and names where there is room."""

    def __init__(self) -> None:
        super().__init__()
        self._panels: tuple[LayerPanel, ...] = ()
        self.written: tuple[str, ...] = ()
        """Texts written when last painted, one per layer."""

    def show_panels(self, panels: tuple[LayerPanel, ...]) -> None:
        """Draw these layers; none for a map in a plane."""
        self._panels = panels
        self.update()

    @guarded
    def paint(self, painter: QPainter, *_: Any) -> None:
        if not self._panels:
            self.written = ()
            return
        to_window, colours = painter.transform(), the_theme().colours
        painter.resetTransform()
        face = font(Text.CAPTION)
        painter.setFont(face)
        self.written = _names(self._panels, to_window, QFontMetricsF(face))
        for panel, name in zip(self._panels, self.written, strict=True):
            left, top, right, bottom = panel.frame
            frame = to_window.mapRect(QRectF(QPointF(left, top), QPointF(right, bottom)))
            painter.setPen(QPen(QColor(colours.border_strong), 1.0))
            # At the middle of pixels, where lines are sharp.
            painter.drawRect(QRectF(frame.toAlignedRect()).adjusted(0.5, 0.5, -0.5, -0.5))
            painter.setPen(QColor(colours.muted))
            painter.drawText(QPointF(frame.left(), frame.top() - spacing.HAIR), name)


def _names(
    panels: tuple[LayerPanel, ...], to_window: QTransform, metrics: QFontMetricsF
) -> tuple[str, ...]:
    """Name of every layer, as long as fits; '' without room."""
    frame, above = panels[0].frame, panels[0].above
    room = to_window.mapRect(QRectF(0.0, 0.0, frame.right - frame.left, above))
    if room.height() < metrics.capHeight() + spacing.HAIR:
        return ("",) * len(panels)
    return panel_names(panels, lambda text: metrics.horizontalAdvance(text) <= room.width())
