"""Preview of a file: the mapped side, cells tinted by what they are, and their legend."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QHeaderView,
    QMenu,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from ximstudio.load import Guess
from ximstudio.load.attempt import MOST_COLUMNS, MOST_ROWS, Preview
from ximstudio.model.words import counted
from ximstudio.session.words import COLUMN, ROW
from ximstudio.ui.widgets.boxes import hbox
from ximstudio.ui.widgets.drawing.guard import guarded, painting
from ximstudio.ui.widgets.elided import Elided
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import label, segments
from ximstudio.ui.widgets.look.fonts import Text, font
from ximstudio.ui.widgets.look.theme import the_theme

MISSING = "–"
_MISSING_TIP = {"values": "Missing value"}
NARROWEST, WIDEST, PADDING = 64, 220, 30
CELL_PADDING = 11
"""Padding of the headers."""
LOOKED_AT = 30
"""Number of rows that column widths are computed from."""

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter

NAMES, LABELS, VALUES = "names", "labels", "values"
TINTS = {NAMES: "accent_soft", LABELS: "success_soft", VALUES: "surface"}
"""Role of a cell → theme colour of its background."""


class PreviewModel(QAbstractTableModel):
    """Model with names, labels and values from left to right; column labels above the values."""

    def __init__(self) -> None:
        super().__init__()
        self._preview: Preview | None = None
        self._named = ""
        self._row_labels: tuple[str, ...] = ()
        self._column_labels: tuple[str, ...] = ()

    def show_preview(self, preview: Preview, named: str) -> None:
        """Show a preview; `named` is the header of the names."""
        self.beginResetModel()
        self._preview = preview
        self._named = named
        self._row_labels = tuple(preview.row_labels)
        self._column_labels = tuple(preview.column_labels)
        self.endResetModel()

    def rowCount(self, parent: Index = _NOWHERE) -> int:  # noqa: N802  (Qt's name)
        if self._preview is None or parent.isValid():
            return 0
        return len(self._column_labels) + len(self._preview.rows)

    def columnCount(self, parent: Index = _NOWHERE) -> int:  # noqa: N802  (Qt's name)
        if self._preview is None or parent.isValid():
            return 0
        return 1 + len(self._row_labels) + len(self._preview.columns)

    def role_of(self, row: int, column: int) -> str:
        """Return the role of a cell: names, labels or values."""
        if row < len(self._column_labels):
            return LABELS
        if column == 0:
            return NAMES
        return LABELS if column <= len(self._row_labels) else VALUES

    def text(self, row: int, column: int) -> str:
        """Return the text of a cell."""
        preview = self._preview
        if preview is None:
            return ""
        row -= len(self._column_labels)
        column -= 1 + len(self._row_labels)
        if row < 0:
            label = self._column_labels[row]
            if column < 0:
                return label if column == -1 - len(self._row_labels) else ""
            return preview.column_labels[label][column]
        if column >= 0:
            return preview.cells[row][column]
        if column == -1 - len(self._row_labels):
            return preview.rows[row]
        return preview.row_labels[self._row_labels[column]][row]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the data of a cell for a Qt role."""
        made = _SHOWN.get(role)
        if made is None:
            return None
        row, column = index.row(), index.column()
        return made(self.role_of(row, column), self.text(row, column))

    def headerData(  # noqa: N802  (Qt's name)
        self, section: int, side: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Return column names, and row numbers of the file."""
        if role == Qt.ItemDataRole.TextAlignmentRole:
            across = side == Qt.Orientation.Horizontal
            return _LEFT if across and section <= len(self._row_labels) else _RIGHT
        written = Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole
        if self._preview is None or role not in written:
            return None
        if side == Qt.Orientation.Vertical:
            row = section - len(self._column_labels)
            numbers = self._preview.row_numbers
            return numbers[row] if row >= 0 and numbers else ""
        return self.heading(section)

    def heading(self, column: int) -> str:
        """Return the header of a column."""
        if self._preview is None or column == 0:
            return self._named
        if column <= len(self._row_labels):
            return self._row_labels[column - 1]
        return self._preview.columns[column - 1 - len(self._row_labels)]


@cache
def _colour(code: str) -> QColor:
    return QColor(code)


def _text_colour(kind: str, text: str) -> QColor:
    colours = the_theme().colours
    return _colour(colours.text if text or kind != VALUES else colours.disabled)


def _backdrop(kind: str) -> QColor:
    return _colour(getattr(the_theme().colours, TINTS[kind]))


@cache
def _cell_font(kind: str) -> QFont:
    weight = QFont.Weight.Medium if kind == NAMES else QFont.Weight.Normal
    return font(Text.SMALL, weight=weight, tabular=kind == VALUES)


_SHOWN: Mapping[int, Callable[[str, str], Any]] = {
    Qt.ItemDataRole.DisplayRole: lambda kind, text: text or (MISSING if kind == VALUES else ""),
    Qt.ItemDataRole.ToolTipRole: lambda kind, text: text or _MISSING_TIP.get(kind),
    Qt.ItemDataRole.TextAlignmentRole: lambda kind, _: _RIGHT if kind == VALUES else _LEFT,
    Qt.ItemDataRole.BackgroundRole: lambda kind, _: _backdrop(kind),
    Qt.ItemDataRole.ForegroundRole: _text_colour,
    Qt.ItemDataRole.FontRole: lambda kind, _: _cell_font(kind),
}
"""Qt role → function of a cell's kind and text."""


class _Cells(QStyledItemDelegate):
    """Delegate that paints text on a tint; a style sheet would take ten times as long."""

    @guarded
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        model = index.model()
        if not isinstance(model, PreviewModel):
            return
        row, column = index.row(), index.column()
        kind, text = model.role_of(row, column), model.text(row, column)
        rect: QRect = option.rect
        painter.fillRect(rect, _backdrop(kind))
        painter.setPen(_colour(the_theme().colours.border))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        painter.setPen(_text_colour(kind, text))
        painter.setFont(_cell_font(kind))
        room = rect.adjusted(CELL_PADDING, 0, -CELL_PADDING, 0)
        shown = text or (MISSING if kind == VALUES else "")
        if kind != VALUES:
            metrics = QFontMetrics(_cell_font(kind))
            shown = metrics.elidedText(shown, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, _RIGHT if kind == VALUES else _LEFT, shown)


class PreviewTable(QTableView):
    """Table whose headers open a menu of column roles."""

    role_chosen = Signal(str, str)
    """Name of a column, and its new role: names, labels or values."""

    def __init__(self) -> None:
        super().__init__()
        self.contents = PreviewModel()
        self.setModel(self.contents)
        self.setItemDelegate(_Cells(self))
        self.setProperty("framed", "true")
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setSelectionMode(QTableView.SelectionMode.NoSelection)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        down = self.verticalHeader()
        down.setDefaultSectionSize(spacing.CONTROL_SMALL + 2)
        down.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        across = self.horizontalHeader()
        across.setSectionsClickable(True)
        across.setHighlightSections(False)
        across.setTextElideMode(Qt.TextElideMode.ElideRight)
        across.sectionClicked.connect(self._ask)
        self.roles: tuple[str, ...] = ()
        """Roles that the user may give to columns."""

    def show_preview(self, preview: Preview, *, named: str, roles: tuple[str, ...]) -> None:
        """Show a preview of a file."""
        self.roles = roles
        self.contents.show_preview(preview, named)
        metrics = QFontMetrics(font(Text.SMALL, weight=QFont.Weight.Medium))
        model = self.contents
        for column in range(model.columnCount()):
            rows = range(min(LOOKED_AT, model.rowCount()))
            # Not from every text: there are thousands.
            longest = max((model.text(row, column) for row in rows), key=len, default="")
            widest = max(map(metrics.horizontalAdvance, (model.heading(column), longest)))
            self.setColumnWidth(column, min(max(widest + PADDING, NARROWEST), WIDEST))

    def role_menu(self, column: int) -> QMenu | None:
        """Return the menu of roles for a column; None if there is no choice."""
        row = self.contents.rowCount() - 1
        name = self.contents.heading(column)
        if not self.roles or row < 0 or not name:
            return None
        present = self.contents.role_of(row, column)
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for role, text in (
            (NAMES, "Use as row names"),
            (LABELS, "Use as labels"),
            (VALUES, "Use as values"),
        ):
            if role not in self.roles:
                continue
            action = menu.addAction(text)
            action.setCheckable(True)
            action.setChecked(role == present)
            action.setEnabled(role != present)
            action.triggered.connect(lambda _=False, role=role: self.role_chosen.emit(name, role))
        return menu

    def _ask(self, column: int) -> None:
        menu = self.role_menu(column)
        if menu is not None:
            head = self.horizontalHeader()
            corner = QPoint(head.sectionViewportPosition(column), head.height())
            menu.popup(head.viewport().mapToGlobal(corner))


class OrientationSwitch(QWidget):
    """Switch that maps rows or columns."""

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.sides = segments({"rows": "rows", "columns": "columns"})
        self.sides.chosen.connect(self.chosen)
        self._check = label("Please check", kind="badge", tone="warning")
        row = hbox(into=self, gap=spacing.SMALL, margins=0)
        for widget in (label("Map the"), self.sides, self._check):
            row.addWidget(widget, alignment=Qt.AlignmentFlag.AlignVCenter)

    def show_preview(self, preview: Preview, guess: Guess | None) -> None:
        """Show what rows and columns of a file are, and which of them are mapped."""
        for side, word, n in (
            ("rows", preview.row_word, preview.n_rows),
            ("columns", preview.column_word, preview.n_columns),
        ):
            known = word not in (ROW, COLUMN)
            made = self.sides.button(side)
            made.setText(f"{counted(n, word)} in {side}" if known else counted(n, side[:-1]))
            made.setToolTip("" if guess is None else guess.reason)
        self.sides.choose(preview.items_in)
        self._check.setVisible(guess is not None and not guess.sure)


class PreviewLegend(QWidget):
    """Legend of the cell colours, and the shown part of the file."""

    def __init__(self) -> None:
        super().__init__()
        self._part = Elided(kind="caption")
        row = hbox(into=self, gap=spacing.HAIR, margins=0)
        self._keys: dict[str, tuple[QWidget, QWidget]] = {}
        for role in (NAMES, LABELS):
            patch, text = _Patch(TINTS[role]), label(role, kind="caption")
            self._keys[role] = (patch, text)
            row.addWidget(patch)
            row.addWidget(text)
            row.addSpacing(spacing.SMALL)
        row.addWidget(self._part, 1)

    def show_preview(self, preview: Preview) -> None:
        """Explain a preview."""
        labelled = bool(preview.row_labels or preview.column_labels)
        for widget in self._keys[LABELS]:
            widget.setVisible(labelled)
        parts = []
        if preview.n_rows > MOST_ROWS:
            parts.append(f"{MOST_ROWS} rows")
        if preview.n_columns > MOST_COLUMNS:
            parts.append(f"{MOST_COLUMNS} columns")
        self._part.show_text(f"first {' and '.join(parts)}" if parts else "")


class _Patch(QWidget):
    """Small square in a theme colour."""

    def __init__(self, role: str) -> None:
        super().__init__()
        self._role = role
        self.setFixedSize(QSize(spacing.MEDIUM, spacing.MEDIUM))

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802  (Qt's name)
        del event
        colours = the_theme().colours
        with painting(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(colours.border_strong), 1, Qt.PenStyle.SolidLine))
            painter.setBrush(QColor(colours.named[self._role]))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)
