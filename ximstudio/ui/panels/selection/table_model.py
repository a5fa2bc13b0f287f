"""The chosen items as rows: only what is seen is written, so that any number of them is quick."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal

from ximstudio.model.arrays import Ints
from ximstudio.model.matrix import Matrix
from ximstudio.model.selection import NOTHING, Selection
from ximstudio.ui.look.fonts import Text, font
from ximstudio.ui.selection.facts import Column, Facts

Index = QModelIndex | QPersistentModelIndex
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RISING = Qt.SortOrder.AscendingOrder
NONE = np.empty(0, dtype=np.int64)


class ItemsModel(QAbstractTableModel):
    """Rows are the chosen items in the order of a column; columns are what is known about them.

    Chosen items that the shown table does not have, such as those of another map, are no rows.
    """

    order_wanted = Signal(object)
    """A person wants the order of a Column that is not known yet: ask for it in the lane."""

    def __init__(self) -> None:
        super().__init__()
        self._facts: Facts | None = None
        self._selection = NOTHING
        self._items = NONE
        self._by = ""
        self._falling = False

    @property
    def items(self) -> Ints:
        """The numbers of the items, row by row."""
        return self._items

    @property
    def matrix(self) -> Matrix | None:
        """The table that the items are of."""
        return None if self._facts is None else self._facts.matrix

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of all columns."""
        return () if self._facts is None else tuple(each.key for each in self._facts.columns)

    @property
    def by(self) -> str:
        """Key of the column that rows are sorted by; '' for the order of the table."""
        return self._by

    @property
    def ids(self) -> list[str]:
        """The items, row by row."""
        return self.ids_of(self._items)

    def ids_of(self, items: Ints) -> list[str]:
        """The names of items by their numbers."""
        if self._facts is None:
            return []
        names = self._facts.matrix.item_ids
        return [names[number] for number in items.tolist()]

    def show_facts(self, facts: Facts | None) -> None:
        """Show what is known about the items of another table, or more about those of the same."""
        self.beginResetModel()
        self._facts = facts
        if facts is None or facts.column(self._by) is None:
            self._by, self._falling = "", False
        self._fill()
        self.endResetModel()

    def show_selection(self, selection: Selection) -> bool:
        """Let these items be the rows; whether they are others than before."""
        if selection == self._selection:
            return False
        self.beginResetModel()
        self._selection = selection
        self._fill()
        self.endResetModel()
        return True

    def sort(self, column: int, order: Qt.SortOrder = RISING) -> None:
        """Sort the rows by a column, or by none (−1) as in the table; at once if it can be."""
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
        """Sort the rows as they were to be sorted: the order may be known by now."""
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
    def _column(self) -> Column | None:
        return None if self._facts is None else self._facts.column(self._by)

    def _fill(self) -> None:
        if self._facts is None:
            self._items = NONE
            return
        self._items = np.flatnonzero(self._selection.mask(self._facts.matrix.item_ids))
        column = self._column
        if column is not None and column.is_placed:
            self._items = column.ordered(self._items, falling=self._falling)

    # What Qt asks

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


def tip_of(column: Column, text: str) -> str:
    """A cell in full, with what it is."""
    return f"{column.name}: {text}" if text else ""
