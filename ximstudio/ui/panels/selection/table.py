"""Table of the selected items; only visible cells are formatted."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from PySide6.QtCore import (
    QAbstractTableModel,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from ximstudio.model.arrays import Ints
from ximstudio.model.matrix import Matrix
from ximstudio.model.selection import NOTHING, Combine, Selection
from ximstudio.model.words import grouped
from ximstudio.pictures.item_facts import FactColumn, ItemFacts
from ximstudio.ui.widgets.boxes import hbox, vbox
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import ButtonKind, Size, button, label
from ximstudio.ui.widgets.look.fonts import Text, font

Index = QModelIndex | QPersistentModelIndex
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RISING = Qt.SortOrder.AscendingOrder
NONE = np.empty(0, dtype=np.int64)
ROW = 24
LEAST_COLUMN, MOST_COLUMN = 56, 180
LEAST_NAME, MOST_NAME = 108, 240
MEASURED_ROWS = 60
"""Number of rows that column widths are computed from; measuring all would take seconds."""
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
REMOVE = (Qt.Key.Key_Delete, Qt.Key.Key_Backspace)


class ItemsModel(QAbstractTableModel):
    """Model whose rows are the selected items, sorted by a column, and whose columns are facts.

    Selected items that are not in the current table, such as those of another map, have no row.
    """

    order_wanted = Signal(object)
    """The order of a Column is needed and not known yet; compute it in the background."""

    def __init__(self) -> None:
        super().__init__()
        self._facts: ItemFacts | None = None
        self._selection = NOTHING
        self.items: Ints = NONE
        """The numbers of the items, by row."""
        self.by = ""
        """Key of the sort column; '' for the order of the table."""
        self._falling = False

    @property
    def matrix(self) -> Matrix | None:
        """The table of the items."""
        return None if self._facts is None else self._facts.matrix

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of all columns."""
        return () if self._facts is None else tuple(each.key for each in self._facts.columns)

    @property
    def ids(self) -> list[str]:
        """The ids of the items, by row."""
        return self.ids_of(self.items)

    def ids_of(self, items: Ints) -> list[str]:
        """Return the ids of items by their numbers."""
        if self._facts is None:
            return []
        names = self._facts.matrix.item_ids
        return [names[number] for number in items.tolist()]

    def show_facts(self, facts: ItemFacts | None) -> None:
        """Show facts about the items of a table."""
        self.beginResetModel()
        self._facts = facts
        if facts is None or facts.column(self.by) is None:
            self.by, self._falling = "", False
        self._fill()
        self.endResetModel()

    def show_selection(self, selection: Selection) -> bool:
        """Show these items as rows; return whether they changed."""
        if selection == self._selection:
            return False
        self.beginResetModel()
        self._selection = selection
        self._fill()
        self.endResetModel()
        return True

    def sort(self, column: int, order: Qt.SortOrder = RISING) -> None:
        """Sort the rows by a column, or by none (−1) as in the table, as soon as the order is
        known.
        """
        if self._facts is None or column >= len(self._facts.columns):
            return
        self.by = self._facts.columns[column].key if column >= 0 else ""
        self._falling = order != RISING
        chosen = self._column
        if chosen is not None and not chosen.is_placed:
            self.order_wanted.emit(chosen)
            return
        self.sort_again()

    def sort_again(self) -> None:
        """Sort again with the requested order, which may be known now."""
        self.layoutAboutToBeChanged.emit()
        before = self.persistentIndexList()
        items = self.items[[index.row() for index in before]] if before else NONE
        self._fill()
        rows = {item: row for row, item in enumerate(self.items.tolist())} if before else {}
        after = [
            self.index(rows[item], index.column())
            for item, index in zip(items.tolist(), before, strict=True)
        ]
        self.changePersistentIndexList(before, after)
        self.layoutChanged.emit()

    @property
    def _column(self) -> FactColumn | None:
        return None if self._facts is None else self._facts.column(self.by)

    def _fill(self) -> None:
        if self._facts is None:
            self.items = NONE
            return
        self.items = np.flatnonzero(self._selection.mask(self._facts.matrix.item_ids))
        column = self._column
        if column is not None and column.is_placed:
            self.items = column.ordered(self.items, falling=self._falling)

    # Qt's interface

    def rowCount(self, parent: Index | None = None) -> int:  # noqa: N802  (Qt's name)
        del parent
        return len(self.items)

    def columnCount(self, parent: Index | None = None) -> int:  # noqa: N802  (Qt's name)
        del parent
        return 0 if self._facts is None else len(self._facts.columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if self._facts is None:
            return None
        column = self._facts.columns[index.column()]
        found: Any = None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            text = column.text(int(self.items[index.row()]))
            found = text if role == Qt.ItemDataRole.DisplayRole else tip_of(column, text)
        elif role == Qt.ItemDataRole.TextAlignmentRole:
            found = RIGHT if column.is_number else LEFT
        elif role == Qt.ItemDataRole.FontRole:
            found = font(Text.SMALL, tabular=column.is_number)
        return found

    def headerData(  # noqa: N802  (Qt's name)
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if self._facts is None or orientation != Qt.Orientation.Horizontal:
            return None
        column = self._facts.columns[section]
        found: Any = None
        if role == Qt.ItemDataRole.DisplayRole:
            found = column.name
        elif role == Qt.ItemDataRole.ToolTipRole:
            found = "\n".join(filter(None, (column.about or column.name, "Click to sort.")))
        elif role == Qt.ItemDataRole.TextAlignmentRole:
            found = RIGHT if column.is_number else LEFT
        return found


def tip_of(column: FactColumn, text: str) -> str:
    """Return the full text of a cell with the name of its column."""
    return f"{column.name}: {text}" if text else ""


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
        link = partial(button, kind=ButtonKind.LINK, size=Size.SMALL)
        self.keep = link("Keep only", tip="Keep only the marked rows in the selection (Enter)")
        self.drop = link("Remove", tip="Remove the marked rows from the selection (Del)")
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
