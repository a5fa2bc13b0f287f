"""Plot of a criterion over the number of clusters."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent

from ximstudio.pictures.ticks import number_text
from ximstudio.ui.widgets.drawing.curves import Curves
from ximstudio.ui.widgets.look.theme import the_theme

if TYPE_CHECKING:
    from ximstudio.maps.clusters.clustering import Criterion

HEIGHT = 140
DOT = 9.0


class CriterionPlot(Curves):
    """Curve of a criterion; a click chooses the number of clusters."""

    chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setFixedHeight(HEIGHT)
        self._criterion: Criterion | None = None
        self.number = 0
        """The marked number."""
        self._mark = pg.ScatterPlotItem(size=DOT, pen=None)
        self._mark.setZValue(2.0)
        self.addItem(self._mark)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        the_theme().follow(self._tint)
        self._tint()

    def show_criterion(self, criterion: Criterion, number: int) -> None:
        """Show the values of a criterion, and mark the number of clusters that there are."""
        self._criterion, self.number = criterion, number
        numbers = np.array(criterion.numbers, dtype=np.float64)
        self.show_curve("criterion", numbers, np.asarray(criterion.values))
        self.name_axes("number of clusters", "")
        found = np.flatnonzero(numbers == number)
        self._mark.setData(numbers[found], np.asarray(criterion.values)[found])
        self.view.autoRange()
        said = ", ".join(
            f"{k}: {number_text(float(value))}"
            for k, value in zip(criterion.numbers, criterion.values, strict=True)
        )
        self.setAccessibleName(f"{criterion.name} by number of clusters: {said}")
        self.setToolTip("Click a number of clusters to use it")

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802  (Qt's name)
        """Choose the nearest number of clusters."""
        if self._criterion is None or event.button() != Qt.MouseButton.LeftButton:
            return
        scene = self.mapToScene(event.position().toPoint())
        at = float(self.view.mapSceneToView(scene).x())
        self.chosen.emit(min(self._criterion.numbers, key=lambda number: abs(number - at)))

    def _tint(self) -> None:
        self._mark.setBrush(QColor(the_theme().colours.accent))
