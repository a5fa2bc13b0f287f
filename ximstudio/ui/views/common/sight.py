"""The visible part of a drawing, and the shift of a map across its seams."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QAction, QMouseEvent
from PySide6.QtWidgets import QMenu, QToolButton

from ximstudio.maps.layout import LayoutShift
from ximstudio.model.grid import Grid, Lattice
from ximstudio.pictures.point_looks import mark_scale
from ximstudio.pictures.torus import cells_beyond
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


TIPS = {
    True: "Opposite edges of this map are joined: move the seams (Shift+drag)",
    False: "Left and right edge of this map are joined: move the seam (Shift+drag)",
}
"""Tool tip of the button for a torus, and for a cylinder."""


class TorusShift(QObject):
    """Offset of a map down and to the right, and its repetition beyond the borders.

    `button` opens a menu; it is visible only for tori and cylinders.
    """

    moved = Signal()

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._grid = Grid(rows=1, columns=1)
        self.rows = self.columns = 0
        self._awaited = (0, 0)
        self._grip: QPointF | None = None
        self._before = (0, 0)
        self._upright: list[QAction] = []
        self.button = self._make_button()
        canvas.viewport().installEventFilter(self)

    @property
    def beyond(self) -> int:
        """Number of cells repeated beyond every border."""
        return cells_beyond(self._grid, repeated=self._repeat.isChecked())

    @property
    def place(self) -> LayoutShift:
        """The shift and repetition of the map, as arguments of its layout."""
        return {"rows": self.rows, "columns": self.columns, "beyond": self.beyond}

    def show_grid(self, grid: Grid) -> None:
        """Take another map; the offset stays if it has the same shape."""
        if grid != self._grid:
            self._grid = grid
            self.rows = self.columns = 0
            self._grip = None
            self.button.setVisible(grid.repeats)
            upright = grid.joined[1]
            self.button.setText("Torus" if upright else "Cylinder")
            self.button.setToolTip(TIPS[upright])
            for action in self._upright:
                action.setVisible(upright)
            (rows, columns), self._awaited = self._awaited, (0, 0)
            self.move(rows, columns)

    def move(self, rows: int, columns: int) -> None:
        """Move the map to this offset from its own position."""
        grid = self._grid
        if not grid.repeats:
            return
        sideways, upright = grid.joined
        rows, columns = rows * upright, columns * sideways
        if grid.lattice is Lattice.HEXAGONAL:
            # Every second row is shifted by half: single rows would move half a column.
            rows = 2 * round(rows / 2)
        rows, columns = rows % grid.rows, columns % grid.columns
        if (rows, columns) != (self.rows, self.columns):
            self.rows, self.columns = rows, columns
            self.moved.emit()

    def show_repeated(self, *, repeated: bool) -> None:
        """Repeat the map beyond its borders, or not."""
        self._repeat.setChecked(repeated)

    @property
    def repeated(self) -> bool:
        """True if the map is repeated beyond its borders, if it can be."""
        return self._repeat.isChecked()

    def restore(self, rows: int, columns: int, *, repeated: bool) -> None:
        """Restore the offset, for the next map if the present one does not repeat."""
        if self._grid.repeats:
            self.move(rows, columns)
        else:
            self._awaited = (rows, columns)
        self.show_repeated(repeated=repeated)

    def eventFilter(self, _: QObject, event: QEvent) -> bool:  # noqa: N802  (Qt's name)
        """Handle drags with Shift; the canvas gets all others."""
        if not isinstance(event, QMouseEvent) or not self._grid.repeats:
            return False
        if event.type() == QEvent.Type.MouseButtonPress:
            held = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            if held and event.button() == Qt.MouseButton.LeftButton:
                self._grip = self._canvas.place_of(event.position())
                self._before = (self.rows, self.columns)
                return True
        elif event.type() == QEvent.Type.MouseMove and self._grip is not None:
            way = self._canvas.place_of(event.position()) - self._grip
            down, right = self._before
            self.move(down + round(way.y() / self._grid.row_height), right + round(way.x()))
            return True
        elif event.type() == QEvent.Type.MouseButtonRelease and self._grip is not None:
            self._grip = None
            return True
        return False

    def _make_button(self) -> QToolButton:
        made = QToolButton()
        made.setText("Torus")
        made.setToolTip(TIPS[True])
        made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        menu = QMenu(made)
        step = 2
        for text, rows, columns in (
            ("Move left", 0, -step),
            ("Move right", 0, step),
            ("Move up", -step, 0),
            ("Move down", step, 0),
        ):
            action = menu.addAction(text)
            action.triggered.connect(
                lambda _=False, r=rows, c=columns: self.move(self.rows + r, self.columns + c)
            )
            if rows:
                self._upright.append(action)
        menu.addAction("Reset position").triggered.connect(lambda: self.move(0, 0))
        menu.addSeparator()
        self._repeat = menu.addAction("Repeat beyond the borders")
        self._repeat.setCheckable(True)
        self._repeat.toggled.connect(lambda _: self.moved.emit())
        hint = menu.addAction("Shift+drag moves the map")
        hint.setEnabled(False)
        made.setMenu(menu)
        made.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        made.hide()
        return made
