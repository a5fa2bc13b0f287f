"""Plot of the annealing of step size, width and reach."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame

from ximstudio.model.arrays import Floats
from ximstudio.pictures.ticks import ticks
from ximstudio.session.parameter_words import number_text
from ximstudio.train.schedules import Schedules
from ximstudio.ui.widgets.boxes import vbox
from ximstudio.ui.widgets.drawing.curves import Curves
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import label

HEIGHT = 148
MOST_DECADES = 4
AXIS_WIDTH = 36
LEAST = 1e-300
NOTHING = np.empty(0)


class AnnealingPlot(QFrame):
    """Plot of ε, σ and γ over the steps on a logarithmic scale."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("kind", "card")
        self.curves = Curves()
        self.curves.setFixedHeight(HEIGHT)
        self.curves.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.curves.getAxis("left").setWidth(AXIS_WIDTH)
        self.curves.view.disableAutoRange()
        self.title = label(kind="plot")
        self.title.setContentsMargins(spacing.SMALL, 0, 0, 0)
        vbox(
            self.title,
            self.curves,
            into=self,
            gap=0,
            margins=(spacing.HAIR, spacing.SMALL, spacing.HAIR, spacing.SMALL),
        )
        self.setToolTip(
            "Step size (ε), neighbourhood width around the winner (σ) and reach of the "
            "repulsion (γ), from the first step to the last (TR 25)."
        )

    def show_schedules(self, planned: Schedules) -> None:
        """Draw the curves of these parameters."""
        unit = "epochs" if planned.step_size is None else "steps"
        self.title.setText(f"Annealing over {number_text(planned.steps[-1])} {unit}")
        shown: list[Floats] = []
        for key, name, values in (
            ("ε", "step size", planned.step_size),
            ("σ", planned.width_name, planned.width),
            ("γ", planned.reach_name, planned.reach),
        ):
            if values is None:
                # Emptied, not removed, so that all curves keep their colours.
                self.curves.show_curve(key, NOTHING, NOTHING)
                continue
            logarithms = np.log10(np.maximum(values, LEAST))
            self.curves.show_curve(key, planned.steps, logarithms, name=name)
            shown.append(logarithms)
        self._scale(planned.steps, np.concatenate(shown))

    def _scale(self, steps: Floats, logarithms: Floats) -> None:
        low, high = float(logarithms.min()), float(logarithms.max())
        room = max(0.06 * (high - low), 0.1)
        self.curves.view.setXRange(0.0, float(steps[-1]), padding=0.0)
        self.curves.view.setYRange(low - room, high + room, padding=0.0)
        upright = [(power, number_text(10.0**power)) for power in _powers(low - room, high + room)]
        along = [(place, number_text(place)) for place in ticks(0.0, float(steps[-1]), most=4)]
        self.curves.getAxis("left").setTicks([upright])
        self.curves.getAxis("bottom").setTicks([along])


def _powers(low: float, high: float) -> list[float]:
    """Return the heights of grid lines: powers of ten, or half powers if these are too few."""
    first, last = math.ceil(low), math.floor(high)
    every = max(1, -(-(last - first + 1) // MOST_DECADES))
    if last > first:
        return [float(power) for power in range(first, last + 1, every)]
    between = [math.log10(digit) + power for power in (first - 1, first) for digit in (1, 2, 5)]
    return [height for height in between if low <= height <= high]
