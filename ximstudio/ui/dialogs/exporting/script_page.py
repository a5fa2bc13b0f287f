"""Script page: a Python file that reproduces the maps and checks them."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QPlainTextEdit

from ximstudio.load import Report
from ximstudio.model.problem import Problem
from ximstudio.session.run import Run
from ximstudio.ui.dialogs.exporting.exporter import Exporter
from ximstudio.ui.dialogs.exporting.page import ExportPage
from ximstudio.ui.runtime.messages import put_on_clipboard
from ximstudio.ui.widgets.boxes import vbox
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import label, segments

SHOWN, ALL = "shown", "all"
VERIFY = (
    "Anyone with XIM Studio can run it or check it: “ximstudio verify FILE” trains the maps "
    "again and reports whether each is the same, bit for bit on the same kind of computer."
)


class ScriptPage(ExportPage):
    """Page that shows the script before it is saved."""

    key = "script"
    name = "Script"
    about = (
        "A short Python file that reads the table, prepares it, trains the maps again and "
        "compares them with the expected results. It runs without the window."
    )
    copies = "Copy the script"

    def __init__(self, exporting: Exporter) -> None:
        super().__init__(exporting)
        self.text = ""
        self.which = segments({SHOWN: "This map", ALL: "All runs"})
        self.which.button(SHOWN).setToolTip("Reproduces this map and the maps it was derived from")
        self.which.button(ALL).setToolTip("Reproduces every map in this session")
        about = label(VERIFY, kind="muted", wrap=True)
        self.field = QPlainTextEdit()
        self.field.setReadOnly(True)
        self.field.setTabChangesFocus(True)
        self.field.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.field.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.field.setAccessibleName("Script")
        vbox(about, self.which, (self.field, 1), into=self, gap=spacing.SMALL, margins=0)
        self.which.chosen.connect(self.show_session)
        self._wrong = ""

    @property
    def file_name(self) -> str:
        """Default file name without suffix."""
        # No spaces: it is used in commands.
        return self.exporting.name().replace(" ", "_")

    def show_session(self, _: str = "") -> None:
        """Update the script."""
        runs, chosen = self._runs
        name = f"{self.file_name}.py"
        self.which.setVisible(len(runs) > 1)
        self._show("")

        def work(report: Report) -> str:
            from ximstudio.reproduce.receipt import receipt_of
            from ximstudio.reproduce.script import script_text

            report(0.0)
            return script_text(receipt_of(runs, chosen), name)

        def refused(problems: tuple[Problem, ...]) -> None:
            self._wrong = problems[0].what
            self.refused.emit(problems)
            self.changed.emit()

        self.exporting.describe(work, self._show, refused)

    @property
    def _runs(self) -> tuple[tuple[Run, ...], tuple[str, ...]]:
        """Return all runs, and the keys of the wanted ones; none for all."""
        session = self.exporting.actions.session
        whole = self.which.value == ALL or session.run is None
        return session.runs, () if whole or session.run is None else (session.run.key,)

    @property
    def why_not(self) -> str:
        return self._wrong or ("" if self.text else "The script is being written")

    def copy(self) -> None:
        """Put the script on the clipboard."""
        put_on_clipboard(self.text)
        self.announced.emit("Copied the script", None)

    def save(self, *, ask: bool) -> None:
        """Write the script, at once or to a file chosen by the user."""
        self.to_file(self.file_name, {"py": "Python"}, chosen="py", then=self.save_as, ask=ask)

    def save_as(self, path: Path) -> None:
        """Write the script to a file; the script mentions its name."""
        runs, chosen = self._runs

        def work(report: Report) -> int:
            from ximstudio.reproduce.script import write_script

            report(0.0)
            write_script(path, runs, chosen)
            return path.stat().st_size

        self.make_file(path, work)

    def _show(self, text: str) -> None:
        self._wrong = ""
        self.text = text
        self.field.setPlainText(text)
        self.changed.emit()
