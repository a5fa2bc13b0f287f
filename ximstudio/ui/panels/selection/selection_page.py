"""What is chosen: how many, which, how they behave, and what they have in common."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QSplitter,
    QStackedWidget,
    QTabBar,
    QVBoxLayout,
    QWidget,
)

from ximstudio.model.named_set import free_name
from ximstudio.model.words import counted, plural
from ximstudio.ui.look import spacing
from ximstudio.ui.look.controls import label
from ximstudio.ui.selection.head import Count, Head
from ximstudio.ui.selection.name_dialog import NameDialog, ask_name
from ximstudio.ui.selection.profile_plot import ProfilePlot
from ximstudio.ui.selection.statistics import Statistics
from ximstudio.ui.selection.table import ItemsTable
from ximstudio.ui.studio import Studio
from ximstudio.ui.tab_order import stops

UPPER, LOWER = 260, 240
"""How the height is shared at first: the table, and what is below it."""
PROFILES, STATISTICS = 0, 1


class ChosenPage(QWidget):
    """A head with buttons, the table, and below it profiles or statistics."""

    told = Signal(str)
    """Something was done that changes nothing in the session: what, for people."""
    export_wanted = Signal()
    """A person wants to take what is chosen along, as a table."""

    def __init__(self, studio: Studio) -> None:
        super().__init__()
        self._studio = studio
        self.head = Head()
        self.table = ItemsTable()
        self.profiles, self.statistics = ProfilePlot(), Statistics()
        self.tabs = QTabBar()
        self.tabs.setExpanding(False)
        self.tabs.setDrawBase(False)
        self.tabs.setAccessibleName("Below the table")
        for name in ("Profiles", "Statistics"):
            self.tabs.addTab(name)
        self._lower = QStackedWidget()
        self._lower.addWidget(self.profiles)
        self._lower.addWidget(self.statistics)
        self.hint = label(kind="muted")
        self.hint.setWordWrap(True)
        self.hint.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._stack = QStackedWidget()
        self._lay_out()
        self._connect()
        self.show_session()

    def _lay_out(self) -> None:
        lower = QFrame()
        lower.setProperty("kind", "panel")
        below = QVBoxLayout(lower)
        below.setContentsMargins(0, 0, 0, 0)
        below.setSpacing(0)
        below.addWidget(self.tabs)
        below.addWidget(self._lower, 1)
        both = QSplitter(Qt.Orientation.Vertical)
        both.setChildrenCollapsible(False)
        both.addWidget(self.table)
        both.addWidget(lower)
        both.setSizes([UPPER, LOWER])
        both.setStretchFactor(0, 1)
        self.hint.setContentsMargins(*([spacing.MEDIUM] * 4))
        self._stack.addWidget(both)
        self._stack.addWidget(self.hint)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addWidget(self._stack, 1)

    def _connect(self) -> None:
        studio, head = self._studio, self.head
        choosing, inspecting = studio.choosing, studio.inspecting
        head.copy_wanted.connect(lambda: self.copy_names(self.table.model.ids))
        head.export_wanted.connect(self.export_wanted)
        head.save_wanted.connect(self.save_as_set)
        head.clear_wanted.connect(choosing.clear)
        head.all_wanted.connect(choosing.select_all)
        head.invert_wanted.connect(choosing.invert)
        head.before_wanted.connect(choosing.select_before)
        self.table.chosen.connect(choosing.select)
        self.table.copy_wanted.connect(self.copy_names)
        self.table.model.order_wanted.connect(inspecting.want_order)
        self.tabs.currentChanged.connect(self._lower.setCurrentIndex)
        self.profiles.group_wanted.connect(inspecting.group_by)
        inspecting.ordered.connect(self.table.model.sort_again)
        inspecting.facts_changed.connect(self._show_facts)
        inspecting.insight_changed.connect(self._show_insight)
        studio.desk.changed.connect(self.show_session)

    def stops(self) -> Iterator[QWidget]:
        """What takes the keyboard, as it is seen; Tab does not know its way through splitters."""
        yield from stops(self.head)
        if self._stack.currentIndex() == 0:
            yield from stops(self.table)
            yield self.tabs
            yield from stops(self._lower.currentWidget())

    def show_session(self) -> None:
        """Show what is chosen."""
        session, words = self._studio.session, self._studio.inspecting.words
        n_here = self._studio.choosing.n_here
        self.head.show_count(
            Count(
                here=n_here,
                elsewhere=len(session.selection) - n_here,
                all=len(self._studio.choosing.item_ids),
                before=len(session.selection_before),
            ),
            words.item,
            elsewhere=self._studio.choosing.chosen_word,
        )
        self.table.show_selection(session.selection)
        chosen = plural(2, self._studio.choosing.chosen_word)
        nothing = (
            f"None of the chosen {chosen} is in what is shown."
            if session.selection
            else f"No {words.items} are chosen."
        )
        self.hint.setText(
            f"{nothing} Click a node, draw a rectangle or a lasso on the map, click a class in a"
            " legend, or find one by its name (Ctrl+F)."
        )
        self._stack.setCurrentIndex(0 if n_here else 1)

    def copy_names(self, ids: list[str]) -> None:
        """Put names on the clipboard, one per line: other programs take them as a column."""
        QApplication.clipboard().setText("\n".join(ids))
        copied = counted(len(ids), self._studio.inspecting.words.item)
        self.told.emit(f"Copied the names of {copied}")

    def save_as_set(self) -> NameDialog | None:
        """Ask for a name and keep what is chosen under it."""
        session = self._studio.session
        if not session.selection:
            return None
        chosen = counted(len(session.selection), self._studio.inspecting.words.item)
        return ask_name(
            self.window(),
            title="Save as a set",
            text=f"{chosen}, to be chosen again, coloured by and compared.",
            name=free_name(f"Set {len(session.sets) + 1}", session.sets),
            then=self._save,
        )

    def _save(self, name: str) -> None:
        self._studio.choosing.save_set(name)

    def _show_facts(self) -> None:
        self.table.show_facts(self._studio.inspecting.facts)
        self.show_session()

    def _show_insight(self) -> None:
        insight = self._studio.inspecting.insight
        self.profiles.show_insight(insight)
        self.statistics.show_insight(insight)
