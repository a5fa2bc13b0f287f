"""Dialogs of sets: their name, a pasted list of names, and two sets combined."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QComboBox, QDialog, QLineEdit, QPlainTextEdit, QWidget

from ximstudio.model.named_set import Algebra, NamedSet, SetSide, free_name
from ximstudio.model.selection import Selection
from ximstudio.model.words import counted, grouped
from ximstudio.ui.actions.actions import Actions
from ximstudio.ui.actions.selection import combine_of, combined_name
from ximstudio.ui.dialogs.help import give_help
from ximstudio.ui.runtime.job_queue import Job
from ximstudio.ui.runtime.job_slot import JobSlot
from ximstudio.ui.widgets.boxes import STRETCH, hbox, vbox
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import (
    Banner,
    ButtonKind,
    Tone,
    button,
    combo_box,
    form,
    label,
    segments,
)

if TYPE_CHECKING:
    from ximstudio.ui.actions.selection import Pasted

SIZE = 460, 480
MOST_NAMED = 12
"""Number of names that are listed; the rest is counted."""
WIDTH = 440
WORDS = {
    Algebra.UNION: "In either set",
    Algebra.INTERSECTION: "In both sets",
    Algebra.DIFFERENCE: "Only in the first set",
}
NAME_WIDTH = 380
LONGEST = 120


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


class CombineDialog(QDialog):
    """Dialog that shows the size of the combined set before it is created."""

    def __init__(self, actions: Actions, parent: QWidget, *, first: str = "") -> None:
        super().__init__(parent)
        self.setWindowTitle("Combine two sets")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setFixedWidth(WIDTH)
        self._actions = actions
        self._words = actions.inspector.words
        self._named = ""
        self.one, self.other = _sets_box("First set"), _sets_box("Second set")
        self.how = segments({each.value: text for each, text in WORDS.items()})
        self.name = QLineEdit()
        self.name.setAccessibleName("Name of the new set")
        self.count = label(kind="muted")
        self.cancel = button("Cancel")
        self.make = button("Create set", kind=ButtonKind.PRIMARY)
        self.make.setDefault(True)
        self._lay_out()
        names = [each.name for each in actions.session.sets]
        self.one.addItems(names)
        self.one.setCurrentIndex(names.index(first) if first in names else 0)
        self._offer()
        self.one.currentIndexChanged.connect(self._offer)
        self.other.currentIndexChanged.connect(self._show)
        self.how.chosen.connect(self._show)
        self.cancel.clicked.connect(self.reject)
        self.make.clicked.connect(self._make)

    def _lay_out(self) -> None:
        rows = form()
        rows.addRow("First set", self.one)
        rows.addRow("Second set", self.other)
        rows.addRow("Members", self.how)
        rows.addRow("Name", self.name)
        answers = hbox((self.count, 1), self.cancel, self.make, gap=spacing.SMALL)
        self.cancel.setAutoDefault(False)
        vbox(
            label("Combine two sets", kind="title"),
            rows,
            spacing.SMALL,
            answers,
            into=self,
            gap=spacing.MEDIUM,
            margins=spacing.WIDE,
        )

    @property
    def made(self) -> NamedSet | None:
        """The combined set; None if there is none."""
        if (both := self._both) is None:
            return None
        return both[0].with_other(both[1], Algebra(self.how.value), name=self.name.text())

    @property
    def _both(self) -> tuple[NamedSet, NamedSet] | None:
        one, other = self._named_set(self.one), self._named_set(self.other)
        return None if one is None or other is None else (one, other)

    def _named_set(self, box: QComboBox) -> NamedSet | None:
        sets = self._actions.session.sets
        return next((each for each in sets if each.name == box.currentText()), None)

    def _offer(self, _: object = None) -> None:
        """Offer the sets of the same side as the first one."""
        one = self._named_set(self.one)
        before = self.other.currentText()
        names = [
            each.name
            for each in self._actions.session.sets
            if one is not None and each.side is one.side and each.name != one.name
        ]
        with QSignalBlocker(self.other):
            self.other.clear()
            self.other.addItems(names)
            self.other.setCurrentIndex(names.index(before) if before in names else 0)
        self._show()

    def _show(self, _: object = None) -> None:
        both, made = self._both, self.made
        self.make.setEnabled(made is not None and len(made) > 0)
        if both is None or made is None:
            self.count.setText("There is no other set of the same kind.")
            return
        wanted = combined_name(*both, Algebra(self.how.value))
        if self.name.text() in ("", self._named):
            # A name that the user typed stays.
            self.name.setText(wanted)
            self._named = wanted
        word = self._words.item if made.side is SetSide.ITEMS else self._words.feature
        self.count.setText(counted(len(made), word))

    def _make(self) -> None:
        if (both := self._both) is not None:
            self._actions.sets.combine(*both, Algebra(self.how.value), name=self.name.text())
        self.accept()


def _sets_box(name: str) -> QComboBox:
    made = combo_box(name=name)
    # Otherwise Qt measures all names.
    made.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    made.setMinimumContentsLength(10)
    return made


class SetNameDialog(QDialog):
    """Dialog with a field for a name, which must not be empty."""

    def __init__(self, parent: QWidget, *, title: str, text: str, name: str, yes: str) -> None:
        super().__init__(parent)
        self.setWindowTitle("XIM Studio")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setFixedWidth(NAME_WIDTH)
        self.field = QLineEdit(name)
        self.field.setMaxLength(LONGEST)
        self.field.setAccessibleName("Name")
        self.field.selectAll()
        self.yes = button(yes, kind=ButtonKind.PRIMARY)
        self.no = button("Cancel")
        self.yes.setDefault(True)
        self.no.setAutoDefault(False)
        self.yes.clicked.connect(self.accept)
        self.no.clicked.connect(self.reject)
        self.field.textChanged.connect(lambda text: self.yes.setEnabled(bool(text.strip())))
        words = label(text, kind="muted", wrap=True)
        answers = hbox(STRETCH, self.no, self.yes, gap=spacing.SMALL)
        vbox(
            label(title, kind="title"),
            words,
            self.field,
            spacing.MEDIUM,
            answers,
            into=self,
            gap=spacing.SMALL,
            margins=spacing.WIDE,
        )
        self.field.setFocus()

    @property
    def name(self) -> str:
        return self.field.text().strip()


def ask_name(
    parent: QWidget,
    *,
    title: str,
    text: str,
    name: str,
    yes: str = "Save",
    then: Callable[[str], object],
) -> SetNameDialog:
    """Ask for a name and call back with it, without blocking the window."""
    dialog = SetNameDialog(parent, title=title, text=text, name=name, yes=yes)
    dialog.accepted.connect(lambda: then(dialog.name))
    dialog.open()
    return dialog
