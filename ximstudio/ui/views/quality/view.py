"""Quality: measures of the maps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property, partial
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QGridLayout, QScrollArea

from ximstudio.measure.chance import live_neighbours_of
from ximstudio.model.words import grouped
from ximstudio.pictures.curves import wide_range
from ximstudio.pictures.measure_table import table_text
from ximstudio.pictures.quality_text import chance_text, neighbours_text
from ximstudio.session.shown import RenderRequest
from ximstudio.ui.views.common.readout import Readout
from ximstudio.ui.views.common.view import View
from ximstudio.ui.views.quality.plots import CountsPlot, PlotCard, RunCurvesPlot, line_up
from ximstudio.ui.views.quality.table import MeasuresTable
from ximstudio.ui.widgets.boxes import vbox
from ximstudio.ui.widgets.drawing.curves import Curves
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import label
from ximstudio.ui.widgets.look.theme import the_theme
from ximstudio.ui.widgets.slices import EventLoopSlices
from ximstudio.views.quality import QUALITY
from ximstudio.views.quality.picture import QualityPicture, QualityRequest, others_text
from ximstudio.views.quality.state import QualityState

Plot = TypeVar("Plot", RunCurvesPlot, CountsPlot)
TWO_PLOTS = 500
"""Width that two plots side by side need, in pixels."""
ONE_PLOT = 270
"""Width that one plot needs beside the table, in pixels."""
ROOMY = 1200
"""From this width on the table is beside the plots, even if it has to be scrolled."""
LEAST_TABLE = 300
PLOT_HEIGHT = 232
TRUE_ONES = "Are neighbours on the map true neighbours?"
NEAR_ONES = "Are true neighbours close on the map?"
PLOTS = "trust", "continuity", "shepard", "co_ranking"
ANY = 16777215
"""Qt's value for no bound."""


class QualityView(View[QualityState, QualityPicture]):
    """Measures of all runs, and plots of the one on display."""

    kind = QUALITY
    nothing = (
        "Nothing to measure yet",
        "Train a map to see its measures beside those of all other runs.",
    )

    def __init__(self) -> None:
        super().__init__()
        self._facts: WeakKeyDictionary[Any, Any] = WeakKeyDictionary()
        self.cards: dict[int, PlotCard] = {}
        """Plots that were built, by their place."""
        self.table = MeasuresTable()
        self.hint = label(kind="caption")
        self.others = label(kind="caption", wrap=True)
        self.slices = EventLoopSlices(self)
        self._lay_out()
        the_theme().follow(self._redraw)
        self.draw_nothing()

    # Plots, each built when first drawn: together they would block the window

    @cached_property
    def trust(self) -> RunCurvesPlot:
        """T over k, of all runs."""
        return self._in_card(0, RunCurvesPlot("trust"), "Trustworthiness T(k)", TRUE_ONES)

    @cached_property
    def continuity(self) -> RunCurvesPlot:
        """C over k, of all runs."""
        return self._in_card(1, RunCurvesPlot("continuity"), "Continuity C(k)", NEAR_ONES)

    @cached_property
    def shepard(self) -> CountsPlot:
        """Distances on the map over those in the data."""
        plot = CountsPlot("distance in the data", "distance on the map")
        return self._in_card(2, plot, "Shepard diagram", "Good: points close to the line.")

    @cached_property
    def co_ranking(self) -> CountsPlot:
        """Ranks on the map over those in the data."""
        plot = CountsPlot("rank in the data", "rank on the map")
        return self._in_card(3, plot, "Co-ranking", "Good: counts close to the diagonal.")

    @cached_property
    def live(self) -> Curves:
        """Quality of a map during training."""
        plot = Curves()
        plot.name_axes("steps", "")
        line_up(plot)
        plot.view.disableAutoRange()
        self.live_readout = Readout(plot, lambda step: f"Step {grouped(round(step))}")
        self._live_card = PlotCard("During training", "", plot)
        self._live_page.addWidget(self._live_card)
        return plot

    def _in_card(self, place: int, plot: Plot, title: str, reading: str) -> Plot:
        """Put a plot into a card, at its place among the others."""
        self.cards[place] = PlotCard(title, reading, plot)
        self._arrange()
        return plot

    @property
    def state(self) -> QualityState:
        return QualityState()

    def restore(self, state: QualityState) -> None:
        """Do nothing: there is no state."""

    def request(self) -> RenderRequest[QualityPicture]:
        """Request curves and measures of all runs."""
        return QualityRequest(memory=self._memory, facts=self._facts)

    def draw(self, picture: QualityPicture) -> None:
        self._picture = picture
        self._redraw()

    @property
    def is_drawn(self) -> bool:
        return self.slices.idle

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802  (Qt's name)
        """Put the table beside the plots or below them."""
        super().resizeEvent(event)
        self._arrange()

    def _lay_out(self) -> None:
        self._plots = QGridLayout()
        self._plots.setSpacing(spacing.MEDIUM)
        table = QFrame()
        table.setProperty("kind", "card")
        inner = vbox(
            into=table,
            gap=spacing.HAIR,
            margins=(spacing.HAIR, spacing.SMALL, spacing.HAIR, spacing.HAIR),
        )
        for part in (label("Measures", kind="strong"), self.hint):
            part.setContentsMargins(spacing.SMALL, 0, 0, 0)
            inner.addWidget(part)
        inner.addWidget(self.table, 1)
        inner.addWidget(self.others)
        self._table_card = table
        page = QFrame()
        page.setProperty("kind", "panel")
        self._whole = QBoxLayout(QBoxLayout.Direction.LeftToRight, page)
        self._whole.setContentsMargins(*([spacing.MEDIUM] * 4))
        self._whole.setSpacing(spacing.MEDIUM)
        self._whole.addLayout(self._plots, 1)
        self._whole.addWidget(table)
        scroll = QScrollArea()
        scroll.setAccessibleName(self.kind.name)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(page)
        self._stack.addWidget(scroll)
        live = QFrame()
        live.setProperty("kind", "panel")
        self._live_page = vbox(into=live, margins=spacing.MEDIUM)
        self._stack.addWidget(live)
        self._stack.addWidget(self.empty)
        vbox(self._stack, into=self, margins=0)

    def _arrange(self) -> None:
        """Put the table beside the plots if both fit, else below them.

        One column of plots is better than a table that is only visible after scrolling.
        """
        card, table = self._table_card, self.table
        needed = max(table.needed_width + 2 * spacing.LARGE, LEAST_TABLE)
        width = self.width() - 3 * spacing.MEDIUM
        beside = width - needed >= ONE_PLOT or self.width() >= ROOMY
        plots = TWO_PLOTS if width - needed >= TWO_PLOTS or self.width() >= ROOMY else ONE_PLOT
        room = width - plots
        direction = QBoxLayout.Direction
        self._whole.setDirection(direction.LeftToRight if beside else direction.TopToBottom)
        card.setMinimumWidth(min(needed, room) if beside else 0)
        card.setMaximumWidth(min(needed, room) if beside else ANY)
        table.setMinimumHeight(0 if beside else table.rows_height)
        columns = 2 if (plots if beside else width) >= TWO_PLOTS else 1
        two_rows = beside and columns == 2
        for number, plot in self.cards.items():
            self._plots.addWidget(plot, number // columns, number % columns)
            plot.setMinimumHeight(0 if two_rows else PLOT_HEIGHT)
        self._plots.setColumnStretch(0, 1)
        self._plots.setColumnStretch(1, columns - 1)
        for row in range(len(PLOTS)):
            self._plots.setRowStretch(row, 1 if row < len(PLOTS) // columns else 0)

    def _redraw(self) -> None:
        picture = self._picture
        if picture is None:
            return
        if picture.live is not None:
            self._draw_live(picture)
            # Until there is a first point, or if there are none.
            known = bool(picture.live.steps)
            if not known:
                self.empty.show_wait(
                    "Not measured yet", "The measures appear here when they are computed."
                )
            self._stack.setCurrentIndex(1 if known else 2)
            return
        table = picture.table
        if table is not None:
            self.table.show_table(table, picture.shown)
            self.hint.setText(table_text(table))
            self.others.setText(others_text(picture))
            self.others.setVisible(bool(picture.others))
        self._arrange()
        self._stack.setCurrentIndex(0)
        self.slices.schedule(
            *self._missing(),
            lambda: self._say_chance(picture),
            lambda: self.trust.show_runs(picture.runs, picture.shown),
            lambda: self.continuity.show_runs(picture.runs, picture.shown),
            lambda: self._draw_shepard(picture),
            lambda: self._draw_ranks(picture),
        )

    def _say_chance(self, picture: QualityPicture) -> None:
        """Show the values of a random map beside T and C."""
        for place, question in enumerate((TRUE_ONES, NEAR_ONES)):
            text = f"{question} {chance_text(picture.n_items)}."
            self.cards[place].show_reading(text)

    def _missing(self) -> Iterator[Callable[[], object]]:
        """Yield the builders of plots that were not built yet."""
        missing = (name for place, name in enumerate(PLOTS) if place not in self.cards)
        return (partial(getattr, self, name) for name in missing)

    def _draw_live(self, picture: QualityPicture) -> None:
        assert picture.live is not None
        steps = np.array(picture.live.steps, dtype=np.float64)
        for key, name in (("trust", "Trustworthiness"), ("continuity", "Continuity")):
            values = np.array(getattr(picture.live, key), dtype=np.float64)
            self.live.show_curve(key, steps, values, name=name)
        known = np.array([*picture.live.trust, *picture.live.continuity])
        self.live.view.setYRange(*wide_range(known), padding=0.03)
        last = float(steps[-1]) if len(steps) else 1.0
        self.live.view.setXRange(0.0, max(last, 1.0), padding=0.03)
        self._live_card.show_reading(live_text(picture))

    def _draw_shepard(self, picture: QualityPicture) -> None:
        shepard = picture.shepard
        if shepard is None:
            self.shepard.clear_counts()
            return
        width, height = float(shepard.data_edges[-1]), float(shepard.map_edges[-1])
        self.shepard.show_counts(shepard.shares, QRectF(0.0, 0.0, width, height))
        line = the_theme().colours.series[1]
        self.shepard.show_curve("fit", shepard.fit_data, shepard.fit_map, colour=line)

    def _draw_ranks(self, picture: QualityPicture) -> None:
        ranks = picture.co_ranking
        if ranks is None:
            self.co_ranking.clear_counts()
            return
        k = float(len(ranks))
        self.co_ranking.show_counts(ranks.astype(np.float64), QRectF(0.5, 0.5, k, k))


def live_text(picture: QualityPicture) -> str:
    """Describe the sample of the live curves."""
    assert picture.live is not None
    sample = picture.live.n_sampled
    of = f" of a sample of {grouped(sample)} {picture.words.items}" if sample else ""
    k = live_neighbours_of(sample or picture.n_items)
    chance = chance_text(sample or picture.n_items, k)
    return (
        f"Trustworthiness and continuity{of}, {neighbours_text(k)}; {chance}."
        " All measures follow when training is complete."
    )
