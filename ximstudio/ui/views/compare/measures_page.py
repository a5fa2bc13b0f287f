"""Measures of the compared runs: table, T and C over k, and the report's protocol."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QScrollArea, QWidget

from ximstudio.pictures.measure_table import table_text
from ximstudio.ui.views.quality.plots import PlotCard, RunCurvesPlot
from ximstudio.ui.views.quality.table import MeasuresTable
from ximstudio.ui.widgets.boxes import hbox, vbox
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import Size, button, label, segments
from ximstudio.views.compare.picture import ComparePicture
from ximstudio.views.quality.picture import others_text

REPEAT = "Repeat 10 times"
ONE, REPEATED = "one", "repeated"
PLOT_HEIGHT = 232
PLOT = 300
"""Width that the plot needs beside the table, in pixels."""


class MeasuresPage(QWidget):
    """The table on one side, the curves on the other."""

    protocol_wanted = Signal()
    """The user wants every method trained ten times on 95 % of the items."""

    def __init__(self) -> None:
        super().__init__()
        self.table = MeasuresTable()
        self.curves = RunCurvesPlot("trust", "continuity")
        self.hint = label(kind="caption")
        self.which = segments(
            {ONE: "Single run", REPEATED: "Repeated"},
            name="Measures of a single run or of repeated runs",
        )
        self.others = label(kind="caption", wrap=True)
        self.protocol = button(
            REPEAT,
            size=Size.SMALL,
            icon_name="dice",
            tip="Trains every method ten times on 95 % of the data and shows mean and standard "
            "deviation (the protocol of the technical report). Runs in the background and "
            "takes ten times as long as one training.",
        )
        self._lay_out()
        self._picture: ComparePicture | None = None
        self.protocol.clicked.connect(self.protocol_wanted)
        self.which.chosen.connect(lambda _: self._show_table())

    def _lay_out(self) -> None:
        card = QFrame()
        card.setProperty("kind", "card")
        words = vbox(label("Measures", kind="strong"), self.hint, gap=0)
        head = hbox(
            (words, 1), self.which, self.protocol, margins=(spacing.SMALL, 0, spacing.SMALL, 0)
        )
        vbox(
            head,
            (self.table, 1),
            self.others,
            into=card,
            gap=spacing.HAIR,
            margins=(spacing.HAIR, spacing.SMALL, spacing.HAIR, spacing.HAIR),
        )
        self.card = card
        plot = PlotCard(
            "Trustworthiness T(k) and continuity C(k)",
            "Higher is better. T: are neighbours on the map true neighbours? C: are true "
            "neighbours close on the map?",
            self.curves,
        )
        plot.setMinimumHeight(PLOT_HEIGHT)
        page = QFrame()
        page.setProperty("kind", "panel")
        self._whole = QBoxLayout(QBoxLayout.Direction.LeftToRight, page)
        self._whole.setContentsMargins(spacing.SMALL, 0, spacing.SMALL, spacing.SMALL)
        self._whole.setSpacing(spacing.SMALL)
        self._whole.addWidget(card, 3)
        self._whole.addWidget(plot, 2)
        scroll = QScrollArea()
        scroll.setAccessibleName("Measures and curves")
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(page)
        vbox(scroll, into=self, margins=0)

    @property
    def picture(self) -> ComparePicture:
        """The picture on display."""
        assert self._picture is not None
        return self._picture

    def draw(self, picture: ComparePicture) -> None:
        """Show the measures of the runs; of their repetitions as soon as there are any."""
        before, self._picture = self._picture, picture
        fresh = picture.repeated is not None and (
            before is None or before.shown.judged is not picture.shown.judged
        )
        if fresh:
            self.which.choose(REPEATED)
        self.which.setVisible(picture.repeated is not None)
        quality = picture.quality
        self.others.setText(others_text(quality) if quality.others else "")
        self.others.setVisible(bool(quality.others))
        self.curves.show_runs(quality.runs)
        self._show_table()

    def show_repeating(self, going_on: bool) -> None:
        """Show that methods are being repeated; the progress is at the bottom."""
        self.protocol.setEnabled(not going_on)
        self.protocol.setText("Repeating…" if going_on else REPEAT)

    def _show_table(self) -> None:
        picture = self._picture
        assert picture is not None
        table = picture.quality.table
        if picture.repeated is not None and self.which.value == REPEATED:
            table = picture.repeated
        if table is not None:
            self.hint.setText(table_text(table))
            self.table.show_table(table, picture.quality.shown)
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802  (Qt's name)
        """Put the plot beside the table, or below it without room."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        needed = self.table.needed_width + PLOT + 4 * spacing.LARGE
        ways = QBoxLayout.Direction
        beside = self.width() >= needed
        self._whole.setDirection(ways.LeftToRight if beside else ways.TopToBottom)
        # Below each other both are fully visible, with scrolling if there is little height.
        whole = self.table.rows_height + spacing.LARGE
        self.table.setMinimumHeight(0 if beside else whole)
