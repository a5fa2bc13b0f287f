"""Problems and findings in a report: what, where, and the way out."""

from __future__ import annotations

from collections.abc import Sequence

from ximstudio.model.problem import Problem
from ximstudio.report.context import ReportContext
from ximstudio.report.html import Html, bullets, joined, tag

MOST = 50
"""Messages that are printed; the rest are counted."""


def notes_list(problems: Sequence[Problem], context: ReportContext) -> Html:
    """List messages one below the other."""
    entries = [message(problem, context) for problem in problems[:MOST]]
    if len(problems) > MOST:
        entries.append(tag("span", f"… and {len(problems) - MOST} more", class_="note"))
    return bullets(entries, kind="messages")


def message(problem: Problem, context: ReportContext) -> Html:
    """Format one message with its severity, place and way out."""
    severity = str(problem.severity)
    return joined(
        [
            tag("span", severity, class_=f"severity {severity}"),
            " ",
            tag("b", context.said(problem.what)),
            tag("br"),
            tag("span", "Where: ", context.said(problem.address), class_="note"),
            tag("br"),
            tag("span", "What to do: ", context.said(problem.way_out)),
        ]
    )
