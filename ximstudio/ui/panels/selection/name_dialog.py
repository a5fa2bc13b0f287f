"""Dialog that asks for the name of a set."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QLineEdit, QWidget

from ximstudio.ui.widgets.boxes import STRETCH, hbox, vbox
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import ButtonKind, button, label

WIDTH = 380
LONGEST = 120


class SetNameDialog(QDialog):
    """Dialog with a field for a name, which must not be empty."""

    def __init__(self, parent: QWidget, *, title: str, text: str, name: str, yes: str) -> None:
        super().__init__(parent)
        self.setWindowTitle("XIM Studio")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setFixedWidth(WIDTH)
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
    then: Callable[[str], None],
) -> SetNameDialog:
    """Ask for a name and call back with it, without blocking the window."""
    dialog = SetNameDialog(parent, title=title, text=text, name=name, yes=yes)
    dialog.accepted.connect(lambda: then(dialog.name))
    dialog.open()
    return dialog
