"""Findings of the data doctor in the prepared table."""

from __future__ import annotations

from ximstudio.model.words import counted
from ximstudio.report.context import ReportContext, Section, absent
from ximstudio.report.html import Html, joined, paragraph
from ximstudio.report.messages import notes_list


def write_findings(context: ReportContext) -> Html:
    """Write all findings, as in the window, and what prevents training."""
    data = context.session.data
    if data is None:
        return absent("The table is not available and was not examined.")
    problems = (*data.problems, *(finding.problem for finding in data.findings))
    if not problems:
        return paragraph("The data doctor found no problems in the prepared table.")
    number = counted(len(problems), "point")
    return joined(
        [
            paragraph(f"The data doctor found {number} to note in the prepared table."),
            notes_list(problems, context),
        ]
    )


SECTION = Section(key="doctor", title="Findings of the data doctor", write=write_findings)
