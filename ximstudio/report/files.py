"""A report's file: written whole or not at all, and its record read back."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

from ximstudio.export.provenance import Provenance
from ximstudio.load import Report, silent
from ximstudio.model.problem import UserError
from ximstudio.model.whole import appearing
from ximstudio.report.page import report_html
from ximstudio.report.sections.reproducing import RECORD
from ximstudio.session.session import Session

WRITING = 0.98
"""How much of the work is done before the file is written."""
MOST_BYTES = 2**28
"""A longer file is no report of ours."""


def write_report(
    path: Path, session: Session, report: Report = silent, *, title: str = "", date: str = ""
) -> None:
    """Write the report of a session; a file that was there before stays until it is complete."""
    text = report_html(session, lambda fraction: report(WRITING * fraction), title=title, date=date)
    with appearing(path) as unfinished:
        unfinished.write_text(text, encoding="utf-8", newline="\n")
    report(1.0)


def read_report(path: Path) -> Provenance | None:
    """How the maps of a report were made; None if the file does not say."""
    try:
        if path.stat().st_size > MOST_BYTES:
            return None
        text = path.read_bytes().decode("utf-8", errors="replace")
    except OSError as error:
        raise UserError(
            key="report.unreadable",
            what=f"The file cannot be read: {error.strerror}.",
            where=str(path),
            way_out="Give the file of a report.",
        ) from None
    found = _Record()
    found.feed(text)
    return Provenance.from_text(found.text, path) if found.text else None


class _Record(HTMLParser):
    """Finds the record in a page."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.text = ""
        self._inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._inside = tag == "script" and ("id", RECORD) in attrs and not self.text

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.text += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "script":
            self._inside = False
