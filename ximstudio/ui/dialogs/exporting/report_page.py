"""Report page: the session as one HTML file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout

from ximstudio.load import Report
from ximstudio.model.words import counted
from ximstudio.session.session import Session
from ximstudio.session.words import Words, name_of, size_words
from ximstudio.ui.dialogs.exporting.exporter import Exporter
from ximstudio.ui.dialogs.exporting.page import ExportPage
from ximstudio.ui.widgets.boxes import STRETCH, vbox
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import label

ONE_FILE = (
    "One HTML file that opens in any browser, without a network connection: for co-authors, "
    "for a supplement, and for your own records."
)
PARTS: Mapping[str, str] = {
    "data": "Data",
    "doctor": "Findings of the data doctor",
    "recipe": "Preparation",
    "maps": "Maps",
    "quality": "Measures",
    "clusters": "Clusters",
    "selections": "Selection and sets",
    "methods": "Methods",
    "reproducing": "Reproduce the maps",
}
"""Section key → title of the page's list of contents."""
MEASURED = 0.5
"""Share of the work that measuring the unmeasured maps takes."""


class ReportPage(ExportPage):
    """Page that lists the contents of the report before it is written."""

    key = "report"
    name = "Report"
    about = (
        "The whole session as one HTML page: data, preparation, maps, map quality, "
        "selections, methods, and a script that reproduces the maps."
    )

    def __init__(self, exporting: Exporter) -> None:
        super().__init__(exporting)
        about = label(ONE_FILE, kind="muted", wrap=True)
        self.parts = {key: label(wrap=True) for key in PARTS}
        grid = QGridLayout()
        grid.setHorizontalSpacing(spacing.LARGE)
        grid.setVerticalSpacing(spacing.SMALL)
        grid.setColumnStretch(1, 1)
        for row, (key, name) in enumerate(PARTS.items()):
            value = self.parts[key]
            # Names of files and tables are plain text.
            value.setTextFormat(Qt.TextFormat.PlainText)
            top, called = Qt.AlignmentFlag.AlignTop, label(name, kind="strong")
            called.setBuddy(value)
            grid.addWidget(called, row, 0, top)
            grid.addWidget(value, row, 1, top)
        vbox(about, grid, STRETCH, into=self, gap=spacing.MEDIUM, margins=0)

    def show_session(self) -> None:
        """List the contents of the report."""
        for key, text in report_contents(self.exporting.actions.session).items():
            self.parts[key].setText(text)

    @property
    def why_not(self) -> str:
        return "" if self.exporting.shown is not None else "Train a map first"

    def save(self, *, ask: bool) -> None:
        """Write the report, at once or to a file chosen by the user."""
        name = self.exporting.name("report")
        self.to_file(name, {"html": "Web page"}, chosen="html", then=self.save_as, ask=ask)

    def save_as(self, path: Path) -> None:
        """Write the report to a file; unmeasured maps are measured first."""
        actions = self.exporting.actions

        def work(report: Report) -> int:
            # Imported late, in the background: it imports all figures and formats.
            from ximstudio.kernels.parallel import checking
            from ximstudio.report import measured_session, write_report

            # The session at the time the job runs: earlier jobs may have measured maps.
            session = actions.session
            begun = 0.0 if all(run.measures for run in session.runs) else MEASURED
            at = [0.0]

            def progress(fraction: float) -> None:
                at[0] = fraction
                report(fraction)

            def check() -> None:
                report(at[0])

            session = measured_session(session, lambda done: progress(begun * done), check)
            with checking(check):
                write_report(path, session, lambda done: progress(begun + (1.0 - begun) * done))
            return path.stat().st_size

        self.make_file(path, work)


def report_contents(session: Session) -> dict[str, str]:
    """Return section key → description of its contents."""
    data, runs = session.data, session.runs
    words = Words.of(data)
    unmeasured = sum(not run.measures for run in runs)
    chosen = (
        [counted(len(session.selection), f"selected {words.item}")] if session.selection else []
    )
    sets = [counted(len(session.sets), "set")] if session.sets else []
    n_steps = 0 if data is None else sum(stage.planned.on for stage in data.stages)
    n_clustered = sum(run.clustering is not None for run in runs)
    n_found = 0 if data is None else len(data.findings)
    table = "the table is not available"
    if data is not None:
        table = f"{name_of(data)} · {size_words(data)}"
    measures = "of all maps, with explanations"
    if unmeasured:
        those = counted(unmeasured, "map is", "maps are")
        measures = f"{those} not measured yet and will be measured first"
    return {
        "data": table,
        "doctor": counted(n_found, "finding") if n_found else "none",
        "recipe": counted(n_steps, "step") if n_steps else "none: the table as read",
        "maps": f"{counted(len(runs), 'run')} with parameters, seeds and figures",
        "quality": measures,
        "clusters": f"of {counted(n_clustered, 'map')}" if n_clustered else "none",
        "selections": ", ".join([*chosen, *sets]) or "none",
        "methods": "text with references, and the legends of all figures",
        "reproducing": "a script with the expected results",
    }
