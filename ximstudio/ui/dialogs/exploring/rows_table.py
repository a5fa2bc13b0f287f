"""Sortable table for any number of rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPixmap
from PySide6.QtWidgets import QAbstractItemView, QApplication, QHeaderView, QTableView

from ximstudio.model.arrays import Floats, Ints
from ximstudio.pictures.ticks import number_text
from ximstudio.ui.actions.selection import combine_of
from ximstudio.ui.widgets.look.fonts import Text, font
from ximstudio.ui.widgets.look.theme import the_theme

Index = QModelIndex | QPersistentModelIndex
ROW = 28
DOT = 10
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter

WRITTEN = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole)


@dataclass(frozen=True, kw_only=True, eq=False)
class RowsColumn:
    """One column of a table.

    Parameters
    ----------
    name
        Header.
    texts
        A text per row; None for a column of numbers.
    numbers
        Sort keys; None sorts by the texts.
    colours
        A colour per row as "#rrggbb", shown as a dot before the text, '' for none.
    editable
        Whether the user may edit the texts.
    wide
        Whether it takes the remaining width.
    """

    name: str
    texts: Sequence[str] | None = None
    numbers: Floats | Ints | None = None
    colours: Sequence[str] = ()
    editable: bool = False
    wide: bool = False

    def text(self, row: int) -> str:
        """Return the text of a row."""
        if self.texts is not None:
            return self.texts[row]
        assert self.numbers is not None
        number = self.numbers[row]
        if np.issubdtype(self.numbers.dtype, np.integer):
            return str(int(number))
        return number_text(float(number))

    def order(self) -> Ints:
        """Return the rows in ascending order; rows without a number come last."""
        if self.numbers is not None:
            return np.argsort(self.numbers, kind="stable")
        assert self.texts is not None
        return np.argsort(
            np.array([text.casefold() for text in self.texts], dtype=object), kind="stable"
        )


class RowsTable(QTableView):
    """Sortable table whose signals give row numbers in the original order.

    A click or Enter chooses a row; modifier keys say how it changes the selection.
    """

    chosen = Signal(int, object)
    """A row, and how it changes the selection (Combine)."""
    edited = Signal(int, str)
    """A row, and the text that the user typed."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.contents = _Model()
        # Queued: the slot may refill the table while Qt still closes the editor.
        self.contents.edited.connect(self.edited, Qt.ConnectionType.QueuedConnection)
        self.setModel(self.contents)
        self.setAccessibleName(name)
        self.setProperty("framed", "true")
        self.setShowGrid(False)
        self.setSortingEnabled(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(
            QAbstractItemView.EditTrigger.EditKeyPressed
            | QAbstractItemView.EditTrigger.DoubleClicked
        )
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultSectionSize(ROW)
        head = self.horizontalHeader()
        head.setHighlightSections(False)
        head.setSectionsClickable(True)
        head.sectionClicked.connect(self._sort)
        self.clicked.connect(self._choose)
        the_theme().follow(self.contents.recolour)

    def show_columns(self, columns: Sequence[RowsColumn]) -> None:
        """Replace the columns; rows are in the given order."""
        fresh = [each.name for each in columns] != [each.name for each in self.contents.columns]
        self.contents.fill(tuple(columns))
        self.horizontalHeader().setSortIndicatorShown(False)
        if not fresh:
            return
        head = self.horizontalHeader()
        for number, column in enumerate(columns):
            modes = QHeaderView.ResizeMode
            head.setSectionResizeMode(
                number, modes.Stretch if column.wide else modes.ResizeToContents
            )
        # Otherwise Qt measures a thousand rows.
        head.setResizeContentsPrecision(50)

    def sort(self, column: int, *, falling: bool = False) -> None:
        """Sort by a column."""
        self.contents.sort_by(column, falling=falling)
        order = Qt.SortOrder.DescendingOrder if falling else Qt.SortOrder.AscendingOrder
        head = self.horizontalHeader()
        head.setSortIndicatorShown(True)
        head.setSortIndicator(column, order)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802  (Qt's name)
        """Choose the current row with Enter."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if self.currentIndex().isValid() and self.state() != self.State.EditingState:
                self._emit(self.currentIndex(), event.modifiers())
            event.accept()
            return
        super().keyPressEvent(event)

    def _sort(self, column: int) -> None:
        falling = self.contents.sorted_by == (column, False)
        self.sort(column, falling=falling)

    def _choose(self, index: QModelIndex) -> None:
        self._emit(index, QApplication.keyboardModifiers())

    def _emit(self, index: QModelIndex, modifiers: Qt.KeyboardModifier) -> None:
        self.chosen.emit(int(self.contents.order[index.row()]), combine_of(modifiers))


class _Model(QAbstractTableModel):
    edited = Signal(int, str)

    def __init__(self) -> None:
        super().__init__()
        self.columns: tuple[RowsColumn, ...] = ()
        self.order: Ints = np.empty(0, dtype=np.int64)
        self.sorted_by: tuple[int, bool] | None = None

    def fill(self, columns: tuple[RowsColumn, ...]) -> None:
        self.beginResetModel()
        self.columns = columns
        first = columns[0] if columns else None
        given = () if first is None else first.texts if first.numbers is None else first.numbers
        self.order = np.arange(0 if given is None else len(given))
        self.sorted_by = None
        self.endResetModel()

    def sort_by(self, column: int, *, falling: bool) -> None:
        self.beginResetModel()
        order = self.columns[column].order()
        self.order = order[::-1] if falling else order
        self.sorted_by = (column, falling)
        self.endResetModel()

    def recolour(self) -> None:
        if len(self.order):
            last = self.index(self.rowCount() - 1, self.columnCount() - 1)
            self.dataChanged.emit(self.index(0, 0), last)

    def rowCount(self, parent: Index | None = None) -> int:  # noqa: N802  (Qt's name)
        del parent
        return len(self.order)

    def columnCount(self, parent: Index | None = None) -> int:  # noqa: N802  (Qt's name)
        del parent
        return len(self.columns)

    def flags(self, index: Index) -> Qt.ItemFlag:
        usual = super().flags(index)
        editable = index.isValid() and self.columns[index.column()].editable
        return usual | Qt.ItemFlag.ItemIsEditable if editable else usual

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        column, row = self.columns[index.column()], int(self.order[index.row()])
        found: Any = None
        is_text = column.texts is not None
        if role in WRITTEN or (is_text and role == Qt.ItemDataRole.ToolTipRole):
            found = column.text(row)
        elif role == Qt.ItemDataRole.TextAlignmentRole:
            found = LEFT if is_text else RIGHT
        elif role == Qt.ItemDataRole.FontRole:
            found = font(Text.SMALL, tabular=not is_text)
        elif role == Qt.ItemDataRole.DecorationRole and column.colours and column.colours[row]:
            found = _dot(column.colours[row])
        return found

    def setData(  # noqa: N802  (Qt's name)
        self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole
    ) -> bool:
        if role != Qt.ItemDataRole.EditRole or not self.columns[index.column()].editable:
            return False
        row, text = int(self.order[index.row()]), str(value).strip()
        if text and text != self.columns[index.column()].text(row):
            self.edited.emit(row, text)
        return True

    def headerData(  # noqa: N802  (Qt's name)
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal or section >= len(self.columns):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.columns[section].name
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return LEFT if self.columns[section].texts is not None else RIGHT
        return None


def _dot(colour: str) -> QPixmap:
    """Return a coloured disc."""
    ratio = 2
    picture = QPixmap(DOT * ratio, DOT * ratio)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colour))
    painter.drawEllipse(picture.rect())
    painter.end()
    picture.setDevicePixelRatio(ratio)
    return picture
