"""Session → a report: one HTML page that says what was done and found, and needs nothing else."""

from ximstudio.report.contents import SECTIONS
from ximstudio.report.files import read_report, write_report
from ximstudio.report.opening import measured_session, session_of_folder
from ximstudio.report.page import report_html

__all__ = [
    "SECTIONS",
    "measured_session",
    "read_report",
    "report_html",
    "session_of_folder",
    "write_report",
]
