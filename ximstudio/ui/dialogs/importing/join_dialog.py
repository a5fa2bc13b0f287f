"""Dialog that joins labels from a second file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from ximstudio.jobs import Task
from ximstudio.load import Guess
from ximstudio.load.annotation.join import Joined
from ximstudio.load.sides import decided
from ximstudio.model.problem import Problem, UserError
from ximstudio.model.table import FEATURES, ITEMS, Table
from ximstudio.model.words import counted, in_words
from ximstudio.prepare.input import Joining, joined_with
from ximstudio.session.words import Words, found_text, without_folder
from ximstudio.ui.actions.actions import Actions
from ximstudio.ui.dialogs.help import give_help
from ximstudio.ui.dialogs.importing.status_line import Status
from ximstudio.ui.dialogs.of_table import close_with_table
from ximstudio.ui.runtime.job_queue import Job
from ximstudio.ui.runtime.job_slot import TYPING_MILLISECONDS, JobSlot
from ximstudio.ui.widgets.boxes import STRETCH, hbox, vbox
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import (
    ButtonKind,
    Tone,
    button,
    combo_box,
    form,
    label,
    line,
    segments,
)
from ximstudio.ui.widgets.message_card import Fold, MessageCard, clear, prose

SIZE = (560, 460)
HELP = (
    "Adds labels from a second file. Its rows are matched by name. You can change whether "
    "they describe rows or columns of the table, and which column has the names."
)
MOST_NAMES = 500
"""Maximum number of listed names; the rest is counted."""
LIST_HEIGHT = 96


@dataclass(frozen=True, kw_only=True)
class JoinAttempt:
    """Result of joining: labels with their account, or problems."""

    joining: Joining
    words: tuple[str, str]
    sizes: tuple[int, int]
    joined: Joined | None = None
    problems: tuple[Problem, ...] = ()


def attempt(table: Table, joining: Joining) -> JoinAttempt:
    """Join a file to a table in the background; return problems instead of raising."""
    sided = decided(table)
    words = (sided.items.kind, sided.features.kind)
    tried = JoinAttempt(joining=joining, words=words, sizes=(table.n_items, table.n_features))
    try:
        return replace(tried, joined=joined_with(table, joining))
    except UserError as error:
        return replace(tried, problems=error.problems)


class JoinDialog(QDialog):
    """Dialog that shows how a second file matches the table before it is joined."""

    _open: ClassVar[set[JoinDialog]] = set()
    """Open dialogs, kept alive here."""

    def __init__(self, actions: Actions, path: str | Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._actions = actions
        self._data = actions.session.data
        self.joining = Joining(name=str(path))
        self.attempt: JoinAttempt | None = None
        self._known: dict[str, Guess] = {}
        self._matching = JobSlot(actions.jobs, self)
        self._build(Path(path).name)
        self._matching.changed.connect(self._show_state)
        self.finished.connect(self._ended)

    def open(self) -> None:
        """Show the dialog and start reading."""
        JoinDialog._open.add(self)
        close_with_table(self, self._actions)
        super().open()
        self.setFocus()
        self._try(at_once=True)

    def _build(self, title: str) -> None:
        self.setWindowTitle(f"Join {title}")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        give_help(self, HELP)
        self.resize(*SIZE)
        self._found = label(kind="muted")
        self.sides = segments(_side_names(Words.of(self._data)))
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
        self._problems = QVBoxLayout()
        self.lists = {key: _Names() for key in ("not_found", "unclear", "unused")}
        heads = vbox(label(title, kind="heading"), self._found, gap=2)
        body = vbox(
            heads,
            self._problems,
            self._fields,
            *self.lists.values(),
            STRETCH,
            gap=spacing.MEDIUM,
            margins=spacing.WIDE,
        )
        vbox((body, 1), line(), self._foot(), into=self, gap=0, margins=0)
        self._fields.hide()
        self._show_state()

    def _foot(self) -> QHBoxLayout:
        self._status = Status(self._matching, "Comparing names…")
        self.ok = button("Join", kind=ButtonKind.PRIMARY)
        self.ok.setDefault(True)
        self.ok.clicked.connect(self.accept)
        cancel = button("Cancel")
        cancel.setAutoDefault(False)
        cancel.clicked.connect(self.reject)
        return hbox(
            (self._status, 1),
            cancel,
            self.ok,
            gap=spacing.SMALL,
            margins=(spacing.WIDE, spacing.MEDIUM, spacing.WIDE, spacing.MEDIUM),
        )

    # Trying

    def _try(self, *, at_once: bool = False) -> None:
        if self._data is None:
            return
        table, joining = self._data.labelled.table, self.joining

        def work(_: Task[float, JoinAttempt]) -> JoinAttempt:
            return attempt(table, joining)

        job = Job(label="Comparing names", work=work, done=self._show_attempt, quiet=True)
        self._matching.start(job, delay=0 if at_once else TYPING_MILLISECONDS)

    def _choose_side(self, side: str) -> None:
        # The names of the other side are in another column.
        self.joining = replace(self.joining, side=side, on=None)
        self._try(at_once=True)

    def _choose_sheet(self, name: str) -> None:
        # Another sheet has other columns and may describe the other side.
        self.joining = replace(self.joining, part=name, on=None, side=None)
        self._known = {}
        self._try(at_once=True)

    def _choose_column(self, name: str) -> None:
        self.joining = replace(self.joining, on=name)
        self._try(at_once=True)

    # Display

    def _show_attempt(self, tried: JoinAttempt) -> None:
        self.attempt = tried
        clear(self._problems)
        for problem in tried.problems:
            where = without_folder(problem.where, self.joining.name)
            card = MessageCard(Tone.DANGER, problem.what, where=where, way_out=problem.way_out)
            self._problems.addWidget(card)
        for place, side in enumerate((ITEMS, FEATURES)):
            words = counted(tried.sizes[place], tried.words[place])
            self.sides.button(side).setText(words)
        joined = tried.joined
        for names in self.lists.values():
            names.setVisible(False)
        self._found.setText("")
        if joined is not None:
            self._show_joined(tried, joined)

    def _show_joined(self, tried: JoinAttempt, joined: Joined) -> None:
        place = 0 if joined.axis == ITEMS else 1
        word, n = tried.words[place], tried.sizes[place]
        self._found.setText(found_text(joined, word, n))
        self._known |= {guess.key: guess for guess in joined.guesses}
        self.sides.choose(joined.axis)
        self._show_sheets()
        self._show_columns(tried, joined)
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

    def _show_columns(self, tried: JoinAttempt, joined: Joined) -> None:
        guess = self._known.get("on")
        options = {joined.on: joined.on} | dict((guess.options if guess else None) or {})
        self.column.clear()
        for name in options:
            self.column.addItem(name, name)
        self.column.setCurrentIndex(self.column.findData(joined.on))
        self.column.setEnabled(bool(joined.on))
        found = next((each for each in joined.guesses if each.key == "on"), None)
        reason = "You chose it." if found is None else found.reason
        self._reason.setText(in_words(reason, *tried.words))

    def _show_state(self) -> None:
        good = self.attempt is not None and self.attempt.joined is not None
        self.ok.setEnabled(good and not self._matching.busy)

    # Ending

    def accept(self) -> None:
        """Join the file as shown."""
        data, tried = self._actions.session.data, self.attempt
        if data is None or tried is None or tried.joined is None or self._matching.busy:
            return
        wanted = replace(
            data.input,
            joinings=(*data.input.joinings, tried.joining),
            recipe=self._actions.recipe,
        )
        self._actions.reread(wanted, data.labelled.reading)
        super().accept()

    def _ended(self) -> None:
        self._matching.stop()
        JoinDialog._open.discard(self)


def _side_names(words: Words) -> dict[str, str]:
    return {ITEMS: words.items.capitalize(), FEATURES: words.features.capitalize()}


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
