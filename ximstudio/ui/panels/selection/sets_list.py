"""List of all sets with colour, name and size; a file may contain thousands."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QLineEdit,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from ximstudio.model.named_set import NamedSet, SetSide
from ximstudio.model.words import counted, grouped
from ximstudio.session.words import Words
from ximstudio.ui.views.common.class_colours import class_colour
from ximstudio.ui.widgets.drawing.guard import guarded, saved
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.fonts import Text, font
from ximstudio.ui.widgets.look.theme import the_theme

Index = QModelIndex | QPersistentModelIndex
DOT = 8.0
ROW = 30
SET_ROLE = Qt.ItemDataRole.UserRole


class SetsList(QListView):
    """List of sets: a click selects the members, F2 renames, Delete removes."""

    picked = Signal(str, Qt.KeyboardModifier)
    """The user selects the members of a set: its name, and the modifier keys."""
    renamed = Signal(str, str)
    deleted = Signal(str)
    menu_wanted = Signal(str, QPointF)

    def __init__(self) -> None:
        super().__init__()
        self._model = _Model()
        self._model.renamed.connect(self.renamed)
        self.setModel(self._model)
        self.setItemDelegate(_Row(self))
        self.setUniformItemSizes(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.setAccessibleName("Sets")
        self.setAccessibleDescription(
            "Enter selects the members of a set, Shift adds them, Ctrl removes them; F2 "
            "renames the set."
        )
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._ask_menu)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the listed sets."""
        return tuple(each.name for _, each in self._model.rows)

    @property
    def current(self) -> str:
        """The name of the current set; '' for none."""
        row = self.currentIndex().row()
        return self._model.rows[row][1].name if 0 <= row < len(self._model.rows) else ""

    def show_sets(self, sets: tuple[NamedSet, ...], words: Words, *, holding: str = "") -> None:
        """List these sets, optionally only those whose names contain a text."""
        row, name = self.currentIndex().row(), self.current
        self._model.fill(sets, words, holding)
        if name in self.names:
            row = self.names.index(name)
        elif any(each.name == name for each in sets):
            # The current set is filtered out; keys must not act on another one.
            row = -1
        last = len(self._model.rows) - 1
        self.setCurrentIndex(self._model.index(min(row, last)) if row >= 0 else QModelIndex())

    def rename(self, name: str) -> None:
        """Let the user edit the name."""
        if name in self.names:
            index = self._model.index(self.names.index(name))
            self.setCurrentIndex(index)
            self.edit(index)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802  (Qt's name)
        super().mouseReleaseEvent(event)
        index = self.indexAt(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and index.isValid():
            self.picked.emit(self._model.rows[index.row()][1].name, event.modifiers())

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802  (Qt's name)
        writing = self.state() == QAbstractItemView.State.EditingState
        if writing or not self.current:
            super().keyPressEvent(event)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.picked.emit(self.current, event.modifiers())
        elif event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.deleted.emit(self.current)
        else:
            super().keyPressEvent(event)

    def _ask_menu(self, place: Any) -> None:
        index = self.indexAt(place)
        if index.isValid():
            self.menu_wanted.emit(
                self._model.rows[index.row()][1].name, QPointF(self.viewport().mapToGlobal(place))
            )


class _Model(QAbstractListModel):
    renamed = Signal(str, str)

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[tuple[int, NamedSet]] = []
        """Number among all sets, which determines the colour, and the set."""
        self._words = Words()

    def fill(self, sets: tuple[NamedSet, ...], words: Words, holding: str) -> None:
        sought = holding.strip().casefold()
        rows = [row for row in enumerate(sets) if sought in row[1].name.casefold()]
        self.beginResetModel()
        self.rows, self._words = rows, words
        self.endResetModel()

    def rowCount(self, parent: Index | None = None) -> int:  # noqa: N802  (Qt's name)
        del parent
        return len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        number, one = self.rows[index.row()]
        found: Any = None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            found = one.name
        elif role == SET_ROLE:
            found = (number, len(one))
        elif role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleDescriptionRole):
            word = self._words.item if one.side is SetSide.ITEMS else self._words.feature
            found = "\n".join(filter(None, (one.name, counted(len(one), word), one.note)))
        return found

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:  # noqa: N802  (Qt's name)
        name = self.rows[index.row()][1].name
        if role != Qt.ItemDataRole.EditRole or not str(value).strip() or str(value) == name:
            return False
        self.renamed.emit(name, str(value).strip())
        return True

    def flags(self, index: Index) -> Qt.ItemFlag:
        return super().flags(index) | Qt.ItemFlag.ItemIsEditable


class _Row(QStyledItemDelegate):
    """Delegate that paints a dot, the name, and the size."""

    @guarded
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        colours = the_theme().colours
        number, size = index.data(SET_ROLE)
        plain = QStyleOptionViewItem(option)
        self.initStyleOption(plain, index)
        plain.text = ""
        widget = option.widget
        widget.style().drawControl(QStyle.ControlElement.CE_ItemViewItem, plain, painter, widget)
        box = QRectF(option.rect).adjusted(spacing.SMALL, 0, -spacing.SMALL, 0)
        with saved(painter):
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            # Sets have the same colours in views.
            painter.setBrush(QColor(class_colour(number)))
            painter.drawEllipse(QRectF(box.left(), box.center().y() - DOT / 2.0, DOT, DOT))
            count = grouped(size)
            painter.setFont(font(Text.SMALL, tabular=True))
            painter.setPen(QColor(colours.muted))
            right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(box, right, count)
            taken = painter.fontMetrics().horizontalAdvance(count) + spacing.SMALL
            painter.setFont(font(Text.BODY))
            painter.setPen(QColor(colours.text))
            room = box.adjusted(DOT + spacing.SMALL, 0.0, -taken, 0.0)
            name = QFontMetrics(painter.font()).elidedText(
                index.data(), Qt.TextElideMode.ElideRight, int(room.width())
            )
            left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(room, left, name)

    def createEditor(  # noqa: N802  (Qt's name)
        self, parent: QWidget, option: QStyleOptionViewItem, index: Index
    ) -> QWidget:
        del option, index
        field = QLineEdit(parent)
        field.setAccessibleName("Name of the set")
        # As high as its row; other fields are higher.
        height = spacing.CONTROL_SMALL
        field.setStyleSheet(
            f"QLineEdit, QLineEdit:focus {{ min-height: {height}px; max-height: {height}px;"
            f" padding: 0 {spacing.HAIR}px; }}"
        )
        return field

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802  (Qt's name)
        """Keep Esc from the window's shortcut while the user edits a name."""
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.ShortcutOverride:
            event.setAccepted(event.key() == Qt.Key.Key_Escape)
            return event.isAccepted()
        return super().eventFilter(watched, event)
