"""How points look: their size and opacity, or a density instead of them."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QFormLayout,
    QMenu,
    QSlider,
    QToolButton,
    QVBoxLayout,
    QWidget,
    QWidgetAction,
)

from ximstudio.pictures.point_looks import default_size
from ximstudio.ui.look import spacing
from ximstudio.ui.look.controls import form, segments
from ximstudio.ui.look.icons import icon

MANY = 100_000
"""From so many items on a density is drawn, unless a person wants points."""
AUTOMATIC, POINTS, DENSITY = "automatic", "points", "density"
SLIDER = 150
LARGEST = 20
OPACITY = 85


class LookButton(QToolButton):
    """A button with a small panel of sliders."""

    chosen = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._n_items = 0
        self._touched = False
        self.size_slider = _slider(1, 2 * LARGEST)
        self.opacity_slider = _slider(5, 100)
        self.opacity_slider.setValue(OPACITY)
        self.mode = segments({AUTOMATIC: "Automatic", POINTS: "Points", DENSITY: "Density"})
        self.setIcon(icon("settings"))
        self.setIconSize(QSize(spacing.ICON, spacing.ICON))
        self.setToolTip("Size and opacity of points")
        self.setAccessibleName(self.toolTip())
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self)
        action = QWidgetAction(menu)
        action.setDefaultWidget(self._panel())
        menu.addAction(action)
        self.setMenu(menu)
        self.mode.chosen.connect(self._choose)
        self.opacity_slider.valueChanged.connect(self._choose)
        self.size_slider.valueChanged.connect(self._resize)

    @property
    def diameter(self) -> float | None:
        """In pixels; None for what suits the number of items."""
        return self.size_slider.value() / 2.0 if self._touched else None

    @property
    def opacity(self) -> float:
        return self.opacity_slider.value() / 100.0

    @property
    def dense(self) -> bool:
        """Whether a density is drawn."""
        if self.mode.value == AUTOMATIC:
            return self._n_items > MANY
        return self.mode.value == DENSITY

    def show_items(self, n_items: int) -> None:
        """So many items are shown."""
        if n_items != self._n_items:
            self._n_items = n_items
            if not self._touched:
                self.size_slider.blockSignals(True)
                self.size_slider.setValue(round(2.0 * default_size(n_items)))
                self.size_slider.blockSignals(False)

    def _panel(self) -> QWidget:
        panel = QWidget()
        column = QVBoxLayout(panel)
        column.setContentsMargins(*([spacing.MEDIUM] * 4))
        column.setSpacing(spacing.MEDIUM)
        column.addWidget(self.mode)
        rows: QFormLayout = form()
        rows.addRow("Size", self.size_slider)
        rows.addRow("Opacity", self.opacity_slider)
        column.addLayout(rows)
        return panel

    def _resize(self, _: int) -> None:
        self._touched = True
        self._choose()

    def _choose(self, _: object = None) -> None:
        for slider in (self.size_slider, self.opacity_slider):
            slider.setEnabled(not self.dense)
        self.chosen.emit()


def _slider(least: int, most: int) -> QSlider:
    made = QSlider(Qt.Orientation.Horizontal)
    made.setRange(least, most)
    made.setMinimumWidth(SLIDER)
    return made
