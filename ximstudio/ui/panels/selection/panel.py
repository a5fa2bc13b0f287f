"""The right of the window: what is chosen, and the sets; folded away to a strip if wanted."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QSplitter,
    QStackedWidget,
    QTabBar,
    QVBoxLayout,
    QWidget,
)

from ximstudio.ui.look import spacing
from ximstudio.ui.look.controls import Size, line, tool_button
from ximstudio.ui.selection.chosen_page import ChosenPage
from ximstudio.ui.selection.sets_page import SetsPage
from ximstudio.ui.selection.strip import WIDTH as STRIP_WIDTH
from ximstudio.ui.selection.strip import Strip
from ximstudio.ui.studio import Studio
from ximstudio.ui.tab_order import stops
from ximstudio.ui.turns import Turns

WIDTH, LEAST_WIDTH, MOST_WIDTH = 300, 260, 640
ENOUGH = 440
"""Width that the views keep when the panel opens by itself."""
CHOSEN, SETS = 0, 1


class SelectionPanel(QFrame):
    """Two pages: the selection and the sets.

    It opens by itself when something is chosen for the first time, unless a person has folded it
    away once or the views would get too narrow.
    """

    least_changed = Signal()
    """Its least width is another one: it was folded away, or opened."""
    folded = Signal(bool)
    """A person has folded it away, or opened it."""
    told = Signal(str)
    """Something was done that changes nothing in the session: what, for people."""

    def __init__(self, studio: Studio) -> None:
        super().__init__()
        self.setProperty("kind", "panel")
        self.setWhatsThis(
            "What is chosen, in whatever view that was done: which ones, how they behave, and what"
            " they have in common. Sets keep a selection under a name."
        )
        self._studio = studio
        self._decided = False
        self._turns = Turns(self)
        self.strip = Strip()
        self.chosen, self.sets = ChosenPage(studio), SetsPage(studio)
        self.tabs = QTabBar()
        self.tabs.setExpanding(False)
        self.tabs.setDrawBase(False)
        self.tabs.setAccessibleName("Selection or sets")
        for name in ("Selection", "Sets"):
            self.tabs.addTab(name)
        self.fold = tool_button("chevron-right", tip="Fold this away", size=Size.SMALL)
        self._pages = QStackedWidget()
        self._pages.addWidget(self.chosen)
        self._pages.addWidget(self.sets)
        self._body = QWidget()
        self._lay_out()
        self.tabs.currentChanged.connect(self._turn)
        self.fold.clicked.connect(lambda: self._decide(folded=True))
        self.strip.open_wanted.connect(lambda: self._decide(folded=False))
        self.chosen.told.connect(self.told)
        self.sets.told.connect(self.told)
        self.sets.save_wanted.connect(self.chosen.save_as_set)
        studio.desk.changed.connect(self.show_session)
        self._fold(folded=True)
        self.show_session()

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.setContentsMargins(spacing.HAIR, 0, spacing.SMALL, 0)
        top.addWidget(self.tabs, 1)
        top.addWidget(self.fold)
        body = QVBoxLayout(self._body)
        body.setContentsMargins(0, 0, 0, 0)
        body.setSpacing(0)
        body.addLayout(top)
        body.addWidget(line())
        body.addWidget(self._pages, 1)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.strip, alignment=Qt.AlignmentFlag.AlignTop)
        row.addWidget(self._body, 1)

    @property
    def is_folded(self) -> bool:
        return self._body.isHidden()

    def show_folded(self, folded: bool) -> None:
        """Fold away or open as a person wanted it once; it does nothing by itself from now on."""
        self._decided = True
        self._fold(folded=folded)

    def show_page(self, number: int) -> None:
        """Open one of the pages."""
        self._fold(folded=False)
        self.tabs.setCurrentIndex(number)

    def show_session(self) -> None:
        """Show how much is chosen; open if that is new to a person."""
        session = self._studio.session
        n_chosen = self._studio.choosing.n_here
        self.strip.show_count(n_chosen, self._studio.inspecting.words.item)
        self.tabs.setTabText(SETS, f"Sets  {len(session.sets)}" if session.sets else "Sets")
        if n_chosen:
            # In turn: the views get narrower, and are drawn anew.
            self._turns.take(self._open)
        else:
            self._turns.take()

    def _open(self) -> None:
        """Open by itself, unless a person decided otherwise or there is no room."""
        if not self._decided and self.is_folded and self._has_room:
            self._fold(folded=False)

    def stops(self) -> Iterator[QWidget]:
        """What takes the keyboard, as it is seen."""
        if self.is_folded:
            yield from stops(self.strip)
            return
        yield self.tabs
        yield self.fold
        yield from self.chosen.stops() if self.tabs.currentIndex() == CHOSEN else stops(self.sets)

    @property
    def _has_room(self) -> bool:
        """Whether the views keep enough width beside it."""
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
        """Have the lane look closer at the selection while somebody sees it."""
        seen = self.isVisible() and not self.is_folded and self.tabs.currentIndex() == CHOSEN
        self._studio.inspecting.want_insight(seen)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802  (Qt's name)
        super().showEvent(event)
        self._look()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802  (Qt's name)
        super().hideEvent(event)
        self._look()
