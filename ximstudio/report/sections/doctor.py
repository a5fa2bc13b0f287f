"""What the data doctor finds in the table after the recipe."""

from __future__ import annotations

from ximstudio.model.words import counted
from ximstudio.report.context import ReportContext, Section, absent
from ximstudio.report.html import Html, joined, paragraph
from ximstudio.report.messages import notes_list


def write_findings(telling: ReportContext) -> Html:
    """All findings, as the window has them, and what stands against training."""
    data = telling.session.data
    if data is None:
        return absent("The table is not at hand, and was not examined.")
    problems = (*data.problems, *(finding.problem for finding in data.findings))
    if not problems:
        return paragraph("The data doctor looked at the prepared table and found nothing amiss.")
    told = counted(len(problems), "thing")
    return joined(
        [
            paragraph(f"The data doctor found {told} in the prepared table that one should know."),
            notes_list(problems, telling),
        ]
    )


SECTION = Section(key="doctor", title="Findings of the data doctor", write=write_findings)
