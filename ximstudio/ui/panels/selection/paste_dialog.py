"""Dialog that finds the names of a pasted list, to select them or save them as a set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QLineEdit,
    QPlainTextEdit,
    QWidget,
)

from ximstudio.model.named_set import SetSide, free_name
from ximstudio.model.selection import Selection
from ximstudio.model.words import counted, grouped
from ximstudio.ui.actions.actions import Actions
from ximstudio.ui.actions.selection import combine_of
from ximstudio.ui.dialogs.help import give_help
from ximstudio.ui.runtime.job_queue import Job
from ximstudio.ui.runtime.job_slot import JobSlot
from ximstudio.ui.widgets.boxes import STRETCH, hbox, vbox
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import Banner, ButtonKind, Tone, button, form, label

if TYPE_CHECKING:
    from ximstudio.ui.actions.selection import Pasted

SIZE = 460, 480
MOST_NAMED = 12
"""Number of names that are listed; the rest is counted."""


class PasteDialog(QDialog):
    """Field for a list, with the names found and not found shown while the user types."""

    def __init__(self, actions: Actions, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Paste a list of names")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(*SIZE)
        self._actions = actions
        self._pasted: Pasted | None = None
        self._words = actions.inspector.words
        self._matching = JobSlot(actions.jobs, self)
        self.text = QPlainTextEdit()
        self.text.setAccessibleName("Names")
        self.text.setTabChangesFocus(True)
        self.text.setPlaceholderText("One name per line, or separated by commas or spaces")
        self.found = Banner(closable=False)
        self.name = QLineEdit(
            free_name(f"List {len(actions.session.sets) + 1}", actions.session.sets)
        )
        self.name.setAccessibleName("Name of the set")
        self.cancel = button("Cancel")
        self.select = button("Select", tip="Shift adds to the selection, Ctrl removes from it")
        self.keep = button("Save as a set", kind=ButtonKind.PRIMARY)
        self.keep.setDefault(True)
        self._lay_out()
        give_help(
            self,
            "Names are matched with the names and labels of the table, such as gene symbols; "
            "upper and lower case do not matter.",
        )
        self.text.textChanged.connect(self._look)
        self.name.textChanged.connect(self._show)
        self.cancel.clicked.connect(self.reject)
        self.select.clicked.connect(self._select)
        self.keep.clicked.connect(self._keep)
        self.finished.connect(self._matching.stop)
        actions.inspector.named.connect(self._look)
        self._show()

    def _lay_out(self) -> None:
        rows = form()
        rows.addRow("Name of the set", self.name)
        answers = hbox(STRETCH, gap=spacing.SMALL)
        for made in (self.cancel, self.select, self.keep):
            made.setAutoDefault(False)
            answers.addWidget(made)
        vbox(
            label(f"{self._words.items.capitalize()} by name", kind="title"),
            (self.text, 1),
            self.found,
            rows,
            answers,
            into=self,
            gap=spacing.MEDIUM,
            margins=spacing.WIDE,
        )
        self.text.setFocus()

    @property
    def pasted(self) -> Pasted | None:
        """The names that were found; None while that is not known."""
        return self._pasted

    def _look(self) -> None:
        """Find the names in the background: a list may have thousands."""
        self._pasted = None
        self._matching.stop()
        text = self.text.toPlainText()
        work = self._actions.sets.pasted(text) if text.strip() else None
        if work is not None:
            job = Job(label="Finding names", work=work, done=self._take, quiet=True)
            self._matching.start(job)
        self._show()

    def _take(self, pasted: Pasted) -> None:
        self._pasted = pasted
        self._show()

    def _show(self, _: object = None) -> None:
        pasted = self._pasted
        n_found = 0 if pasted is None else len(pasted.matched.found)
        items = pasted is not None and pasted.side is SetSide.ITEMS
        self.select.setEnabled(n_found > 0 and items)
        self.keep.setEnabled(n_found > 0 and bool(self.name.text().strip()))
        # While names are searched, keep the last result to avoid flicker.
        if pasted is None:
            if not self.text.toPlainText().strip():
                self.found.hide()
            return
        word = self._words.item if items else self._words.feature
        whole = not pasted.matched.missing and not pasted.matched.unclear
        tone = Tone.SUCCESS if whole else Tone.WARNING if n_found else Tone.DANGER
        self.found.show_message(found_text(pasted, word), missing_text(pasted), tone=tone)

    def _select(self) -> None:
        if self._pasted is not None:
            from PySide6.QtWidgets import QApplication

            how = combine_of(QApplication.keyboardModifiers())
            self._actions.selecting.select(Selection.of(self._pasted.matched.found), how)
        self.accept()

    def _keep(self) -> None:
        if self._pasted is not None:
            self._actions.sets.keep(self.name.text().strip(), self._pasted)
        self.accept()


def found_text(pasted: Pasted, word: str) -> str:
    """Return how many names were found: "23 genes found, 2 names not"."""
    matched = pasted.matched
    n_lost = len(matched.missing) + len(matched.unclear)
    lost = f", {counted(n_lost, 'name')} not" if n_lost else ""
    return f"{counted(len(matched.found), word)} found{lost}"


def missing_text(pasted: Pasted) -> str:
    """Return the names that were not found, and those that match several."""
    matched = pasted.matched
    parts = []
    if matched.missing:
        parts.append(f"Not in the table: {_some(matched.missing)}.")
    if matched.unclear:
        parts.append(f"Ambiguous: {_some([name for name, _ in matched.unclear])}.")
    return " ".join(parts)


def _some(names: tuple[str, ...] | list[str]) -> str:
    more = len(names) - MOST_NAMED
    listed = ", ".join(names[:MOST_NAMED])
    return f"{listed} and {grouped(more)} more" if more > 0 else listed
