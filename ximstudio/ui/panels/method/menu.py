"""Drop-down of the methods, with a sentence on each below its name."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QComboBox,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from ximstudio.session.plan import method_title
from ximstudio.train import METHODS
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import combo_box
from ximstudio.ui.widgets.look.fonts import Text, font
from ximstudio.ui.widgets.look.theme import the_theme

WIDTH = 400
"""Width of the open list in pixels: room for a sentence in two lines."""
BESIDE = 28
"""Pixels that the edges of the list and its scroll bar take."""
SENTENCE = int(Qt.ItemDataRole.UserRole) + 1
WRAPPED = int(Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)


def method_menu() -> QComboBox:
    """Return a drop-down of all methods; the data of an entry is the key of the method."""
    made = combo_box(name="Method")
    for method in METHODS:
        made.addItem(method_title(method), method.key)
        place = made.count() - 1
        made.setItemData(place, method.summary, Qt.ItemDataRole.ToolTipRole)
        made.setItemData(place, method.summary, SENTENCE)
        made.setItemData(place, method.summary, Qt.ItemDataRole.AccessibleDescriptionRole)
    made.view().setItemDelegate(MethodDelegate(made))
    made.view().setMinimumWidth(WIDTH)
    made.setMaxVisibleItems(len(METHODS))
    return made


class MethodDelegate(QStyledItemDelegate):
    """Draws a method's name and, muted below it, what it is good for."""

    def sizeHint(  # noqa: N802  (Qt's name)
        self,
        option: QStyleOptionViewItem,  # noqa: ARG002
        index: QModelIndex | QPersistentModelIndex,
    ) -> QSize:
        """Return the height of the name and all lines of the sentence."""
        room = QRect(0, 0, WIDTH - 2 * spacing.MEDIUM - BESIDE, 1000)
        lines = QFontMetrics(font(Text.SMALL)).boundingRect(room, WRAPPED, index.data(SENTENCE))
        name = QFontMetrics(font(weight=QFont.Weight.DemiBold)).height()
        return QSize(WIDTH, name + lines.height() + 2 * spacing.HAIR + 2)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Draw both, on the background of the entry."""
        colours = the_theme().colours
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        painter.save()
        if state & (QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver):
            painter.fillRect(rect, QColor(colours.accent_soft))
        inner = rect.adjusted(spacing.MEDIUM, spacing.HAIR, -spacing.MEDIUM, -spacing.HAIR)
        painter.setFont(font(weight=QFont.Weight.DemiBold))
        painter.setPen(QColor(colours.text))
        painter.drawText(inner, int(Qt.AlignmentFlag.AlignLeft), index.data())
        inner.adjust(0, painter.fontMetrics().height() + 2, 0, 0)
        painter.setFont(font(Text.SMALL))
        painter.setPen(QColor(colours.muted))
        painter.drawText(inner, WRAPPED, index.data(SENTENCE))
        painter.restore()
