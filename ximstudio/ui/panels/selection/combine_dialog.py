"""Dialog that combines two sets: union, intersection or difference."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QDialog, QLineEdit, QWidget

from ximstudio.model.named_set import Algebra, NamedSet, SetSide
from ximstudio.model.words import counted
from ximstudio.ui.actions.actions import Actions
from ximstudio.ui.actions.selection import combined_name
from ximstudio.ui.widgets.boxes import hbox, vbox
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import ButtonKind, button, combo_box, form, label, segments

WIDTH = 440
WORDS = {
    Algebra.UNION: "In either set",
    Algebra.INTERSECTION: "In both sets",
    Algebra.DIFFERENCE: "Only in the first set",
}


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
        one, other = self._named_set(self.one), self._named_set(self.other)
        if one is None or other is None:
            return None
        return one.with_other(other, Algebra(self.how.value), name=self.name.text())

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
        self.other.blockSignals(True)
        self.other.clear()
        self.other.addItems(names)
        self.other.setCurrentIndex(names.index(before) if before in names else 0)
        self.other.blockSignals(False)
        self._show()

    def _show(self, _: object = None) -> None:
        one, other = self._named_set(self.one), self._named_set(self.other)
        made = self.made
        self.make.setEnabled(made is not None and len(made) > 0)
        if one is None or other is None or made is None:
            self.count.setText("There is no other set of the same kind.")
            return
        wanted = combined_name(one, other, Algebra(self.how.value))
        if self.name.text() in ("", self._named):
            # A name that the user typed stays.
            self.name.setText(wanted)
            self._named = wanted
        word = self._words.item if one.side is SetSide.ITEMS else self._words.feature
        self.count.setText(counted(len(made), word))

    def _make(self) -> None:
        one, other = self._named_set(self.one), self._named_set(self.other)
        if one is not None and other is not None:
            how = Algebra(self.how.value)
            self._actions.sets.combine(one, other, how, name=self.name.text())
        self.accept()


def _sets_box(name: str) -> QComboBox:
    made = combo_box(name=name)
    # Otherwise Qt measures all names.
    made.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    made.setMinimumContentsLength(10)
    return made
