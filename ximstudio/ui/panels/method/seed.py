"""Field for the seed, with a button that chooses another one."""

from __future__ import annotations

import random

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from ximstudio.model.spec import Number
from ximstudio.session.parameter_words import spoken, tip
from ximstudio.session.words import Words
from ximstudio.ui.widgets.boxes import hbox
from ximstudio.ui.widgets.forms.form import NAME_WIDTH
from ximstudio.ui.widgets.forms.numbers import NumberEdit
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import label, mark, tool_button

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
