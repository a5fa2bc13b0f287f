"""Dialog that joins labels from a second file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtWidgets import QPlainTextEdit, QVBoxLayout, QWidget

from ximstudio.jobs import Task
from ximstudio.load import Guess
from ximstudio.load.annotation.join import Joined
from ximstudio.load.sides import decided
from ximstudio.model.problem import Problem
from ximstudio.model.table import FEATURES, ITEMS, Table
from ximstudio.model.words import counted, in_words
from ximstudio.prepare.input import Joining, joined_with
from ximstudio.session.words import Words, found_text, without_folder
from ximstudio.ui.actions.actions import Actions
from ximstudio.ui.dialogs.importing.reading_dialog import ReadingDialog
from ximstudio.ui.dialogs.tool_dialog import close_with_table
from ximstudio.ui.runtime.job_queue import Job
from ximstudio.ui.widgets.boxes import STRETCH, vbox
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import Tone, combo_box, form, label, line, segments
from ximstudio.ui.widgets.message_card import Fold, MessageCard, clear, prose

SIZE = (560, 460)
HELP = (
    "Adds labels from a second file. Its rows are matched by name. You can change whether "
    "they describe rows or columns of the table, and which column has the names."
)
MOST_NAMES = 500
"""Maximum number of listed names; the rest is counted."""
LIST_HEIGHT = 96


class JoinDialog(ReadingDialog):
    """Dialog that shows how a second file matches the table before it is joined."""

    def __init__(self, actions: Actions, path: str | Path, parent: QWidget | None = None) -> None:
        name = Path(path).name
        super().__init__(actions, parent, title=f"Join {name}", about=HELP, takes="Join")
        self.joining = Joining(name=str(path))
        self.joined: Joined | None = None
        """Match of the file with the table; None if it does not match or is not read yet."""
        self.problems: tuple[Problem, ...] = ()
        data = actions.session.data
        self._table = None if data is None else data.labelled.table
        self._known: dict[str, Guess] = {}
        self._build(name, Words.of(data))
        self._reading.changed.connect(self._show_state)

    def open(self) -> None:
        """Show the dialog and start reading."""
        ReadingDialog._open.add(self)
        close_with_table(self, self._actions)
        super().open()
        self.setFocus()
        self._try()

    def _build(self, title: str, words: Words) -> None:
        self.resize(*SIZE)
        self._found = label(kind="muted")
        sides = {ITEMS: words.items.capitalize(), FEATURES: words.features.capitalize()}
        self.sides = segments(sides)
        self.sides.chosen.connect(self._choose_side)
        self.column = combo_box()
        self.column.activated.connect(lambda _: self._choose_column(self.column.currentData()))
        self._reason = prose(kind="caption")
        self._labels = prose()
        self.sheet = combo_box()
        self.sheet.activated.connect(lambda _: self._choose_sheet(self.sheet.currentData()))
        fields = form()
        self._rows = fields
        fields.addRow(label("Sheet", kind="muted"), self.sheet)
        fields.addRow(label("Describes the", kind="muted"), self.sides)
        named = vbox(self.column, self._reason, gap=spacing.HAIR)
        called = label("Names in", kind="muted")
        called.setFixedHeight(spacing.CONTROL)
        fields.addRow(called, named)
        fields.addRow(label("New labels", kind="muted"), self._labels)
        self._fields = QWidget()
        self._fields.setLayout(fields)
        fields.setContentsMargins(0, 0, 0, 0)
        self._cards = QVBoxLayout()
        self.lists = {key: _Names() for key in ("not_found", "unclear", "unused")}
        heads = vbox(label(title, kind="heading"), self._found, gap=2)
        body = vbox(
            heads,
            self._cards,
            self._fields,
            *self.lists.values(),
            STRETCH,
            gap=spacing.MEDIUM,
            margins=spacing.WIDE,
        )
        vbox((body, 1), line(), self._foot("Comparing names…"), into=self, gap=0, margins=0)
        self._fields.hide()
        self._show_state()

    # Trying

    def _try(self) -> None:
        if self._table is None:
            return
        table, joining = self._table, self.joining

        def work(_: Task[float, Joined]) -> Joined:
            return joined_with(table, joining)

        def done(joined: Joined) -> None:
            self._show(table, joined, ())

        def refused(problems: tuple[Problem, ...]) -> None:
            self._show(table, None, problems)

        label = "Comparing names"
        self._reading.start(Job(label=label, work=work, done=done, refused=refused, quiet=True))

    def _choose_side(self, side: str) -> None:
        # The names of the other side are in another column.
        self.joining = replace(self.joining, side=side, on=None)
        self._try()

    def _choose_sheet(self, name: str) -> None:
        # Another sheet has other columns and may describe the other side.
        self.joining = replace(self.joining, part=name, on=None, side=None)
        self._known = {}
        self._try()

    def _choose_column(self, name: str) -> None:
        self.joining = replace(self.joining, on=name)
        self._try()

    # Display

    def _show(self, table: Table, joined: Joined | None, problems: tuple[Problem, ...]) -> None:
        self.joined, self.problems = joined, problems
        clear(self._cards)
        for problem in problems:
            where = without_folder(problem.where, self.joining.name)
            card = MessageCard(Tone.DANGER, problem.what, where=where, way_out=problem.way_out)
            self._cards.addWidget(card)
        sided = decided(table)
        words = {ITEMS: sided.items.kind, FEATURES: sided.features.kind}
        for side, word in words.items():
            self.sides.button(side).setText(counted(len(table.axis(side)), word))
        for names in self.lists.values():
            names.setVisible(False)
        self._found.setText("")
        if joined is not None:
            self._show_joined(table, joined, words)
        self._show_state()

    def _show_joined(self, table: Table, joined: Joined, words: dict[str, str]) -> None:
        word = words[joined.axis]
        self._found.setText(found_text(joined, word, len(table.axis(joined.axis))))
        self._known |= {guess.key: guess for guess in joined.guesses}
        self.sides.choose(joined.axis)
        self._show_sheets()
        self._show_columns(joined, words)
        self._labels.setText(", ".join(joined.labels.values()) or "those of the file")
        self.lists["not_found"].show_names(
            f"{counted(len(joined.not_found), word)} not in this file", joined.not_found
        )
        self.lists["unclear"].show_names(
            f"{counted(len(joined.unclear), word)} that match several rows", joined.unclear
        )
        self.lists["unused"].show_names(
            f"{counted(len(joined.unused), 'row')} of this file not used", joined.unused
        )
        self._fields.show()

    def _show_sheets(self) -> None:
        """Offer the sheets of a workbook with several."""
        guess = self._known.get("part")
        options = dict((guess.options if guess else None) or {})
        self._rows.setRowVisible(self.sheet, len(options) > 1)
        self.sheet.clear()
        for name, shown in options.items():
            self.sheet.addItem(shown, name)
        if guess is not None:
            self.sheet.setCurrentIndex(self.sheet.findData(guess.value))

    def _show_columns(self, joined: Joined, words: dict[str, str]) -> None:
        guess = self._known.get("on")
        options = {joined.on: joined.on} | dict((guess.options if guess else None) or {})
        self.column.clear()
        for name in options:
            self.column.addItem(name, name)
        self.column.setCurrentIndex(self.column.findData(joined.on))
        self.column.setEnabled(bool(joined.on))
        found = next((each for each in joined.guesses if each.key == "on"), None)
        reason = "You chose it." if found is None else found.reason
        self._reason.setText(in_words(reason, words[ITEMS], words[FEATURES]))

    def _show_state(self) -> None:
        self.ok.setEnabled(self.joined is not None and not self._reading.busy)

    # Ending

    def accept(self) -> None:
        """Join the file as shown."""
        data = self._actions.session.data
        if data is None or self.joined is None or self._reading.busy:
            return
        joinings = (*data.input.joinings, self.joining)
        wanted = replace(data.input, joinings=joinings, recipe=self._actions.recipe)
        self._actions.reread(wanted, data.labelled.reading)
        super().accept()


class _Names(Fold):
    """Collapsible list of names."""

    def __init__(self) -> None:
        super().__init__()
        self._text = QPlainTextEdit()
        self._text.setReadOnly(True)
        self._text.setFixedHeight(LIST_HEIGHT)
        self.column.addWidget(self._text)
        self.names: Sequence[str] = ()
        self.hide()

    def show_names(self, title: str, names: Sequence[str]) -> None:
        """List names; hidden if there are none."""
        self.names = names
        self.setVisible(bool(names))
        self.set_title(title)
        more = len(names) - MOST_NAMES
        rest = [f"… and {more} more"] if more > 0 else []
        self._text.setPlainText("\n".join([*names[:MOST_NAMES], *rest]))
