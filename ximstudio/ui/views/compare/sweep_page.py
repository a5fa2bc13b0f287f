"""Sweeps: a map for every combination of settings, the best ones marked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QScrollArea, QSizePolicy, QWidget

from ximstudio.jobs import Task
from ximstudio.measure.catalogue import MEASURES, Better
from ximstudio.measure.sweep import MOST_MAPS
from ximstudio.model.words import counted
from ximstudio.pictures.raster.frame import Pixels
from ximstudio.pictures.thumbnail import thumbnail
from ximstudio.session.words import share_text
from ximstudio.ui.runtime.job_queue import Job
from ximstudio.ui.views.compare.sweep_axes import SweepAxes, swept
from ximstudio.ui.widgets.boxes import STRETCH, hbox, vbox
from ximstudio.ui.widgets.card import Card
from ximstudio.ui.widgets.elided import Elided
from ximstudio.ui.widgets.image import Picture
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import ButtonKind, Size, button, combo_box, label
from ximstudio.ui.widgets.look.fonts import Text, font
from ximstudio.ui.widgets.look.theme import the_theme
from ximstudio.views.compare.sweep_picture import (
    GRID,
    SHOWN,
    SweepPicture,
    front,
    measured,
    ordered,
    setting_texts,
    sweep_picture,
)

if TYPE_CHECKING:
    from ximstudio.measure.trials import TrialResult
    from ximstudio.ui.actions.actions import Actions
    from ximstudio.ui.actions.retraining import Sweep

PICTURE = 128, 104
WIDTH = 200
DRAWING = "Drawing a sweep"
FRONT = "front"
FRONT_TIP = (
    "Pareto-optimal: no other map of the sweep is at least as good in T, C and ρ and better in "
    "one of them"
)


class SweepCard(Card):
    """One map of a sweep: its picture, its settings, T, C and ρ."""

    def __init__(self, place: int, settings: tuple[str, ...]) -> None:
        super().__init__()
        self.place = place
        self.setFixedWidth(WIDTH)
        self.picture = Picture(*PICTURE)
        self.figures = label(kind="muted")
        self.figures.setFont(font(Text.SMALL, tabular=True))
        self.front = label(FRONT, kind="badge", tone="accent")
        self.front.setToolTip(FRONT_TIP)
        self.front.hide()
        top = hbox(self.picture, (self.front, Qt.AlignmentFlag.AlignTop), STRETCH, margins=0)
        column = vbox(top, into=self, gap=spacing.HAIR, margins=spacing.SMALL)
        for line in settings:
            column.addWidget(Elided(line, kind="strong"))
        column.addWidget(self.figures)
        self.setAccessibleName(", ".join(settings))
        self.setToolTip(", ".join(settings))

    def show_found(self, found: TrialResult, values: dict[str, float]) -> None:
        """Show its measures, or why it could not be trained."""
        if found.problems:
            self.figures.setText("Refused")
            self.setToolTip(f"{found.problems[0].what} {found.problems[0].way_out}")
            return
        known = [(letter, values[key]) for key, letter in SHOWN.items()]
        text = "  ".join(f"{letter} {value:.3f}" for letter, value in known if not np.isnan(value))
        self.figures.setText(text)
        self.setAccessibleName(f"{self.toolTip()}: {text}")


class SweepPage(QWidget):
    """Settings above, a gallery of maps below; a click opens one as a run."""

    opened = Signal()
    """A map was opened: the user wants to see it."""

    def __init__(self, actions: Actions) -> None:
        super().__init__()
        self._actions = actions
        self._sweep: Sweep | None = None
        self._drawn: set[int] = set()
        self.cards: dict[int, SweepCard] = {}
        self.method = label(kind="strong")
        self.axes = SweepAxes()
        self.begin = button("Sweep", kind=ButtonKind.PRIMARY, size=Size.SMALL, icon_name="train")
        self.stop = button("Stop", size=Size.SMALL, icon_name="stop")
        self.state = label(kind="muted")
        self.order = combo_box(name="Sort by")
        shrinks = self.order.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        self.order.setSizeAdjustPolicy(shrinks)
        self.order.setMinimumContentsLength(10)
        self.order.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.order.addItem("Sort by settings", GRID)
        for measure in MEASURES:
            if measure.better is not Better.NEITHER:
                self.order.addItem(f"Sort by {measure.title}", measure.key)
        self._lay_out()
        self.axes.changed.connect(self._show_count)
        self.begin.clicked.connect(self._begin)
        self.stop.clicked.connect(actions.parameter_sweep.stop)
        self.order.activated.connect(lambda _: self._arrange())
        the_theme().follow(self._draw_again)
        actions.parameter_sweep.changed.connect(self._follow)
        actions.jobs.began.connect(lambda _: self._follow())
        actions.store.changed.connect(self._show_plan)
        self._show_plan()
        self._follow()

    def _lay_out(self) -> None:
        buttons = hbox(self.begin, self.stop, (self.state, 1), self.order, gap=spacing.SMALL)
        top = vbox(
            self.method,
            self.axes,
            buttons,
            gap=spacing.SMALL,
            margins=(spacing.MEDIUM, 0, spacing.MEDIUM, spacing.SMALL),
        )
        inner = QFrame()
        inner.setProperty("kind", "panel")
        self._grid = QGridLayout()
        self._grid.setSpacing(spacing.SMALL)
        self._grid.setContentsMargins(spacing.MEDIUM, 0, spacing.MEDIUM, spacing.MEDIUM)
        across = hbox(self._grid, STRETCH)
        vbox(across, STRETCH, into=inner, margins=0)
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setAccessibleName("Maps of the sweep")
        self.area.setWidget(inner)
        vbox(top, (self.area, 1), into=self, gap=0, margins=0)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802  (Qt's name)
        """Put as many cards side by side as fit."""
        super().resizeEvent(event)
        self._arrange()

    # Settings

    def _show_plan(self, _: str = "") -> None:
        plan = self._actions.session.plan
        able = bool(swept(plan.params))
        rest = "with other settings" if able else "has no settings to vary"
        self.method.setText(f"{plan.method.name} {rest}")
        self.axes.setVisible(able)
        self.axes.show_params(plan.params, self._actions.inspector.words)
        self._show_count()

    def _show_count(self) -> None:
        n_maps, data = self.axes.n_maps, self._actions.session.data
        able = data is not None and data.matrix is not None
        busy = self._actions.parameter_sweep.busy
        self.begin.setText(f"Train {counted(n_maps, 'map')}" if n_maps else "Train")
        self.begin.setEnabled(able and not busy and 0 < n_maps <= MOST_MAPS)
        most = f"{MOST_MAPS} maps are the maximum: give fewer values"
        self.begin.setToolTip(
            most if n_maps > MOST_MAPS else "Trains in the background, on all cores"
        )

    def _begin(self) -> None:
        self._actions.parameter_sweep.begin(self._actions.session.plan, self.axes.axes())

    # Results

    def _follow(self) -> None:
        parameter_sweep = self._actions.parameter_sweep
        if parameter_sweep.sweep is not self._sweep:
            self._take(parameter_sweep.sweep)
        values = self._values()
        for place, found in parameter_sweep.found.items():
            self.cards[place].show_found(found, values[place])
        on_front = front(values)
        for place, card in self.cards.items():
            card.front.setVisible(place in on_front)
        done, total = len(parameter_sweep.found), len(self.cards)
        self.stop.setVisible(parameter_sweep.busy)
        if parameter_sweep.busy:
            first = parameter_sweep.waits_for
            now = f"{first} comes first" if first else share_text(parameter_sweep.fraction)
            self.state.setText(f"{done} of {total} maps, {now}")
        else:
            self.state.setText(f"{done} of {total} maps" if total else "")
        self.order.setVisible(bool(self.cards))
        self._show_count()
        self._arrange()
        self._draw()

    def _take(self, sweep: Sweep | None) -> None:
        """Create a card for every map to come."""
        self._sweep = sweep
        self._drawn.clear()
        for card in self.cards.values():
            self._grid.removeWidget(card)
            card.hide()
            card.deleteLater()
        self.cards = {}
        if sweep is None:
            return
        words = self._actions.inspector.words
        for place in range(len(sweep.variants)):
            card = SweepCard(place, setting_texts(sweep.variants[place], words))
            card.clicked.connect(lambda place=place: self.open(place))
            self.cards[place] = card

    def open(self, place: int) -> None:
        """Open a map as a run; refused ones are ignored."""
        found = self._actions.parameter_sweep.found.get(place)
        if found is not None and not found.problems:
            self._actions.parameter_sweep.open(place)
            self.opened.emit()

    @property
    def order_key(self) -> str:
        """The chosen order: that of the settings, or the measure with this key."""
        return str(self.order.currentData())

    def restore(self, order: str) -> None:
        """Choose an order; that of the settings if the key is unknown."""
        self.order.setCurrentIndex(max(self.order.findData(order), 0))
        self._arrange()

    def _values(self) -> dict[int, dict[str, float]]:
        """All measures of the results, by place."""
        return {place: measured(one) for place, one in self._actions.parameter_sweep.found.items()}

    @property
    def picture(self) -> SweepPicture | None:
        """The sweep as it is displayed, for figures; None if there is none."""
        sweep, actions = self._sweep, self._actions
        if sweep is None or sweep.data.matrix is None:
            return None
        return sweep_picture(
            sweep.data.matrix,
            sweep.axes,
            variants=sweep.variants,
            found=actions.parameter_sweep.found,
            words=actions.inspector.words,
            order=self.order_key,
        )

    @property
    def ordered(self) -> list[int]:
        """Places of the cards in display order: best first, or in the order of the settings."""
        return ordered(len(self.cards), self._values(), self.order_key)

    def _arrange(self) -> None:
        if not self.cards:
            return
        room = self.width() - 2 * spacing.MEDIUM - spacing.LARGE
        columns = max(1, (room + spacing.SMALL) // (WIDTH + spacing.SMALL))
        if self._sweep is not None and self.order_key == GRID:
            # Rows of the gallery are rows of the grid, if these fit.
            last = len(self._sweep.axes[-1].values)
            columns = last if last <= columns else columns
        for number, place in enumerate(self.ordered):
            self._grid.addWidget(self.cards[place], number // columns, number % columns)
            self.cards[place].show()

    def _draw_again(self) -> None:
        self._drawn.clear()
        self._draw()

    def _draw(self) -> None:
        """Start drawing the maps that have no picture yet."""
        actions, sweep = self._actions, self._sweep
        if sweep is None:
            return
        missing = {
            place: found.result
            for place, found in actions.parameter_sweep.found.items()
            if place not in self._drawn and found.result is not None
        }
        if not missing:
            return
        self._drawn |= set(missing)
        colours = the_theme().colours
        width, height = (2 * side for side in PICTURE)
        matrix = sweep.data.matrix
        assert matrix is not None

        def work(task: Task[float, dict[int, Pixels]]) -> dict[int, Pixels]:
            made = {}
            for place, result in missing.items():
                task.check()
                made[place] = thumbnail(result, matrix, colours, width=width, height=height)
            return made

        def done(pictures: dict[int, Pixels]) -> None:
            if self._sweep is sweep:
                for place, pixels in pictures.items():
                    self.cards[place].picture.show_pixels(pixels)

        actions.jobs.start(Job(label=DRAWING, work=work, done=done, quiet=True))
