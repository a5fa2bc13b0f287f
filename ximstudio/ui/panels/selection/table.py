"""Table of the selected items."""

from __future__ import annotations

from PySide6.QtCore import QItemSelectionModel, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QTableView,
    QWidget,
)

from ximstudio.model.selection import Combine, Selection
from ximstudio.model.words import grouped
from ximstudio.pictures.item_facts import ItemFacts
from ximstudio.ui.panels.selection.table_model import RISING, ItemsModel
from ximstudio.ui.widgets.boxes import hbox, vbox
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import ButtonKind, Size, button, label

ROW = 24
LEAST_COLUMN, MOST_COLUMN = 56, 180
LEAST_NAME, MOST_NAME = 108, 240
MEASURED_ROWS = 60
"""Number of rows that column widths are computed from; measuring all would take seconds."""
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
REMOVE = (Qt.Key.Key_Delete, Qt.Key.Key_Backspace)


class ItemsTable(QWidget):
    """Sortable table whose marked rows can be kept in or removed from the selection."""

    chosen = Signal(object, object)
    """The user changes the selection: a Selection, and how it is combined (Combine)."""
    copy_wanted = Signal(object)
    """The user copies names: a list of them."""

    def __init__(self) -> None:
        super().__init__()
        self.model = ItemsModel()
        self.rows = _Rows(self.model)
        self.marked = label(kind="caption")
        self.keep = button(
            "Keep only",
            kind=ButtonKind.LINK,
            size=Size.SMALL,
            tip="Keep only the marked rows in the selection (Enter)",
        )
        self.drop = button(
            "Remove",
            kind=ButtonKind.LINK,
            size=Size.SMALL,
            tip="Remove the marked rows from the selection (Del)",
        )
        self._bar = QWidget()
        hbox(
            (self.marked, 1),
            self.keep,
            self.drop,
            into=self._bar,
            gap=spacing.MEDIUM,
            margins=(spacing.MEDIUM, 0, spacing.SMALL, 0),
        )
        vbox((self.rows, 1), self._bar, into=self, gap=0, margins=0)
        self._bar.hide()
        self.keep.clicked.connect(self.keep_marked)
        self.drop.clicked.connect(self.drop_marked)
        self.rows.kept.connect(self.keep_marked)
        self.rows.dropped.connect(self.drop_marked)
        self.rows.copied.connect(lambda: self.copy_wanted.emit(self.marked_ids or self.model.ids))
        self.rows.selectionModel().selectionChanged.connect(self._show_marked)
        self.model.modelReset.connect(self._show_marked)

    @property
    def marked_ids(self) -> list[str]:
        """The ids of the marked rows."""
        chosen = self.rows.selectionModel()
        items = self.model.items[[index.row() for index in chosen.selectedRows()]]
        return self.model.ids_of(items) if len(items) else []

    def show_facts(self, facts: ItemFacts | None) -> None:
        """Show facts about the items."""
        before = self.model.matrix
        self.model.show_facts(facts)
        self.rows.fit_columns(anew=self.model.matrix is not before)

    def show_selection(self, selection: Selection) -> None:
        """Show these items as rows."""
        first = not self.model.rowCount()
        if self.model.show_selection(selection):
            self.rows.fit_columns(anew=first)

    def keep_marked(self) -> None:
        """Keep only the marked rows in the selection."""
        self._choose(Combine.INTERSECT)

    def drop_marked(self) -> None:
        """Remove the marked rows from the selection."""
        self._choose(Combine.REMOVE)

    def _choose(self, how: Combine) -> None:
        ids = self.marked_ids
        if ids:
            self.chosen.emit(Selection.of(ids), how)

    def _show_marked(self) -> None:
        marked = self.rows.selectionModel().selection()
        # Ranges of rows; listing all rows would take too long.
        n_marked = sum(marked.at(number).height() for number in range(marked.count()))
        self.marked.setText(f"{grouped(n_marked)} marked")
        self._bar.setVisible(n_marked > 0)


class _Rows(QTableView):
    kept = Signal()
    dropped = Signal()
    copied = Signal()

    def __init__(self, model: ItemsModel) -> None:
        super().__init__()
        self._items = model
        self._widths: dict[str, int] = {}
        self._by_hand: dict[str, int] = {}
        self._fitting = False
        self.setModel(model)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        # Tab leaves the table; arrow keys walk in it.
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.setAccessibleName("Selected rows")
        self.setAccessibleDescription("Enter keeps only the marked rows, Delete removes them.")
        rows, heads = self.verticalHeader(), self.horizontalHeader()
        rows.hide()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setDefaultSectionSize(ROW)
        rows.setMinimumSectionSize(ROW)
        heads.setMinimumSectionSize(LEAST_COLUMN)
        heads.setMaximumSectionSize(2 * MOST_NAME)
        heads.setResizeContentsPrecision(MEASURED_ROWS)
        heads.setHighlightSections(False)
        heads.setSortIndicatorClearable(True)
        heads.setTextElideMode(Qt.TextElideMode.ElideRight)
        heads.setSortIndicator(-1, RISING)
        self.setSortingEnabled(True)
        heads.sectionResized.connect(self._take_width)

    def fit_columns(self, *, anew: bool) -> None:
        """Fit the widths of columns to their contents, within limits.

        Unless `anew`, existing columns keep their widths, and the column of names does not shrink.
        Widths set by the user always stay.
        """
        heads = self.horizontalHeader()
        if not self._items.by:
            heads.setSortIndicator(-1, RISING)
        if anew:
            self._widths.clear()
        self._fitting = True
        for number, key in enumerate(self._items.keys):
            if number == 0 or key not in self._widths:
                self._widths[key] = max(self._wanted(number), self._widths.get(key, 0))
            heads.resizeSection(number, self._by_hand.get(key, self._widths[key]))
        self._fitting = False

    def _wanted(self, number: int) -> int:
        """Return the width that a column needs for the visible rows."""
        least, most = (LEAST_COLUMN, MOST_COLUMN) if number else (LEAST_NAME, MOST_NAME)
        written = self.sizeHintForColumn(number)
        return min(max(written, self.horizontalHeader().sectionSizeHint(number), least), most)

    def _take_width(self, number: int, _: int, width: int) -> None:
        if not self._fitting and number < len(self._items.keys):
            self._by_hand[self._items.keys[number]] = width

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802  (Qt's name)
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copied.emit()
        elif event.key() in ENTER:
            self.kept.emit()
        elif event.key() in REMOVE:
            self.dropped.emit()
        elif event.key() == Qt.Key.Key_Space and self.currentIndex().isValid():
            flags = QItemSelectionModel.SelectionFlag
            self.selectionModel().select(self.currentIndex(), flags.Toggle | flags.Rows)
        else:
            super().keyPressEvent(event)
