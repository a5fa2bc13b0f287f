"""Selection panel on the right of the window; it can be collapsed to a strip."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QSplitter, QStackedWidget, QWidget

from ximstudio.model.words import grouped, plural
from ximstudio.ui.actions.actions import Actions
from ximstudio.ui.panels.selection.selection_page import SelectionPage, tab_bar
from ximstudio.ui.panels.selection.sets_page import SetsPage
from ximstudio.ui.widgets.boxes import STRETCH, hbox, vbox
from ximstudio.ui.widgets.focus import stops
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import Size, label, line, tool_button
from ximstudio.ui.widgets.slices import EventLoopSlices

WIDTH, LEAST_WIDTH, MOST_WIDTH = 300, 260, 640
ENOUGH = 440
"""Minimum width of the views when the panel opens by itself."""
CHOSEN, SETS = 0, 1
STRIP_WIDTH = 40
THOUSANDS = 10_000
"""From this number on, only thousands are shown."""


class SelectionPanel(QFrame):
    """Panel with two pages, the selection and the sets.

    It opens by itself at the first selection, unless the user has collapsed it before or the views
    would become too narrow.
    """

    least_changed = Signal()
    """The minimum width has changed: the panel was hidden or shown."""
    folded = Signal(bool)
    """The user has hidden or shown the panel."""
    announced = Signal(str)
    """An action that does not change the session, as a text for the user."""

    def __init__(self, actions: Actions) -> None:
        super().__init__()
        self.setProperty("kind", "panel")
        self.setWhatsThis(
            "The selection, in whichever view you made it: members, profiles and statistics. "
            "Sets store a selection under a name."
        )
        self._actions = actions
        self._decided = False
        self._slices = EventLoopSlices(self)
        self.strip = CollapsedStrip()
        self.chosen, self.sets = SelectionPage(actions), SetsPage(actions)
        self.tabs = tab_bar("Selection", "Sets", about="Selection or sets")
        self.fold = tool_button("chevron-right", tip="Hide this panel", size=Size.SMALL)
        self._pages = QStackedWidget()
        self._pages.addWidget(self.chosen)
        self._pages.addWidget(self.sets)
        self._body = QWidget()
        self._lay_out()
        self.tabs.currentChanged.connect(self._turn)
        self.fold.clicked.connect(lambda: self._decide(folded=True))
        self.strip.open_wanted.connect(lambda: self._decide(folded=False))
        self.chosen.announced.connect(self.announced)
        self.sets.announced.connect(self.announced)
        self.sets.save_wanted.connect(self.chosen.save_as_set)
        actions.store.changed.connect(self.show_session)
        self._fold(folded=True)
        self.show_session()

    def _lay_out(self) -> None:
        top = hbox((self.tabs, 1), self.fold, margins=(spacing.HAIR, 0, spacing.SMALL, 0))
        vbox(top, line(), (self._pages, 1), into=self._body, gap=0, margins=0)
        hbox((self.strip, Qt.AlignmentFlag.AlignTop), (self._body, 1), into=self, gap=0, margins=0)

    @property
    def is_folded(self) -> bool:
        return self._body.isHidden()

    def show_folded(self, folded: bool) -> None:
        """Collapse or expand as the user chose; from now on it does not open by itself."""
        self._decided = True
        self._fold(folded=folded)

    def show_session(self) -> None:
        """Show the size of the selection; open at the first one."""
        session = self._actions.session
        n_chosen = self._actions.selecting.n_here
        self.strip.show_count(n_chosen, self._actions.inspector.words.item)
        self.tabs.setTabText(SETS, f"Sets  {len(session.sets)}" if session.sets else "Sets")
        if n_chosen:
            # Queued: the views become narrower and are drawn again.
            self._slices.schedule(self._open)
        else:
            self._slices.cancel()

    def _open(self) -> None:
        """Open unless the user decided otherwise or there is no room."""
        if not self._decided and self.is_folded and self._has_room:
            self._fold(folded=False)

    def stops(self) -> Iterator[QWidget]:
        """Return the tab stops in visual order."""
        if self.is_folded:
            yield from stops(self.strip)
            return
        yield self.tabs
        yield self.fold
        yield from self.chosen.stops() if self.tabs.currentIndex() == CHOSEN else stops(self.sets)

    @property
    def _has_room(self) -> bool:
        """Return whether the views keep enough width."""
        around = self.parentWidget()
        if not isinstance(around, QSplitter) or around.count() < 3:
            return False
        return around.sizes()[1] - (WIDTH - STRIP_WIDTH) >= ENOUGH

    def _decide(self, *, folded: bool) -> None:
        self.show_folded(folded)
        (self.strip.open if folded else self.fold).setFocus()
        self.folded.emit(folded)

    def _fold(self, *, folded: bool) -> None:
        if folded is self.is_folded and self.strip.isHidden() is not folded:
            return
        self._body.setVisible(not folded)
        self.strip.setVisible(folded)
        self.setMinimumWidth(STRIP_WIDTH if folded else LEAST_WIDTH)
        self.setMaximumWidth(STRIP_WIDTH if folded else MOST_WIDTH)
        self.least_changed.emit()
        around = self.parentWidget()
        if isinstance(around, QSplitter):
            self._share(around, STRIP_WIDTH if folded else WIDTH)
        self._look()

    def _share(self, around: QSplitter, wanted: int) -> None:
        """Take the width from the views, or give it back to them."""
        sizes = around.sizes()
        mine = around.indexOf(self)
        sizes[mine - 1] += sizes[mine] - wanted
        sizes[mine] = wanted
        around.setSizes(sizes)

    def _turn(self, page: int) -> None:
        self._pages.setCurrentIndex(page)
        self._look()

    def _look(self) -> None:
        """Compute details of the selection in the background while the panel is visible."""
        seen = self.isVisible() and not self.is_folded and self.tabs.currentIndex() == CHOSEN
        self._actions.inspector.want_insight(seen)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802  (Qt's name)
        super().showEvent(event)
        self._look()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802  (Qt's name)
        super().hideEvent(event)
        self._look()


class CollapsedStrip(QWidget):
    """Narrow column with an expand button and the size of the selection."""

    open_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setFixedWidth(STRIP_WIDTH)
        self.open = tool_button("chevron-left", tip="Show the selection", size=Size.SMALL)
        self.count = label(kind="badge", tone="accent")
        self.count.setAlignment(Qt.AlignmentFlag.AlignCenter)
        middle = Qt.AlignmentFlag.AlignHCenter
        vbox(
            (self.open, middle),
            (self.count, middle),
            STRETCH,
            into=self,
            gap=spacing.SMALL,
            margins=(0, spacing.HAIR, 0, 0),
        )
        self.open.clicked.connect(self.open_wanted)
        self.show_count(0, "")

    def show_count(self, n_chosen: int, word: str) -> None:
        """Show the size of the selection; nothing if it is empty."""
        few = n_chosen < THOUSANDS
        self.count.setText(f"{n_chosen}" if few else f"{n_chosen // 1000}k")
        text = f"{grouped(n_chosen)} {plural(n_chosen, word)} selected"
        self.count.setToolTip(text)
        self.count.setVisible(n_chosen > 0)
        tip = f"Show the selection: {text}" if n_chosen else "Show selection and sets"
        self.open.setToolTip(tip)
        self.open.setAccessibleName(tip)
