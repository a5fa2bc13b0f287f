"""Write the file of a report atomically, and read its record back."""

from __future__ import annotations

import re
from pathlib import Path

from ximstudio.export.provenance import Provenance
from ximstudio.files.atomic import appearing
from ximstudio.files.bounded import OversizedFileError, read_bounded
from ximstudio.load import Report, silent
from ximstudio.model.problem import UserError
from ximstudio.report.page import report_html
from ximstudio.report.sections.reproducing import RECORD
from ximstudio.session.session import Session

WRITING = 0.98
"""Share of the work that is done before the file is written."""
MOST_BYTES = 2**28
"""Largest file that is read as a report."""
ELEMENT = re.compile(r"<script\b[^<>]{0,200}>")
MARK, END = re.compile(rf"""\sid=["']?{RECORD}["'\s>]"""), "</script"
"""The element with the record; limited, so that the search is linear."""


def write_report(
    path: Path, session: Session, report: Report = silent, *, title: str = "", date: str = ""
) -> None:
    """Write the report of a session; a file that was there before stays until it is complete."""
    text = report_html(session, lambda fraction: report(WRITING * fraction), title=title, date=date)
    with appearing(path) as unfinished:
        unfinished.write_text(text, encoding="utf-8", newline="\n")
    report(1.0)


def read_report(path: Path) -> Provenance | None:
    """Read how the maps of a report were made; None if the file does not say."""
    try:
        text = read_bounded(path, MOST_BYTES).decode("utf-8", errors="replace")
    except OversizedFileError:
        return None
    except OSError as error:
        raise UserError(
            key="report.unreadable",
            what=f"The file cannot be read: {error.strerror}.",
            where=str(path),
            way_out="Give the file of a report.",
        ) from None
    found = next((each for each in ELEMENT.finditer(text) if MARK.search(each[0])), None)
    if found is None:
        return None
    return Provenance.from_text(text[found.end() :].partition(END)[0], path)
