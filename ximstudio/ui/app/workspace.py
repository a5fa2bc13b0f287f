"""The page with a table: steps left, views in the centre, the selection right, runs below."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from ximstudio.ui.drop import let_drops_through
from ximstudio.ui.help import GUIDE
from ximstudio.ui.studio import Studio
from ximstudio.ui.tab_order import stops

if TYPE_CHECKING:
    from ximstudio.ui.descent.trail import Trail
    from ximstudio.ui.panels.steps import Steps
    from ximstudio.ui.runs import RunsStrip
    from ximstudio.ui.selection.panel import SelectionPanel
    from ximstudio.ui.views.area import ViewArea

STEPS_WIDTH, VIEWS_WIDTH = 360, 920
LOW = 640
"""Where there is less height the runs take one line: the map needs the room more."""


class Work(QWidget):
    """Empty at first: nobody sees it before there is a table, and it takes longest to build.

    `build` makes one piece of it after the other, `finish` whatever is missing.
    """

    built = Signal()
    """All is there."""

    steps: Steps
    trail: Trail
    views: ViewArea
    panel: SelectionPanel
    runs: RunsStrip

    def __init__(self, studio: Studio) -> None:
        super().__init__()
        self._studio = studio
        self._pieces = self._build()
        self.is_built = False
        self.across = QSplitter()
        self.across.setChildrenCollapsible(False)
        self._down = QVBoxLayout(self)
        self._down.setContentsMargins(0, 0, 0, 0)
        self._down.setSpacing(0)
        self._down.addWidget(self.across, 1)

    def build(self) -> bool:
        """Build a piece, which takes some hundredths of a second; whether one was missing."""
        return next(self._pieces, False)

    def finish(self) -> None:
        """Build whatever is missing."""
        while self.build():
            pass

    def _build(self) -> Iterator[bool]:
        # Late: these bring all that draws.
        from ximstudio.ui.descent.trail import Trail
        from ximstudio.ui.panels.steps import PANELS, Steps
        from ximstudio.ui.runs import RunsStrip
        from ximstudio.ui.selection.panel import SelectionPanel
        from ximstudio.ui.views.area import ViewArea

        yield True
        # Parts are filled where they stay: moving one with all that is in it takes as long as
        # making it.
        self.steps = Steps(self._studio)
        self.across.addWidget(self.steps)
        for kind in PANELS:
            panel = kind(self._studio)
            yield True
            self.steps.add(panel)
            yield True
        self.views = ViewArea(self._studio)
        yield True
        self.trail = Trail(self._studio, self.views)
        self.across.addWidget(_below(self.trail, self.views))
        self.across.setStretchFactor(1, 1)
        self.across.setSizes([STEPS_WIDTH, VIEWS_WIDTH])
        yield True
        self.panel = SelectionPanel(self._studio)
        self.across.addWidget(self.panel)
        self.panel.least_changed.connect(self._fit_views)
        yield True
        self.runs = RunsStrip(self._studio)
        self._down.addWidget(self.runs)
        self.runs.set_low(self.height() < LOW)
        self._explain()
        let_drops_through(self)
        self.is_built = True
        self._fit_views()
        self.built.emit()
        yield True

    def stops(self) -> Iterator[QWidget]:
        """What takes the keyboard, as it is seen."""
        if self.is_built:
            yield from self.steps.stops()
            yield from self.trail.stops()
            yield from self.views.stops()
            yield from self.panel.stops()
            yield from stops(self.runs)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802  (Qt's name)
        super().resizeEvent(event)
        if self.is_built:
            self.runs.set_low(event.size().height() < LOW)
            self._fit_views()

    def _fit_views(self) -> None:
        """Tell the views how wide they can be, with the parts beside them as narrow as can be."""
        others = self.steps.minimumWidth() + self.panel.minimumWidth()
        self.views.fit_into(self.across.width() - others - 2 * self.across.handleWidth())

    def _explain(self) -> None:
        """Give every part something to say when F1 is pressed in it."""
        texts = dict(GUIDE)
        for panel in self.steps.panels:
            panel.setWhatsThis(panel.whatsThis() or texts.get(panel.name, ""))
        self.views.setWhatsThis(texts["Read"])
        self.runs.setWhatsThis(texts["Runs"])


def _below(bar: QWidget, body: QWidget) -> QWidget:
    """Both as one, the bar on top."""
    made = QWidget()
    column = QVBoxLayout(made)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    column.addWidget(bar)
    column.addWidget(body, 1)
    return made
