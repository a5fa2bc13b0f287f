"""Dialog that asks where to save a session, and whether to include its table."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QFileDialog, QLineEdit, QRadioButton, QWidget

from ximstudio.store.save_locations import SUFFIX
from ximstudio.ui.dialogs.help import give_help
from ximstudio.ui.widgets.boxes import STRETCH, Part, hbox, vbox
from ximstudio.ui.widgets.elided import Elided
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import ButtonKind, button, label
from ximstudio.ui.widgets.text_dialog import FittedDialog

WIDTH = 520
HELP = (
    "A session stores the table, the recipe, all maps, the selection, sets and views in one "
    "file. Opening it restores everything; nothing is retrained."
)


class SaveDialog(FittedDialog):
    """Dialog for the file name and for including the table.

    Parameters
    ----------
    path
        Proposed path.
    embed
        Whether including the table is proposed.
    table, size
        Name of the table, and its size in the file: "12 MB".
    bound
        Why the table must be included; '' if the user may choose.
    """

    chosen = Signal(object, bool)
    """The path, and whether the file includes the table."""

    def __init__(
        self,
        parent: QWidget,
        path: Path,
        *,
        embed: bool = True,
        table: str,
        size: str = "",
        bound: str = "",
    ) -> None:
        super().__init__(parent, WIDTH)
        self.setWindowTitle("Save session")
        give_help(self, HELP)
        self.name = QLineEdit(path.name)
        self.name.setAccessibleName("File name")
        self._folder = path.parent
        self._where = Elided(str(self._folder), kind="caption")
        self.browse = button("Choose folder…")
        self.note = label(kind="muted", tone="warning", wrap=True)
        self.within = QRadioButton(f"With the table{f' ({size} more)' if size else ''}")
        self.beside = QRadioButton("Without the table")
        self._answers = QButtonGroup(self)
        for number, each in enumerate((self.within, self.beside)):
            self._answers.addButton(each, number)
        self.within.setChecked(embed or bool(bound))
        self.beside.setChecked(not self.within.isChecked())
        self.beside.setEnabled(not bound)
        self.cancel = button("Cancel")
        self.save = button("Save", kind=ButtonKind.PRIMARY)
        self.save.setDefault(True)
        for made in (self.cancel, self.browse):
            made.setAutoDefault(False)
        self._lay_out(table, bound)
        self.browse.clicked.connect(self._choose_folder)
        self.cancel.clicked.connect(self.reject)
        self.save.clicked.connect(self.accept)
        self.name.textChanged.connect(self._look)
        self.name.setSelection(0, len(path.stem))
        self.name.setFocus()
        self._look()

    def _lay_out(self, table: str, bound: str) -> None:
        named = hbox((self.name, 1), self.browse, gap=spacing.SMALL)
        parts: list[Part] = [named, self._where, self.note, spacing.SMALL]
        for made, text in (
            (self.within, "One file that opens on any computer and that you can share."),
            (
                self.beside,
                bound
                or f"A smaller file that reads {table} again when you open it. If the table has "
                "been moved by then, you are asked where it is.",
            ),
        ):
            words = label(text, kind="muted", wrap=True)
            words.setContentsMargins(spacing.WIDE, 0, 0, 0)
            made.setAccessibleDescription(text)
            parts += [made, words]
        last = hbox(STRETCH, self.cancel, self.save, gap=spacing.SMALL)
        title = label("Save session", kind="title")
        vbox(
            title, *parts, spacing.MEDIUM, last, into=self, gap=spacing.SMALL, margins=spacing.WIDE
        )

    @property
    def path(self) -> Path:
        """The chosen file, with the suffix of sessions."""
        name = self.name.text().strip()
        return self._folder / (name if name.lower().endswith(SUFFIX) else name + SUFFIX)

    def accept(self) -> None:
        """Accept and emit the path."""
        if self.save.isEnabled():
            super().accept()
            self.chosen.emit(self.path, self.within.isChecked())

    def _look(self) -> None:
        """Show what is wrong with the name, or that a file would be replaced."""
        name = self.name.text().strip()
        # A name with a folder would not be in the shown folder.
        wrong = not name or Path(name).name != name or "\\" in name
        self.save.setEnabled(not wrong)
        if name and wrong:
            text = "Enter a file name without folders."
        elif not wrong and self.path.exists():
            text = f"{self.path.name} exists and will be replaced."
        else:
            text = ""
        self.note.setText(text)
        self.note.setVisible(bool(text))
        self.fit()

    def _choose_folder(self) -> None:
        dialog = QFileDialog(self, "Folder for the session", str(self._folder))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.fileSelected.connect(self._take_folder)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _take_folder(self, name: str) -> None:
        self._folder = Path(name)
        self._where.show_text(name)
        self._look()
