"""The table of measures: name, meaning, and value for every run."""

from __future__ import annotations

from html import escape
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QRect, Qt
from PySide6.QtGui import QColor, QFont, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

from ximstudio.pictures.measure_table import MeasureRow, MeasureTable, value_text
from ximstudio.pictures.ticks import number_text
from ximstudio.ui.widgets.drawing.guard import guarded, saved
from ximstudio.ui.widgets.look.fonts import Text, font
from ximstudio.ui.widgets.look.theme import the_theme

Index = QModelIndex | QPersistentModelIndex
ROW = 28
LEAST_COLUMN, MOST_COLUMN = 84, 150
BETTER = {"↑": "Higher is better.", "↓": "Lower is better.", "": "No direction is better."}
ALIGNED = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class MeasuresTable(QTableView):
    """Names of measures stay on the left; runs are columns, the one on display highlighted."""

    def __init__(self) -> None:
        super().__init__()
        self._model = _Model()
        self.setModel(self._model)
        self.setItemDelegate(_Cell(self))
        self.setHorizontalHeader(_Runs(Qt.Orientation.Horizontal, self))
        self.setShowGrid(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setAccessibleName("Measures")
        names, runs = self.verticalHeader(), self.horizontalHeader()
        names.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        names.setDefaultSectionSize(ROW)
        names.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        runs.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        runs.setMinimumSectionSize(LEAST_COLUMN)
        runs.setMaximumSectionSize(MOST_COLUMN)
        runs.setDefaultAlignment(ALIGNED)
        runs.setTextElideMode(Qt.TextElideMode.ElideRight)
        the_theme().follow(self._model.recolour)

    @property
    def needed_width(self) -> int:
        """Width of the names and all runs, in pixels."""
        return self.verticalHeader().sizeHint().width() + self.horizontalHeader().length()

    @property
    def rows_height(self) -> int:
        """Height of all rows and the header, in pixels."""
        return ROW * self._model.rowCount() + self.horizontalHeader().sizeHint().height() + 2

    def show_table(self, table: MeasureTable, shown: str) -> None:
        """Show these measures, and highlight the run with this key."""
        self._model.fill(table, shown)


class _Model(QAbstractTableModel):
    def __init__(self) -> None:
        super().__init__()
        self._table: MeasureTable | None = None
        self._shown = ""
        self._texts: tuple[tuple[str, ...], ...] = ()
        """Cache by row and column: Qt asks for each cell ten times before it is shown."""
        self._plain, self._bold = (
            font(Text.SMALL, weight=weight, tabular=True)
            for weight in (QFont.Weight.Normal, QFont.Weight.Bold)
        )

    def fill(self, table: MeasureTable, shown: str) -> None:
        self.beginResetModel()
        self._table, self._shown = table, shown
        self._texts = tuple(
            tuple(value_text(table, row, column) for column in range(len(table.names)))
            for row in range(len(table.rows))
        )
        self.endResetModel()

    def is_shown(self, column: int) -> bool:
        """Return whether this is the run on display."""
        return self._table is not None and self._table.keys[column] == self._shown

    def recolour(self) -> None:
        if self._table is not None and self._table.rows:
            last = self.index(self.rowCount() - 1, self.columnCount() - 1)
            self.dataChanged.emit(self.index(0, 0), last)

    def rowCount(self, _: Index | None = None) -> int:  # noqa: N802  (Qt's name)
        return 0 if self._table is None else len(self._table.rows)

    def columnCount(self, _: Index | None = None) -> int:  # noqa: N802  (Qt's name)
        return 0 if self._table is None else len(self._table.names)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        table, row, column = self._table, index.row(), index.column()
        if table is None:
            return None
        found: Any = None
        if role == Qt.ItemDataRole.DisplayRole:
            found = self._texts[row][column]
        elif role == Qt.ItemDataRole.TextAlignmentRole:
            found = ALIGNED
        elif role == Qt.ItemDataRole.FontRole:
            found = self._bold if table.best[row, column] else self._plain
        elif role == Qt.ItemDataRole.ToolTipRole:
            error = 0.0 if table.repeats else float(table.errors[row, column])
            found = tool_tip(table.rows[row], error)
        return found

    def headerData(  # noqa: N802  (Qt's name)
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        table = self._table
        if table is None:
            return None
        if orientation == Qt.Orientation.Horizontal:
            texts = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole)
            return table.names[section] if role in texts else None
        row = table.rows[section]
        if role == Qt.ItemDataRole.DisplayRole:
            # An en space keeps names aligned without an arrow.
            return f"{row.arrow or chr(0x2003)} {row.title}"
        return tool_tip(row) if role == Qt.ItemDataRole.ToolTipRole else None


class _Cell(QStyledItemDelegate):
    """Tints the column of the run on display; style sheets ignore the model's colours."""

    @guarded
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        model = index.model()
        assert isinstance(model, _Model)
        if model.is_shown(index.column()):
            painter.fillRect(option.rect, QColor(the_theme().colours.accent_soft))
        super().paint(painter, option, index)


class _Runs(QHeaderView):
    """Underlines the run on display."""

    @guarded
    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:  # noqa: N802
        with saved(painter):
            super().paintSection(painter, rect, section)
        model = self.model()
        if isinstance(model, _Model) and model.is_shown(section):
            line = QRect(rect.left(), rect.bottom() - 1, rect.width(), 2)
            painter.fillRect(line, QColor(the_theme().colours.accent))


def tool_tip(row: MeasureRow, error: float = 0.0) -> str:
    """Meaning, definition, reference and, for a value, its error."""
    parts = [row.meaning, row.definition, f"{BETTER[row.arrow]} {row.reference}"]
    if error and np.isfinite(error):
        parts.append(f"Estimated from a sample, ± {number_text(error, digits=1)}.")
    text = "".join(f"<p>{escape(part)}</p>" for part in parts)
    return f"<p><b>{escape(row.title)}</b></p>{text}"
