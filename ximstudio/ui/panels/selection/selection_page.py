"""Page of the selection: count, table, profiles and statistics."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QSplitter,
    QStackedWidget,
    QTabBar,
    QWidget,
)

from ximstudio.model.named_set import free_name
from ximstudio.model.words import counted, plural
from ximstudio.ui.actions.actions import Actions
from ximstudio.ui.panels.selection.header import SelectionCount, SelectionHeader
from ximstudio.ui.panels.selection.name_dialog import SetNameDialog, ask_name
from ximstudio.ui.panels.selection.profile_plot import ProfilePlot
from ximstudio.ui.panels.selection.statistics import StatisticsPage
from ximstudio.ui.panels.selection.table import ItemsTable
from ximstudio.ui.widgets.boxes import vbox
from ximstudio.ui.widgets.focus import stops
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import label

UPPER, LOWER = 260, 240
"""Initial heights of the table and of the part below it."""
PROFILES, STATISTICS = 0, 1


class SelectionPage(QWidget):
    """Header with buttons, table, and below it profiles or statistics."""

    announced = Signal(str)
    """An action that does not change the session, as a text for the user."""
    export_wanted = Signal()
    """The user wants to export the selection as a table."""

    def __init__(self, actions: Actions) -> None:
        super().__init__()
        self._actions = actions
        self.head = SelectionHeader()
        self.table = ItemsTable()
        self.profiles, self.statistics = ProfilePlot(), StatisticsPage()
        self.tabs = QTabBar()
        self.tabs.setExpanding(False)
        self.tabs.setDrawBase(False)
        self.tabs.setAccessibleName("Below the table")
        for name in ("Profiles", "Statistics"):
            self.tabs.addTab(name)
        self._lower = QStackedWidget()
        self._lower.addWidget(self.profiles)
        self._lower.addWidget(self.statistics)
        self.hint = label(kind="muted", wrap=True)
        self.hint.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._stack = QStackedWidget()
        self._lay_out()
        self._connect()
        self.show_session()

    def _lay_out(self) -> None:
        lower = QFrame()
        lower.setProperty("kind", "panel")
        vbox(self.tabs, (self._lower, 1), into=lower, gap=0, margins=0)
        both = QSplitter(Qt.Orientation.Vertical)
        both.setChildrenCollapsible(False)
        both.addWidget(self.table)
        both.addWidget(lower)
        both.setSizes([UPPER, LOWER])
        both.setStretchFactor(0, 1)
        self.hint.setContentsMargins(*([spacing.MEDIUM] * 4))
        self._stack.addWidget(both)
        self._stack.addWidget(self.hint)
        vbox(self.head, (self._stack, 1), into=self, gap=0, margins=0)

    def _connect(self) -> None:
        actions, head = self._actions, self.head
        selecting, inspector = actions.selecting, actions.inspector
        head.copy_wanted.connect(lambda: self.copy_names(self.table.model.ids))
        head.export_wanted.connect(self.export_wanted)
        head.save_wanted.connect(self.save_as_set)
        head.clear_wanted.connect(selecting.clear)
        head.all_wanted.connect(selecting.select_all)
        head.invert_wanted.connect(selecting.invert)
        head.before_wanted.connect(selecting.select_before)
        self.table.chosen.connect(selecting.select)
        self.table.copy_wanted.connect(self.copy_names)
        self.table.model.order_wanted.connect(inspector.want_order)
        self.tabs.currentChanged.connect(self._lower.setCurrentIndex)
        self.profiles.group_wanted.connect(inspector.group_by)
        inspector.ordered.connect(self.table.model.sort_again)
        inspector.facts_changed.connect(self._show_facts)
        inspector.insight_changed.connect(self._show_insight)
        actions.store.changed.connect(self.show_session)

    def stops(self) -> Iterator[QWidget]:
        """Return the tab stops in visual order; Tab does not follow splitters."""
        yield from stops(self.head)
        if self._stack.currentIndex() == 0:
            yield from stops(self.table)
            yield self.tabs
            yield from stops(self._lower.currentWidget())

    def show_session(self) -> None:
        """Show the selection."""
        session, words = self._actions.session, self._actions.inspector.words
        n_here = self._actions.selecting.n_here
        self.head.show_count(
            SelectionCount(
                here=n_here,
                elsewhere=len(session.selection) - n_here,
                all=len(self._actions.selecting.item_ids),
                before=len(session.selection_before),
            ),
            words.item,
            elsewhere=self._actions.selecting.chosen_word,
        )
        self.table.show_selection(session.selection)
        chosen = plural(2, self._actions.selecting.chosen_word)
        nothing = (
            f"None of the selected {chosen} is on this map."
            if session.selection
            else f"No {words.items} are selected."
        )
        self.hint.setText(
            f"{nothing} Click a node, draw a rectangle or a lasso on the map, click a class "
            "in a legend, or search by name (Ctrl+F)."
        )
        self._stack.setCurrentIndex(0 if n_here else 1)

    def copy_names(self, ids: list[str]) -> None:
        """Copy names, one per line, so that spreadsheets paste them as a column."""
        QApplication.clipboard().setText("\n".join(ids))
        copied = counted(len(ids), self._actions.inspector.words.item)
        self.announced.emit(f"Copied the names of {copied}")

    def save_as_set(self) -> SetNameDialog | None:
        """Ask for a name and save the selection as a set."""
        session = self._actions.session
        if not session.selection:
            return None
        chosen = counted(len(session.selection), self._actions.inspector.words.item)
        return ask_name(
            self.window(),
            title="Save as a set",
            text=f"{chosen}. A set can be selected again, coloured by and compared.",
            name=free_name(f"Set {len(session.sets) + 1}", session.sets),
            then=self._save,
        )

    def _save(self, name: str) -> None:
        self._actions.selecting.save_set(name)

    def _show_facts(self) -> None:
        self.table.show_facts(self._actions.inspector.facts)
        self.show_session()

    def _show_insight(self) -> None:
        insight = self._actions.inspector.insight
        self.profiles.show_insight(insight)
        self.statistics.show_insight(insight)
