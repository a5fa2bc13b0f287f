"""Page of the selection: count with buttons, table, profiles and statistics."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QMenu,
    QSplitter,
    QStackedWidget,
    QTabBar,
    QToolButton,
    QWidget,
)

from ximstudio.model.named_set import free_name
from ximstudio.model.words import counted, grouped, plural
from ximstudio.ui.actions.actions import Actions
from ximstudio.ui.panels.selection.insight import ProfilePlot, StatisticsPage
from ximstudio.ui.panels.selection.sets_dialogs import SetNameDialog, ask_name
from ximstudio.ui.panels.selection.table import ItemsTable
from ximstudio.ui.widgets.boxes import hbox, vbox
from ximstudio.ui.widgets.elided import Elided
from ximstudio.ui.widgets.focus import stops
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import Size, label, tool_button
from ximstudio.ui.widgets.look.icons import icon

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
        self.head = SelectionHeader(actions)
        self.table = ItemsTable()
        self.profiles, self.statistics = ProfilePlot(), StatisticsPage()
        self.tabs = tab_bar("Profiles", "Statistics", about="Below the table")
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
        head.copy.clicked.connect(lambda: self.copy_names(self.table.model.ids))
        head.export.clicked.connect(self.export_wanted)
        head.save.clicked.connect(self.save_as_set)
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
        self.head.show_session()
        self.table.show_selection(session.selection)
        nothing = f"No {words.items} are selected."
        if session.selection:
            chosen = plural(2, self._actions.selecting.chosen_word)
            nothing = f"None of the selected {chosen} is on this map."
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
            then=self._actions.selecting.save_set,
        )

    def _show_facts(self) -> None:
        self.table.show_facts(self._actions.inspector.facts)
        self.show_session()

    def _show_insight(self) -> None:
        insight = self._actions.inspector.insight
        self.profiles.show_insight(insight)
        self.statistics.show_insight(insight)


class SelectionHeader(QWidget):
    """Header with the size of the selection and buttons."""

    def __init__(self, actions: Actions) -> None:
        super().__init__()
        self._actions = actions
        self.count = Elided(kind="title")
        self.of = Elided(kind="muted")
        self.copy = tool_button("copy", tip="Copy names", size=Size.SMALL)
        self.export = tool_button("export", tip="Export as a table…", size=Size.SMALL)
        self.save = tool_button("save", tip="Save as a set…", size=Size.SMALL)
        clear = "Clear the selection (Ctrl+Shift+A)"
        self.clear = tool_button("deselect", tip=clear, size=Size.SMALL)
        self.more = tool_button("more", tip="More actions for the selection", size=Size.SMALL)
        menu = QMenu(self)
        self._all = menu.addAction("Select all")
        self._invert = menu.addAction("Invert the selection")
        self._before = menu.addAction(icon("undo"), "Previous selection")
        self.more.setMenu(menu)
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        hbox(
            self.count,
            (self.of, 1),
            self.copy,
            self.export,
            self.save,
            self.clear,
            self.more,
            into=self,
            gap=spacing.HAIR,
            margins=(spacing.MEDIUM, spacing.SMALL, spacing.SMALL, spacing.HAIR),
        )
        self.clear.clicked.connect(actions.selecting.clear)
        self._all.triggered.connect(actions.selecting.select_all)
        self._invert.triggered.connect(actions.selecting.invert)
        self._before.triggered.connect(actions.selecting.select_before)

    def show_session(self) -> None:
        """Show how many items are selected: on the map, of how many, and elsewhere."""
        session, selecting = self._actions.session, self._actions.selecting
        word, n_here, n_all = (
            self._actions.inspector.words.item,
            selecting.n_here,
            len(selecting.item_ids),
        )
        n_chosen, n_before = len(session.selection), len(session.selection_before)
        n_elsewhere = n_chosen - n_here
        self.count.show_text(counted(n_here, word))
        of_all = f"of {grouped(n_all)}" if n_all else ""
        others = f"{grouped(n_elsewhere)} not on this map" if n_elsewhere else ""
        elsewhere = counted(n_elsewhere, selecting.chosen_word)
        tip = f"Selected, but not on this map: {elsewhere}" if others else ""
        self.of.show_text(", ".join(filter(None, (of_all, others))), tip=tip)
        for made in (self.copy, self.export):
            made.setEnabled(n_here > 0)
        for made in (self.save, self.clear):
            made.setEnabled(n_chosen > 0)
        self._all.setEnabled(n_here < n_all)
        self._invert.setEnabled(n_all > 0)
        self._before.setEnabled(n_before > 0 or n_chosen > 0)
        before = f": {counted(n_before, word)}" if n_before else ""
        self._before.setText(f"Previous selection{before}")


def tab_bar(*names: str, about: str) -> QTabBar:
    """Return a bar of tabs with these names; `about` is for screen readers."""
    made = QTabBar()
    made.setExpanding(False)
    made.setDrawBase(False)
    made.setAccessibleName(about)
    for name in names:
        made.addTab(name)
    return made
