"""Facts about a table: size, missing values, labels, what its sides are, and joined files."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from math import isfinite
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QGridLayout, QSizePolicy, QWidget

from ximstudio.load.reading import Guess
from ximstudio.load.sides import KINDS, SIDE_KEYS, decided
from ximstudio.load.text.notation import is_number
from ximstudio.model.table import ITEMS
from ximstudio.model.words import counted, grouped, number, plural
from ximstudio.session import Data
from ximstudio.session.sides import items_in_rows
from ximstudio.session.words import found_text
from ximstudio.ui.widgets.boxes import hbox, vbox
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import Size, combo_box, label, tool_button
from ximstudio.ui.widgets.message_card import Prose, clear, prose

NAME_WIDTH = 56
MOST_LETTERS = 60
"""Maximum length of a list of classes; longer ones are counted instead."""
DIGITS = 6
"""Digits of the smallest and largest number of a label."""
OTHER = "Choose a word or type your own"


class TableFacts(QWidget):
    """Two-column list of facts about a table."""

    def __init__(self) -> None:
        super().__init__()
        grid = _grid(self)
        self.values: dict[str, Prose] = {}
        for row, name in enumerate(("Missing", "Names", "Labels", "Scale")):
            self.values[name] = prose()
            grid.addWidget(label(name, kind="muted"), row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(self.values[name], row, 1)

    def show_data(self, data: Data) -> None:
        """Show the facts about a table."""
        guesses = {guess.key: guess for guess in data.labelled.reading.guesses}
        found = {
            "Missing": missing_text(data),
            "Names": "row numbers",
            "Labels": labels_text(data),
            "Scale": "",
        }
        tips = dict.fromkeys(found, "")
        for name, key in (("Names", "id"), ("Scale", "logged")):
            if key in guesses:
                guess = guesses[key]
                found[name] = guess.shown or guess.value or found[name]
                tips[name] = guess.reason
        if "id" in guesses and guesses["id"].value:
            found["Names"] = f"column “{guesses['id'].value}”"
        if not items_in_rows(data):
            # This names the rows of the file, which are not mapped.
            features = plural(2, data.overview.feature)
            found["Names"] = f"names of the columns; {features}: {found['Names']}"
        for name, value in self.values.items():
            value.setText(found[name] or "not known")
            value.setToolTip(tips[name])


def missing_text(data: Data) -> str:
    """Return the number and share of missing values."""
    overview = data.overview
    if not overview.n_missing:
        return "no values"
    share = 100.0 * overview.missing_share
    shown = "< 0.1" if share < 0.1 else f"{share:.1f}" if share < 10 else f"{share:.0f}"
    return f"{counted(overview.n_missing, 'value')} ({shown} %)"


def labels_text(data: Data) -> str:
    """Return every label with its classes, if they are few and short."""
    return "\n".join(map(_label_text, data.overview.classes.items())) or "none"


def _label_text(label_: tuple[str, Mapping[str, int]]) -> str:
    name, classes = label_
    # Avoid joining thousands of classes that will not fit anyway.
    few = list(islice(classes.items(), MOST_LETTERS))
    listed = ", ".join(f"{text or 'blank'}\u00a0({grouped(n)})" for text, n in few)
    if len(listed) <= MOST_LETTERS:
        return f"{name}: {listed}"
    numbers = _numbers(classes)
    if numbers:
        blank = f", {grouped(classes[''])} blank" if "" in classes else ""
        ends = " to ".join(number(end, DIGITS) for end in (min(numbers), max(numbers)))
        return f"{name}: {counted(len(numbers), 'number')} from {ends}{blank}"
    return f"{name}: {counted(len(classes), 'text')}"


def _numbers(classes: Mapping[str, int]) -> list[float]:
    """Return the texts of a label as numbers; empty unless all non-blank texts are numbers."""
    texts = [text for text in classes if text]
    values = [float(text) for text in texts if is_number(text)]
    return values if len(values) == len(texts) and all(map(isfinite, values)) else []


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
        grid = _grid(self)
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


class JoinedFiles(QWidget):
    """List with one entry per joined file."""

    removed = Signal(int)
    """Number of the file to remove."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._column = vbox(into=self, gap=spacing.SMALL, margins=0)

    def show_data(self, data: Data) -> None:
        """Show the files joined to a table."""
        clear(self._column)
        self.texts = []
        joined = list(zip(data.input.joinings, data.labelled.joined, strict=True))
        self.setVisible(bool(joined))
        if not joined:
            return
        self._column.addWidget(label("JOINED TABLES", kind="section"))
        table = data.labelled.table
        sided = decided(table)
        words = (sided.items.kind, sided.features.kind)
        for place, (joining, each) in enumerate(joined):
            word = words[0] if each.axis == ITEMS else words[1]
            text = found_text(each, word, len(table.axis(each.axis)))
            self.texts.append(text)
            self._column.addWidget(self._entry(place, Path(joining.name).name, text))

    def _entry(self, number: int, name: str, text: str) -> QWidget:
        entry = QWidget()
        words = vbox(prose(name, breaking=True), prose(text, kind="caption"), gap=0)
        remove = tool_button("close", tip=f"Remove {name}", size=Size.SMALL)
        remove.clicked.connect(lambda: self.removed.emit(number))
        hbox((words, 1), remove, into=entry, gap=spacing.SMALL, margins=0)
        return entry


def _grid(into: QWidget) -> QGridLayout:
    grid = QGridLayout(into)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(spacing.MEDIUM)
    grid.setVerticalSpacing(spacing.HAIR)
    grid.setColumnMinimumWidth(0, NAME_WIDTH)
    grid.setColumnStretch(1, 1)
    return grid
