"""Plots of the quality view: curves over k, and images of counts with axes."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QRectF, Qt
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget

from ximstudio.model.arrays import Floats
from ximstudio.pictures.curves import RunCurves, run_colour, share_bounds
from ximstudio.pictures.density import count_levels, density_table
from ximstudio.ui.views.common.readout import Readout
from ximstudio.ui.widgets.boxes import vbox
from ximstudio.ui.widgets.drawing.curves import Curves
from ximstudio.ui.widgets.drop_area import let_drops_through
from ximstudio.ui.widgets.elided import Elided
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import label
from ximstudio.ui.widgets.look.theme import the_theme

LEAST_HEIGHT = 150
NUMBERS, WORDS = 46, 18
"""Fixed room for the numbers along an axis, and for its name, so that plots above or beside each
other stay aligned whatever their numbers are.
"""


def line_up(plot: Curves) -> None:
    """Give the axes of a plot their fixed room."""
    left, bottom = plot.getAxis("left"), plot.getAxis("bottom")
    left.setWidth(NUMBERS + WORDS if left.labelText else NUMBERS)
    bottom.setHeight(2 * WORDS + 4)


class PlotCard(QFrame):
    """A plot with its title, and a line on how to read it."""

    def __init__(self, title: str, reading: str, plot: QWidget) -> None:
        super().__init__()
        self.setProperty("kind", "card")
        self.plot = plot
        plot.setMinimumHeight(LEAST_HEIGHT)
        # pyqtgraph prefers 640 × 480, and then everything would have to be scrolled.
        plot.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        # It uses no keys, so that they scroll the page around it.
        plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._how = Elided(reading, kind="caption")
        vbox(
            label(title, kind="strong"),
            self._how,
            (plot, 1),
            into=self,
            gap=spacing.HAIR,
            margins=(spacing.MEDIUM, spacing.SMALL, spacing.SMALL, spacing.SMALL),
        )
        let_drops_through(self)

    @property
    def reading(self) -> str:
        return self._how.full

    def show_reading(self, reading: str) -> None:
        """Replace the line on how to read it."""
        self._how.show_text(reading)


class RunCurvesPlot(Curves):
    """Trustworthiness, continuity or both of every run: a colour per run, continuity dashed."""

    def __init__(self, *parts: str) -> None:
        # Before the plot applies its colours for the first time.
        self._parts = parts
        self._runs: tuple[RunCurves, ...] = ()
        self._shown = ""
        super().__init__()
        self.name_axes("neighbours k", "")
        line_up(self)
        self.view.disableAutoRange()
        self.readout = Readout(self, lambda k: f"{k:.0f} neighbour{'' if k == 1.0 else 's'}")

    def show_runs(self, runs: tuple[RunCurves, ...], shown: str = "") -> None:
        """Draw the curves of these runs, others than the `shown` one faint.

        Plots of the same runs have the same range.
        """
        self._runs, self._shown = runs, shown
        both = len(self._parts) > 1
        curves = {
            f"{run.key} {part}" if both else run.key: (number, run, part)
            for number, run in enumerate(runs)
            for part in self._parts
        }
        for key in set(self.keys) - set(curves):
            self.remove_curve(key)
        if self.keys != tuple(curves)[: len(self.keys)]:
            # Drawn in the order of runs, whenever each was measured.
            self.clear_curves()
        for key, (number, run, part) in curves.items():
            faint = shown not in ("", run.key)
            values: Floats = getattr(run, part)
            k = np.arange(1, len(values) + 1, dtype=np.float64)
            self.show_curve(
                key,
                k,
                values,
                name=f"{run.name} {part[0].upper()}" if both else run.name,
                colour=run_colour(number, the_theme().colours, faint=faint),
                dashed=both and part == "continuity",
            )
        if runs:
            across, up = share_bounds(runs)
            self.view.setYRange(*up, padding=0.03)
            self.view.setXRange(*across, padding=0.03)

    def recolour(self) -> None:
        """Apply the theme's colours."""
        super().recolour()
        if not self.closed:
            self.show_runs(self._runs, self._shown)


class CountsPlot(Curves):
    """Counts in cells as an image in the theme's colours, by their logarithm."""

    def __init__(self, x: str, y: str) -> None:
        # Before the plot applies its colours for the first time.
        self.image = pg.ImageItem()
        super().__init__()
        # Below the axes, whose grid would be hidden otherwise.
        self.image.setZValue(-2000.0)
        self.addItem(self.image)
        self.view.setDefaultPadding(0.0)
        self.name_axes(x, y)
        line_up(self)

    def show_counts(self, counts: Floats, bounds: QRectF) -> None:
        """Show counts (x, y) over this part of the plane."""
        self.image.setImage(count_levels(counts), autoLevels=False, levels=(0, 255))
        self.image.setRect(bounds)
        self.view.setRange(bounds, padding=0.0)

    def clear_counts(self) -> None:
        """Show no counts."""
        self.image.clear()
        self.clear_curves()

    def recolour(self) -> None:
        """Apply the theme's colours."""
        super().recolour()
        if not self.closed:
            table = density_table(the_theme().colours)
            channels = [table >> np.uint32(shift) & np.uint32(255) for shift in (16, 8, 0, 24)]
            self.image.setLookupTable(np.column_stack(channels).astype(np.uint8))
