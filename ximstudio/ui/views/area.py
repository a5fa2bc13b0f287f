"""The centre of the window: one, two or four panes, each with a view of its own."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QSplitter,
    QStackedWidget,
    QTabBar,
    QVBoxLayout,
    QWidget,
)

from ximstudio.session.shown import Pictures
from ximstudio.ui.look import spacing
from ximstudio.ui.look.controls import segments
from ximstudio.ui.look.icons import icon
from ximstudio.ui.studio import Studio
from ximstudio.ui.views import VIEWS, View

SPLITS = {"1": "split-1", "2": "split-2", "4": "split-4"}


class Pane(QFrame):
    """A row of tabs and the view that is chosen among them."""

    def __init__(self, key: str, first: int) -> None:
        super().__init__()
        self._key = key
        self.views: tuple[View, ...] = tuple(view() for view in VIEWS)
        self.tabs = QTabBar()
        self.tabs.setExpanding(False)
        self.tabs.setDrawBase(False)
        self._stack = QStackedWidget()
        for view in self.views:
            self.tabs.addTab(icon(view.icon), view.name)
            self.tabs.setTabToolTip(self.tabs.count() - 1, view.about)
            self._stack.addWidget(view)
            view.asked.connect(self.show_view)
        self.head = QHBoxLayout()
        self.head.setContentsMargins(spacing.SMALL, 0, spacing.SMALL, 0)
        self.head.addWidget(self.tabs)
        self.head.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(self.head)
        layout.addWidget(self._stack, 1)
        self.tabs.currentChanged.connect(self._stack.setCurrentIndex)
        self.tabs.setCurrentIndex(first)

    @property
    def view(self) -> View:
        """The view that is seen."""
        return self.views[self._stack.currentIndex()]

    @property
    def key(self) -> str:
        """Of what is seen here: a picture for the view that was seen before is not for this one."""
        return f"{self._key}, {self.view.key}"

    def show_view(self, key: str) -> None:
        """Show the view with this key."""
        self.tabs.setCurrentIndex([view.key for view in self.views].index(key))


class ViewArea(QWidget):
    """Panes side by side; asks the studio for what their views wish to show."""

    def __init__(self, studio: Studio) -> None:
        super().__init__()
        self._studio = studio
        self.panes = tuple(Pane(f"pane {number}", number % len(VIEWS)) for number in range(4))
        self.split = segments(SPLITS, chosen="1")
        self.panes[0].head.addWidget(self.split)
        upper, lower = QSplitter(), QSplitter()
        for number, pane in enumerate(self.panes):
            (upper if number < 2 else lower).addWidget(pane)
            pane.tabs.currentChanged.connect(self._wish)
            for view in pane.views:
                view.wanted.connect(self._wish)
        self._rows = QSplitter(Qt.Orientation.Vertical)
        self._rows.addWidget(upper)
        self._rows.addWidget(lower)
        self._lower = lower
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._rows)
        studio.drawn.connect(self.draw)
        self.split.chosen.connect(self.show_panes)
        self.show_panes("1")

    def show_panes(self, number: str) -> None:
        """Show one, two or four panes."""
        for place, pane in enumerate(self.panes):
            pane.setVisible(place < int(number))
        self._lower.setVisible(number == "4")
        self._wish()

    def draw(self, pictures: Pictures) -> None:
        """Hand every visible view what was made for it."""
        for pane in self._seen:
            if pane.key in pictures:
                pane.view.draw(pictures[pane.key])
            elif not pictures:
                pane.view.draw_nothing()

    @property
    def _seen(self) -> tuple[Pane, ...]:
        return tuple(pane for pane in self.panes if not pane.isHidden())

    def _wish(self) -> None:
        self._studio.wish({pane.key: pane.view.wish() for pane in self._seen})
