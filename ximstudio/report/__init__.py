"""Write a session as a report: one self-contained HTML page on what was done and found."""

from ximstudio.report.opening import measured_session, session_of_folder
from ximstudio.report.page import SECTIONS, read_report, report_html, write_report

__all__ = [
    "SECTIONS",
    "measured_session",
    "read_report",
    "report_html",
    "session_of_folder",
    "write_report",
]
