"""The visible part of a drawing: all of it, until the user zooms or pans."""

from __future__ import annotations

from PySide6.QtCore import QObject, QRectF, Signal
from PySide6.QtWidgets import QToolButton

from ximstudio.pictures.point_looks import mark_scale
from ximstudio.ui.widgets.drawing.canvas import Canvas, rectangle
from ximstudio.ui.widgets.look.controls import tool_button
from ximstudio.views.common.state import Sight as Part

PADDING = 0.03
"""Margin around the drawing, as a share of it; pyqtgraph's own would be larger."""
LEAST_FILLED = 0.7
"""During training, the view zooms in only if the drawing fills less than this share of it."""


class Sight(QObject):
    """Keeps everything visible while the drawing or the canvas changes its size.

    Once the user has zoomed or panned, the view stays until it is reset.
    """

    touched_changed = Signal()
    resized = Signal()
    """The size of the canvas changed, and so may its marks."""

    def __init__(self, canvas: Canvas, *, padding: float = PADDING) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._padding = padding
        self._bounds = QRectF()
        self._seen = QRectF()
        self._awaited = QRectF()
        self.touched = False
        """True if the user has zoomed or panned."""
        canvas.view.disableAutoRange()
        canvas.view.sigRangeChangedManually.connect(self._touch)
        canvas.view.sigResized.connect(self._again)

    @property
    def scale(self) -> float:
        """Scale of marks on a small canvas: from 0.6 to 1."""
        room: float = min(self._canvas.width(), self._canvas.height())
        return mark_scale(room)

    def follow(self, box: Part, *, steady: bool = False) -> None:
        """Take the bounds of the drawing; `steady` keeps the view calm while they change."""
        bounds = rectangle(box)
        if not bounds.isValid():
            return
        self._bounds = bounds
        if self._awaited.isValid():
            self._canvas.view.setRange(self._awaited, padding=0.0)
            self._awaited = QRectF()
            self._set_touched(touched=True)
        if steady and self._suits(bounds):
            return
        if not self.touched and bounds != self._seen:
            self._show(bounds)

    @property
    def part(self) -> Part | None:
        """Left, top, right and bottom of the part that the user zoomed to; None for everything."""
        seen = self._awaited if self._awaited.isValid() else self._canvas.view.viewRect()
        if not self.touched and seen is not self._awaited:
            return None
        return seen.left(), seen.top(), seen.right(), seen.bottom()

    def restore(self, part: Part | None) -> None:
        """Show a stored part, as soon as there is a drawing."""
        self.reset()
        if part is not None:
            self._awaited = rectangle(part)

    def forget(self) -> None:
        """Forget the visible part, as another drawing follows."""
        self._bounds = self._seen = QRectF()
        self._set_touched(touched=False)

    def reset(self) -> None:
        """Show everything again."""
        self._set_touched(touched=False)
        if self._bounds.isValid():
            self._show(self._bounds)

    def reset_button(self) -> QToolButton:
        """Return a button that shows everything again, once the user has zoomed or panned."""
        made = tool_button("reset", tip="Fit to the window")
        made.setEnabled(self.touched)
        made.clicked.connect(self.reset)
        self.touched_changed.connect(lambda: made.setEnabled(self.touched))
        return made

    def _show(self, bounds: QRectF) -> None:
        self._seen = QRectF(bounds)
        self._canvas.view.setRange(bounds, padding=self._padding)

    def _suits(self, bounds: QRectF) -> bool:
        """Return whether the visible part contains the drawing and not much else."""
        across, down = self._seen.width(), self._seen.height()
        spare_x, spare_y = self._padding * across, self._padding * down
        if not self._seen.adjusted(-spare_x, -spare_y, spare_x, spare_y).contains(bounds):
            return False
        return max(bounds.width() / across, bounds.height() / down) >= LEAST_FILLED

    def _again(self, *_: object) -> None:
        if not self.touched and self._seen.isValid():
            self._show(self._seen)
        self.resized.emit()

    def _touch(self, *_: object) -> None:
        self._set_touched(touched=True)

    def _set_touched(self, *, touched: bool) -> None:
        if touched != self.touched:
            self.touched = touched
            self.touched_changed.emit()
