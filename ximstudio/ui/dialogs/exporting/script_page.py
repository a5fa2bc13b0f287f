"""The script page: a Python file that makes the maps again, and proves that they are the same."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QPlainTextEdit, QVBoxLayout

from ximstudio.load import Report
from ximstudio.session.run import Run
from ximstudio.ui.dialogs.export_page import ExportPage
from ximstudio.ui.exporting import Exporting, Refused
from ximstudio.ui.look import spacing
from ximstudio.ui.look.controls import label, segments
from ximstudio.ui.messages import put_on_clipboard

SHOWN, ALL = "shown", "all"
VERIFY = (
    "Anybody with XIM Studio can run it, or have it checked: “ximstudio verify FILE” makes the maps"
    " again and ticks each that is the same, to the last bit on the same kind of computer."
)


class ScriptPage(ExportPage):
    """The text of the script, to be read before it is saved."""

    key = "script"
    name = "Script"
    about = (
        "A short Python file that reads the table, prepares it and trains the maps again, with what"
        " must come out of it. It runs without the window."
    )
    copies = "Copy the script"

    def __init__(self, exporting: Exporting) -> None:
        super().__init__(exporting)
        self.text = ""
        self.which = segments({SHOWN: "This map", ALL: "All runs"})
        self.which.button(SHOWN).setToolTip("Makes the map that is shown, and those it comes from")
        self.which.button(ALL).setToolTip("Makes every map that was trained")
        about = label(VERIFY, kind="muted")
        about.setWordWrap(True)
        self.field = QPlainTextEdit()
        self.field.setReadOnly(True)
        self.field.setTabChangesFocus(True)
        self.field.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.field.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.field.setAccessibleName("Script")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(spacing.SMALL)
        column.addWidget(about)
        column.addWidget(self.which)
        column.addWidget(self.field, 1)
        self.which.chosen.connect(self.show_session)
        self._wrong = ""

    @property
    def file_name(self) -> str:
        """What the script is called unless a person says otherwise, without its end."""
        # It stands in commands, where a space is the end of a name.
        return self.exporting.name().replace(" ", "_")

    def show_session(self, _: str = "") -> None:
        """Write the script anew."""
        runs, chosen = self._runs
        name = f"{self.file_name}.py"
        self.which.setVisible(len(runs) > 1)
        self._show("")

        def work(report: Report) -> str:
            from ximstudio.reproduce.receipt import receipt_of
            from ximstudio.reproduce.script import script_text

            report(0.0)
            return script_text(receipt_of(runs, chosen), name)

        def done(outcome: str | Refused) -> None:
            if isinstance(outcome, Refused):
                self._wrong = outcome.problems[0].what
                self.refused.emit(outcome.problems)
                self.changed.emit()
            else:
                self._show(outcome)

        self.exporting.tell(work, done)

    @property
    def _runs(self) -> tuple[tuple[Run, ...], tuple[str, ...]]:
        """All runs, and the keys of those that are wanted; none for all."""
        session = self.exporting.studio.session
        whole = self.which.value == ALL or session.run is None
        return session.runs, () if whole or session.run is None else (session.run.key,)

    @property
    def why_not(self) -> str:
        return self._wrong or ("" if self.text else "The script is being written")

    def copy(self) -> None:
        """Put the script on the clipboard."""
        put_on_clipboard(self.text)
        self.told.emit("Copied the script", None)

    def save(self, *, ask: bool) -> None:
        """Write the script, at once or to a file that is asked for."""
        self.to_file(self.file_name, {"py": "Python"}, chosen="py", then=self.save_as, ask=ask)

    def save_as(self, path: Path) -> None:
        """Write the script to a file, whose name it knows."""
        runs, chosen = self._runs

        def work(report: Report) -> int:
            from ximstudio.reproduce.script import write_script

            report(0.0)
            write_script(path, runs, chosen)
            return path.stat().st_size

        self.exporting.make(work, lambda outcome: self.tell_saved(path, outcome))

    def _show(self, text: str) -> None:
        self._wrong = ""
        self.text = text
        self.field.setPlainText(text)
        self.changed.emit()
