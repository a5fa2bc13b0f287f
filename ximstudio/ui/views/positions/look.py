"""Look of points: size and opacity, or a density."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtWidgets import QFormLayout, QMenu, QSlider, QToolButton, QWidget, QWidgetAction

from ximstudio.pictures.point_looks import default_size
from ximstudio.ui.widgets.boxes import vbox
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import form, segments
from ximstudio.ui.widgets.look.icons import icon
from ximstudio.views.positions.state import AUTOMATIC, DENSITY, POINTS, PositionsState

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
        """True if a density is drawn."""
        return PositionsState(mode=self.mode.value).is_dense(self._n_items)

    def restore(self, mode: str, *, size: float, opacity: float) -> None:
        """Restore the look. Emits no signal."""
        self.mode.choose(mode if mode in (POINTS, DENSITY) else AUTOMATIC)
        self._touched = size > 0.0
        for slider, value in (
            (self.opacity_slider, 100.0 * opacity),
            (self.size_slider, 2.0 * (size or default_size(self._n_items))),
        ):
            with QSignalBlocker(slider):
                slider.setValue(round(value))
        self._allow()

    def show_items(self, n_items: int) -> None:
        """Set the number of items."""
        if n_items != self._n_items:
            self._n_items = n_items
            if not self._touched:
                self.size_slider.blockSignals(True)
                self.size_slider.setValue(round(2.0 * default_size(n_items)))
                self.size_slider.blockSignals(False)

    def _panel(self) -> QWidget:
        panel = QWidget()
        rows: QFormLayout = form()
        rows.addRow("Size", self.size_slider)
        rows.addRow("Opacity", self.opacity_slider)
        vbox(self.mode, rows, into=panel, gap=spacing.MEDIUM, margins=spacing.MEDIUM)
        return panel

    def _resize(self, _: int) -> None:
        self._touched = True
        self._choose()

    def _choose(self, _: object = None) -> None:
        self._allow()
        self.chosen.emit()

    def _allow(self) -> None:
        for slider in (self.size_slider, self.opacity_slider):
            slider.setEnabled(not self.dense)


def _slider(least: int, most: int) -> QSlider:
    made = QSlider(Qt.Orientation.Horizontal)
    made.setRange(least, most)
    made.setMinimumWidth(SLIDER)
    return made
