"""Legend of classes that can be hidden, isolated and selected."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPen,
)
from PySide6.QtWidgets import (
    QListView,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from ximstudio.model.arrays import Bools
from ximstudio.model.selection import Combine
from ximstudio.ui.widgets.drawing.guard import RIGHT, guarded, saved, write
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.fonts import Text, font
from ximstudio.ui.widgets.look.theme import the_theme

ROW, TIGHT_ROW = 26, 20
SWATCH = 10
ROOMY = 140
"""Narrower rows do not show the number of items."""
HOW = (
    "Click to hide or show, double-click or Alt+click to show only this class, right-click to "
    "select."
)
SELECTING = {
    Combine.REPLACE: "Select",
    Combine.ADD: "Add to selection",
    Combine.REMOVE: "Remove from selection",
}
MOST_ROWS = 14
Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, kw_only=True)
class LegendEntry:
    """Class of a legend: name, colour as "#rrggbb", and number of items."""

    name: str
    colour: str
    count: int


class Legend(QListView):
    """Legend with colours and counts; classes can be hidden and shown.

    Space hides or shows the class that the keyboard is at, Enter shows it alone or all again, S
    selects its items. Under the mouse a class says what a click does.
    """

    shown_changed = Signal(object)
    """The visible classes, as an array of bools."""
    select_wanted = Signal(int, object)
    """The user selects the items of a class: its number, and a Combine."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._classes = _Classes()
        self._before_click: Bools | None = None
        self._awaited: frozenset[str] = frozenset()
        self.row = ROW
        """Height of a row, in pixels."""
        self.setModel(self._classes)
        self.setItemDelegate(_Row(self))
        self.setMouseTracking(True)
        self.setUniformItemSizes(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setAccessibleName("Classes")
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)

    @property
    def shown(self) -> Bools:
        """Mask of the visible classes, (K,)."""
        return self._classes.shown.copy()

    def show_classes(self, entries: Sequence[LegendEntry]) -> None:
        """List other classes, all of them shown, unless some are hidden by `restore`."""
        self._classes.fill(tuple(entries))
        if self._awaited and entries:
            self._classes.show(np.array([each.name not in self._awaited for each in entries]))
            self._awaited = frozenset()
        self.updateGeometry()

    @property
    def hidden(self) -> tuple[str, ...]:
        """Names of the hidden classes, including those that will be hidden once they are listed."""
        if self._awaited:
            return tuple(sorted(self._awaited))
        pairs = zip(self._classes.entries, self._classes.shown, strict=True)
        return tuple(entry.name for entry, shown in pairs if not shown)

    def restore(self, hidden: Iterable[str]) -> None:
        """Hide the classes with these names, of those that are listed now or next. No signal."""
        entries, wanted = self._classes.entries, frozenset(hidden)
        self._awaited = wanted
        if entries:
            self.show_classes(entries)
            # Names that are not listed yet may be listed next.
            self._awaited = wanted - {each.name for each in entries}

    def show_colours(self, colours: Sequence[str]) -> None:
        """The same classes in other colours, as after a change of theme."""
        self._classes.recolour(colours)

    def toggle(self, number: int) -> None:
        """Hide a class, or show it again."""
        shown = self.shown
        shown[number] = not shown[number]
        self._set(shown)

    def isolate(self, number: int) -> None:
        """Show a class alone; all again if it is alone already."""
        alone = np.arange(len(self._classes.shown)) == number
        everyone = np.ones_like(alone)
        self._set(everyone if np.array_equal(self._classes.shown, alone) else alone)

    def show_all(self) -> None:
        """Show all classes."""
        self._set(np.ones_like(self._classes.shown))

    def show_tight(self, *, tight: bool) -> None:
        """Use lower rows if there is little room."""
        row = TIGHT_ROW if tight else ROW
        if row != self.row:
            self.row = row
            self.doItemsLayout()
            self.updateGeometry()

    def height_of(self, rows: int) -> int:
        """Pixels that so many rows take."""
        return rows * self.row + 2 * spacing.HAIR

    def sizeHint(self) -> QSize:  # noqa: N802  (Qt's name)
        return QSize(180, self.height_of(min(self._classes.rowCount(), MOST_ROWS)))

    def minimumSizeHint(self) -> QSize:  # noqa: N802  (Qt's name)
        return QSize(60, self.height_of(min(self._classes.rowCount(), 2)))

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802  (Qt's name)
        super().mousePressEvent(event)
        number = self.indexAt(event.position().toPoint()).row()
        if event.button() == Qt.MouseButton.LeftButton and number >= 0:
            self._before_click = self.shown
            if event.modifiers() & Qt.KeyboardModifier.AltModifier:
                self.isolate(number)
            else:
                self.toggle(number)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802  (Qt's name)
        number = self.indexAt(event.position().toPoint()).row()
        if event.button() != Qt.MouseButton.LeftButton or number < 0:
            return
        # The first of the two clicks has toggled the class: use its state before.
        if self._before_click is not None:
            self._classes.show(self._before_click)
        self.isolate(number)

    def menu_at(self, number: int) -> QMenu:
        """Return the menu of a class."""
        shown = self.shown
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for how, words in SELECTING.items():
            menu.addAction(words).triggered.connect(
                lambda _, how=how: self.select_wanted.emit(number, how)
            )
        menu.addSeparator()
        text = "Hide" if shown[number] else "Show"
        menu.addAction(text).triggered.connect(lambda: self.toggle(number))
        alone = menu.addAction("Show only this one")
        alone.triggered.connect(lambda: self._set(np.arange(len(shown)) == number))
        every = menu.addAction("Show all")
        every.triggered.connect(self.show_all)
        every.setEnabled(not shown.all())
        return menu

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802  (Qt's name)
        number = self.indexAt(event.pos()).row()
        if number >= 0:
            self.menu_at(number).popup(event.globalPos())

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802  (Qt's name)
        number = self.currentIndex().row()
        if number >= 0 and event.key() == Qt.Key.Key_Space:
            self.toggle(number)
        elif number >= 0 and event.key() == Qt.Key.Key_S:
            self.select_wanted.emit(number, Combine.REPLACE)
        elif number >= 0 and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.isolate(number)
        else:
            super().keyPressEvent(event)

    def _set(self, shown: Bools) -> None:
        self._awaited = frozenset()
        self._classes.show(shown)
        self.shown_changed.emit(self.shown)


class _Classes(QAbstractListModel):
    """Entries of the legend, and which are shown."""

    def __init__(self) -> None:
        super().__init__()
        self.entries: tuple[LegendEntry, ...] = ()
        self.shown: Bools = np.empty(0, dtype=np.bool_)

    def fill(self, entries: tuple[LegendEntry, ...]) -> None:
        self.beginResetModel()
        self.entries = entries
        self.shown = np.ones(len(entries), dtype=np.bool_)
        self.endResetModel()

    def recolour(self, colours: Sequence[str]) -> None:
        self.entries = tuple(
            LegendEntry(name=entry.name, colour=colour, count=entry.count)
            for entry, colour in zip(self.entries, colours, strict=True)
        )
        self._emit_changed()

    def show(self, shown: Bools) -> None:
        self.shown = shown
        self._emit_changed()

    def rowCount(self, _: Index | None = None) -> int:  # noqa: N802  (Qt's name)
        return len(self.entries)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        entry = self.entries[index.row()]
        state = "shown" if self.shown[index.row()] else "hidden"
        values = {
            Qt.ItemDataRole.DisplayRole: entry.name,
            Qt.ItemDataRole.ToolTipRole: f"{entry.name}: {entry.count}, {state}\n{HOW}",
            Qt.ItemDataRole.AccessibleTextRole: f"{entry.name}, {entry.count}, {state}",
        }
        return values.get(Qt.ItemDataRole(role))

    def _emit_changed(self) -> None:
        if self.entries:
            self.dataChanged.emit(self.index(0), self.index(len(self.entries) - 1))


class _Row(QStyledItemDelegate):
    """Draws a class: a dot in its colour, its name, and its count on the right."""

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:  # noqa: N802
        legend = self.parent()
        assert isinstance(legend, Legend)
        return QSize(60, legend.row)

    @guarded
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        classes = index.model()
        assert isinstance(classes, _Classes)
        entry, shown = classes.entries[index.row()], bool(classes.shown[index.row()])
        with saved(painter):
            _paint_backdrop(painter, option)
            under_mouse = bool(option.state & QStyle.StateFlag.State_MouseOver)
            _paint_entry(painter, option.rect, entry, shown=shown, under_mouse=under_mouse)


def _paint_backdrop(painter: QPainter, option: QStyleOptionViewItem) -> None:
    colours = the_theme().colours
    state, rect = option.state, option.rect
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if state & QStyle.StateFlag.State_MouseOver:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours.hover))
        painter.drawRoundedRect(rect, spacing.RADIUS_SMALL, spacing.RADIUS_SMALL)
    if state & QStyle.StateFlag.State_HasFocus:
        painter.setPen(QPen(QColor(colours.focus), 1.5))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(
            rect.adjusted(1, 1, -1, -1), spacing.RADIUS_SMALL, spacing.RADIUS_SMALL
        )


def _paint_entry(
    painter: QPainter, rect: QRect, entry: LegendEntry, *, shown: bool, under_mouse: bool
) -> None:
    colours = the_theme().colours
    margin = spacing.SMALL if rect.width() >= ROOMY else spacing.HAIR
    inner = rect.adjusted(margin, 0, -margin, 0)
    middle = QPointF(inner.left() + SWATCH / 2.0, rect.center().y() + 0.5)
    if shown:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(entry.colour))
        painter.drawEllipse(middle, SWATCH / 2.0, SWATCH / 2.0)
    else:
        painter.setPen(QPen(QColor(colours.axis), 1.2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(middle, SWATCH / 2.0 - 0.6, SWATCH / 2.0 - 0.6)
    room = inner.adjusted(SWATCH + spacing.SMALL, 0, 0, 0)
    if rect.width() >= ROOMY:
        numbers = font(Text.SMALL, tabular=True)
        count = f"{entry.count:,}".replace(",", "\u2009")
        if under_mouse:
            count = "hide" if shown else "show"
        colour = colours.accent if under_mouse else colours.muted
        write(painter, QRectF(inner), count, numbers, colour, RIGHT)
        room.adjust(0, 0, -QFontMetrics(numbers).horizontalAdvance(count) - spacing.SMALL, 0)
    words = font(Text.BODY if rect.height() >= ROW else Text.SMALL)
    colour = colours.text if shown else colours.muted
    write(painter, QRectF(room), entry.name or "no label", words, colour)
