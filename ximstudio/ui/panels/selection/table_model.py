"""Table model of the selected items; only visible cells are formatted."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal

from ximstudio.model.arrays import Ints
from ximstudio.model.matrix import Matrix
from ximstudio.model.selection import NOTHING, Selection
from ximstudio.pictures.item_facts import FactColumn, ItemFacts
from ximstudio.ui.widgets.look.fonts import Text, font

Index = QModelIndex | QPersistentModelIndex
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RISING = Qt.SortOrder.AscendingOrder
NONE = np.empty(0, dtype=np.int64)


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
        self._items = NONE
        self._by = ""
        self._falling = False

    @property
    def items(self) -> Ints:
        """The numbers of the items, by row."""
        return self._items

    @property
    def matrix(self) -> Matrix | None:
        """The table of the items."""
        return None if self._facts is None else self._facts.matrix

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of all columns."""
        return () if self._facts is None else tuple(each.key for each in self._facts.columns)

    @property
    def by(self) -> str:
        """Key of the sort column; '' for the order of the table."""
        return self._by

    @property
    def ids(self) -> list[str]:
        """The ids of the items, by row."""
        return self.ids_of(self._items)

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
        if facts is None or facts.column(self._by) is None:
            self._by, self._falling = "", False
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
        self._by = self._facts.columns[column].key if column >= 0 else ""
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
        items = self._items[[index.row() for index in before]] if before else NONE
        self._fill()
        rows = {item: row for row, item in enumerate(self._items.tolist())} if before else {}
        after = [
            self.index(rows[item], index.column())
            for item, index in zip(items.tolist(), before, strict=True)
        ]
        self.changePersistentIndexList(before, after)
        self.layoutChanged.emit()

    @property
    def _column(self) -> FactColumn | None:
        return None if self._facts is None else self._facts.column(self._by)

    def _fill(self) -> None:
        if self._facts is None:
            self._items = NONE
            return
        self._items = np.flatnonzero(self._selection.mask(self._facts.matrix.item_ids))
        column = self._column
        if column is not None and column.is_placed:
            self._items = column.ordered(self._items, falling=self._falling)

    # Qt's interface

    def rowCount(self, parent: Index | None = None) -> int:  # noqa: N802  (Qt's name)
        del parent
        return len(self._items)

    def columnCount(self, parent: Index | None = None) -> int:  # noqa: N802  (Qt's name)
        del parent
        return 0 if self._facts is None else len(self._facts.columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if self._facts is None:
            return None
        column = self._facts.columns[index.column()]
        found: Any = None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            text = column.text(int(self._items[index.row()]))
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
