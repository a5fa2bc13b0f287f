"""Drop-downs whose entries say in a second line what they are."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QComboBox, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from ximstudio.ui.drawing.guard import guarded, saved
from ximstudio.ui.look import spacing
from ximstudio.ui.look.fonts import Text, font
from ximstudio.ui.look.theme import the_theme

Index = QModelIndex | QPersistentModelIndex
NAME, LINE = 18, 15
"""Heights of the name and of the line below it."""
MOST_WIDTH = 560


def explained(box: QComboBox) -> None:
    """Let the entries of a drop-down show their tool tip below their name."""
    box.setItemDelegate(_TwoLines(box))
    box.setMaxVisibleItems(12)


def fill(box: QComboBox, entries: Iterable[tuple[str, str]]) -> None:
    """Let such a drop-down have these entries, names and what they are, with the room they need."""
    box.clear()
    for number, (name, about) in enumerate(entries):
        box.addItem(name)
        box.setItemData(number, about, Qt.ItemDataRole.ToolTipRole)
    sizes = [_width(box, number) for number in range(box.count())]
    box.view().setMinimumWidth(min(max(sizes, default=0), MOST_WIDTH))


def _width(box: QComboBox, number: int) -> int:
    line = box.itemData(number, Qt.ItemDataRole.ToolTipRole) or ""
    return QFontMetrics(font(Text.CAPTION)).horizontalAdvance(line) + 2 * spacing.LARGE


class _TwoLines(QStyledItemDelegate):
    """Draws a name, and a sentence below it."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: N802
        del option, index
        return QSize(100, NAME + LINE + spacing.SMALL)

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
            weight = QFont.Weight.Medium
            _write(painter, name, index.data() or "", font(weight=weight), colours.text)
            below = QRect(inner.left(), name.bottom() + 1, inner.width(), LINE)
            about = index.data(Qt.ItemDataRole.ToolTipRole) or ""
            _write(painter, below, about, font(Text.CAPTION), colours.muted)


def _write(painter: QPainter, box: QRect, text: str, face: QFont, colour: str) -> None:
    painter.setFont(face)
    painter.setPen(QColor(colour))
    cut = QFontMetrics(face).elidedText(text, Qt.TextElideMode.ElideRight, box.width())
    painter.drawText(box, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, cut)
