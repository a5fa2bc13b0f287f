"""The report page: all about the session in one file for a browser."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QVBoxLayout

from ximstudio.load import Report
from ximstudio.model.words import counted
from ximstudio.session.session import Session
from ximstudio.session.words import Words, name_of, size_words
from ximstudio.ui.dialogs.export_page import ExportPage
from ximstudio.ui.exporting import Exporting
from ximstudio.ui.look import spacing
from ximstudio.ui.look.controls import label

ONE_FILE = (
    "One HTML file that opens in any browser, without a network: for co-authors, for the supplement"
    " of a paper, and for yourself in a year."
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
    "reproducing": "To make it again",
}
"""What stands in a report, by the keys of its sections."""
MEASURED = 0.5
"""How much of the work is done once all maps are measured, if some were not."""


class ReportPage(ExportPage):
    """What will be in the report, before it is written."""

    key = "report"
    name = "Report"
    about = (
        "All about the session as one HTML page: the data, what was done to them, the maps, how far"
        " they are to be believed, selections, methods, and how to make it all again."
    )

    def __init__(self, exporting: Exporting) -> None:
        super().__init__(exporting)
        about = label(ONE_FILE, kind="muted")
        about.setWordWrap(True)
        self.parts = {key: label() for key in PARTS}
        grid = QGridLayout()
        grid.setHorizontalSpacing(spacing.LARGE)
        grid.setVerticalSpacing(spacing.SMALL)
        grid.setColumnStretch(1, 1)
        for row, (key, name) in enumerate(PARTS.items()):
            told = self.parts[key]
            told.setWordWrap(True)
            # Names of files and tables are no HTML.
            told.setTextFormat(Qt.TextFormat.PlainText)
            top = Qt.AlignmentFlag.AlignTop
            grid.addWidget(_name(name, told), row, 0, top)
            grid.addWidget(told, row, 1, top)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(spacing.MEDIUM)
        column.addWidget(about)
        column.addLayout(grid)
        column.addStretch(1)

    def show_session(self) -> None:
        """Say what the report will tell."""
        for key, text in told_of(self.exporting.studio.session).items():
            self.parts[key].setText(text)

    @property
    def why_not(self) -> str:
        return "" if self.exporting.able else "Train a map first"

    def save(self, *, ask: bool) -> None:
        """Write the report, at once or to a file that is asked for."""
        name = self.exporting.name("report")
        self.to_file(name, {"html": "Web page"}, chosen="html", then=self.save_as, ask=ask)

    def save_as(self, path: Path) -> None:
        """Write the report to a file; maps that are not measured yet are measured for it."""
        studio = self.exporting.studio

        def work(report: Report) -> int:
            # Late, and in the lane: it brings all figures and formats.
            from ximstudio.kernels.parallel import checking
            from ximstudio.report import measured_session, write_report

            # As it is when its turn comes: what waited before it may have measured maps.
            session = studio.session
            begun = 0.0 if all(run.measures for run in session.runs) else MEASURED
            at = [0.0]

            def told(fraction: float) -> None:
                at[0] = fraction
                report(fraction)

            def check() -> None:
                report(at[0])

            session = measured_session(session, lambda done: told(begun * done), check)
            with checking(check):
                write_report(path, session, lambda done: told(begun + (1.0 - begun) * done))
            return path.stat().st_size

        self.exporting.make(work, lambda outcome: self.tell_saved(path, outcome))


def _name(text: str, told: QLabel) -> QLabel:
    made = label(text, kind="strong")
    made.setBuddy(told)
    return made


def told_of(session: Session) -> dict[str, str]:
    """What each part of the report will tell; by its key."""
    data, runs = session.data, session.runs
    words = Words.of(data)
    unmeasured = sum(not run.measures for run in runs)
    chosen = [counted(len(session.selection), f"chosen {words.item}")] if session.selection else []
    sets = [counted(len(session.sets), "set")] if session.sets else []
    n_steps = 0 if data is None else sum(stage.planned.on for stage in data.stages)
    n_clustered = sum(run.clustering is not None for run in runs)
    n_found = 0 if data is None else len(data.findings)
    table = "the table is not at hand" if data is None else f"{name_of(data)} · {size_words(data)}"
    measures = "of all maps, and what they say"
    if unmeasured:
        measures = (
            f"{counted(unmeasured, 'map is', 'maps are')} not measured yet; that is done first"
        )
    return {
        "data": table,
        "doctor": counted(n_found, "finding") if n_found else "none",
        "recipe": counted(n_steps, "step") if n_steps else "none: the table as it was read",
        "maps": f"{counted(len(runs), 'run')} with parameters, seeds and figures",
        "quality": measures,
        "clusters": f"of {counted(n_clustered, 'map')}" if n_clustered else "none",
        "selections": ", ".join([*chosen, *sets]) or "none",
        "methods": "text with references, and the legends of all figures",
        "reproducing": "a script with what must come out of it",
    }
