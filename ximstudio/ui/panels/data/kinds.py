"""Choose what the rows and the columns of the file are."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QGridLayout, QSizePolicy, QWidget

from ximstudio.load.reading import Guess
from ximstudio.load.sides import KINDS, SIDE_KEYS
from ximstudio.session import Data
from ximstudio.ui.panels.data.facts import NAME_WIDTH
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import combo_box, label

OTHER = "Choose a word or type your own"


class Kinds(QWidget):
    """Fields for what rows and columns are, with words to choose from or to type."""

    chosen = Signal(str, str)
    """The side of the file, and the word that the user gave for it."""

    def __init__(self) -> None:
        super().__init__()
        self.fields: dict[str, QComboBox] = {}
        self.checks = {
            key: label("Please check", kind="badge", tone="warning") for key in SIDE_KEYS
        }
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(spacing.MEDIUM)
        grid.setVerticalSpacing(spacing.HAIR)
        grid.setColumnMinimumWidth(0, NAME_WIDTH)
        grid.setColumnStretch(1, 1)
        for row, key in enumerate(SIDE_KEYS):
            field = combo_box(name=f"{key.capitalize()} are")
            field.setEditable(True)
            field.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
            field.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            field.addItems([kind.several for kind in KINDS])
            field.textActivated.connect(lambda text, key=key: self._choose(key, text))
            edit = field.lineEdit()
            assert edit is not None
            edit.editingFinished.connect(lambda key=key: self._choose(key, self._written(key)))
            self.fields[key] = field
            grid.addWidget(label(f"{key.capitalize()} are", kind="muted"), row, 0)
            grid.addWidget(field, row, 1)
            grid.addWidget(self.checks[key], row, 2)
        self._shown: dict[str, str] = {}

    def show_data(self, data: Data) -> None:
        """Show what rows and columns of a table are, and why."""
        guesses = {guess.key: guess for guess in data.labelled.reading.guesses}
        self.setVisible(all(key in guesses for key in SIDE_KEYS))
        # For both, as a reason for one is often about the other.
        both = ", ".join(f"{key} are {guesses[key].value}" for key in SIDE_KEYS if key in guesses)
        for key in SIDE_KEYS:
            if key in guesses:
                self._show(guesses[key], both[:1].upper() + both[1:])

    def _show(self, guess: Guess, both: str) -> None:
        field = self.fields[guess.key]
        self._shown[guess.key] = guess.value
        field.setCurrentText(guess.value)
        field.setToolTip(f"{both}. {guess.reason}\n{OTHER}")
        self.checks[guess.key].setVisible(not guess.sure)

    def _written(self, key: str) -> str:
        return self.fields[key].currentText()

    def _choose(self, key: str, text: str) -> None:
        word = " ".join(text.split()).lower()
        if not word:
            self.fields[key].setCurrentText(self._shown.get(key, ""))
        elif word != self._shown.get(key):
            self._shown[key] = word
            self.chosen.emit(key, word)
