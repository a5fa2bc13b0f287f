"""Data step: the table, how it was read, and the findings of the data doctor."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QWidget

from ximstudio.model.problem import Problem, Severity
from ximstudio.model.words import counted, plural
from ximstudio.session import Data
from ximstudio.session.sides import items_in_rows, turned
from ximstudio.session.words import (
    COLUMN,
    ROW,
    name_of,
    origin_of,
)
from ximstudio.ui.actions.actions import Actions
from ximstudio.ui.panels.data.facts import JoinedFiles, Kinds, TableFacts
from ximstudio.ui.panels.data.findings import Findings, carry_out, open_findings, problem_card
from ximstudio.ui.panels.panel import Panel
from ximstudio.ui.widgets.boxes import STRETCH, hbox, vbox
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import Size, Tone, button, label, segments
from ximstudio.ui.widgets.message_card import TONES, Fold, breakable, clear, prose


class DataPanel(Panel):
    """Data step: the table, how it was read, and the findings of the data doctor."""

    key = "data"
    name = "Data"
    icon = "data"

    def __init__(self, actions: Actions) -> None:
        super().__init__(actions)
        self._shown: Data | None = None
        self._title = prose(kind="title")
        self._size = prose(kind="muted")
        self.sides = segments({"rows": "rows", "columns": "columns"})
        self.sides.chosen.connect(self._turn)
        self.kinds = Kinds()
        self.kinds.chosen.connect(self._say_what)
        self.facts = TableFacts()
        self.read_again = button("Change how it is read…", size=Size.SMALL)
        self.read_again.clicked.connect(self._read_again)
        self.join = button(
            "Join a table…",
            size=Size.SMALL,
            tip="Add labels from a second file, matched by the names of genes or samples",
        )
        self.join.clicked.connect(self._choose_table)
        self.joined = JoinedFiles()
        self.joined.removed.connect(self._remove_joined)
        self._problems = vbox(gap=spacing.SMALL)
        self.findings = Findings()
        self.findings.repaired.connect(lambda repair: carry_out(actions, repair))
        self.notes = Fold()
        self._page = self._built()
        self._empty = prose("Open a table to begin.", kind="muted")
        vbox(
            self._empty,
            self._page,
            STRETCH,
            into=self,
            margins=(0, spacing.SMALL, spacing.HAIR, spacing.LARGE),
        )
        self.show_session()

    def _built(self) -> QWidget:
        page = QWidget()
        heads = vbox(self._title, self._size, gap=2)
        which = hbox(label("Map the", kind="muted"), self.sides, STRETCH, gap=spacing.MEDIUM)
        # Above the facts, so that findings are visible without scrolling.
        buttons = hbox(self.read_again, self.join, STRETCH, gap=spacing.SMALL)
        vbox(
            heads,
            which,
            self.kinds,
            self._problems,
            self.findings,
            self.facts,
            self.joined,
            buttons,
            self.notes,
            into=page,
            gap=spacing.LARGE,
            margins=0,
        )
        return page

    @property
    def n_open(self) -> int:
        """Number of findings that are not settled yet."""
        return 0 if self.data is None else len(open_findings(self.data))

    @property
    def done(self) -> bool:
        return self.data is not None and not self.data.problems

    @property
    def ready(self) -> bool:
        return True

    def show_session(self) -> None:
        """Show the current session."""
        data = self.data
        if data is self._shown and data is not None:
            return
        self._shown = data
        self._empty.setVisible(data is None)
        self._page.setVisible(data is not None)
        if data is not None:
            self._show_data(data)

    def _show_data(self, data: Data) -> None:
        overview = data.overview
        self._title.setText(breakable(name_of(data)))
        self._title.setToolTip(origin_of(data))
        items = counted(overview.n_items, overview.item)
        self._size.setText(f"{items} × {counted(overview.n_features, overview.feature)}")
        self._show_sides(data)
        self.kinds.show_data(data)
        self.facts.show_data(data)
        self.joined.show_data(data)
        clear(self._problems)
        for problem in problems_to_report(data):
            self._problems.addWidget(problem_card(problem, data, Tone.DANGER))
        self.findings.show_findings(data)
        notes = (*data.labelled.reading.notes, *data.labelled.joins)
        clear(self.notes.column)
        self.notes.setVisible(bool(notes))
        self.notes.set_title(f"{counted(len(notes), 'note')} about the file")
        for note in notes:
            card = problem_card(note, data, TONES[note.severity], framed=False)
            self.notes.column.addWidget(card)

    def _show_sides(self, data: Data) -> None:
        overview = data.overview
        in_rows = items_in_rows(data)
        sides = ((overview.item, overview.n_items), (overview.feature, overview.n_features))
        for key, (word, n) in zip(
            ("rows", "columns"), sides if in_rows else sides[::-1], strict=True
        ):
            known = word not in (ROW, COLUMN)
            made = self.sides.button(key)
            made.setText(counted(n, word if known else key[:-1]))
            made.setToolTip(f"Every point of the map is one of the {key} of the file")
        self.sides.choose("rows" if in_rows else "columns")

    # Doing

    def _turn(self, side: str) -> None:
        data = self.data
        if data is not None and (side == "rows") is not items_in_rows(data):
            word = data.overview.feature
            called = side if word in (ROW, COLUMN) else plural(2, word)
            self.user_actions.set_recipe(turned(self.user_actions.recipe), f"Map the {called}")

    def _say_what(self, side: str, word: str) -> None:
        data = self.data
        if data is not None:
            present = replace(data.input, recipe=self.user_actions.recipe)
            wanted = present.with_choices(data.input.choices.replace(**{side: word}))
            self.user_actions.reread(wanted, data.labelled.reading)

    def _read_again(self) -> None:
        from ximstudio.ui.dialogs.importing.dialog import ImportDialog

        dialog = ImportDialog.again(self.user_actions, parent=self.window())
        if dialog is not None:
            dialog.open()

    def _choose_table(self) -> None:
        dialog = QFileDialog(self.window(), "Join a table")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(lambda name: self.join_table(Path(name)))
        dialog.open()

    def join_table(self, path: Path) -> None:
        """Open the dialog that joins a second file."""
        from ximstudio.ui.dialogs.importing.join_dialog import JoinDialog

        if self.data is not None:
            JoinDialog(self.user_actions, path, parent=self.window()).open()

    def _remove_joined(self, number: int) -> None:
        data = self.data
        if data is not None:
            joinings = data.input.joinings
            kept = joinings[:number] + joinings[number + 1 :]
            wanted = replace(data.input, joinings=kept, recipe=self.user_actions.recipe)
            self.user_actions.reread(wanted, data.labelled.reading)


def problems_to_report(data: Data) -> tuple[Problem, ...]:
    """Return the problems that prevent training and are not covered by a finding."""
    if data.opened is not None and any(each.severity is Severity.ERROR for each in data.findings):
        return ()
    at_step = "See the step under Prepare."
    return tuple(
        problem if problem.step is None else replace(problem, way_out=at_step)
        for problem in data.problems
    )
