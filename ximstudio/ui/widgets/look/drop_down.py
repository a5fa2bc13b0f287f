"""Drop-downs: with elided text, with a description of every entry, and blind to the wheel."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QComboBox,
    QScrollArea,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionComboBox,
    QStyleOptionViewItem,
    QStylePainter,
    QToolTip,
    QWidget,
)

from ximstudio.ui.widgets.drawing.guard import guarded, saved
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.fonts import Text, font
from ximstudio.ui.widgets.look.theme import the_theme

_ICON_GAP = 4
"""Pixels that Qt leaves between icon and text."""


class DropDown(QComboBox):
    """Drop-down that elides its text with an ellipsis.

    Qt would clip it in the middle of a letter. The full text is its tooltip, unless it has another
    one.
    """

    @property
    def shown_text(self) -> str:
        """The text as shown."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        return self._elided(option)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802  (Qt's name)
        if self.isEditable() or self.currentIndex() < 0:
            super().paintEvent(event)
            return
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        option.currentText = self._elided(option)
        painter = QStylePainter(self)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
        painter.end()

    def event(self, event: QEvent) -> bool:
        """Show the full text as a tooltip."""
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            text = self.currentText()
            if not self.toolTip() and not self.isEditable() and self.shown_text != text:
                QToolTip.showText(event.globalPos(), text, self)
                return True
        return super().event(event)

    def _elided(self, option: QStyleOptionComboBox) -> str:
        field = self.style().subControlRect(
            QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, self
        )
        icon = 0 if self.itemIcon(self.currentIndex()).isNull() else self.iconSize().width()
        room = field.width() - (icon + _ICON_GAP if icon else 0)
        end = Qt.TextElideMode.ElideRight
        return self.fontMetrics().elidedText(self.currentText(), end, room)


def keep_wheel(widget: QWidget) -> None:
    """Use the wheel for scrolling; if nothing scrolls, only a focused widget gets it."""
    widget.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    widget.installEventFilter(_CalmWheel(widget))


class _CalmWheel(QObject):
    """Event filter that passes wheel events on to the parent."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802  (Qt's name)
        """Return whether the event is blocked."""
        if event.type() != QEvent.Type.Wheel or not isinstance(watched, QWidget):
            return False
        if watched.hasFocus() and not _scrolls(watched):
            return False
        event.ignore()
        return True


def _scrolls(widget: QWidget) -> bool:
    """Return whether the widget is inside a scrollable area."""
    around = widget.parentWidget()
    while around is not None:
        if isinstance(around, QScrollArea) and around.verticalScrollBar().maximum() > 0:
            return True
        around = around.parentWidget()
    return False


Index = QModelIndex | QPersistentModelIndex
NAME, LINE = 18, 15
"""Heights of the name and of a line below it."""
LEAST_WIDTH, MOST_WIDTH = 260, 460
"""Width of an entry: longer sentences wrap."""
SCROLL_BAR = 14


def explained(box: QComboBox) -> None:
    """Show the tooltip of every entry below its name."""
    box.setItemDelegate(_Explained(box))
    box.setMaxVisibleItems(12)


def fill(box: QComboBox, entries: Iterable[tuple[str, str]]) -> None:
    """Fill a drop-down with names and descriptions."""
    box.clear()
    for number, (name, about) in enumerate(entries):
        box.addItem(name)
        box.setItemData(number, about, Qt.ItemDataRole.ToolTipRole)
    widest = max((_width(box, number) for number in range(box.count())), default=0)
    box.view().setMinimumWidth(min(max(widest, LEAST_WIDTH), MOST_WIDTH))


def _width(box: QComboBox, number: int) -> int:
    line = box.itemData(number, Qt.ItemDataRole.ToolTipRole) or ""
    name = QFontMetrics(font(weight=QFont.Weight.Medium)).horizontalAdvance(box.itemText(number))
    below = QFontMetrics(font(Text.CAPTION)).horizontalAdvance(line)
    return max(name, below) + 2 * spacing.LARGE


class _Explained(QStyledItemDelegate):
    """Delegate that draws a name and a wrapped sentence below it."""

    def __init__(self, box: QComboBox) -> None:
        super().__init__(box)
        self._box = box

    def sizeHint(self, _: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: N802
        width = self._box.view().minimumWidth() or MOST_WIDTH
        about = index.data(Qt.ItemDataRole.ToolTipRole) or ""
        # Room for the frame, and for a bar where the list scrolls.
        room = width - 2 * spacing.SMALL - SCROLL_BAR
        return QSize(width, NAME + _height(about, room) + spacing.SMALL)

    @guarded
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        colours = the_theme().colours
        marked = QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver
        inner = option.rect.adjusted(spacing.SMALL, spacing.HAIR, -spacing.SMALL, -spacing.HAIR)
        with saved(painter):
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            if option.state & marked:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(QColor(colours.hover))
                painter.drawRoundedRect(option.rect, spacing.RADIUS_SMALL, spacing.RADIUS_SMALL)
            name = QRect(inner.left(), inner.top(), inner.width(), NAME)
            _write(
                painter, name, index.data() or "", font(weight=QFont.Weight.Medium), colours.text
            )
            below = QRect(inner.left(), name.bottom() + 1, inner.width(), inner.height() - NAME)
            about = index.data(Qt.ItemDataRole.ToolTipRole) or ""
            _write(painter, below, about, font(Text.CAPTION), colours.muted)


def _height(text: str, width: int) -> int:
    """Return the height of a sentence wrapped at this width."""
    if not text:
        return 0
    room = QRect(0, 0, width, 10_000)
    box = QFontMetrics(font(Text.CAPTION)).boundingRect(room, Qt.TextFlag.TextWordWrap, text)
    return max(LINE, box.height())


def _write(painter: QPainter, box: QRect, text: str, face: QFont, colour: str) -> None:
    painter.setFont(face)
    painter.setPen(QColor(colour))
    flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap
    painter.drawText(box, flags, text)
