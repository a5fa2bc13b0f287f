"""Form of all guesses about a file, with their reasons."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QWidget

from ximstudio.load import Choices
from ximstudio.load.questions import Entry
from ximstudio.ui.widgets.boxes import STRETCH, hbox, vbox
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import Size, combo_box, label, mark, tool_button
from ximstudio.ui.widgets.message_card import prose


class GuessField(QWidget):
    """Field of one guess: name, answer and reason."""

    answered = Signal(str, str)
    """Key, and the answer as typed."""
    taken_back = Signal(str)
    """Key of an answer that should be detected again."""

    def __init__(self, entry: Entry) -> None:
        super().__init__()
        self.key = entry.key
        self.entry = entry
        self.kind = kind_of(entry)
        self._name = label(entry.guess.label, kind="strong")
        self._check = label("Please check", kind="badge", tone="warning")
        self._back = tool_button("reset", tip="Detect again", size=Size.SMALL)
        self._back.clicked.connect(lambda: self.taken_back.emit(self.key))
        kept = self._back.sizePolicy()
        kept.setRetainSizeWhenHidden(True)
        self._back.setSizePolicy(kept)
        self._reason = prose(kind="caption")
        self._problem = prose(kind="error")
        self._problem.hide()
        self.control = self._made_control()
        spec = Choices.specs().get(self.key)
        if spec is not None:
            for widget in (self._name, self.control):
                widget.setToolTip(spec.help)
        head = hbox(
            self._name,
            (self._check, Qt.AlignmentFlag.AlignVCenter),
            STRETCH,
            self._back,
            gap=spacing.SMALL,
        )
        vbox(head, self.control, self._problem, self._reason, into=self, gap=2, margins=0)
        self.show_entry(entry)

    def _made_control(self) -> QWidget:
        if self.kind == "shown":
            return prose()
        if self.kind == "line":
            line = QLineEdit()
            line.textEdited.connect(self._answer)
            return line
        combo = combo_box()
        combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        combo.setMinimumContentsLength(8)
        combo.activated.connect(lambda _: self._answer(combo.currentData()))
        if self.kind == "free":
            combo.setEditable(True)
            combo.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
            line = QLineEdit()
            line.textEdited.connect(self._answer)
            combo.setLineEdit(line)
        return combo

    def _answer(self, text: str) -> None:
        self.show_problem("")
        self.answered.emit(self.key, text)

    @property
    def unsure(self) -> bool:
        return not self.entry.guess.sure

    def show_entry(self, entry: Entry) -> None:
        """Show another answer; text that the user is typing stays."""
        self.entry = entry
        guess = entry.guess
        self._name.setText(guess.label)
        self._reason.setText(guess.reason)
        self._reason.setVisible(bool(guess.reason))
        self._check.setVisible(not guess.sure)
        self.show_chosen(entry.chosen)
        control = self.control
        if isinstance(control, QComboBox):
            _fill(control, entry)
        elif isinstance(control, QLineEdit):
            control.setPlaceholderText(guess.shown or "none")
            if not control.hasFocus() or not control.isModified():
                control.setText(guess.value)
        elif isinstance(control, QLabel):
            control.setText(guess.shown or guess.value)
        if self.kind != "shown":
            mark(control, "state", "" if guess.sure else "warning")

    def show_chosen(self, chosen: bool) -> None:
        """Offer to detect the answer again, if the user gave it."""
        self._back.setVisible(chosen)

    def show_problem(self, text: str) -> None:
        """Show what is wrong with the answer; '' for nothing."""
        self._problem.setText(text)
        self._problem.setVisible(bool(text))
        if self.kind != "shown":
            mark(self.control, "state", "error" if text else "")


def kind_of(entry: Entry) -> str:
    """Return the kind of field: combo, free (an editable combo), line, or shown (read-only)."""
    if not entry.open:
        return "shown"
    if entry.free:
        return "free"
    return "combo" if entry.options else "line"


def _fill(combo: QComboBox, entry: Entry) -> None:
    options = list(entry.options.items())
    present = [(combo.itemData(row), combo.itemText(row)) for row in range(combo.count())]
    if present != options:
        combo.clear()
        for value, shown in options:
            combo.addItem(shown, value)
            combo.setItemData(combo.count() - 1, shown, Qt.ItemDataRole.ToolTipRole)
    written = combo.lineEdit()
    (combo if written is None else written).setPlaceholderText(entry.guess.shown)
    if written is None or not written.hasFocus():
        combo.setCurrentIndex(combo.findData(entry.guess.value))


class GuessForm(QWidget):
    """Form of all guesses about a file, in sections."""

    answered = Signal(str, str)
    taken_back = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.fields: dict[str, GuessField] = {}
        self._headings: list[QLabel] = []
        self._order: list[tuple[str, str, str]] = []
        self._column = vbox(into=self, gap=spacing.MEDIUM, margins=0)

    @property
    def n_unsure(self) -> int:
        """Number of uncertain guesses."""
        return sum(field.unsure for field in self.fields.values())

    def show_entries(self, sections: Mapping[str, Sequence[Entry]]) -> None:
        """Show guesses; fields that stay keep the focus."""
        entries = [(section, each) for section, some in sections.items() for each in some]
        order = [(section, each.key, kind_of(each)) for section, each in entries]
        if order != self._order:
            self._lay_out(sections)
            self._order = order
        for _, entry in entries:
            self.fields[entry.key].show_entry(entry)

    def show_chosen(self, keys: Collection[str]) -> None:
        """Offer to detect these answers again."""
        for key, field in self.fields.items():
            field.show_chosen(key in keys)

    def _lay_out(self, sections: Mapping[str, Sequence[Entry]]) -> None:
        # Not by takeAt(): Python would keep the layout item alive.
        for widget in (*self._headings, *self.fields.values()):
            self._column.removeWidget(widget)
        while self._column.takeAt(0) is not None:
            pass
        for heading in self._headings:
            heading.deleteLater()
        self._headings = []
        old, self.fields = self.fields, {}
        for section, entries in sections.items():
            heading = label(section.upper(), kind="section")
            self._headings.append(heading)
            if self.fields:
                self._column.addSpacing(spacing.HAIR)
            self._column.addWidget(heading)
            for entry in entries:
                self.fields[entry.key] = self._field(entry, old)
                self._column.addWidget(self.fields[entry.key])
        self._column.addStretch(1)
        for field in old.values():
            field.hide()
            field.deleteLater()

    def _field(self, entry: Entry, old: dict[str, GuessField]) -> GuessField:
        if entry.key in old and old[entry.key].kind == kind_of(entry):
            return old.pop(entry.key)
        field = GuessField(entry)
        field.answered.connect(self.answered)
        field.taken_back.connect(self.taken_back)
        return field
