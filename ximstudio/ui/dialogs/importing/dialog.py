"""Import dialog: how a file is read, with a preview, before it is opened."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from ximstudio.jobs import Task
from ximstudio.load import Choices, Guess, Reading
from ximstudio.load.attempt import Attempt, Wanted
from ximstudio.load.pasted import kept
from ximstudio.load.questions import (
    BEYOND_HELP,
    ORIENTATION,
    blank_entries,
    entries_of,
    guesses_of,
    with_answer,
    without_answer,
)
from ximstudio.model.problem import UserError
from ximstudio.prepare.input import Input
from ximstudio.ui.actions.actions import Actions
from ximstudio.ui.dialogs.importing.parts import FilePreview, Questions
from ximstudio.ui.dialogs.importing.preview import LABELS, NAMES
from ximstudio.ui.dialogs.importing.reading_dialog import ReadingDialog
from ximstudio.ui.dialogs.tool_dialog import close_with_table
from ximstudio.ui.runtime.job_queue import Job
from ximstudio.ui.runtime.job_slot import TYPING_MILLISECONDS
from ximstudio.ui.widgets.boxes import hbox, vbox
from ximstudio.ui.widgets.look.controls import line
from ximstudio.ui.widgets.text_dialog import fit_into_window

SIZE = (1120, 700)
Taking = Callable[[Input, Reading], None]
"""Called with a table that was read."""
UNSEEN_MILLISECONDS = 500
"""Milliseconds before the dialog shows that a file is being read."""
FILLED = object()
"""Shown where a form has nothing to fill in."""
HELP = (
    "How the file will be read. Each guess on the right has a reason and can be changed; the "
    "preview updates at once. Click a column header to use the column as names or as a "
    "label."
)


class ImportDialog(ReadingDialog):
    """Dialog that reads a file in the background and lets the user correct how.

    `ImportDialog(actions, path).open()` starts a session with the file; with `reread` the current
    session keeps its plan and runs, and its table is read in another way.
    """

    def __init__(
        self,
        actions: Actions,
        name: str | Path,
        *,
        text: str | None = None,
        choices: Choices | None = None,
        reread: bool = False,
        folder: Path | None = None,
        parent: QWidget | None = None,
    ) -> None:
        """`text` is read instead of a file and stored in `folder`."""
        self._wanted = Wanted(name=str(name), text=text)
        does, takes = ("Read", "Read again") if reread else ("Open", "Open")
        title = f"{does} {self._wanted.title}"
        super().__init__(actions, parent, title=title, about=HELP, takes=takes)
        self._reread = reread
        self._folder = folder
        self.gate: Callable[[Callable[[], None]], None] = lambda then: then()
        """Called before the table replaces another one."""
        self.choices = Choices() if choices is None else choices
        self.attempt: Attempt | None = None
        """The last attempt, successful or not."""
        self.good: Attempt | None = None
        """The last successful attempt."""
        self._known: dict[str, Guess] = {}
        self._wrong: set[str] = set()
        """Keys of invalid answers."""
        self._filling: Iterator[None] = iter(())
        self._form_later = QTimer(self, singleShot=True, interval=0)
        self._form_later.timeout.connect(self._show_form)
        self._take: Taking | None = None
        """Called with a table that needs no check, instead of showing the dialog."""
        self._show_later = QTimer(self, singleShot=True)
        self._show_later.timeout.connect(self._appear)
        self._build()
        self._reading.changed.connect(self._show_state)

    @classmethod
    def pasted(
        cls, actions: Actions, text: str, *, folder: Path | None, parent: QWidget | None = None
    ) -> Self:
        """Return the dialog for a text from the clipboard."""
        return cls(actions, "", text=text, folder=folder, parent=parent)

    @classmethod
    def again(cls, actions: Actions, *, parent: QWidget | None = None) -> Self | None:
        """Return the dialog that reads the table of the session in another way."""
        data = actions.session.data
        if data is None:
            return None
        return cls(actions, data.input.name, choices=data.input.choices, reread=True, parent=parent)

    def open(self) -> None:
        """Show the dialog and start reading."""
        ReadingDialog._open.add(self)
        if self._reread:
            close_with_table(self, self._actions)
        self._appear()
        self._read(at_once=True)

    def open_if_unclear(self, take: Taking) -> None:
        """Read, and show the dialog only if there is something to check or reading takes long.

        Unambiguous tables are passed to `take`.
        """
        ReadingDialog._open.add(self)
        self._take = take
        self._show_later.start(UNSEEN_MILLISECONDS)
        self._read(at_once=True)

    def _appear(self) -> None:
        fit_into_window(self, SIZE)
        super().open()
        # Not on "Cancel", which Qt would focus.
        self.setFocus()

    def _build(self) -> None:
        self._left = FilePreview(self._wanted.title, self._wanted.name)
        self.problems = self._left.problems
        self.refused = self._left.refused
        self._left.hint_wanted.connect(self._follow)
        self.switch, self.table = self._left.switch, self._left.table
        self.switch.chosen.connect(lambda side: self._answer(ORIENTATION, side))
        self.table.role_chosen.connect(self._set_role)
        self.questions = Questions(self._wanted.name)
        self.questions.hint_wanted.connect(self._follow)
        self.form = self.questions.form
        self.form.answered.connect(self._answer)
        self.form.taken_back.connect(self._take_back)
        middle = hbox((self._left, 1), self.questions, gap=0)
        vbox((middle, 1), line(), self._foot("Reading…"), into=self, gap=0, margins=0)
        self._show_state()

    # Reading

    def _read(self, *, at_once: bool = False) -> None:
        wanted, choices = self._wanted, self.choices

        def work(task: Task[float, Attempt]) -> Attempt:
            return wanted.attempt(choices, task.report)

        label = f"Reading {wanted.title}"
        job = Job(label=label, work=work, done=self._show_attempt, quiet=True)
        self._reading.start(job, delay=0 if at_once else TYPING_MILLISECONDS)

    def _answer(self, key: str, text: str) -> None:
        self._wrong.discard(key)
        try:
            self.choices = with_answer(self.choices, key, text)
        except UserError as error:
            self._wrong.add(key)
            self._reading.stop()
            self.form.fields[key].show_problem(error.problems[0].way_out)
            self._show_state()
            return
        self._read()

    def _follow(self, hint: Mapping[str, Any]) -> None:
        """Read the file with the choices of a hint."""
        self._wrong -= set(hint)
        self.choices = self.choices.replace(**hint)
        self._read(at_once=True)

    def _take_back(self, key: str) -> None:
        self._wrong.discard(key)
        self.choices = without_answer(self.choices, key)
        self._read()

    def _set_role(self, column: str, role: str) -> None:
        """Use a column as names, label or values."""
        if role == NAMES:
            self._answer("id", column)
            return
        guess = self._known.get("labels")
        spec = Choices.specs()["labels"]
        labels = self.choices.labels or (spec.parse(guess.value) if guess is not None else ())
        if role == LABELS:
            labels = (*labels, column)
        else:
            labels = tuple(name for name in labels if name != column)
        self.choices = self.choices.replace(labels=labels)
        self._read()

    # Display

    def _show_attempt(self, attempt: Attempt) -> None:
        self.attempt = attempt
        take, self._take = self._take, None
        if take is not None:
            self._show_later.stop()
            if attempt.is_clear:
                assert attempt.reading is not None
                super().reject()
                take(self._input, attempt.reading)
                return
            if not self.isVisible():
                self._appear()
        self._known |= {guess.key: guess for guess in guesses_of(attempt)}
        self._left.show_attempt(attempt, self._known)
        if attempt.reading is None:
            self._show_failure(attempt)
            return
        self.good = attempt
        # In separate slices: table and form together would block the window.
        entries = entries_of(attempt, self._known)
        self._filling = self.questions.fill(entries, self._known, attempt.reading.notes)
        self._form_later.start()

    def _show_form(self) -> None:
        if next(self._filling, FILLED) is not FILLED:
            self._form_later.start()

    def _show_failure(self, attempt: Attempt) -> None:
        """Keep the last successful attempt, or show the questions if there is none."""
        if self.good is None and not self._is_hopeless:
            self.questions.show_blank(blank_entries(attempt))
        defaults, values = Choices.defaults(), attempt.choices.as_values()
        self.form.show_chosen({key for key in values if values[key] != defaults[key]})

    @property
    def _is_hopeless(self) -> bool:
        """Return whether no answer could make the file readable."""
        problems = () if self.attempt is None or self.good is not None else self.attempt.problems
        return any(problem.key in BEYOND_HELP for problem in problems)

    def _show_state(self) -> None:
        busy = self._reading.busy
        failed = self.attempt is not None and self.attempt.reading is None
        ready = self.attempt is not None and not failed and not self._wrong
        self.ok.setEnabled(ready and not busy)
        self.ok.setHidden(self._is_hopeless)
        shows = "The preview shows the last settings that worked."
        self._idle_text = shows if failed and self.good else ""
        self._show_work()

    # Ending

    def accept(self) -> None:
        """Open the table as read."""
        attempt = self.attempt
        if attempt is None or attempt.reading is None or self._reading.busy:
            return
        data = self._actions.session.data
        if self._reread and data is not None:
            present = replace(data.input, recipe=self._actions.recipe)
            wanted = present.with_choices(attempt.choices)
            self._actions.reread(wanted, attempt.reading)
            super().accept()
        else:
            self.gate(self._begin)

    def _begin(self) -> None:
        """Start a session with the table."""
        assert self.attempt is not None
        self._actions.open(self._input, self.attempt.reading)
        super().accept()

    @property
    def _input(self) -> Input:
        """Return the input of the last attempt; pasted text is stored in a file."""
        assert self.attempt is not None
        name = self._wanted.name
        if self._wanted.text is not None:
            name = str(kept(self._wanted.text, self._folder))
        return Input(name=name, choices=self.attempt.choices)

    def _ended(self) -> None:
        self._form_later.stop()
        self._show_later.stop()
        super()._ended()
