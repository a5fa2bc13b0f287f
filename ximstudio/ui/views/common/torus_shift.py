"""Shift a map across its seams, if it has any, with Shift+drag or a menu."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPointF, Qt, Signal
from PySide6.QtGui import QAction, QMouseEvent
from PySide6.QtWidgets import QMenu, QToolButton

from ximstudio.maps.layout import LayoutShift
from ximstudio.model.grid import Grid, Lattice
from ximstudio.pictures.torus import cells_beyond
from ximstudio.ui.widgets.drawing.canvas import Canvas

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
        """Where the map is drawn."""
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
