"""Fields of the method step beside the form: the method, the seed, and the pins of the next map."""

from __future__ import annotations

import random

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QGridLayout,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from ximstudio.model.spec import Number
from ximstudio.session.parameter_words import spoken, tip
from ximstudio.session.plan import TrainingPlan, method_title
from ximstudio.session.words import Words
from ximstudio.train import METHODS
from ximstudio.ui.actions.actions import Actions
from ximstudio.ui.widgets.boxes import hbox, vbox
from ximstudio.ui.widgets.forms.fields import PinRows
from ximstudio.ui.widgets.forms.form import NAME_WIDTH
from ximstudio.ui.widgets.forms.numbers import NumberEdit
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import combo_box, label, mark, tool_button
from ximstudio.ui.widgets.look.fonts import Text, font
from ximstudio.ui.widgets.look.theme import the_theme

WIDTH = 400
"""Width of the open list in pixels: room for a sentence in two lines."""
BESIDE = 28
"""Pixels that the edges of the list and its scroll bar take."""
SENTENCE = int(Qt.ItemDataRole.UserRole) + 1
WRAPPED = int(Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
SEED = Number(
    label="Seed",
    help="Determines the random order in which items are presented. The same seed gives the same "
    "map; another seed shows how much depends on chance.",
    low=0,
    high=2**32 - 1,
    whole=True,
)
MOST_DRAWN = 9999
"""Number of different seeds that the dice gives: short enough to write down."""


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


class SeedRow(QWidget):
    """Row for the seed, aligned with the form above it."""

    given = Signal(object)
    """A seed that is allowed; Qt's own integers are too short for all."""

    def __init__(self) -> None:
        super().__init__()
        self._name = label(SEED.label)
        self._name.setFixedWidth(NAME_WIDTH)
        self.edit = NumberEdit(SEED, SEED.label)
        self._name.setBuddy(self.edit)
        self.dice = tool_button("dice", tip="Choose another seed")
        fields = hbox((self.edit, 1), self.dice, gap=spacing.HAIR)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, spacing.HAIR, 0, 0)
        grid.setHorizontalSpacing(spacing.SMALL)
        grid.setColumnStretch(1, 1)
        grid.addWidget(self._name, 0, 0)
        grid.addLayout(fields, 0, 1)
        self.edit.textEdited.connect(self._give)
        self.dice.clicked.connect(self._roll)
        self.speak(Words())

    def speak(self, words: Words) -> None:
        """Set the help text in the words of a table."""
        text = tip(spoken(SEED, {}, words), 0)
        for widget in (self._name, self.edit):
            widget.setToolTip(text)
            widget.setWhatsThis(text)

    def show_seed(self, seed: int) -> None:
        """Show a seed; an equal number that the user typed differently stays."""
        if not self.edit.says(seed):
            self.edit.setText(str(seed))
        self._judge()

    def _give(self) -> None:
        if (seed := self._judge()) is not None:
            self.given.emit(seed)

    def _roll(self) -> None:
        # The choice of the seed need not be reproducible: the map records it.
        self.edit.setText(str(random.randint(1, MOST_DRAWN)))  # noqa: S311
        self._give()

    def _judge(self) -> int | None:
        """Return the seed; None, and mark the field, if it is invalid."""
        try:
            seed, state = int(self.edit.read()), ""
        except ValueError:
            seed, state = None, "error"
        if self.edit.property("state") != state:
            mark(self.edit, "state", state)
        return seed


class PinsNote(QFrame):
    """List of pinned nodes with remove buttons; hidden if there are none."""

    def __init__(self, actions: Actions) -> None:
        super().__init__()
        self._actions = actions
        self.title = label(kind="section")
        self.rows = PinRows()
        vbox(self.title, self.rows, into=self, gap=0, margins=(0, 0, 0, spacing.SMALL))
        self.rows.changed.connect(self._take)
        self.hide()

    def show_plan(self, plan: TrainingPlan, words: Words) -> None:
        """List the pins of a plan."""
        pins = tuple(getattr(plan.params, "anchors", ()))
        self.title.setText(f"Pinned nodes  {len(pins)}")
        self.setToolTip(
            f"These nodes of the next map stay with their {words.items}; all other nodes "
            "arrange themselves around them"
        )
        self.rows.show_pins(pins)
        self.setVisible(bool(pins))

    def _take(self, pins: tuple[str, ...]) -> None:
        self._actions.set_params(self._actions.session.plan.params.replace(anchors=pins))
