"""Text page, with methods section and figure legend, and script page."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QWidget

from ximstudio.load import Report
from ximstudio.model.problem import Problem
from ximstudio.session.run import Run
from ximstudio.session.session import Session
from ximstudio.ui.dialogs.exporting.exporter import Exporter
from ximstudio.ui.dialogs.exporting.page import ExportPage
from ximstudio.ui.runtime.messages import put_on_clipboard
from ximstudio.ui.widgets.boxes import hbox, vbox
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import Size, button, label, segments
from ximstudio.views import view_named
from ximstudio.views.common.figure_plan import FigurePlan

if TYPE_CHECKING:
    from ximstudio.session.shown import Shown

KINDS = {"txt": "Text", "md": "Markdown"}
FIGURE, SHOWN, ALL = "figure", "shown", "all"
LEAST_HEIGHT = 72
VERIFY = (
    "Anyone with XIM Studio can run it or check it: “ximstudio verify FILE” trains the maps "
    "again and reports whether each is the same, bit for bit on the same kind of computer."
)


@dataclass(frozen=True, kw_only=True)
class FigureTexts:
    """Methods text and legend of a figure."""

    methods: str
    legend: str
    markdown: str

    def whole(self, suffix: str) -> str:
        """Return both as one text, in the format of the suffix."""
        if suffix == ".md":
            return f"# Methods\n\n{self.markdown}\n## Figure legend\n\n{self.legend}\n"
        return f"{self.methods}\nFigure legend\n\n{self.legend}\n"


class TextPage(ExportPage):
    """Page with the methods text above and the figure legend below."""

    key = "text"
    name = "Text"
    about = (
        "The methods section and the figure legend, written from the actual parameters, with "
        "references. Read them and adapt them to your journal."
    )

    def __init__(self, exporting: Exporter) -> None:
        super().__init__(exporting)
        self.plan: FigurePlan | None = None
        """The figure of the legend."""
        self.texts: FigureTexts | None = None
        self.which = segments({FIGURE: "Maps of the figure", ALL: "All runs"})
        self.which.button(FIGURE).setToolTip("Methods of the maps in the figure")
        self.which.button(ALL).setToolTip("Methods of every map in this session")
        self.methods, self.legend = _field("Methods"), _field("Figure legend")
        self.copy_methods = button("Copy", size=Size.SMALL, icon_name="copy")
        self.copy_legend = button("Copy", size=Size.SMALL, icon_name="copy")
        for made, what in ((self.copy_methods, "methods"), (self.copy_legend, "legend")):
            made.setAutoDefault(False)
            made.setToolTip(f"Copy the {what}")
            made.setAccessibleName(f"Copy the {what}")
        vbox(
            _head("Methods", self.which, self.copy_methods),
            (self.methods, 3),
            spacing.HAIR,
            _head("Figure legend", None, self.copy_legend),
            (self.legend, 1),
            into=self,
            gap=spacing.SMALL,
            margins=0,
        )
        self.which.chosen.connect(self.show_session)
        self.copy_methods.clicked.connect(lambda: self._copy(self.methods, "methods"))
        self.copy_legend.clicked.connect(lambda: self._copy(self.legend, "legend"))

    def show_session(self, _: str = "") -> None:
        """Update both texts."""
        shown, plan, session = self.exporting.shown, self.plan, self.exporting.actions.session
        self.which.setVisible(len(session.runs) > 1)
        self._show(None)
        if shown is None or plan is None:
            return
        whole = self.which.value == ALL

        def work(report: Report) -> FigureTexts:
            report(0.0)
            return texts_of(session, shown, plan, whole=whole)

        self.exporting.describe(work, self._show, self.refused.emit)

    @property
    def why_not(self) -> str:
        return "" if self.texts is not None else "The text is being written"

    def save(self, *, ask: bool) -> None:
        """Write both texts, at once or to a file chosen by the user."""
        name = self.exporting.name("methods")
        self.to_file(name, KINDS, chosen="txt", then=self.save_as, ask=ask)

    def save_as(self, path: Path) -> None:
        """Write both texts to a file."""
        texts = self.texts
        if texts is None:
            return

        def work(report: Report) -> int:
            from ximstudio.prepare.memory import write_atomically

            content = texts.whole(path.suffix.lower()).encode("utf-8")
            report(0.5)
            write_atomically(path, content)
            return len(content)

        self.make_file(path, work)

    def _show(self, texts: FigureTexts | None) -> None:
        self.texts = texts
        self.methods.setPlainText("" if texts is None else texts.methods)
        self.legend.setPlainText("" if texts is None else texts.legend)
        for made in (self.copy_methods, self.copy_legend):
            made.setEnabled(texts is not None)
        self.changed.emit()

    def _copy(self, field: QPlainTextEdit, what: str) -> None:
        put_on_clipboard(field.toPlainText())
        self.announced.emit(f"Copied the {what}", None)


def texts_of(session: Session, shown: Shown, plan: FigurePlan, *, whole: bool) -> FigureTexts:
    """Return the methods of the maps in a figure, or of all maps, and the figure's legend."""
    from ximstudio.export.figure_legend import figure_legend
    from ximstudio.export.methods_text import session_methods
    from ximstudio.export.planned_figure import runs_in

    described = session.runs if whole else runs_in(shown, plan)
    if not whole and not view_named(plan.state.view).compares:
        # Repetitions of other maps do not belong to this figure.
        session = replace(session, judged=None)
    methods = session_methods(session, [run.key for run in described])
    legend = figure_legend(shown, plan)
    return FigureTexts(methods=methods.plain, legend=legend, markdown=methods.markdown)


def _field(name: str) -> QPlainTextEdit:
    made = QPlainTextEdit()
    made.setReadOnly(True)
    made.setTabChangesFocus(True)
    made.setAccessibleName(name)
    made.setMinimumHeight(LEAST_HEIGHT)
    return made


def _head(title: str, choice: QWidget | None, copy: QWidget) -> QHBoxLayout:
    row = hbox(label(title, kind="title"), gap=spacing.MEDIUM)
    if choice is not None:
        row.addWidget(choice)
    row.addStretch(1)
    row.addWidget(copy)
    return row


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
        self.field = _field("Script")
        self.field.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.field.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
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
