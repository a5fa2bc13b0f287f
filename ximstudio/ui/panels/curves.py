"""Curves over the steps of training: of its measures, and of the planned annealing."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QWidget

from ximstudio.measure.chance import live_neighbours_of
from ximstudio.model.arrays import Floats
from ximstudio.model.result import TrainingHistory
from ximstudio.pictures.curves import wide_range
from ximstudio.pictures.quality_text import chance_text, neighbours_text
from ximstudio.pictures.ticks import number_text, tick_texts, ticks
from ximstudio.session.parameter_words import number_text as count_text
from ximstudio.session.run import TrainingCurves as Live
from ximstudio.train.schedules import Schedules
from ximstudio.ui.widgets.boxes import vbox
from ximstudio.ui.widgets.drawing.curves import Curves
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import label
from ximstudio.ui.widgets.slices import EventLoopSlices

HEIGHT = 116
AXIS_WIDTH = 40
ROOM = 0.08
"""Share of the range that is left free above and below."""
ANNEALING_HEIGHT = 148
MOST_DECADES = 4
ANNEALING_AXIS = 36
LEAST = 1e-300
NOTHING = np.empty(0)


class StepCurves(QFrame):
    """Card with a title and curves over the steps of training."""

    def __init__(self, tip: str, *below: QWidget, height: int, axis_width: int) -> None:
        super().__init__()
        self.setProperty("kind", "card")
        self.setToolTip(tip)
        self.curves = Curves()
        self.curves.setFixedHeight(height)
        self.curves.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.curves.getAxis("left").setWidth(axis_width)
        self.curves.view.disableAutoRange()
        self.title = label(kind="plot")
        self.title.setContentsMargins(spacing.SMALL, 0, 0, 0)
        edges = (
            spacing.HAIR,
            spacing.SMALL,
            spacing.HAIR,
            spacing.HAIR if below else spacing.SMALL,
        )
        vbox(self.title, self.curves, *below, into=self, gap=0, margins=edges)

    def scale(self, last: float, low: float, high: float, heights: list[tuple[float, str]]) -> None:
        """Show steps up to the last one and values in a range, with texts at these heights."""
        self.curves.view.setXRange(0.0, last, padding=0.0)
        self.curves.view.setYRange(low, high, padding=0.0)
        self.curves.getAxis("left").setTicks([heights])
        along = [(place, count_text(place)) for place in ticks(0.0, last, most=4)]
        self.curves.getAxis("bottom").setTicks([along])


class CurveCard(StepCurves):
    """Curves of one measure of a training, with its last value in the title."""

    def __init__(self, title: str, tip: str, *, shares: bool = False) -> None:
        self.note = label(kind="caption", wrap=True)
        super().__init__(tip, self.note, height=HEIGHT, axis_width=AXIS_WIDTH)
        self.note.setContentsMargins(spacing.SMALL, 0, spacing.SMALL, spacing.HAIR)
        self.note.hide()
        self.title.setText(title)
        self.setWhatsThis(tip)
        self._shares = shares
        self.full = False
        """True if there are curves to show."""

    def show_lines(self, steps: Floats, lines: dict[str, Floats], n_steps: int) -> None:
        """Draw curves by name; the axis reaches to the last planned step."""
        self.full = len(steps) > 1 and any(np.isfinite(line).any() for line in lines.values())
        if not self.full:
            return
        new = not self.curves.keys
        for name, values in lines.items():
            self.curves.show_curve(name, steps, values, name=name)
        if new:
            # Curves without a name get their pen here.
            self.curves.recolour()
        known = np.concatenate([values[np.isfinite(values)] for values in lines.values()])
        low, high = self._range(known)
        heights = ticks(low, high, most=5)
        texts = list(zip(heights, tick_texts(heights), strict=True))
        self.scale(float(max(n_steps, 1)), low, high, texts)

    def _range(self, known: Floats) -> tuple[float, float]:
        if self._shares:
            low, high = wide_range(known)
            return low, high + 0.02 * (high - low)
        low, high = float(known.min()), float(known.max())
        room = max(ROOM * (high - low), 1e-3 * abs(high), 1e-12)
        return low - room, high + room


class TrainCurves(QWidget):
    """Column of all curves of a training."""

    def __init__(self) -> None:
        super().__init__()
        self.kept = CurveCard(
            "Neighbourhood preservation",
            "<qt><b>T</b>, trustworthiness: are neighbours on the map neighbours in the "
            "data?<br><b>C</b>, continuity: are neighbours in the data neighbours on the "
            "map?<br>Means over neighbourhood sizes 1 to k, computed on a sample of large "
            "tables. The measures of the finished map use larger neighbourhoods and the "
            "whole table, and may differ.</qt>",
            shares=True,
        )
        self.cost = CurveCard(
            "Cost",
            "The quantity that training minimises: the divergence between neighbourhoods on "
            "the map and in the data or, without repulsion, the energy of the map. It may "
            "rise while the annealing changes the widths.",
        )
        self.error = CurveCard(
            "Quantisation error",
            "Mean distance of the data to the nearest prototype, in the unit of the data.",
        )
        self.stalled = CurveCard(
            "Nodes that did not move",
            "Nodes that could not move in an epoch because repulsion outweighed attraction: "
            "the literal rule (TR 27) gives them no position, the damped rule does.",
        )
        self.slices = EventLoopSlices(self)
        column = vbox(into=self, gap=spacing.SMALL, margins=0)
        self._all = (self.kept, self.cost, self.error, self.stalled)
        for card in self._all:
            column.addWidget(card)
            card.hide()

    def show_training(
        self, history: TrainingHistory, live: Live | None, n_steps: int, n_items: int
    ) -> None:
        """Draw the current state of a training; empty plots are hidden."""
        steps = history.step.astype(np.float64)
        sampled = Live() if live is None else live
        kept = {"T": np.asarray(sampled.trust), "C": np.asarray(sampled.continuity)}
        kept_steps = np.asarray(sampled.steps, dtype=np.float64)
        of = f", of a sample of {sampled.n_sampled}" if sampled.n_sampled else ""
        looked_at = sampled.n_sampled or n_items
        k = live_neighbours_of(looked_at)
        self.kept.title.setText(f"Neighbourhood preservation, {neighbours_text(k)}{of}")
        self.kept.note.setText(f"T and C: {chance_text(looked_at, k)}.")
        self.kept.note.show()
        self.cost.title.setText(_with_last("Cost", history.cost))
        self.error.title.setText(_with_last("Quantisation error", history.quantisation_error))
        self.stalled.title.setText(_with_last("Nodes that did not move", history.stalled))
        self.slices.schedule(
            partial(self.kept.show_lines, kept_steps, kept, n_steps),
            partial(self.cost.show_lines, steps, {"": history.cost}, n_steps),
            partial(self.error.show_lines, steps, {"": history.quantisation_error}, n_steps),
            partial(self.stalled.show_lines, steps, {"": history.stalled}, n_steps),
            self._show_full,
        )

    def _show_full(self) -> None:
        # Shown together once filled: one layout pass, and no empty plots.
        for card in self._all:
            card.setVisible(card.full)


def _with_last(title: str, values: Floats) -> str:
    known = values[np.isfinite(values)]
    return f"{title}: {number_text(float(known[-1]))}" if known.size else title


class AnnealingPlot(StepCurves):
    """Plot of ε, σ and γ over the steps on a logarithmic scale."""

    def __init__(self) -> None:
        tip = (
            "Step size (ε), neighbourhood width around the winner (σ) and reach of the "
            "repulsion (γ), from the first step to the last (TR 25)."
        )
        super().__init__(tip, height=ANNEALING_HEIGHT, axis_width=ANNEALING_AXIS)

    def show_schedules(self, planned: Schedules) -> None:
        """Draw the curves of these parameters."""
        unit = "epochs" if planned.step_size is None else "steps"
        self.title.setText(f"Annealing over {count_text(planned.steps[-1])} {unit}")
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
        least, most = float(min(map(np.min, shown))), float(max(map(np.max, shown)))
        room = max(0.06 * (most - least), 0.1)
        low, high = least - room, most + room
        heights = [(power, count_text(10.0**power)) for power in _powers(low, high)]
        self.scale(float(planned.steps[-1]), low, high, heights)


def _powers(low: float, high: float) -> list[float]:
    """Return the heights of grid lines: powers of ten, or half powers if these are too few."""
    first, last = math.ceil(low), math.floor(high)
    every = max(1, -(-(last - first + 1) // MOST_DECADES))
    if last > first:
        return [float(power) for power in range(first, last + 1, every)]
    between = [math.log10(digit) + power for power in (first - 1, first) for digit in (1, 2, 5)]
    return [height for height in between if low <= height <= high]
