"""Workspace: steps on the left, views in the centre, selection on the right, runs below."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QWidget

from ximstudio.ui.actions.actions import Actions
from ximstudio.ui.dialogs.help import GUIDE
from ximstudio.ui.widgets.boxes import vbox
from ximstudio.ui.widgets.drop_area import let_drops_through
from ximstudio.ui.widgets.focus import stops

if TYPE_CHECKING:
    from ximstudio.ui.panels.lineage.bar import LineageBar
    from ximstudio.ui.panels.runs.strip import RunsStrip
    from ximstudio.ui.panels.selection.panel import SelectionPanel
    from ximstudio.ui.panels.steps import Steps
    from ximstudio.ui.views.area import ViewArea

STEPS_WIDTH, VIEWS_WIDTH = 360, 920
LOW = 640
"""Below this height the runs take one line, to leave room for the map."""


class Workspace(QWidget):
    """Workspace that is built part by part, as building it takes longest.

    `build` builds the next part, `finish` all that are missing.
    """

    built = Signal()
    """All parts are built."""

    steps: Steps
    trail: LineageBar
    views: ViewArea
    panel: SelectionPanel
    runs: RunsStrip

    def __init__(self, actions: Actions) -> None:
        super().__init__()
        self._actions = actions
        self._pieces = self._build()
        self.is_built = False
        self.across = QSplitter()
        self.across.setChildrenCollapsible(False)
        self._down = vbox((self.across, 1), into=self, gap=0, margins=0)

    def build(self) -> bool:
        """Build the next part, in some hundredths of a second; return whether one was missing."""
        return next(self._pieces, False)

    def finish(self) -> None:
        """Build all missing parts."""
        while self.build():
            pass

    def _build(self) -> Iterator[bool]:
        # Imported late: these import everything that draws.
        from ximstudio.ui.panels.lineage.bar import LineageBar
        from ximstudio.ui.panels.runs.strip import RunsStrip
        from ximstudio.ui.panels.selection.panel import SelectionPanel
        from ximstudio.ui.panels.steps import PANELS, Steps
        from ximstudio.ui.views.area import ViewArea

        yield True
        # Parts are filled in place: moving a filled one takes as long as building it.
        self.steps = Steps(self._actions)
        self.across.addWidget(self.steps)
        for kind in PANELS:
            panel = kind(self._actions)
            yield True
            self.steps.add(panel)
            yield True
        self.views = ViewArea(self._actions)
        yield True
        self.trail = LineageBar(self._actions, self.views)
        centre = QWidget()
        vbox(self.trail, (self.views, 1), into=centre, gap=0, margins=0)
        self.across.addWidget(centre)
        self.across.setStretchFactor(1, 1)
        self.across.setSizes([STEPS_WIDTH, VIEWS_WIDTH])
        yield True
        self.panel = SelectionPanel(self._actions)
        self.across.addWidget(self.panel)
        self.panel.least_changed.connect(self._fit_views)
        yield True
        self.runs = RunsStrip(self._actions)
        self._down.addWidget(self.runs)
        self.runs.set_low(self.height() < LOW)
        self._explain()
        let_drops_through(self)
        self.is_built = True
        self._fit_views()
        self.built.emit()
        yield True

    def stops(self) -> Iterator[QWidget]:
        """Return the tab stops in visual order."""
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
        """Tell the views their maximum width, with the side parts at their minimum."""
        others = self.steps.minimumWidth() + self.panel.minimumWidth()
        self.views.fit_into(self.across.width() - others - 2 * self.across.handleWidth())

    def _explain(self) -> None:
        """Give every part a help text for F1."""
        texts = dict(GUIDE)
        for panel in self.steps.panels:
            panel.setWhatsThis(panel.whatsThis() or texts.get(panel.name, ""))
        self.views.setWhatsThis(texts["Read"])
        self.runs.setWhatsThis(texts["Runs"])
